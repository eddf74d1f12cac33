"""The options of a curriculum, and the reading of those that name a game's roles and rewards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.players import find_player
from sparring.errors import UserError, errors_at
from sparring.games import Game, unknown
from sparring.games.team import TeamCurriculum
from sparring.learn.option_checks import check_builtin
from sparring.learn.td import SCHEDULES
from sparring.nets.files import load_net
from sparring.options import option, parse_option, read_options
from sparring.reading import MOST_LOG, read_text

MOST_HIDDEN = 4096
EXPLORATIONS = ("thompson", "epsilon", "none")


@dataclass(frozen=True)
class Curriculum:
    """The options of a curriculum."""

    stages: tuple[str, ...] = option((), "the stages, in order; empty for all stages of the game")
    games: tuple[int, ...] = option((100_000,), "games of each stage, or one number for all")
    before: str = option("", "a team's file to start from, for stages that need its networks", reads_file=True)
    hidden: int = option(64, "hidden units of each network", 1, MOST_HIDDEN)
    widths: str = option("", "hidden units of roles that differ, such as ROLE=256")
    rate: float = option(0.003, "Adam's learning rate at the start of each stage", 0, 1000)
    rate_end: float = option(0.0001, "Adam's learning rate at the end of each stage", 0, 1000)
    batch: int = option(256, "examples per step of Adam", 1, 1_000_000)
    schedule: str = option("exponential", "how the rate changes from start to end", choices=SCHEDULES)
    decision_batch: int = option(32, "examples per step of Adam for decisions, which have few examples", 1, 1_000_000)
    decision_passes: int = option(5, "passes of a decision over each step's examples", 1, 1000)
    hints: float = option(0.5, "weight of immediate rewards relative to the round's", 0, 1000)
    trace: float = option(1.0, "lambda of TD(lambda) for values: 1 for the outcome alone, a Monte Carlo return", 0, 1)
    discount: float = option(1.0, "factor by which an outcome counts less for each earlier move; 1: equally", 0, 1)
    level: float = option(1.0, "weight of the error that all alternatives of a searched decision share", 0, 1)
    rewards: str = option(
        "", "rewards that differ from the game's default: REWARD=13, or STAGE.REWARD=13 for one stage"
    )
    thresholds: str = option("", "thresholds above which decisions say yes, if not the default, such as ROLE=0.9")
    shares: str = option("", "shares of examples to which decisions say yes, not thresholds, such as ROLE=0.04")
    explore: str = option("thompson", "exploration", choices=EXPLORATIONS)
    epsilon: float = option(0.05, "for epsilon: share of random moves", 0, 1)
    spread: float = option(1.0, "for thompson: scale of the samples' distance from the mean", 0, 1000)
    records: str = option("", "a log of games to learn from instead of games of the team", reads_file=True)
    rivals: tuple[str, ...] = option((), "built-in players that take turns to replace all plain players but one")
    rival_share: float = option(0.5, "share of games with rivals, if there are any", 0, 1)
    start: float = option(0.1, "standard deviation of the initial weights", 0, 1000)
    step_games: int = option(1000, "games per step; the run saves and checks for Ctrl-C between steps", 4, 100_000)
    benchmarks: tuple[str, ...] = option((), "players that the team meets for the curves only; by default the game's")
    benchmark_games: int = option(200, "games with each benchmark for every point of the curves", 0, 1_000_000)
    curve_every: int = option(20, "steps between two points of the curves", 1, 1_000_000)
    exam_games: int = option(4000, "games whose balanced examples measure the accuracy of a decision", 4, 1_000_000)

    @classmethod
    def expanded(cls, table: dict[str, Any], game: Game, folder: Path) -> dict[str, Any]:
        """A table of options with the game's own benchmarks, if it names none."""
        return {"benchmarks": list(curriculum_of(game).benchmarks)} | table


def check_curriculum(game: Game, options: Curriculum) -> None:
    """Refuse options that do not fit the game or each other."""
    curriculum = curriculum_of(game)
    for name in options.stages:
        if name not in curriculum.stages:
            raise UserError(f"learner.stages: {unknown('stage', name, list(curriculum.stages))}")
    names = options.stages or curriculum.usual
    if len(set(names)) < len(names):
        raise UserError(f"learner.stages = {list(names)}: a stage is there twice")
    if len(options.games) not in (1, len(names)) or min(options.games, default=0) < 1:
        fault = f"learner.games = {list(options.games)}"
        raise UserError(f"{fault}: must be one number, or one for each of {len(names)} stages")
    for key in ("rivals", "benchmarks"):
        for player in getattr(options, key):
            check_builtin(game, key, player.partition("@")[0])
            find_player(game, player)
    for name in names:
        read_rewards(curriculum, options.rewards, name)
    for word, key, _ in pairs_of(options.rewards):
        only = key.rpartition(".")[0]
        if only and only not in names:
            raise UserError(f"learner.rewards = {options.rewards!r}: {word!r} is for a stage that is not trained")
    read_widths(options.widths, game.policies.roles)
    for key in ("thresholds", "shares"):
        read_numbers(getattr(options, key), key, curriculum.thresholds)
    check_order(curriculum, names, roles_before(game, options.before))
    if options.records:
        recorded_games(game, options.records)


