"""What a request may name: known games, rules, players, and files in the folder of runs. Nothing else is looked up."""

import dataclasses
import math
import re
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sparring.arena.players import CHAMPION, Contestant, champion_texts, default_opponent, find_player, with_search
from sparring.errors import UserError
from sparring.games import Game, find_game, known_games, unknown
from sparring.lab.experiment import OWN
from sparring.learn import LEARNERS
from sparring.nets.files import SUFFIX
from sparring.search.budget import read_budget
from sparring.web.hints import adviser
from sparring.web.refusals import Refusal, not_found

RUNS = "runs/"  # prefix of the name of a run's champion as a player
MOST_SEARCH = 1000  # strongest search that may be requested: a move takes about a second
MOST_SECONDS = 2  # that a search may take
MOST_FOUND = 500  # runs, logs or reports listed
DEEPEST = 3  # levels of subfolders that are searched
PLAIN_WORD = re.compile(r"[A-Za-z0-9_-]*")  # never the name of a file that an option reads


def game_named(name: str, rules: str = "") -> Game:
    """A known game under these rules. Neither other modules nor files that rules name are looked up."""
    family, _, words = name.partition(":")
    words = rules or words
    if family not in known_games():
        raise Refusal(422, str(unknown("game", family, known_games())))
    if not words:
        return find_game(family)
    for key, value in (word.partition("=")[::2] for word in words.split(",")):
        if reads_file(find_game(family).rules.options, key) and not PLAIN_WORD.fullmatch(value):
            raise Refusal(422, f"rules {words!r}: {key} may not name a file here")
    try:
        return find_game(f"{family}:{words}")
    except UserError as error:
        raise Refusal(422, str(error)) from None


def reads_file(options: type | None, key: str) -> bool:
    """Whether an option may name a file."""
    return any(f.name == key and f.metadata["reads_file"] for f in (dataclasses.fields(options) if options else ()))


def player_named(game: Game, name: str, runs: Path) -> Contestant:
    """A built-in player, a champion of the game, or the champion of a run; each may search for a while."""
    try:
        base, budget = read_budget(game, name)
        if budget:
            if budget.playouts > MOST_SEARCH or budget.seconds > MOST_SECONDS:
                raise Refusal(422, f"player {name!r}: at most {MOST_SEARCH} playouts or {MOST_SECONDS} seconds here")
            return with_search(game, player_named(game, base, runs), budget)
    except UserError as error:
        raise Refusal(422, str(error)) from None
    base, plus, variant = name.rpartition("+")
    variants = [policy.partition("+")[2] for policy in game.policy_names if policy.startswith("net+")]
    if name in game.builtin or not (plus and variant in variants):
        base, plus, variant = name, "", ""
    if base.startswith(RUNS):
        path = inside(runs, f"{base.removeprefix(RUNS)}/{CHAMPION}", "run with a champion", SUFFIX)
        return _of_run(game.name, path, path.stat().st_mtime_ns, f"{plus}{variant}", base.removeprefix(RUNS))
    policy, at, number = base.partition("@")
    known = [*game.builtin, *game.policies.champions, *programs(game)]
    if base not in known and not (at and policy in game.policies.strengths):
        raise Refusal(422, str(unknown("player", name, known)))
    if at and number.isdecimal() and int(number[:9]) > MOST_SEARCH:
        raise Refusal(422, f"player {name!r}: the search strength must be at most {MOST_SEARCH} here")
    return _of_package(game.name, name)


@lru_cache(maxsize=64)
def _of_package(game: str, name: str) -> Contestant:
    return find_player(find_game(game), name)


@lru_cache(maxsize=64)
def _of_run(game: str, path: Path, changed: int, variant: str, name: str) -> Contestant:
    try:
        found = find_player(find_game(game), f"{path}{variant}")
    except UserError as error:
        raise Refusal(422, str(error).replace(str(path), f"{RUNS}{name}")) from None
    return dataclasses.replace(found, name=f"{name}{variant}")


def inside(folder: Path, name: str, what: str, suffix: str = "") -> Path:
    """The file of a relative name in a folder; a name that leads out of it is not found."""
    parts = name.split("/")
    hidden = any(not part or part.startswith(".") or not part.isprintable() for part in parts)
    if hidden or not name.endswith(suffix) or "\\" in name:
        raise not_found(what)
    try:
        found = folder.joinpath(*parts).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise not_found(what) from None
    if not found.is_relative_to(folder.resolve()) or not found.is_file():
        raise not_found(what)
    return found


