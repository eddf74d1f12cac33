"""Requests about games that were played: logs in the runs' folder, and finished tables."""

import asyncio
import gzip
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response

from sparring.arena.analysis import analyse_played
from sparring.arena.players import Contestant, default_opponent
from sparring.arena.session import Session
from sparring.games import Game, Played
from sparring.lab.log import MARK, read_log
from sparring.web.explanations import explain_move, list_mistakes, player_meant, state_at
from sparring.web.naming import found_in, inside
from sparring.web.playing import person_of, registry_of
from sparring.web.refusals import Refusal, not_found, query, read_body

LARGEST_LOG = 64 * 1024 * 1024  # bytes that are read
TABLES = "tables/"  # begins the name of a finished table
HERE = "here/"  # begins the name of a log in the folder where the server was started
MOST_GAMES = 10**7

router = APIRouter()


@dataclass(frozen=True)
class Kept:
    """A stored game; `played` is None if its deal is not known, and then there are only its frames."""

    game: Game
    names: list[str]
    played: Played | None
    frames: list[tuple[str, str]]
    seat: int | None = None  # of the person who asks, if they played


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
    return mine + await registry.work.slow(_logs, registry.runs, registry.here)


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
    registry, asked = registry_of(request), query(request, "game", "judge")
    kept, played = await _with_deal(request, name, asked.whole("game", 0, MOST_GAMES, 0))
    await asyncio.wait({registry.work.prepare_batches(kept.game.family)})
    word = asked.text("judge", "")
    judge = await registry.work.slow(player_meant, kept.game, word, registry.runs) if word else ""
    return await registry.work.judges(_analysis, kept, played, judge)


def _analysis(kept: Kept, played: Played, judge: Contestant | str) -> dict[str, Any]:
    """An analysis as the page needs it: the replay has the pictures, and of the choices only the best is named."""
    found = analyse_played(kept.game, played, kept.names, judge)
    decisions = []
    for decision in found.decisions:
        best = decision.best
        shown = {
            name: getattr(decision, name) for name in ("move", "seat", "loss", "grade", "luck", "standing", "made")
        }
        decisions.append(shown | {"best": best.words if best else ""})
    players = [{**player.json(), "name": name} for name, player in zip(kept.names, found.players, strict=True)]
    facts = {name: getattr(found, name) for name in ("judge", "unit", "standing_unit", "note")}
    return facts | {"players": players, "decisions": decisions}


@router.post("/api/logs/{name:path}/again")
async def play_again(request: Request, name: str) -> dict[str, Any]:
    """A table that goes on from a move of a finished game; the asker takes the seat to move. It counts for no record."""
    registry, body = registry_of(request), (await read_body(request)).only("game", "number")
    kept, played = await _with_deal(request, name, body.whole("game", 0, MOST_GAMES, 0))
    number = body.whole("number", 0, len(played.moves) - 1)
    if played.deal or played.luck:
        raise Refusal(422, "only the first deal of a log, and games of the page and the terminal, can be played again")
    table = await registry.go_on_from(kept.game, played, number, person_of(request))
    return {"id": table.id}


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
    data = await registry.work.slow(lambda: json.dumps(_replay(kept, bool(wide))).encode())
    headers = {}
    if "gzip" in request.headers.get("accept-encoding", ""):
        data, headers = await registry.work.slow(gzip.compress, data, 1), {"content-encoding": "gzip"}
    return Response(data, media_type="application/json", headers=headers)


async def _with_deal(request: Request, name: str, number: int) -> tuple[Kept, Played]:
    kept = await _kept(request, name, number)
    if kept.played is None:
        raise Refusal(422, "this log does not say what was dealt, so its games cannot be explained")
    return kept, kept.played


async def _kept(request: Request, name: str, number: int) -> Kept:
    registry = registry_of(request)
    if not name.startswith(TABLES):
        folder = registry.here if registry.here and name.startswith(HERE) else registry.runs
        return await registry.work.slow(_log_kept, folder, name.removeprefix(HERE), number)
    table = registry.find(name.removeprefix(TABLES).removesuffix(".json"))
    await registry.wake(table)
    async with registry.at(table):
        if not table.over or table.session is None:
            raise Refusal(403, "a game can be replayed once it is over")
        if number:
            raise not_found("game in this log")
        seat = table.seat_of(person_of(request))
        return Kept(table.game, table.names(seat), table.session.played, [], seat)


def _log_kept(folder: Path, name: str, number: int) -> Kept:
    path = inside(folder, name, "log", ".log")
    if path.stat().st_size > LARGEST_LOG:
        raise Refusal(413, f"this log is too large to be shown here; see it with: sparring replay {path.name}")
    log = read_log(path)
    if number >= len(log.games):
        raise Refusal(404, f"this log has {len(log.games)} games")
    played, names = log.played(number), log.names(number)
    frames = [] if played else log.game.view.frames(log.games[number], log.place(number), names)
    return Kept(log.game, names, played, frames)


def _replay(kept: Kept, wide: bool) -> dict[str, Any]:
    if kept.played is None:
        frames: list[dict[str, Any]] = [
            {"said": said, "svg": svg, "turn": None, "move": None} for said, svg in kept.frames
        ]
        return {"game": kept.game.name, "names": kept.names, "moves": None, "frames": frames, "result": None}
    session = Session(kept.game, kept.names, kept.played.seed, kept.played.deal, kept.played.luck)
    draw = kept.game.view.wide_table if wide else kept.game.view.table
    moves = kept.played.moves
    frames = [
        {
            "said": said,
            "svg": draw(shown, None, session.names),
            "turn": None if session.over else session.turn,
            "move": move,
        }
        for move, (said, shown) in zip((None, *moves), session.replay(moves), strict=True)
    ]
    result = session.result(kept.seat)
    return {"game": kept.game.name, "names": kept.names, "moves": len(moves), "frames": frames, "result": result}
