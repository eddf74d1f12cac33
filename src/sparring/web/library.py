"""Requests about games, players, ratings, a person's record and reports."""

import re
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response

from sparring.arena.players import CHAMPION
from sparring.arena.ratings import PRIOR, strengths
from sparring.arena.statistics import Interval
from sparring.errors import UserError, cut_text
from sparring.games import Game, known_games
from sparring.lab.person_record import Record, own_records
from sparring.lab.store import Store
from sparring.nets.files import load_net
from sparring.studies import people_tables
from sparring.web.naming import RUNS, found_in, game_named, inside, list_games, list_players
from sparring.web.playing import registry_of
from sparring.web.refusals import query

TITLE = re.compile(rb"<title>(.*?)</title>", re.DOTALL)
RESAMPLES = 200
MOST_RATED = 60  # players in a crosstable: those who played most
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
)

router = APIRouter()


@router.get("/api/games")
async def games(request: Request) -> list[dict[str, Any]]:
    query(request)
    return await registry_of(request).work.slow(list_games)


@router.get("/api/players")
async def players(request: Request) -> list[dict[str, Any]]:
    """A game's players: those that come with it, and champions of runs."""
    registry, name = registry_of(request), query(request, "game").text("game")
    return await registry.work.slow(_players, name, registry.runs)


def _players(name: str, runs: Path) -> list[dict[str, Any]]:
    game = game_named(name)
    found = []
    for file, path in found_in(runs, CHAMPION):
        about = _champion_about(game.name, path, path.stat().st_mtime_ns)
        if about:
            found.append({"name": f"{RUNS}{file.removesuffix(f'/{CHAMPION}')}", "about": about, "champion": True})
    return list_players(game) + found


@lru_cache(maxsize=500)
def _champion_about(game: str, path: Path, changed: int) -> str:
    try:
        net = load_net(path, game_named(game))
    except UserError:
        return ""
    return f"the champion of a run here, a network of {net.hidden} hidden units ({cut_text(net.learner)})"


@router.get("/api/ratings")
async def ratings(request: Request) -> dict[str, Any]:
    registry, name = registry_of(request), query(request, "game").text("game")
    return await registry.work.slow(lambda: rate_players(registry.store, game_named(name)))


class Wins:
    """How often each player won against each other, of games that count as independent: one a deal."""

    def __init__(self) -> None:
        self.won: dict[tuple[str, str], float] = {}

    def add(self, one: str, other: str, share: float, deals: float) -> None:
        """What one of two won against the other; what neither did is shared."""
        if one != other:
            self.won[one, other] = self.won.get((one, other), 0.0) + share * deals
            self.won[other, one] = self.won.get((other, one), 0.0) + (1 - share) * deals


def rate_players(store: Store, game: Game) -> dict[str, Any]:
    """A crosstable and ratings from all matches and tournaments in this store."""
    wins = Wins()
    for result in store.read_results("match"):
        if result["game"].partition(":")[0] == game.family and result["rules"] == game.rules.version:
            _add_match(wins, result)
    for result in store.read_results("tournament"):
        if result["game"].partition(":")[0] == game.family and result["rules"] == game.rules.version:
            _add_tournament(wins, result, min(game.rules.seats))
    played: dict[str, float] = {}
    for (one, _), won in wins.won.items():
        played[one] = played.get(one, 0.0) + won
    names = sorted(sorted(played, key=lambda name: -played[name])[:MOST_RATED])
    table = np.array([[wins.won.get((one, other), 0.0) for other in names] for one in names])
    if len(names) < 2:
        return {"players": [], "rating": [], "table": []}
    rating = [
        {"name": n, "value": r.value, "low": r.low, "high": r.high} for n, r in zip(names, _rated(table), strict=True)
    ]
    met = table + table.T
    shares = [
        [round(a / b, 4) if b else None for a, b in zip(*rows, strict=True)] for rows in zip(table, met, strict=True)
    ]
    return {"players": names, "rating": rating, "table": shares}


