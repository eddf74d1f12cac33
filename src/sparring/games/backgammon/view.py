"""Backgammon for people: states as text and JSON, games in notation, replays turn by turn."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sparring.games.backgammon import encodings
from sparring.games.backgammon.actions import WORDS, action_text, expected, is_action, offered_cube
from sparring.games.backgammon.diagram import NAME_WIDTH, SIGNS, Board, board_text, pips
from sparring.games.backgammon.game_record import Record, Turn, outcome, read_record, record_of
from sparring.games.backgammon.interaction import click_sequences, clicked_steps
from sparring.games.backgammon.mat import read_mat, write_mat
from sparring.games.backgammon.notation import (
    Dice,
    Roll,
    Step,
    dice_of,
    play_text,
    read_play,
    steps_of,
    without,
)
from sparring.games.backgammon.picture import Look, board_svg, table_svg
from sparring.games.backgammon.plays import BAR, OFF, PASS, move_checker
from sparring.games.backgammon.positions import Position, position_id, start_name
from sparring.games.backgammon.rules import BEAVER, DOUBLE, PLAYING, ROLL
from sparring.games.backgammon.stakes_view import cube_of, has_stakes, points_of, stakes_json, stakes_text, state_xgid
from sparring.games.record_view import RecordView
from sparring.games.view import plural, seat_names, shorten

SEATS = 2
OUTCOMES = ("win", "gammon won", "backgammon won", "gammon lost", "backgammon lost")


class Scene(NamedTuple):
    """The board after a turn."""

    said: str
    board: Board
    seat: int  # that played
    dice: Dice | None  # None before the first turn
    fresh: tuple[int, ...]  # the seat's points where its checkers landed
    stakes: str = ""  # cube and score
    cube: tuple[int, int] | None = None  # its value and owner

    def text(self, names: list[str]) -> str:
        rolled = f"{SIGNS[self.seat]} rolled {self.dice[0]}{self.dice[1]}" if self.dice else ""
        shown = "; ".join(filter(None, (rolled, self.stakes)))
        return f"{self.said}\n{board_text(self.board, names, 0, self.seat, shown, self.seat)}"

    def svg(self, names: list[str]) -> str:
        return board_svg(self.board, names, self.seat, self.dice, self.fresh, self.cube)


class BackgammonView(RecordView):
    """The View of backgammon. Nothing is hidden, so both seats see the same."""

    stepwise = True
    formats = {".mat": (write_mat, read_mat)}
    colours = {"bright_cyan": r"\bX\b", "bright_yellow": r"\bO\b"}
    record_of, read_record = staticmethod(record_of), staticmethod(read_record)

    def text(self, s: Any, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The board from a seat's side; without a seat, from that of the seat to move."""
        near = int(s["turn"]) if seat is None else seat
        names = seat_names(names, SEATS)
        said = _result(s, names) if s["over"] else f"{SIGNS[s['turn']]} {expected(s)}"
        said = "; ".join(filter(None, (said, stakes_text(s))))
        return board_text(s["board"].tolist(), names, near, near, said, -1 if s["over"] else int(s["turn"]))

    def move_text(self, s: Any, move: int) -> str:
        return play_text(s, move)

    def read_move(self, s: Any, text: str) -> int:
        return read_play(s, text)

    def deed(self, s: Any, move: int, viewer: int | None) -> str:
        """`roll 31 and play 8/5 6/5`, `double to 4`, `take`; a roll is part of the play that follows."""
        if is_action(move):
            verb, _, rest = action_text(move).partition(" ")
            cube = {DOUBLE: 2, BEAVER: 4}.get(move, 0) * int(s["cube"])
            return "" if move == ROLL else f"{{{verb}}} {f'to {cube}' if cube else rest}".strip()
        return f"{{roll}} {self.roll(s)} and {'{cannot} move' if move == PASS else f'{{play}} {play_text(s, move)}'}"

    def expected(self, s: Any, seat: int) -> str:
        if s["phase"] != PLAYING:
            return f"{expected(s).removeprefix('to ').capitalize()}."
        if Roll.of(s).legal() == [PASS]:
            return f"You rolled {self.roll(s)} and cannot move."
        return f"You rolled {self.roll(s)}: choose a checker, then where it goes."

    def rounds(self, s: Any) -> int:
        return int(s["tally"]["games"])

    round_word = "game"

    def round_end(self, before: Any, move: int, s: Any) -> Any:
        """The board as a game of a match ended."""
        if s["over"]:
            return s
        end = before.copy()
        for step in [] if is_action(move) else steps_of(Roll.of(before), move):
            move_checker(end["board"], int(before["turn"]), step.start, step.pips)
        return end

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The interactive board from a seat's side; without a seat, from seat 0's."""
        return _table(s, seat, names, [], None)

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        if is_action(move):
            return [(action_text(move),)]
        return click_sequences(Roll.of(s), move)

    def partial(self, s: Any, touched: tuple[str, ...], seat: int | None, names: Sequence[str]) -> str:
        """The board after some clicks: the steps made, the checker picked up and the dice left."""
        if s["phase"] != PLAYING:
            return _table(s, seat, names, [], None)
        return _table(s, seat, names, *clicked_steps(Roll.of(s), touched))

    def roll(self, s: Any) -> str:
        return "".join(map(str, s["dice"].tolist())) if s["phase"] == PLAYING else ""

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON."""
        board, turn = s["board"].tolist(), int(s["turn"])
        dice = (int(s["dice"][0]), int(s["dice"][1]))
        position = Position(tuple(board[turn]), tuple(board[1 - turn]), dice if dice[0] else None)
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
            "xgid": state_xgid(s, position),
            "scores": s["tally"]["score"][:SEATS].tolist(),
            **(stakes_json(s) if has_stakes(s) else {}),
        }

    def scenes(self, record: Record, names: list[str], first: bool) -> Iterator[Scene]:
        """The start of a game and every turn; the last names the winner."""
        states = record.states()
        s: Any = next(states)[0]
        seat = record.turns[0].seat
        said = f"{start_name(record.start) or position_id(record.start)}: {names[seat]} begins"
        yield Scene(said, s["board"].tolist(), seat, None, (), *_stakes(s))
        number = 0
        for turn in record.turns:
            if turn.move == ROLL:  # which the next turn's words include
                next(states)
                continue
            number, steps, games = number + 1, _steps(s, turn), int(s["tally"]["games"])
            said = f"turn {number}: {names[turn.seat]} {_done(s, turn, bool(steps))}"
            next(states)  # changes s
            won = s["tally"]["games"] > games and not s["over"]
            said += f"; {_result(s, names)}" if s["over"] else f"; the score is {_score(s)}" if won else ""
            yield Scene(said, s["board"].tolist(), turn.seat, turn.dice, () if won else _landed(steps), *_stakes(s))

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        """Names of inputs and outputs. Points are numbered by their side, or by the player where an input covers both sides."""
        sides = [f"{side} {place}" for place in ("bar", "off") for side in ("own", "their")]
        points = [f"point {point}" for point in range(1, BAR)]
        if encodings.says_who_rolls(encodings.NAMES.index(encoding)):
            both = [f"{side} {point}" for side in ("own", "their") for point in range(1, BAR)]
            inputs = [f"{point} {count}" for point in both for count in ("≥1", "≥2", "≥3", ">3")]
            inputs += [*sides, "on roll", "not on roll"]
            inputs += ["own cube", "their cube", "offered"] * (encoding == encodings.NAMES[encodings.CUBE])
        else:
            inputs = points + (sides if encoding == encodings.NAMES[encodings.RAW] else [])
        return inputs, list(OUTCOMES) if outputs == len(OUTCOMES) else ["value"] * outputs


