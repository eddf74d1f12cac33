"""Conquest for people: states as text and JSON, games in notation, replays move by move."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.games.conquest.diagram import board_text
from sparring.games.conquest.game_record import Record, read_record, record_of, winner
from sparring.games.conquest.move_features import NAMES as MOVE_FEATURES
from sparring.games.conquest.notation import SIDES, Sent, at, held, move_clicks, read_move, sent
from sparring.games.conquest.picture import map_svg
from sparring.games.conquest.rules import ALL
from sparring.games.conquest.summary import NAMES as SUMMARIES
from sparring.games.conquest.table_svg import NAME_WIDTH, table_svg
from sparring.games.record_view import RecordView
from sparring.games.view import Played, plural, shorten

SEATS = len(SIDES)
WHOLE = {"summary": SUMMARIES, "moves": MOVE_FEATURES}  # that do not depend on the map
INPUTS = {"planes": (" own", " enemy", " nature"), "fronts": ("", " enemies", " nature"), "shares": ("",), "own": ("",)}
FOUR = ("produce", "source", "target", "troops")
OUTPUTS = {
    "net": FOUR,
    "net+author": FOUR,
    "net+coordinates": ("produce", "source row", "source column", "target row", "target column", "troops"),
}


class Scene(NamedTuple):
    """The state after a move."""

    said: str
    state: np.ndarray  # changes in place
    done: Sent | None  # the move

    def text(self, names: Sequence[str]) -> str:
        return f"{self.said}\n{board_text(self.state[0])}"

    def svg(self, names: Sequence[str]) -> str:
        return map_svg(self.state[0], self.said, "", self.done)


class ConquestView(RecordView):
    """The View of conquest. Nothing is hidden, so both seats see the same."""

    draws_games = True
    colours = {"bright_blue": r"\bb\d+\b|\bblue\b", "bright_red": r"\br\d+\b|\bred\b"}
    record_of, read_record = staticmethod(record_of), staticmethod(read_record)

    def text(self, s: Any, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The map under a line with the round, the turn and both sides' strength."""
        sides = [f"{name} ({side})" for name, side in zip(names, SIDES, strict=False)]
        return f"{_heading(s, sides or SIDES)}\n{board_text(s)}"

    def move_text(self, s: Any, move: int) -> str:
        return self.command(s, move)

    def deed(self, s: Any, move: int, viewer: int | None) -> str:
        """`produce a troop at 0,0`, `send 5 troops from 0,0 to 0,1 and take it`."""
        parts = sent(s, move)
        if parts is None:
            return "{wait}"
        if parts.source == parts.target:
            return f"{{produce}} a troop at {at(s, parts.source)}"
        left = parts.troops + held(s, parts.target)
        ending = " and {take} it" if left > 0 else " and {empty} it" if left == 0 else " and {lose} them"
        said = f"{{send}} {plural(parts.troops, 'troop')} from {at(s, parts.source)} to {at(s, parts.target)}"
        return said if held(s, parts.target) > 0 else said + ending

    def expected(self, s: Any, seat: int) -> str:
        return "Choose a tile of yours, then a neighbour, or Produce."

    def read_move(self, s: Any, text: str) -> int:
        return read_move(s, text)

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The interactive map with the seat's line below."""
        return self._drawn(s, seat, names, False)

    def wide_table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The same with the words beside the map."""
        return self._drawn(s, seat, names, True)

    def _drawn(self, s: Any, seat: int | None, names: Sequence[str], beside: bool) -> str:
        heading = f"round {round_number(s)}" if s["over"] else _round(s)
        said = _turn(s, [shorten(name, NAME_WIDTH) for name in names])
        return table_svg(s, max(seat or 0, 0), names, heading, said, beside)

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        return [move_clicks(s, move)]

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON. Blue's troops are positive and red's negative."""
        rules, tally = s["rules"], s["tally"]
        board = s["board"][: rules["tiles"]].reshape(rules["rows"], rules["columns"])
        return {
            "game": "conquest",
            "seats": SEATS,
            "over": bool(s["over"]),
            "turn": int(s["turn"]),
            "round": round_number(s),
            "rounds": int(rules["limit"]),
            "goal": "all" if rules["goal"] == ALL else "eliminate",
            "deal": f"{int(s['stream']):016x}",  # used by the deterministic red
            "board": board.tolist(),
            "tiles": tally["tiles"][:SEATS].tolist(),
            "troops": tally["troops"][:SEATS].tolist(),
            "stale": bool(tally["stale"]),
            "scores": tally["score"][:SEATS].tolist(),
        }

    def scenes(self, record: Record, names: list[str], first: bool) -> Iterator[Scene]:
        """The start of a game and every move; the last names the winner."""
        states = record.states()
        state = next(states)
        yield Scene(f"{names[0]} (blue) begins", state, None)
        for move in record.moves:
            s: Any = state[0]
            seat, done = int(s["turn"]), sent(s, move)
            said = self.sentence(s, move, None, f"{names[seat]} ({SIDES[seat]})")
            next(states)  # changes s
            said = f"round {s['tally']['rounds']}: {said}"
            yield Scene(said + (f"; {result_words(s)}" if s["over"] else ""), state, done)

    def pictures(self, played: Played, names: list[str], folder: Path, format: str) -> list[Path]:
        """A numbered picture for each move, and an animation; returns the files."""
        from sparring.games.conquest.animation import draw_game

        return draw_game(self.game, played, folder, names, format)

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        """Tiles by their coordinates, as the player sees them."""
        s: Any = self.game.template[0]
        tiles = [at(s, tile) for tile in range(int(s["rules"]["tiles"]))]
        inputs = [f"{tile}{kind}" for tile in tiles for kind in INPUTS.get(encoding, ())] or list(WHOLE[encoding])
        return inputs, list(OUTPUTS.get(policy, ("value",)))


def round_number(s: Any) -> int:
    """The current round, or the last one."""
    return int(s["tally"]["rounds"]) + int(not s["over"] and s["turn"] == 0)


def result_words(s: Any, sides: Sequence[str] = SIDES) -> str:
    """The result in words."""
    won = winner(s)
    if won is not None:
        return f"{sides[won]} wins"
    return "nobody wins: the same state for the fourth time" if s["tally"]["stale"] else "nobody wins"


def _turn(s: Any, sides: Sequence[str] = SIDES) -> str:
    """The side to move, or the result."""
    return result_words(s, sides) if s["over"] else f"{sides[int(s['turn'])]} to move"


def _round(s: Any) -> str:
    return f"round {round_number(s)} of {s['rules']['limit']}"


def _heading(s: Any, sides: Sequence[str]) -> str:
    tally, strength = s["tally"], []
    for seat, side in enumerate(SIDES):
        tiles, troops = int(tally["tiles"][seat]), int(tally["troops"][seat])
        strength.append(f"{side} {plural(tiles, 'tile')}, {plural(troops, 'troop')}")
    return f"{_round(s)}: {_turn(s, sides)}   {'   '.join(strength)}"
