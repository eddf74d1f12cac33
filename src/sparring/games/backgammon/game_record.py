"""Whole games as text: the start, one line per turn, the result. The text alone determines the game.

    start standard
    0 31: 8/5 6/5
    1 64: 24/14
    ...
    0 wins 2, gammon

A turn is a seat, its dice and its play (see notation.py). The start is a name, a Position ID or an XGID seen by the side that
begins. `off 0 0` gives each side's checkers borne off where that is not 15 minus those on the board; `single` means that every
win counts 1. A game that reached the turn limit ends with `drawn`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparring.errors import UserError, errors_at
from sparring.games.backgammon import rules
from sparring.games.backgammon.notation import Dice, play_text, read_play
from sparring.games.backgammon.positions import Position, Side, position_id, read_position, start_name
from sparring.games.backgammon.rules import CHECKERS, OFF
from sparring.games.game import Game, apply_move
from sparring.games.record_view import StatesRecord

START = re.compile(r"start (\S+)(?: off ([0-9]{1,2}) ([0-9]{1,2}))?( single)?")
TURN = re.compile(r"([01])\s+([1-6])([1-6])\s*:(.*)")


@dataclass(frozen=True)
class Turn:
    """A seat's roll and play."""

    seat: int
    dice: Dice
    move: int


class Outcome(NamedTuple):
    """The result of a game that was won."""

    winner: int
    points: int
    kind: str  # "", "gammon" or "backgammon"


@dataclass(frozen=True)
class Record(StatesRecord):
    """A game from its start to its end."""

    start: Position  # the mover is the side that begins
    single: bool
    turns: tuple[Turn, ...]

    @property
    def moves(self) -> tuple[int, ...]:
        return tuple(turn.move for turn in self.turns)

    def states(self) -> Iterator[np.ndarray]:
        state = first_state(self.start, self.single, self.turns[0].seat)
        for turn in self.turns:
            state[0]["dice"] = turn.dice
            yield state
            apply_move(rules, state, turn.move)
        yield state

    def text(self) -> str:
        lines = [_start_text(self.start, self.single)]
        states = self.states()
        for turn, state in zip(self.turns, states, strict=False):
            lines.append(f"{turn.seat} {turn.dice[0]}{turn.dice[1]}: {play_text(state[0], turn.move)}")
        return "\n".join([*lines, result_text(next(states)[0])])


def first_state(start: Position, single: bool, seat: int) -> np.ndarray:
    """The state before the first roll."""
    state = np.zeros(1, rules.State)
    s: Any = state[0]
    s["rules"]["board"] = s["board"][[seat, 1 - seat]] = (start.mover, start.other)
    s["rules"]["single"] = single
    s["turn"] = seat
    return state


def record_of(game: Game, state: np.ndarray, moves: tuple[int, ...]) -> Record:
    """The record of these moves from this state, with its deal's dice. The state is then the final one."""
    s: Any = state[0]
    mover, other = (tuple(int(count) for count in side) for side in s["rules"]["board"])
    turns = []
    for move in moves:
        turns.append(Turn(int(s["turn"]), (int(s["dice"][0]), int(s["dice"][1])), move))
        apply_move(rules, state, move)
    return Record(Position(mover, other), bool(s["rules"]["single"]), tuple(turns))


def _start_text(start: Position, single: bool) -> str:
    text = f"start {start_name(start) or position_id(start)}"
    sides = (start.mover, start.other)
    if start_name(start) is None and any(sum(side) != CHECKERS for side in sides):
        text += " off {} {}".format(*(side[OFF] for side in sides))
    return text + " single" * single


def outcome(s: Any) -> Outcome | None:
    """The outcome of a finished game; None for a draw."""
    score = s["tally"]["score"]
    winner = int(score[1] > score[0])
    if score[winner] == 0:
        return None
    kind = "backgammon" if s["tally"]["backgammons"][winner] else "gammon" if s["tally"]["gammons"][winner] else ""
    return Outcome(winner, int(score[winner]), kind)


def result_text(s: Any) -> str:
    """The last line of a finished game."""
    won = outcome(s)
    return f"{won.winner} wins {won.points}{', ' * bool(won.kind)}{won.kind}" if won else "drawn"


def read_record(text: str, place: str) -> Record:
    """Read a game and check every play; a UserError names the wrong line."""
    first, *lines = [line.strip() for line in text.split("\n")]
    start, single = _read_start(first, f"{place}, line 1")
    if not lines or not TURN.fullmatch(lines[0]):
        raise UserError(f"{place}, line 2: a turn is needed, such as '0 31: 8/5 6/5'")
    state = first_state(start, single, int(lines[0][0]))
    turns = [read_turn(state, line, f"{place}, line {number}") for number, line in enumerate(lines[:-1], 2)]
    if start.dice and turns and turns[0].dice != start.dice:
        raise UserError(f"{place}, line 2: the start says that {start.dice[0]}{start.dice[1]} was rolled")
    last, result = lines[-1], result_text(state[0])
    if not state[0]["over"]:
        raise UserError(f"{place}: the game is incomplete: its turns do not lead to an end")
    if last != result:
        raise UserError(f"{place}: the last line is {last[:40]!r}, but the game ends with '{result}'")
    return Record(Position(start.mover, start.other), single, tuple(turns))


def _read_start(line: str, place: str) -> tuple[Position, bool]:
    match = START.fullmatch(line)
    if match is None:
        raise UserError(f"{place}: a game begins with a line such as 'start standard', not {line[:40]!r}")
    with errors_at(f"{place}: "):
        start = read_position(match[1])
    if match[2]:
        mover, other = _with_off(start.mover, int(match[2]), place), _with_off(start.other, int(match[3]), place)
        start = Position(mover, other, start.dice)
    return start, bool(match[4])


def _with_off(side: Side, off: int, place: str) -> Side:
    if off + sum(side[1:]) > CHECKERS:
        raise UserError(f"{place}: {off} checkers off and {sum(side[1:])} on the board; a side has {CHECKERS}")
    return (off, *side[1:])


def read_turn(state: np.ndarray, line: str, place: str) -> Turn:
    """Read a turn and play it."""
    s: Any = state[0]
    match = TURN.fullmatch(line)
    if match is None:
        raise UserError(f"{place}: {line[:40]!r} is not a turn, such as '0 31: 8/5 6/5'")
    if s["over"]:
        raise UserError(f"{place}: the game is over already")
    if int(match[1]) != s["turn"]:
        raise UserError(f"{place}: it is the turn of seat {s['turn']}")
    larger, smaller = sorted((int(match[2]), int(match[3])), reverse=True)
    s["dice"] = larger, smaller
    with errors_at(f"{place}: "):
        move = read_play(s, match[4])
    apply_move(rules, state, move)
    return Turn(int(match[1]), (larger, smaller), move)