def _steps(s: Any, turn: Turn) -> list[Step]:
    return [] if turn.dice is None else steps_of(Roll.of(s), turn.move)


def _done(s: Any, turn: Turn, moved: bool) -> str:
    """What a seat does in its turn, in words."""
    if turn.dice is None:
        cube = {DOUBLE: 2, BEAVER: 4}.get(turn.move)
        return WORDS[turn.move][1] + (f" to {cube * int(s['cube'])}" if cube else "")
    played = f"plays {play_text(s, turn.move)}" if moved else "cannot move"
    return f"rolls {turn.rolled} and {played}"


def _score(s: Any) -> str:
    return f"{s['points'][0]} to {s['points'][1]}"


def _stakes(s: Any) -> tuple[str, tuple[int, int] | None]:
    return stakes_text(s), cube_of(s)


def _table(s: Any, seat: int | None, names: Sequence[str], steps: list[Step], waiting: int | None) -> str:
    """The board after some steps of a play; a gold edge marks where they ended and the checker that is picked up."""
    roll = Roll.of(s)
    board, left = roll.board, dice_of(roll) if s["phase"] == PLAYING else ()
    dice = left
    for step in steps:
        move_checker(board, roll.seat, step.start, step.pips)
        left = without(left, step.pips)
    fresh = _landed(steps) + (() if waiting is None else (waiting,))
    shown, near = board.tolist(), max(seat or 0, 0)
    if s["over"]:
        return table_svg(
            Look(shown, names, near, near, roll.seat, over=_result(s, names), cube=cube_of(s), points=points_of(s))
        )
    asked, stakes = "" if s["phase"] == PLAYING else expected(s), (cube_of(s), offered_cube(s), points_of(s))
    return table_svg(Look(shown, names, near, near, roll.seat, dice, left, fresh, "", asked, *stakes))


def _landed(steps: list[Step]) -> tuple[int, ...]:
    """The points where the moved checkers are now."""
    return tuple((Counter(step.end for step in steps) - Counter(step.start for step in steps)).elements())


def _result(s: Any, names: Sequence[str]) -> str:
    """The result in words."""
    won = outcome(s)
    if won is None:
        return "drawn: too many turns"
    kind, winner = f", a {won.kind}" if won.kind else "", shorten(names[won.winner], NAME_WIDTH)
    if s["rules"]["length"]:
        return f"{winner} wins the match {won.points} to {s['points'][1 - won.winner]}"
    return f"{winner} wins {plural(won.points, 'point')}{kind}"
