"""Conquest for people: states as text and JSON, games in notation, replays move by move."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.games.conquest.diagram import board_text
from sparring.games.conquest.game_record import Record, read_record, record_of, winner, write_record
from sparring.games.conquest.notation import SIDES, Sent, at, counted, move_touches, move_words, read_move, sent
from sparring.games.conquest.rules import ALL
from sparring.games.conquest.summary import NAMES as SUMMARIES
from sparring.games.game import start_game
from sparring.games.view import Played, View

SEATS = len(SIDES)
INPUTS = {"planes": (" own", " enemy", " nature"), "fronts": ("", " enemies", " nature"), "shares": ("",), "own": ("",)}
OUTPUTS = {
    "net": ("produce", "source", "target", "troops"),
    "net+coordinates": ("produce", "source row", "source column", "target row", "target column", "troops"),
}
FRAMES = 200  # a page shows this many boards of a game at most


class ConquestView(View):
    """The View of conquest."""

    interactive = True
    draws_games = True

    colours = {"bright_blue": r"\bb\d+\b|\bblue\b", "bright_red": r"\br\d+\b|\bred\b"}

    def text(self, s: Any, seat: int | None = None) -> str:
        """The map, the same for either seat: nothing is hidden."""
        return f"{_heading(s)}\n{board_text(s)}"

    def move_text(self, s: Any, move: int) -> str:
        return move_words(s, move)

    def read_move(self, s: Any, text: str) -> int:
        """The legal move that a text means in this state; a UserError says why it is none."""
        return read_move(s, text)

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The map to be played on by hand, the same for either seat but for whose line is below."""
        from sparring.games.conquest.table_svg import short, table_svg

        heading = f"round {round_number(s)}" if s["over"] else _round(s)
        return table_svg(s, max(seat or 0, 0), names, heading, _turn(s, [short(name) for name in names]))

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        return [move_touches(s, move)]

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON, the same for either seat. Troops of blue are positive and of red negative."""
        told, tally = s["rules"], s["tally"]
        board = s["board"][: told["tiles"]].reshape(told["rows"], told["columns"])
        return {
            "game": "conquest",
            "seats": SEATS,
            "over": bool(s["over"]),
            "turn": int(s["turn"]),
            "round": round_number(s),
            "rounds": int(told["limit"]),
            "goal": "all" if told["goal"] == ALL else "eliminate",
            "deal": f"{int(s['stream']):016x}",  # what the deterministic red follows
            "board": board.tolist(),
            "tiles": tally["tiles"][:SEATS].tolist(),
            "troops": tally["troops"][:SEATS].tolist(),
            "stale": bool(tally["stale"]),
            "scores": tally["score"][:SEATS].tolist(),
        }

    def game_text(self, played: Played) -> str:
        state = start_game(self.game, played.seed, played.deal, played.luck, played.seats)
        return write_record(record_of(state, played.moves))

    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        return SEATS, read_record(text, place).moves

    def game_tally(self, text: str, place: str) -> np.ndarray:
        return read_record(text, place).end()["tally"].copy()

    def replay(self, text: str, place: str, names: list[str], known: Played | None = None) -> Iterator[str]:
        for scene in scenes(read_record(text, place), names):
            yield f"{scene.said}\n{board_text(scene.state[0])}"

    def frames(self, text: str, place: str, names: list[str], known: Played | None = None) -> list[tuple[str, str]]:
        """The game from its start, move by move."""
        from sparring.games.conquest.picture import map_svg

        shown = islice(scenes(read_record(text, place), names), FRAMES)
        return [(scene.said, map_svg(scene.state[0], scene.said, "", scene.done)) for scene in shown]

    def pictures(self, played: Played, names: list[str], folder: Path, format: str) -> list[Path]:
        """A numbered picture for each move, and an animation; returns what was written."""
        from sparring.games.conquest.film import draw_game

        return draw_game(self.game, played, folder, names, format)

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        """Tiles by their coordinates, as the player sees them."""
        told: Any = self.game.template[0]
        tiles = [at(told, tile) for tile in range(int(told["rules"]["tiles"]))]
        inputs = [f"{tile}{kind}" for tile in tiles for kind in INPUTS.get(encoding, ())] or list(SUMMARIES)
        return inputs, list(OUTPUTS.get(policy, ("value",)))


class Scene(NamedTuple):
    """The state after a move, and what was done."""

    said: str
    state: np.ndarray  # changes in place: to be shown before the next scene is asked for
    done: Sent | None


def scenes(record: Record, names: list[str]) -> Iterator[Scene]:
    """The game as it begins, and after each move; the last says who won."""
    states = record.states()
    state = next(states)
    yield Scene(f"{names[0]} (blue) begins", state, None)
    for move in record.moves:
        s: Any = state[0]
        seat, said, done = int(s["turn"]), move_words(s, move), sent(s, move)
        next(states)  # changes s
        said = f"round {s['tally']['rounds']}, {names[seat]} ({SIDES[seat]}): {said}"
        yield Scene(said + (f"; {result_words(s)}" if s["over"] else ""), state, done)


def round_number(s: Any) -> int:
    """The round being played, or the last one."""
    return int(s["tally"]["rounds"]) + int(not s["over"] and s["turn"] == 0)


def result_words(s: Any, sides: Sequence[str] = SIDES) -> str:
    """What a game that is over came to."""
    won = winner(s)
    if won is not None:
        return f"{sides[won]} wins"
    return "nobody wins: the same state for the fourth time" if s["tally"]["stale"] else "nobody wins"


def _turn(s: Any, sides: Sequence[str] = SIDES) -> str:
    """Whose turn it is, or what the game came to."""
    return result_words(s, sides) if s["over"] else f"{sides[int(s['turn'])]} to move"


def _round(s: Any) -> str:
    return f"round {round_number(s)} of {s['rules']['limit']}"


def _heading(s: Any) -> str:
    tally, sides = s["tally"], []
    for seat, side in enumerate(SIDES):
        tiles, troops = int(tally["tiles"][seat]), int(tally["troops"][seat])
        sides.append(f"{side} {counted(tiles, 'tile')}, {counted(troops, 'troop')}")
    return f"{_round(s)}: {_turn(s)}   {'   '.join(sides)}"