def even(share: float, seats: int) -> float:
    """The share of games that one wins alone against several, as if it were against one: a half where all are equal."""
    return (seats - 1) * share / (1 + (seats - 2) * share)


def _add_match(wins: Wins, result: dict[str, Any]) -> None:
    """A match of two, or of one against so many of the other."""
    names = [re.sub(r" #\d+$", "", player["name"]) for player in result["players"]]
    seats, games = len(names), max(1, result["games"])
    if len(set(names[1:])) != 1:
        return
    first = result["players"][0]["wins"] / games
    share = first + result["draws"] / games / 2 if seats == 2 else even(first, seats)
    wins.add(names[0], names[1], share, result["pairs"])


def _add_tournament(wins: Wins, result: dict[str, Any], seats: int) -> None:
    """Both halves of the table count for two who met; draws are in neither."""
    names, table = [player["name"] for player in result["players"]], result["table"]
    for i, one in enumerate(names):
        for j, other in enumerate(names[:i]):
            share = (even(table[i][j], seats) + 1 - even(table[j][i], seats)) / 2
            wins.add(one, other, share, result["pairs"])


def _rated(table: np.ndarray) -> list[Interval]:
    """Ratings, with intervals by drawing every meeting anew."""
    rng, n = np.random.default_rng(1), len(table)
    met, others = table + table.T, 1 - np.eye(n)
    chance = np.divide(table, met, out=np.full((n, n), 0.5), where=met > 0)
    value = strengths(table + PRIOR * others)
    upper = np.triu(np.ones((n, n)), 1)
    spread = []
    for _ in range(RESAMPLES):
        drawn = rng.binomial(np.round(met).astype(int), chance) * upper
        drawn = drawn + (np.round(met) * upper - drawn).T
        spread.append(strengths(drawn + rng.gamma(PRIOR, size=(n, n)) * others, close=1e-5))
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    return [Interval(float(v), float(min(v, a)), float(max(v, b))) for v, a, b in zip(value, low, high, strict=True)]


@router.get("/api/record")
async def record(request: Request) -> dict[str, Any]:
    """The games that a person finished here, with a study's figures of people beside them."""
    registry = registry_of(request)
    query(request)
    return await registry.work.slow(_record, registry.store)


def _record(store: Store) -> dict[str, Any]:
    found = own_records(store)
    studies = [
        {"title": table.title, "note": table.caption, "head": table.header, "rows": table.rows}
        for family in known_games()
        for table in people_tables(family, [one for one in found if one.game.partition(":")[0] == family])
    ]
    return {
        "records": [_record_json(one) for one in found],
        "human": studies[0] if studies else None,
        "studies": studies,
    }


def _record_json(record: Record) -> dict[str, Any]:
    """A record with intervals as objects."""
    values = record.json()
    spans = {name: _span(values[name]) for name in ("win_rate", "score", "others_score")}
    return values | spans | {"measures": {name: _span(value) for name, value in values["measures"].items()}}


def _span(interval: list[float | None]) -> dict[str, float | None]:
    return dict(zip(("mean", "low", "high"), interval, strict=True))


@router.get("/api/reports")
async def reports(request: Request) -> list[dict[str, Any]]:
    registry = registry_of(request)
    query(request)
    return await registry.work.slow(_reports, registry.runs)


def _reports(runs: Path) -> list[dict[str, Any]]:
    return [{"name": name, "title": _title(path) or name} for name, path in found_in(runs, "*.html")]


def _title(path: Path) -> str:
    with path.open("rb") as file:
        found = TITLE.search(file.read(4096))
    return unescape(found[1].decode("utf-8", "replace")).strip()[:200] if found else ""


@router.get("/reports/{name:path}")
async def report(request: Request, name: str) -> Response:
    """A report, sandboxed from the rest of the page."""
    registry = registry_of(request)
    path = await registry.work.slow(inside, registry.runs, name, "report", ".html")
    return FileResponse(path, media_type="text/html", headers={"content-security-policy": REPORT_POLICY})
