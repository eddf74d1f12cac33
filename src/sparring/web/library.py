"""Routes for games, players, ratings, a person's record and reports."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response

from sparring.arena.match import MOST_PAIRS
from sparring.arena.players import CHAMPION, find_player, is_whole, net_hashes
from sparring.arena.ratings import rate
from sparring.arena.statistics import Interval
from sparring.errors import UserError, cut_text
from sparring.games import Game, known_games
from sparring.games.game import start_game
from sparring.lab.person_record import YOU, Record, own_records
from sparring.lab.store import Store
from sparring.nets.files import SUFFIX, load_net
from sparring.studies import people_tables
from sparring.web.naming import RUNS, found_in, game_named, inside, list_games, list_players
from sparring.web.playing import registry_of
from sparring.web.refusals import Refusal, query

TITLE = re.compile(rb"<title>(.*?)</title>", re.DOTALL)
TRIALS = f"champions/*{SUFFIX}"  # in a run's folder
TRIAL = re.compile(r"/\d{3}$")  # ends the name of a trial's network
RESAMPLES = 200
MOST_RATED = 60  # players in a crosstable, those with most games
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
)

Share = tuple[str, str, float]  # of games that the first of two players won

router = APIRouter()


@router.get("/api/games")
async def games(request: Request) -> list[dict[str, Any]]:
    query(request)
    return await registry_of(request).work.slow(list_games)


@router.get("/api/games/{name}/picture")
async def example(request: Request, name: str) -> dict[str, Any]:
    """The table of a game that begins; refused while the game is not compiled yet."""
    registry = registry_of(request)
    query(request)
    game = await registry.work.slow(game_named, name)
    if not registry.work.ready(game.family):
        raise Refusal(409, f"{game.family} is not compiled yet")
    return await registry.work.slow(lambda: {"svg": draw_start(game)})


def draw_start(game: Game) -> str:
    """The first deal as its first seat sees it."""
    seats = game.rules.seats[0]
    state = start_game(game, 1, 0, 0, seats)
    turn = int(state[0]["turn"])
    names = [YOU if seat == turn else f"player {seat + 1}" for seat in range(seats)]
    return game.view.table(state[0], turn, names)


@router.get("/api/players")
async def players(request: Request) -> list[dict[str, Any]]:
    """The players of a game: built-in players, its champions, and champions of runs."""
    registry, name = registry_of(request), query(request, "game").text("game")
    return await registry.work.slow(_players, name, registry.runs)


def _players(name: str, runs: Path) -> list[dict[str, Any]]:
    game = game_named(name)
    found = []
    for file, path in found_in(runs, CHAMPION):
        description = _describe_champion(game.name, path, path.stat().st_mtime_ns)
        if description:
            found.append({"name": f"{RUNS}{file.removesuffix(f'/{CHAMPION}')}", "about": description, "champion": True})
    return list_players(game) + found


@lru_cache(maxsize=500)
def _describe_champion(game: str, path: Path, changed: int) -> str:
    try:
        net = load_net(path, game_named(game))
    except UserError:
        return ""
    return f"champion of a run, a network with {net.units} hidden units ({cut_text(net.learner)})"


@router.get("/api/ratings")
async def ratings(request: Request) -> dict[str, Any]:
    registry, name = registry_of(request), query(request, "game").text("game")
    return await registry.work.slow(lambda: rate_players(registry.store, game_named(name), registry.runs))


def rate_players(store: Store, game: Game, runs: Path | None = None) -> dict[str, Any]:
    """A crosstable and ratings from all matches and tournaments in the store; every deal counts as one game.

    A network has one name, under whichever it has played; of the trials of a run only the champion is rated.
    """
    won: defaultdict[tuple[str, str], float] = defaultdict(float)
    played: defaultdict[str, float] = defaultdict(float)
    known = net_hashes([find_player(game, name) for name in game.policies.champions])
    names_of = (_champions_of_runs(game, runs) if runs else {}) | {code: name for name, code in known.items()}
    for kind, shares_of in (("match", _match_shares), ("tournament", _tournament_shares)):
        for result in store.read_results(kind):
            if result["game"].partition(":")[0] != game.family or result.get("rules") != game.rules.version:
                continue
            nets = _nets(result)
            for shown, code in nets.items():
                names_of.setdefault(code, shown)
            for one, other, share, pairs in _sound_shares(result, shares_of, min(game.rules.seats)):
                one, other = (names_of.get(nets.get(name, ""), name) for name in (one, other))
                if one != other and not TRIAL.search(one) and not TRIAL.search(other):
                    won[one, other] += share * pairs
                    won[other, one] += (1 - share) * pairs
    for (one, _), wins in won.items():
        played[one] += wins
    names = sorted(sorted(played, key=lambda name: -played[name])[:MOST_RATED])
    if len(names) < 2:
        return {"players": [], "rating": [], "table": []}
    table = np.array([[won.get((one, other), 0.0) for other in names] for one in names])
    rating = [{"name": name, **asdict(rated)} for name, rated in zip(names, _rated(table), strict=True)]
    met = table + table.T
    shares = [
        [round(a / b, 4) if b else None for a, b in zip(*rows, strict=True)] for rows in zip(table, met, strict=True)
    ]
    return {"players": names, "rating": rating, "table": shares}


def _champions_of_runs(game: Game, runs: Path) -> dict[str, str]:
    """The names of runs by the hashes of their champions, and of their trials by those of the trials' champions."""
    found: dict[str, str] = {}
    for file, path in [*found_in(runs, CHAMPION), *found_in(runs, TRIALS)]:
        code = _hash_of(game.name, path, path.stat().st_mtime_ns)
        if code:
            trial = file.replace("/champions/", "/").removesuffix(SUFFIX)
            found.setdefault(code, file.removesuffix(f"/{CHAMPION}") if path.name == CHAMPION else trial)
    return found