def recorded_games(game: Game, path: str) -> np.ndarray:
    """The games of a log as records that the game's curriculum replays."""
    curriculum = curriculum_of(game)
    if curriculum.recorded is None:
        raise UserError(f"learner.records: {game.name} cannot learn from recorded games")
    with errors_at("learner.records: "):
        text = read_text(Path(path), "a log of games", "ascii", MOST_LOG)
    if text.startswith("#"):
        text = text.partition("\n")[2]  # the header
    games = enumerate(filter(None, text.strip("\n").split("\n\n")), 1)
    found = [curriculum.recorded(each, f"{path}, game {number}") for number, each in games]
    if not found:
        raise UserError(f"learner.records = {path!r}: contains no games")
    return np.concatenate(found)


def roles_before(game: Game, path: str) -> set[str]:
    """The roles of the team in a file; none for an empty path."""
    team = load_net(Path(path), game) if path else None
    if team and not team.parts:
        raise UserError(f"learner.before = {path!r}: one net alone; must be a team of nets")
    return set(team.parts) if team else set()


def check_order(curriculum: TeamCurriculum, names: Iterable[str], have: set[str]) -> None:
    """Refuse a stage that needs a role which no stage before it learns."""
    for name in names:
        if missing := [role for role in curriculum.stages[name].needs if role not in have]:
            fault = f"learner.stages: {name} needs {', '.join(missing)}, which no stage before it learns"
            raise UserError(f"{fault}; name such a stage first, or a team that has it in learner.before")
        have |= set(curriculum.stages[name].learns)


def curriculum_of(game: Game) -> TeamCurriculum:
    """A game's curriculum."""
    if game.learning.curriculum is None:
        raise UserError(f"learner.name: {game.name} has no roles to learn, so curriculum cannot learn it")
    return game.learning.curriculum


def pairs_of(text: str) -> list[tuple[str, str, str]]:
    """The entries of `key=value,key=value`, each whole and as key and value."""
    words = filter(None, text.replace(" ", "").split(","))
    return [(word, *word.partition("=")[::2]) for word in words]


def read_numbers(text: str, key: str, roles: Mapping[str, float]) -> dict[str, float]:
    """`ROLE=0.9,...` as numbers from 0 to 1 by role."""
    found = {}
    for word, role, value in pairs_of(text):
        if role not in roles:
            raise UserError(f"learner.{key} = {text!r}: {role!r} decides nothing; decisions are {', '.join(roles)}")
        try:
            found[role] = float(value)
        except ValueError:
            found[role] = -1.0
        if not 0 <= found[role] <= 1:
            raise UserError(f"learner.{key} = {text!r}: {word!r} is not like {role}=0.9")
    return found


def read_widths(text: str, roles: Iterable[str]) -> dict[str, int]:
    """`ROLE=256,...` as hidden units by role."""
    found = {}
    for word, role, value in pairs_of(text):
        if role not in roles:
            raise UserError(f"learner.widths = {text!r}: {unknown('role', role, list(roles))}")
        if not value.isdecimal() or not 1 <= int(value) <= MOST_HIDDEN:
            raise UserError(f"learner.widths = {text!r}: {word!r} is not like {role}=256, at most {MOST_HIDDEN}")
        found[role] = int(value)
    return found


def read_rewards(curriculum: TeamCurriculum, text: str, stage: str) -> Any:
    """The rewards of a stage, with changes written key=value for all stages and STAGE.key=value for one."""
    given: dict[bool, dict[str, Any]] = {False: {}, True: {}}
    for word, key, value in pairs_of(text):
        if "=" not in word:
            raise UserError(f"learner.rewards = {text!r}: rewards are written key=value, and {word!r} is not")
        only, _, key = key.rpartition(".")
        if only and only not in curriculum.stages:
            raise UserError(f"learner.rewards = {text!r}: {unknown('stage', only, list(curriculum.stages))}")
        parsed = parse_option(curriculum.rewards, key, value, "learner.rewards: ")
        if only in ("", stage):
            given[only == stage][key] = parsed
    return read_options(curriculum.rewards, given[False] | given[True], "learner.rewards: ")


def planned(game: Game, options: Curriculum) -> dict[str, int]:
    """The stages and the number of steps of each."""
    names = options.stages or curriculum_of(game).usual
    games = options.games * len(names) if len(options.games) == 1 else options.games
    return {name: -(-count // options.step_games) for name, count in zip(names, games, strict=True)}
