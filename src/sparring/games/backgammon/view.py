"""Backgammon for people: states as text and JSON, games in notation, replays turn by turn."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sparring.games.backgammon import encodings
from sparring.games.backgammon.diagram import NAME_WIDTH, SIGNS, Board, board_text, pips
from sparring.games.backgammon.game_record import Record, outcome, read_record, record_of
from sparring.games.backgammon.interaction import click_sequences, clicked_steps
from sparring.games.backgammon.mat import read_mat, write_mat
from sparring.games.backgammon.notation import Dice, Roll, Step, dice_of, play_text, read_play, steps_of, without
from sparring.games.backgammon.picture import Look, board_svg, table_svg
from sparring.games.backgammon.positions import Position, position_id, start_name, xgid
from sparring.games.backgammon.rules import BAR, OFF, move_checker
from sparring.games.record_view import RecordView
from sparring.games.view import plural, shorten

SEATS = 2
OUTCOMES = ("win", "gammon won", "backgammon won", "gammon lost", "backgammon lost")


class Scene(NamedTuple):
    """The board after a turn."""

    said: str
    board: Board
    seat: int  # that played
    dice: Dice | None  # None before the first turn
    fresh: tuple[int, ...]  # the seat's points where its checkers landed

    def text(self, names: list[str]) -> str:
        rolled = f"{SIGNS[self.seat]} rolled {self.dice[0]}{self.dice[1]}" if self.dice else ""
        return f"{self.said}\n{board_text(self.board, names, 0, self.seat, rolled, self.seat)}"

    def svg(self, names: list[str]) -> str:
        return board_svg(self.board, names, self.seat, self.dice, self.fresh)


class BackgammonView(RecordView):
    """The View of backgammon. Nothing is hidden, so both seats see the same."""

    stepwise = True
    formats = {".mat": (write_mat, read_mat)}
    colours = {"bright_cyan": r"\bX\b", "bright_yellow": r"\bO\b"}
    record_of, read_record = staticmethod(record_of), staticmethod(read_record)

    def text(self, s: Any, seat: int | None = None) -> str:
        """The board from a seat's side; without a seat, from that of the seat to move."""
        near = int(s["turn"]) if seat is None else seat
        names = [f"seat {n}" for n in range(SEATS)]
        said = _result(s, names) if s["over"] else f"{SIGNS[s['turn']]} to play {s['dice'][0]}{s['dice'][1]}"
        return board_text(s["board"].tolist(), names, near, near, said, -1 if s["over"] else int(s["turn"]))

    def move_text(self, s: Any, move: int) -> str:
        return play_text(s, move)

    def read_move(self, s: Any, text: str) -> int:
        return read_play(s, text)

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The interactive board from a seat's side; without a seat, from seat 0's."""
        return _table(s, seat, names, [], None)

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        return click_sequences(Roll.of(s), move)

    def partial(self, s: Any, touched: tuple[str, ...], seat: int | None, names: Sequence[str]) -> str:
        """The board after some clicks: the steps made, the checker picked up and the dice left."""
        return _table(s, seat, names, *clicked_steps(Roll.of(s), touched))

    def roll(self, s: Any) -> str:
        return "".join(map(str, s["dice"].tolist()))

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON."""
        board, turn = s["board"].tolist(), int(s["turn"])
        dice = (int(s["dice"][0]), int(s["dice"][1]))
        position = Position(tuple(board[turn]), tuple(board[1 - turn]), dice)
        return {
            "game": "backgammon",
            "seats": SEATS,
            "over": bool(s["over"]),
            "turn": turn,
            "turns": int(s["tally"]["turns"]),
            "dice": list(dice),
            "board": board,
            "off": [side[OFF] for side in board],
            "pips": [pips(side) for side in board],
            "position": position_id(position),
            "xgid": xgid(position),
            "scores": s["tally"]["score"][:SEATS].tolist(),
        }

    def scenes(self, record: Record, names: list[str], first: bool) -> Iterator[Scene]:
        """The start of a game and every turn; the last names the winner."""
        states = record.states()
        s: Any = next(states)[0]
        seat = record.turns[0].seat
        said = f"{start_name(record.start) or position_id(record.start)}: {names[seat]} begins"
        yield Scene(said, s["board"].tolist(), seat, None, ())
        for number, turn in enumerate(record.turns, 1):
            steps = steps_of(Roll.of(s), turn.move)
            done = f"plays {play_text(s, turn.move)}" if steps else "cannot move"
            next(states)  # changes s
            said = f"turn {number}: {names[turn.seat]} rolls {turn.dice[0]}{turn.dice[1]} and {done}"
            said += f"; {_result(s, names)}" if s["over"] else ""
            yield Scene(said, s["board"].tolist(), turn.seat, turn.dice, _landed(steps))

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        """Names of inputs and outputs. Points are numbered by their side, or by the player where an input covers both sides."""
        sides = [f"{side} {place}" for place in ("bar", "off") for side in ("own", "their")]
        points = [f"point {point}" for point in range(1, BAR)]
        if encoding == encodings.NAMES[encodings.TESAURO]:
            both = [f"{side} {point}" for side in ("own", "their") for point in range(1, BAR)]
            inputs = [f"{point} {count}" for point in both for count in ("≥1", "≥2", "≥3", ">3")]
            inputs += [*sides, "on roll", "not on roll"]
        else:
            inputs = points + (sides if encoding == encodings.NAMES[encodings.RAW] else [])
        return inputs, list(OUTCOMES) if outputs == len(OUTCOMES) else ["value"] * outputs


def _table(s: Any, seat: int | None, names: Sequence[str], steps: list[Step], waiting: int | None) -> str:
    """The board after some steps of a play; a gold edge marks where they ended and the checker that is picked up."""
    roll = Roll.of(s)
    board, left = roll.board, dice_of(roll)
    dice = left
    for step in steps:
        move_checker(board, roll.seat, step.start, step.pips)
        left = without(left, step.pips)
    fresh = _landed(steps) + (() if waiting is None else (waiting,))
    shown, near = board.tolist(), max(seat or 0, 0)
    if s["over"]:
        return table_svg(Look(shown, names, near, near, roll.seat, over=_result(s, names)))
    return table_svg(Look(shown, names, near, near, roll.seat, dice, left, fresh))


def _landed(steps: list[Step]) -> tuple[int, ...]:
    """The points where the moved checkers are now."""
    return tuple((Counter(step.end for step in steps) - Counter(step.start for step in steps)).elements())


def _result(s: Any, names: Sequence[str]) -> str:
    """The result in words."""
    won = outcome(s)
    if won is None:
        return "drawn: too many turns"
    kind = f", a {won.kind}" if won.kind else ""
    return f"{shorten(names[won.winner], NAME_WIDTH)} wins {plural(won.points, 'point')}{kind}"
