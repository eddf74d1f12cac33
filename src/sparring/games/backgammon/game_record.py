"""Whole games and matches as text: the start, one line per turn, the result. The text alone determines the game.

    start standard cube match 3
    0 31: 8/5 6/5
    1 doubles
    0 takes
    1 64: 24/14
    ...
    score 2 0
    1 52: 13/8 24/22
    ...
    0 wins the match 3 to 0

A turn is a seat, its dice and its play (see notation.py), or a seat and its action; that a seat rolls goes
without saying, but for the first turn. The
start is a name, a Position ID or an XGID seen by the side that begins, then the terms (see terms.py). `off 0 0` gives each side's
checkers borne off where that is not 15 minus those on the board. `score` follows every game of a match but the last. A game that
reached the limit of moves ends with `drawn`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparring.errors import UserError, errors_at
from sparring.games.backgammon import rules
from sparring.games.backgammon.actions import WORDS, is_action, read_action
from sparring.games.backgammon.notation import Dice, legal_here, play_text, read_play
from sparring.games.backgammon.plays import CHECKERS, OFF
from sparring.games.backgammon.positions import STARTS, Position, Side, position_id, read_position, start_name
from sparring.games.backgammon.rules import BEFORE_ROLL, FIXED, PLAYING, ROLL
from sparring.games.backgammon.terms import Terms, read_terms
from sparring.games.game import Game, apply_move
from sparring.games.record_view import StatesRecord

START = re.compile(r"start (\S+)(?: off ([0-9]{1,2}) ([0-9]{1,2}))?(.*)")
TURN = re.compile(r"([01])\s+([1-6])([1-6])\s*:(.*)")
ACTION = re.compile(r"([01])\s+([a-z][a-z ]*)")
SCORE = re.compile(r"score ([0-9]+) ([0-9]+)")


@dataclass(frozen=True)
class Turn:
    """A seat's roll and play, or, without dice, its action."""

    seat: int
    dice: Dice | None
    move: int

    @property
    def rolled(self) -> str:
        """The dice as two digits; empty for an action."""
        return f"{self.dice[0]}{self.dice[1]}" if self.dice else ""


class Outcome(NamedTuple):
    """The result of a game or match that was won."""

    winner: int
    points: int
    kind: str  # "", "gammon" or "backgammon"


@dataclass(frozen=True)
class Record(StatesRecord):
    """A game, or a match, from its start to its end."""

    start: Position  # the mover is the side that begins
    terms: Terms
    turns: tuple[Turn, ...]

    @property
    def moves(self) -> tuple[int, ...]:
        return tuple(turn.move for turn in self.turns)

    def states(self) -> Iterator[np.ndarray]:
        state = first_state(self.start, self.terms, self.turns[0])
        for turn in self.turns:
            prepare_turn(state, turn)
            yield state
            apply_move(rules, state, turn.move)
        yield state

    def text(self) -> str:
        lines, games, states = [_start_text(self.start, self.terms)], 0, self.states()
        for turn, state in zip(self.turns, states, strict=False):
            if state[0]["tally"]["games"] > games:
                games += 1
                lines.append(score_text(state[0]))
            if turn.move != ROLL or turn is self.turns[0]:
                lines.append(turn_text(state[0], turn))
        return "\n".join([*lines, result_text(next(states)[0])])


def turn_text(s: Any, turn: Turn) -> str:
    """A turn as a line."""
    if turn.dice is None:
        return f"{turn.seat} {WORDS[turn.move][1]}"
    return f"{turn.seat} {turn.rolled}: {play_text(s, turn.move)}"


def score_text(s: Any) -> str:
    """The line between two games of a match."""
    return f"score {s['points'][0]} {s['points'][1]}"


