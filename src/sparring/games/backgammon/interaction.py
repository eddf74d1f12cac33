"""Plays by hand: a checker is touched and then the place it goes to, one die at a time or several at once.

A play can be made in any order of its steps that the rules allow. Its ways all use as many dice, so that none is the beginning
of another play's; a checker may be taken over several dice at once where only one play can be meant by it.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon import rules
from sparring.games.backgammon.notation import Dice, Roll, Step, dice_of, reached, steps_of, without
from sparring.games.backgammon.rules import BAR, OFF, PASS, PLACES

NO_MOVE = "no move"
MOST_WAYS = 64  # of one play
ALL_WAYS = 4096  # of all plays of a roll together: of doubles there can be hundreds, each in two dozen orders
MANY = 250  # plays; where there are more, every die is touched by itself

PARTS = ("off", *(f"point {point}" for point in range(1, BAR)), "bar")  # what places are called, as the mover counts

Hop = tuple[Step, ...]  # steps that one checker makes at once
Touches = tuple[str, ...]


class Way(NamedTuple):
    """A play in one order."""

    hops: tuple[Hop, ...]

    @property
    def input_sequences(self) -> Touches:
        return tuple([PARTS[place] for hop in self.hops for place in (hop[0].start, hop[-1].end)])


def touches_of(roll: Roll, move: int) -> list[Touches]:
    """The ways to make a legal play by hand."""
    return [(NO_MOVE,)] if move == PASS else list(_all_ways(roll)[move])


def steps_touched(roll: Roll, touched: Touches) -> tuple[list[Step], int | None]:
    """The steps that have been made when these parts have been touched, and the place just touched if its checker still waits."""
    for ways in _all_ways(roll).values():
        for input_sequences, way in ways.items():
            if input_sequences[: len(touched)] == touched:
                done = list(chain.from_iterable(way.hops[: len(touched) // 2]))
                return done, way.hops[len(touched) // 2][0].start if len(touched) % 2 else None
    raise UserError(f"no play begins by touching {', '.join(touched)[:80]}")


def _all_ways(roll: Roll) -> dict[int, dict[Touches, Way]]:
    return _found(roll.board.tobytes(), roll.seat, roll.dice)


@lru_cache(maxsize=64)  # a page asks for every play of a roll, and for what has been touched of it
def _found(board: bytes, seat: int, dice: Dice) -> dict[int, dict[Touches, Way]]:
    """The ways of each legal play, by what is touched."""
    roll = Roll(np.frombuffer(board, np.int8).reshape(2, PLACES).copy(), seat, dice)
    legal = roll.legal()
    if legal == [PASS]:
        return {}
    count, most = len(steps_of(roll, legal[0])), min(MOST_WAYS, max(1, ALL_WAYS // len(legal)))
    joined = count if len(legal) <= MANY else 1
    positions = {reached(roll, move): move for move in legal}
    ways: dict[int, dict[Touches, Way]] = {move: {} for move in legal}
    for steps, after in _orders(roll, count):
        found = ways.get(positions.get(after, PASS))
        if found is not None and (joined > 1 or len(found) < most):
            for way in map(Way, _hops(steps, joined)):
                found.setdefault(way.input_sequences, way)
    unclear = _unclear(ways, 2 * count)
    return {move: _some(found, unclear, most) for move, found in ways.items()}


def _orders(roll: Roll, count: int) -> list[tuple[Hop, bytes]]:
    """All ways to make so many steps, one after the other, and the positions they reach."""
    known: dict[tuple[bytes, tuple[int, ...]], list[tuple[Hop, bytes]]] = {}

    def onward(board: np.ndarray, dice: tuple[int, ...], left: int) -> list[tuple[Hop, bytes]]:
        here = board.tobytes(), dice
        if left == 0:
            return [((), here[0])]
        if here not in known:
            known[here] = [
                ((step, *rest), end)
                for step, after in _steps(board, roll.seat, dice)
                for rest, end in onward(after, without(dice, step.pips), left - 1)
            ]
        return known[here]

    return onward(roll.board, dice_of(roll), count)


def _steps(board: np.ndarray, seat: int, dice: tuple[int, ...]) -> Iterator[tuple[Step, np.ndarray]]:
    """The steps that a die allows, and the board after each."""
    for start in range(BAR, 0, -1):
        for pips in sorted(set(dice), reverse=True) if board[seat, start] else ():
            if rules.can_leave(board, seat, start, pips):
                after = board.copy()
                hit = bool(rules.move_checker(after, seat, start, pips))
                yield Step(start, max(start - pips, OFF), pips, hit), after


def _hops(steps: Hop, longest: int) -> Iterator[tuple[Hop, ...]]:
    """Steps made one by one, and then with those of one checker put together, so many at most."""
    if not steps:
        yield ()
    for size in range(1, min(longest, len(steps)) + 1):
        if all(before.end == after.start for before, after in pairwise(steps[:size])):
            yield from ((steps[:size], *rest) for rest in _hops(steps[size:], longest))


def _unclear(ways: dict[int, dict[Touches, Way]], longest: int) -> set[Touches]:
    """Touches that are, or begin, the ways of several plays: only those that take several dice at once can be."""
    meant: dict[Touches, set[int]] = defaultdict(set)
    for move, found in ways.items():
        for input_sequences in found:
            for length in range(2, longest, 2):
                meant[input_sequences[:length]].add(move)
    return {input_sequences for input_sequences, moves in meant.items() if len(moves) > 1}


def _some(found: dict[Touches, Way], unclear: set[Touches], most: int) -> dict[Touches, Way]:
    """The ways that can mean nothing else; if there are too many, rather those that take one die at a time."""
    clear = sorted(
        (input_sequences for input_sequences in found if input_sequences not in unclear), key=len, reverse=True
    )
    return {input_sequences: found[input_sequences] for input_sequences in clear[:most]}
