"""Asking for games that were played: logs in the runs' folder, and finished tables."""

import gzip
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response

from sparring.arena.match import winners
from sparring.games import Game, Played
from sparring.games.game import play_move, start_game
from sparring.lab.log import MARK, read_log
from sparring.web.explanations import explain_move, list_mistakes, player_meant, state_at
from sparring.web.naming import default_opponent, found_in, inside
from sparring.web.playing import person_of, registry_of
from sparring.web.refusals import Refusal, not_found, query
from sparring.web.table_registry import TableRegistry
from sparring.web.tables import draw

LARGEST_LOG = 64 * 1024 * 1024  # bytes that are read
TABLES = "tables/"  # begins the name of a finished table
MOST_GAMES = 10**7

router = APIRouter()


@dataclass(frozen=True)
class Kept:
    """A game that was kept; `played` is None where its deal is not known, and then there are only its frames."""

    game: Game
    names: list[str]
    played: Played | None
    frames: list[tuple[str, str]]
    result: str | None = None


@router.get("/api/logs")
async def logs(request: Request) -> list[dict[str, Any]]:
    registry = registry_of(request)
    query(request)
    mine = [
        {
            "name": f"{TABLES}{told['id']}.json",
            "game": told["game"],
            "games": 1,
            "title": f"{' and '.join(told['names'])}: {told['result'] or 'over'}",
        }
        for told in await registry.of_person(person_of(request))
        if told["over"]
    ]
    return mine + await registry.work.slow(_logs_told, registry.runs)


def _logs_told(runs: Path) -> list[dict[str, Any]]:
    found = [(name, _log_told(path, path.stat().st_mtime_ns)) for name, path in found_in(runs, "*.log")]
    return [{"name": name, **told} for name, told in found if told]


@lru_cache(maxsize=1000)
def _log_told(path: Path, changed: int) -> dict[str, Any] | None:
    """A log's game and how many it has; None of what is no log."""
    with path.open("rb") as file:
        first = file.readline(10_000)
        count = file.read(LARGEST_LOG).count(b"\n\n") + 1
    try:
        told = json.loads(first.decode("ascii").removeprefix(MARK)) if first.startswith(MARK.encode()) else {}
        game, players = told.get("game", "not said"), told.get("players", [])
        return {"game": str(game)[:100], "games": count, "title": f"{path.stem}: {', '.join(map(str, players))[:200]}"}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


@router.get("/api/logs/{name:path}/mistakes")
async def mistakes(request: Request, name: str) -> list[dict[str, Any]]:
    """The moves that a player thinks least of."""
    registry, told = registry_of(request), query(request, "game", "evaluator")
    kept, played = await _with_deal(registry, name, told.whole("game", 0, MOST_GAMES, 0))
    word = told.text("evaluator", "") or default_opponent(kept.game)
    evaluator = await registry.work.slow(player_meant, kept.game, word, registry.runs)
    return await registry.work.slow(list_mistakes, kept.game, played, kept.names, evaluator)


@router.get("/api/logs/{name:path}/thinking")
async def thinking(request: Request, name: str) -> dict[str, Any]:
    """What a player thinks of a state of the game; nobody named is who moved."""
    registry, told = registry_of(request), query(request, "game", "number", "player")
    kept, played = await _with_deal(registry, name, told.whole("game", 0, MOST_GAMES, 0))
    state = await registry.work.slow(state_at, kept.game, played, told.whole("number", 0, 10**6, 0))
    mover = kept.names[int(state[0]["turn"])]
    player = await registry.work.slow(player_meant, kept.game, told.text("player", "") or mover, registry.runs)
    return await registry.work.slow(explain_move, kept.game, player, state)


@router.get("/api/logs/{name:path}")
async def replay(request: Request, name: str) -> Response:
    """A game, table by table."""
    registry, number = registry_of(request), query(request, "game").whole("game", 0, MOST_GAMES, 0)
    kept = await _kept(registry, name, number)
    data = await registry.work.slow(lambda: json.dumps(_replay_told(kept)).encode())
    headers = {}
    if "gzip" in request.headers.get("accept-encoding", ""):
        data, headers = await registry.work.slow(gzip.compress, data, 1), {"content-encoding": "gzip"}
    return Response(data, media_type="application/json", headers=headers)


async def _with_deal(registry: TableRegistry, name: str, number: int) -> tuple[Kept, Played]:
    kept = await _kept(registry, name, number)
    if kept.played is None:
        raise Refusal(422, "this log does not say what was dealt, so nobody can be asked about its games")
    return kept, kept.played


async def _kept(registry: TableRegistry, name: str, number: int) -> Kept:
    if name.startswith(TABLES):
        return await _table_kept(registry, name.removeprefix(TABLES), number)
    return await registry.work.slow(_log_kept, registry.runs, name, number)


async def _table_kept(registry: TableRegistry, name: str, number: int) -> Kept:
    table = registry.find(name.removesuffix(".json"))
    await registry.wake(table)
    if not table.over or table.state is None:
        raise Refusal(403, "a game can be replayed once it is over")
    if number:
        raise not_found("game in this log")
    return Kept(table.game, table.names(None), table.played(), [], table.result(None))


def _log_kept(runs: Path, name: str, number: int) -> Kept:
    path = inside(runs, name, "log", ".log")
    if path.stat().st_size > LARGEST_LOG:
        raise Refusal(413, f"this log is too large to be shown here; see it with: sparring replay {path.name}")
    log = read_log(path)
    if number >= len(log.games):
        raise Refusal(404, f"this log has {len(log.games)} games")
    played, names = log.played(number), log.names(number)
    frames = [] if played else log.game.view.frames(log.games[number], log.place(number), names)
    return Kept(log.game, names, played, frames)


def _replay_told(kept: Kept) -> dict[str, Any]:
    if kept.played is None:
        frames = [{"said": said, "svg": svg, "turn": None, "move": None} for said, svg in kept.frames]
        return {"game": kept.game.name, "names": kept.names, "moves": None, "frames": frames, "result": None}
    frames, scores = _frames(kept.game, kept.played, kept.names)
    moves = len(kept.played.moves)
    result = kept.result or _result(kept.game, kept.names, scores)
    return {"game": kept.game.name, "names": kept.names, "moves": moves, "frames": frames, "result": result}


def _frames(game: Game, played: Played, names: list[str]) -> tuple[list[dict[str, Any]], Any]:
    """The table before each move and at the end, with open cards."""
    state, view = start_game(game, played.seed, played.deal, played.luck, played.seats), game.view
    frames = [{"said": "", "svg": draw(game, state, None, names), "turn": int(state[0]["turn"]), "move": None}]
    for move in played.moves:
        before, turn = state.copy(), int(state[0]["turn"])
        said = f"{names[turn]}: {view.move_text(state[0], move)}"
        play_move(game, state, move)
        said = "; ".join(filter(None, [said, view.news(before[0], state[0], names).replace("\n", "; ")]))
        now = None if state[0]["over"] else int(state[0]["turn"])
        frames.append({"said": said, "svg": draw(game, state, None, names), "turn": now, "move": move})
    return frames, state[0]["tally"]["score"][: played.seats]


def _result(game: Game, names: list[str], scores: Any) -> str:
    won, drawn = winners(scores, game.rules.lower_is_better)
    word = "drawn" if drawn else f"{names[int(won.argmax())]} wins"
    return f"{word}: {', '.join(f'{name} {score}' for name, score in zip(names, scores, strict=True))}"
