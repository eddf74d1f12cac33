"""Requests about games that were played: logs in the runs' folder, and finished tables."""

import asyncio
import gzip
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response

from sparring.arena.players import Contestant, default_opponent
from sparring.games import Played
from sparring.lab.log import MARK
from sparring.web.explanations import explain_move, list_mistakes, player_meant, state_at
from sparring.web.imports import FOLDER, IMPORTS, imported_file, own_imports
from sparring.web.kept import LARGEST_LOG, Kept, kept_in
from sparring.web.naming import found_in, game_named, inside
from sparring.web.playing import person_of, registry_of
from sparring.web.refusals import Refusal, not_found, query, read_body
from sparring.web.tables import Seat

TABLES = "tables/"  # begins the name of a finished table
HERE = "here/"  # begins the name of a log in the folder where the server was started
MOST_GAMES = 10**7
SHOWN = 5  # choices of a mistake

router = APIRouter()


@router.get("/api/logs")
async def logs(request: Request) -> list[dict[str, Any]]:
    registry = registry_of(request)
    query(request)
    mine = [
        {
            "name": f"{TABLES}{table['id']}.json",
            "game": table["game"],
            "games": 1,
            "title": " and ".join(table["names"]),
            "result": table["result"],
        }
        for table in await registry.of_person(person_of(request))
        if table["over"]
    ]
    brought = await registry.work.slow(own_imports, registry.runs / FOLDER, person_of(request))
    return mine + brought + await registry.work.slow(_logs, registry.runs, registry.here)


def _logs(runs: Path, here: Path | None) -> list[dict[str, Any]]:
    """The logs in the runs folder and, on loopback, in the folder where the server was started."""
    paths = dict(found_in(runs, "*.log"))
    if here:
        paths |= {f"{HERE}{path.name}": path for path in sorted(here.glob("*.log")) if path.is_file()}
    found = [(name, _log(path, path.stat().st_mtime_ns)) for name, path in paths.items()]
    return [{"name": name, **summary} for name, summary in found if summary]


@lru_cache(maxsize=1000)
def _log(path: Path, changed: int) -> dict[str, Any] | None:
    """A log's game, and how many games it has; None if it is no log."""
    with path.open("rb") as file:
        first = file.readline(10_000)
        count = file.read(LARGEST_LOG).count(b"\n\n") + 1
    try:
        header = json.loads(first.decode("ascii").removeprefix(MARK)) if first.startswith(MARK.encode()) else {}
        game, players = header.get("game", "not said"), header.get("players", [])
        return {"game": str(game)[:100], "games": count, "title": f"{path.stem}: {', '.join(map(str, players))[:200]}"}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


@router.get("/api/logs/{name:path}/mistakes")
async def mistakes(request: Request, name: str) -> list[dict[str, Any]]:
    """The moves that a player values least against its best."""
    registry, asked = registry_of(request), query(request, "game", "evaluator")
    kept, played = await _with_deal(request, name, asked.whole("game", 0, MOST_GAMES, 0))
    word = asked.text("evaluator", "") or default_opponent(kept.game)
    evaluator = await registry.work.slow(player_meant, kept.game, word, registry.runs)
    return await registry.work.slow(list_mistakes, kept.game, played, kept.names, evaluator)


@router.get("/api/logs/{name:path}/analysis")
async def analysis(request: Request, name: str) -> dict[str, Any]:
    """Every decision of a game judged, with what it lost, how the game stood, and a summary per player."""
    registry, asked = registry_of(request), query(request, "game", "judge", "level")
    kept = await _kept(request, name, asked.whole("game", 0, MOST_GAMES, 0))
    await asyncio.wait({registry.work.prepare_batches(kept.game.family)})
    word = asked.text("judge", "")
    judge = await registry.work.slow(player_meant, kept.game, word, registry.runs) if word else ""
    return await registry.work.judges(_analysis, kept, judge, asked.text("level", ""))