def first_state(start: Position, terms: Terms, first: Turn) -> np.ndarray:
    """The state before the first turn."""
    state = np.zeros(1, rules.State)
    s: Any = state[0]
    s["rules"]["board"] = (start.mover, start.other)
    later = STARTS["standard"] if start_name(start) is None else start
    s["rules"]["later"], s["rules"]["first"] = (later.mover, later.other), FIXED
    terms.write(s["rules"])
    s["cube"], s["owner"], s["crawford"] = terms.value, terms.owner, terms.crawford
    s["points"] = s["tally"]["score"][:2] = terms.points
    s["turn"], s["phase"] = first.seat, PLAYING if first.dice else BEFORE_ROLL
    s["board"][[first.seat, 1 - first.seat]] = (start.mover, start.other)
    return state


def prepare_turn(state: np.ndarray, turn: Turn) -> None:
    """Let the record's dice, and its seat at the beginning of a game, take the place of those that chance brought."""
    s: Any = state[0]
    if s["turn"] != turn.seat and begins(s):
        s["turn"] = turn.seat
        s["board"][[turn.seat, 1 - turn.seat]] = s["rules"]["later"]
    if turn.dice:
        s["dice"] = turn.dice


def begins(s: Any) -> bool:
    """Whether a later game of a match has just begun."""
    fresh = (s["board"][[s["turn"], 1 - s["turn"]]] == s["rules"]["later"]).all()
    return bool(s["tally"]["games"] and fresh and s["phase"] == PLAYING and s["cube"] == 1)


def record_of(game: Game, state: np.ndarray, moves: tuple[int, ...]) -> Record:
    """The record of these moves from this state, with its deal's dice. The state is then the final one."""
    s: Any = state[0]
    mover, other = (tuple(int(count) for count in side) for side in s["rules"]["board"])
    turns = []
    for move in moves:
        dice = None if is_action(move) else (int(s["dice"][0]), int(s["dice"][1]))
        turns.append(Turn(int(s["turn"]), dice, move))
        apply_move(rules, state, move)
    return Record(Position(mover, other), Terms.of(s["rules"]), tuple(turns))


def _start_text(start: Position, terms: Terms) -> str:
    text = f"start {start_name(start) or position_id(start)}"
    sides = (start.mover, start.other)
    if start_name(start) is None and any(sum(side) != CHECKERS for side in sides):
        text += " off {} {}".format(*(side[OFF] for side in sides))
    return text + terms.text()


def outcome(s: Any) -> Outcome | None:
    """The outcome of a finished game; None for a draw."""
    score = s["tally"]["score"]
    winner = int(score[1] > score[0])
    if score[winner] == score[1 - winner]:
        return None
    tally, one = s["tally"], not s["rules"]["length"]
    kind = "backgammon" if tally["backgammons"][winner] else "gammon" if tally["gammons"][winner] else ""
    return Outcome(winner, int(score[winner]), kind if one else "")


def result_text(s: Any) -> str:
    """The last line of a finished game."""
    won = outcome(s)
    if won is None:
        return "drawn"
    if s["rules"]["length"]:
        return f"{won.winner} wins the match {won.points} to {s['tally']['score'][1 - won.winner]}"
    return f"{won.winner} wins {won.points}{', ' * bool(won.kind)}{won.kind}"


def read_record(text: str, place: str) -> Record:
    """Read a game and check every move; a UserError names the wrong line."""
    first, *lines = [line.strip() for line in text.split("\n")]
    start, terms = _read_start(first, f"{place}, line 1")
    if not lines or not (TURN.fullmatch(lines[0]) or (start.dice is None and ACTION.fullmatch(lines[0]))):
        raise UserError(f"{place}, line 2: a turn is needed, such as '0 31: 8/5 6/5'")
    opening = TURN.fullmatch(lines[0])
    state = first_state(start, terms, Turn(int(lines[0][0]), (6, 6) if opening else None, 0))
    turns: list[Turn] = []
    for number, line in enumerate(lines[:-1], 2):
        turns += read_line(state, line, f"{place}, line {number}")
    if start.dice and turns and turns[0].dice != start.dice:
        raise UserError(f"{place}, line 2: the start says that {start.dice[0]}{start.dice[1]} was rolled")
    last, result = lines[-1], result_text(state[0])
    if not state[0]["over"]:
        raise UserError(f"{place}: the game is incomplete: its turns do not lead to an end")
    if last != result:
        raise UserError(f"{place}: the last line is {last[:40]!r}, but the game ends with '{result}'")
    return Record(Position(start.mover, start.other), terms, tuple(turns))