def found_in(folder: Path, pattern: str) -> Iterator[tuple[str, Path]]:
    """The files of a pattern in a folder and its subfolders, by relative name, newest first."""
    root, found = folder.resolve(), []
    for depth in range(DEEPEST + 1):
        for path in root.glob("*/" * depth + pattern):
            name = path.relative_to(root).as_posix()
            if path.is_file() and name.partition("/")[0] not in OWN and path.resolve().is_relative_to(root):
                found.append((path.stat().st_mtime, name, path))
    yield from ((name, path) for _, name, path in sorted(found, reverse=True)[:MOST_FOUND])


def list_games() -> list[dict[str, Any]]:
    """All known games."""
    return [_describe(name) for name in known_games()]


@cache
def _describe(name: str) -> dict[str, Any]:
    game = find_game(name)
    return {
        "name": game.name,
        "summary": game.summary,
        "seats": list(game.rules.seats),
        "options": list_options(game.rules.options) if game.rules.options else [],
        "people": game.presentation.people,
        "guide": game.presentation.guide.json() if game.presentation.guide else None,
        "players": list_players(game),
        "default_opponent": default_opponent(game),
        "adviser": adviser(game),
        "levels": _levels(game),
        "touched": game.view.interactive,
        "partial": game.view.stepwise,
        "taking_back": game.presentation.undo,
        "analyst": _analyst(game),
    }


def _analyst(game: Game) -> dict[str, list[str]] | None:
    """The files that a game's own analyst reads, and how deep it can look."""
    analyst = game.presentation.analyst
    return {"suffixes": list(analyst.suffixes), "levels": list(analyst.levels)} if analyst else None


def _levels(game: Game) -> list[dict[str, Any]]:
    """The levels of a game whose players are here; ratings are shown from the weakest one's on, unrated ones come last."""
    known = [player["name"] for player in list_players(game)]
    levels = [level for level in game.presentation.levels if level.player in known]
    base = min((level.rating[0] for level in levels if level.rating), default=0.0)
    shown = [level.json() | {"rating": [value - base for value in level.rating] or None} for level in levels]
    return sorted(shown, key=lambda level: level["rating"] is None)


def programs(game: Game) -> list[str]:
    """The external programs that are installed here."""
    return list(game.policies.external) if game.policies.external and game.policies.installed() else []


def list_players(game: Game) -> list[dict[str, Any]]:
    """A game's champions, those that search as a level, its built-in players, and programs that are installed."""
    nets, builtin = champion_texts(game), {name: game.policies.names[name] for name in game.builtin}
    searching = {
        level.player: level.about
        for level in game.presentation.levels
        if level.player not in nets | builtin and level.player.partition("+")[0] in nets | builtin
    }
    found = nets | searching | builtin | dict.fromkeys(programs(game), "an external program")
    return [{"name": name, "about": text, "champion": name in nets} for name, text in found.items()]


def list_options(options: type) -> list[dict[str, Any]]:
    """Options as the page's forms need them."""
    return [
        {
            "name": f.name,
            "help": f.metadata["help"],
            "default": list(f.default) if isinstance(f.default, tuple) else f.default,
            "choices": list(f.metadata["choices"]) or None,
            "least": _limit(f.metadata["low"]),
            "most": _limit(f.metadata["high"]),
            "whole": type(f.default) is int,
            "reads_file": f.metadata["reads_file"],
        }
        for f in dataclasses.fields(options)
    ]


def _limit(value: float) -> float | None:
    return value if math.isfinite(value) else None


def list_learners(game: Game | None) -> list[dict[str, Any]]:
    """The learners that support a game with default options; all learners without a game."""
    return [
        {
            "name": name,
            "about": (sys.modules[training.__module__].__doc__ or "").strip().partition("\n")[0],
            "options": [_of_game(o, game) for o in list_options(options) if not o.pop("reads_file")],
        }
        for name, (options, training) in LEARNERS.items()
        if game is None or _supports(game, options, training)
    ]


def _of_game(option: dict[str, Any], game: Game | None) -> dict[str, Any]:
    """An option with the choices that a game gives it."""
    if game is None or option["choices"]:
        return option
    offered = {
        "encoding": ["", *game.encoding_names],
        "policy": [name for name in game.policies.names if name.partition("+")[0] == "net"],
        "benchmark": game.builtin,
    }
    found = offered.get(option["name"], ())
    return option | {"choices": list(dict.fromkeys([option["default"], *found])) if found else None}


def _supports(game: Game, options: type, training: Any) -> bool:
    try:
        training.check(game, options())
    except UserError:
        return False
    return True