def _analysis(kept: Kept, judge: Contestant | str, level: str) -> dict[str, Any]:
    """An analysis as the page needs it: the replay has the pictures, and only of mistakes and open questions the choices."""
    found = kept.analysed(judge, level)
    decisions = []
    for decision in found.decisions:
        best, number = decision.best, kept.frame(decision.move)
        shown = {
            name: getattr(decision, name) for name in ("seat", "kind", "loss", "grade", "luck", "standing", "made")
        }
        listed = decision.choices[:SHOWN] if decision.grade or decision.loss is None else ()
        choices = [{"words": each.words, "value": each.value, "loss": each.loss} for each in listed]
        again = bool(kept.played or kept.rules_before(number))
        more = {"best": best.words if best else "", "choices": choices, "again": again}
        decisions.append({"move": number} | shown | more)
    players = [{**player.json(), "name": name} for name, player in zip(kept.names, found.players, strict=True)]
    facts = {name: getattr(found, name) for name in ("judge", "unit", "standing_unit", "note")}
    return facts | {"players": players, "decisions": decisions}


@router.post("/api/logs/{name:path}/again")
async def play_again(request: Request, name: str) -> dict[str, Any]:
    """A table that goes on from a move of a finished game; the asker takes the seat to move. It counts for no record."""
    registry, body = registry_of(request), (await read_body(request)).only("game", "number")
    kept, person = await _kept(request, name, body.whole("game", 0, MOST_GAMES, 0)), person_of(request)
    if kept.foreign is not None:
        rules = kept.rules_before(body.whole("number", 0, len(kept.frames) - 1))
        if not rules:
            raise Refusal(422, "no game can begin from an answer to an offer, or at the end; choose another move")
        game = await registry.work.slow(game_named, kept.game.family, rules)
        seats = [Seat(person), Seat(None, default_opponent(game))]
        return {"id": (await registry.create(game, seats, None, person, moves=[])).id}
    played = _dealt(kept)
    number = body.whole("number", 0, len(played.moves) - 1)
    if played.deal or played.luck:
        raise Refusal(422, "only the first deal of a log, and games of the page and the terminal, can be played again")
    return {"id": (await registry.go_on_from(kept.game, played, number, person)).id}


@router.get("/api/logs/{name:path}/thinking")
async def thinking(request: Request, name: str) -> dict[str, Any]:
    """A player's explanation of a state of the game; by default of the player who moved."""
    registry, asked = registry_of(request), query(request, "game", "number", "player")
    kept, played = await _with_deal(request, name, asked.whole("game", 0, MOST_GAMES, 0))
    state = await registry.work.slow(state_at, kept.game, played, asked.whole("number", 0, 10**6, 0))
    mover = kept.names[int(state[0]["turn"])]
    player = await registry.work.slow(player_meant, kept.game, asked.text("player", "") or mover, registry.runs)
    return await registry.work.slow(explain_move, kept.game, player, state)


@router.get("/api/logs/{name:path}")
async def replay(request: Request, name: str) -> Response:
    """A game, move by move; with `wide=1` as it looks in a wide window."""
    registry, asked = registry_of(request), query(request, "game", "wide")
    number, wide = asked.whole("game", 0, MOST_GAMES, 0), asked.whole("wide", 0, 1, 0)
    kept = await _kept(request, name, number)
    data = await registry.work.slow(lambda: json.dumps(kept.replay(bool(wide))).encode())
    headers = {}
    if "gzip" in request.headers.get("accept-encoding", ""):
        data, headers = await registry.work.slow(gzip.compress, data, 1), {"content-encoding": "gzip"}
    return Response(data, media_type="application/json", headers=headers)


async def _with_deal(request: Request, name: str, number: int) -> tuple[Kept, Played]:
    kept = await _kept(request, name, number)
    return kept, _dealt(kept)


def _dealt(kept: Kept) -> Played:
    if kept.played is None:
        raise Refusal(422, "this log does not say what was dealt, so its games cannot be explained")
    return kept.played


async def _kept(request: Request, name: str, number: int) -> Kept:
    registry = registry_of(request)
    if name.startswith(IMPORTS):
        path = imported_file(registry.runs / FOLDER, name.removeprefix(IMPORTS))
        return await registry.work.slow(kept_in, path, number)
    if not name.startswith(TABLES):
        folder = registry.here if registry.here and name.startswith(HERE) else registry.runs
        return await registry.work.slow(lambda: kept_in(inside(folder, name.removeprefix(HERE), "log", ".log"), number))
    table = registry.find(name.removeprefix(TABLES).removesuffix(".json"))
    await registry.wake(table)
    async with registry.at(table):
        if not table.over or table.session is None:
            raise Refusal(403, "a game can be replayed once it is over")
        if number:
            raise not_found("game in this log")
        seat = table.seat_of(person_of(request))
        return Kept(table.game, table.names(seat), table.session.played, seat=seat)