@lru_cache(maxsize=500)
def _hash_of(game: str, path: Path, changed: int) -> str:
    try:
        return next(iter(net_hashes([find_player(game_named(game), path)]).values()), "")
    except UserError:
        return ""


def _nets(result: dict[str, Any]) -> dict[str, str]:
    """The hashes of a result's networks; none of a result that is not one that a match or a tournament wrote."""
    nets = result.get("nets")
    if type(nets) is not dict or not all(type(name) is str and type(code) is str for name, code in nets.items()):
        return {}
    return {re.sub(r" #\d+$", "", name): code for name, code in nets.items()}


def _sound_shares(
    result: dict[str, Any], shares_of: Callable[..., Iterator[Share]], seats: int
) -> list[tuple[str, str, float, int]]:
    """The shares of a stored result, with its pairs; none if it is not one that a match or a tournament wrote."""
    try:
        pairs, found = result["pairs"], [share for share in shares_of(result, seats) if share[0] != share[1]]
        sound = is_whole(pairs, 1, MOST_PAIRS) and all(0 <= share <= 1 for _, _, share in found)
        sound = sound and all(type(one) is str and type(other) is str for one, other, _ in found)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError, OverflowError):
        return []
    return [(*share, pairs) for share in found] if sound else []


def even(share: float, seats: int) -> float:
    """Convert the share of games won against several opponents to one opponent: a half if all are equal."""
    return (seats - 1) * share / (1 + (seats - 2) * share)


def _match_shares(result: dict[str, Any], _: int) -> Iterator[Share]:
    """The share won in a match of two players, or of one against several copies of another; draws count half."""
    names = [re.sub(r" #\d+$", "", player["name"]) for player in result["players"]]
    if len(set(names[1:])) == 1:
        seats, games = len(names), max(1, result["games"])
        first = result["players"][0]["wins"] / games
        yield names[0], names[1], first + result["draws"] / games / 2 if seats == 2 else even(first, seats)


def _tournament_shares(result: dict[str, Any], seats: int) -> Iterator[Share]:
    """The share won in each pairing, which is in both halves of the table; draws are in neither."""
    names, table = [player["name"] for player in result["players"]], result["table"]
    for i, one in enumerate(names):
        for j, other in enumerate(names[:i]):
            yield one, other, (even(table[i][j], seats) + 1 - even(table[j][i], seats)) / 2


def _rated(table: np.ndarray) -> list[Interval]:
    """Ratings with intervals from a parametric bootstrap of every pairing."""
    rng, met = np.random.default_rng(1), table + table.T
    chance = np.divide(table, met, out=np.full(table.shape, 0.5), where=met > 0)
    upper = np.triu(np.ones(table.shape), 1)

    def resample() -> np.ndarray:
        drawn = rng.binomial(np.round(met).astype(int), chance) * upper
        return np.asarray(drawn + (np.round(met) * upper - drawn).T)

    return rate(table, resample, rng, RESAMPLES)


@router.get("/api/record")
async def record(request: Request) -> dict[str, Any]:
    """The person's finished games, and studies of people who played the same games."""
    registry = registry_of(request)
    query(request)
    return await registry.work.slow(_record, registry.store)


def _record(store: Store) -> dict[str, Any]:
    found = own_records(store)
    played = {family: [one for one in found if one.game.partition(":")[0] == family] for family in known_games()}
    studies = [
        {"title": table.title, "note": table.caption, "head": table.header, "rows": table.rows}
        for family, own in played.items()
        for table in (people_tables(family, own) if own else [])
    ]
    records = [_record_json(one) for one in found]
    return {"records": records, "human": studies[0] if studies else None, "studies": studies}


def _record_json(record: Record) -> dict[str, Any]:
    """A record with intervals as objects."""
    found = record.json()
    intervals = {name: _interval(found[name]) for name in ("win_rate", "score", "others_score")}
    return found | intervals | {"measures": {name: _interval(value) for name, value in found["measures"].items()}}


def _interval(values: list[float | None]) -> dict[str, float | None]:
    return dict(zip(("mean", "low", "high"), values, strict=True))


@router.get("/api/reports")
async def reports(request: Request) -> list[dict[str, Any]]:
    registry = registry_of(request)
    query(request)
    return await registry.work.slow(
        lambda: [{"name": name, "title": _title(path) or name} for name, path in found_in(registry.runs, "*.html")]
    )


def _title(path: Path) -> str:
    with path.open("rb") as file:
        found = TITLE.search(file.read(4096))
    return unescape(found[1].decode("utf-8", "replace")).strip()[:200] if found else ""


@router.get("/reports/{name:path}")
async def report(request: Request, name: str) -> Response:
    """A report, isolated from the rest of the site."""
    registry = registry_of(request)
    path = await registry.work.slow(inside, registry.runs, name, "report", ".html")
    return FileResponse(path, media_type="text/html", headers={"content-security-policy": REPORT_POLICY})