def _read_start(line: str, place: str) -> tuple[Position, Terms]:
    match = START.fullmatch(line)
    if match is None:
        raise UserError(f"{place}: a game begins with a line such as 'start standard', not {line[:40]!r}")
    with errors_at(f"{place}: "):
        start, terms = read_position(match[1]), read_terms(match[4])
    if terms is None:
        raise UserError(f"{place}: {match[4].strip()[:40]!r} after the start is not understood")
    if match[2]:
        mover, other = _with_off(start.mover, int(match[2]), place), _with_off(start.other, int(match[3]), place)
        start = Position(mover, other, start.dice)
    return start, terms


def _with_off(side: Side, off: int, place: str) -> Side:
    if off + sum(side[1:]) > CHECKERS:
        raise UserError(f"{place}: {off} checkers off and {sum(side[1:])} on the board; a side has {CHECKERS}")
    return (off, *side[1:])


def read_line(state: np.ndarray, line: str, place: str) -> list[Turn]:
    """Read a line and play it: a turn, which may include that the seat rolls, an action, or none for a score."""
    s: Any = state[0]
    if SCORE.fullmatch(line) and s["rules"]["length"]:
        if line != score_text(s) or not begins(s):
            raise UserError(f"{place}: {line!r}, but the score is {s['points'][0]} to {s['points'][1]}")
        return []
    turn, action = TURN.fullmatch(line), ACTION.fullmatch(line)
    if turn is None and action is None:
        raise UserError(f"{place}: {line[:40]!r} is not a turn, such as '0 31: 8/5 6/5'")
    if s["over"]:
        raise UserError(f"{place}: the game is over already")
    seat = int(line[0])
    if seat != s["turn"] and not (turn and begins(s)):
        raise UserError(f"{place}: it is the turn of seat {s['turn']}")
    if action:
        return [read_action_turn(state, seat, action[2], place)]
    rolled = []
    if s["phase"] == BEFORE_ROLL:
        rolled = [Turn(seat, None, ROLL)]
        apply_move(rules, state, ROLL)
    return [*rolled, read_turn(state, line, place)]


def read_action_turn(state: np.ndarray, seat: int, text: str, place: str) -> Turn:
    """Read an action and carry it out."""
    with errors_at(f"{place}: "):
        if state[0]["phase"] == PLAYING:
            raise UserError(f"{text[:40]!r}: the dice are rolled; a play such as '0 31: 8/5 6/5' is needed")
        move = read_action(text, legal_here(state[0]))
    apply_move(rules, state, move)
    return Turn(seat, None, move)


def read_turn(state: np.ndarray, line: str, place: str) -> Turn:
    """Read a roll and its play, and play it."""
    s: Any = state[0]
    match = TURN.fullmatch(line)
    if match is None:
        raise UserError(f"{place}: {line[:40]!r} is not a turn, such as '0 31: 8/5 6/5'")
    if s["over"]:
        raise UserError(f"{place}: the game is over already")
    if s["phase"] != PLAYING:
        raise UserError(f"{place}: seat {s['turn']} has an offer to answer first")
    larger, smaller = sorted((int(match[2]), int(match[3])), reverse=True)
    prepare_turn(state, Turn(int(match[1]), (larger, smaller), 0))
    if int(match[1]) != s["turn"]:
        raise UserError(f"{place}: it is the turn of seat {s['turn']}")
    with errors_at(f"{place}: "):
        move = read_play(s, match[4])
    apply_move(rules, state, move)
    return Turn(int(match[1]), (larger, smaller), move)
