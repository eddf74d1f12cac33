"""Plays by clicking: a checker, then the place it goes to, for one die or several at once.

The steps of a play can be made in any legal order. A checker may use several dice at once where this can mean only one play.
No click sequence of a play is the beginning of another play's.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon import plays as board_plays
from sparring.games.backgammon.notation import Dice, Roll, Step, dice_of, reached, steps_of, without
from sparring.games.backgammon.plays import BAR, OFF, PASS, PLACES

NO_MOVE = "no move"
MOST_WAYS = 64  # per play
ALL_WAYS = 4096  # per roll: doubles can have hundreds of plays, each in two dozen orders
MANY = 250  # plays; with more of them, every die is clicked separately

PARTS = ("off", *(f"point {point}" for point in range(1, BAR)), "bar")  # names of places, numbered by the mover

Hop = tuple[Step, ...]  # steps that one checker makes at once
Clicks = tuple[str, ...]
Ways = dict[Clicks, tuple[Hop, ...]]  # the ways to make a play


def click_sequences(roll: Roll, move: int) -> list[Clicks]:
    """The ways to make a legal play by clicking."""
    return [(NO_MOVE,)] if move == PASS else list(_all_ways(roll)[move])


def clicked_steps(roll: Roll, clicked: Clicks) -> tuple[list[Step], int | None]:
    """The steps made by these clicks, and the place of a checker that is picked up."""
    for ways in _all_ways(roll).values():
        for clicks, hops in ways.items():
            if clicks[: len(clicked)] == clicked:
                done = list(chain.from_iterable(hops[: len(clicked) // 2]))
                return done, hops[len(clicked) // 2][0].start if len(clicked) % 2 else None
    raise UserError(f"no play begins with {', '.join(clicked)[:80]}")


def _all_ways(roll: Roll) -> dict[int, Ways]:
    return _cached_ways(roll.board.tobytes(), roll.seat, roll.dice)


@lru_cache(maxsize=64)  # a page asks for every play of a roll, and after every click
def _cached_ways(board: bytes, seat: int, dice: Dice) -> dict[int, Ways]:
    roll = Roll(np.frombuffer(board, np.int8).reshape(2, PLACES).copy(), seat, dice)
    legal = roll.legal()
    if legal == [PASS]:
        return {}
    count, most = len(steps_of(roll, legal[0])), min(MOST_WAYS, max(1, ALL_WAYS // len(legal)))
    joined = count if len(legal) <= MANY else 1
    positions = {reached(roll, move): move for move in legal}
    ways: dict[int, Ways] = {move: {} for move in legal}
    for steps, after in _orders(roll, count):
        found = ways.get(positions.get(after, PASS))
        if found is not None and (joined > 1 or len(found) < most):
            for hops in _hops(steps, joined):
                found.setdefault(tuple([PARTS[place] for hop in hops for place in (hop[0].start, hop[-1].end)]), hops)
    ambiguous = _ambiguous(ways, 2 * count)
    return {move: _selected(found, ambiguous, most) for move, found in ways.items()}


def _orders(roll: Roll, count: int) -> list[tuple[Hop, bytes]]:
    """All ways to make this many steps, and the positions they reach."""
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
    """The legal steps, each with the board after it."""
    for start in range(BAR, 0, -1):
        for pips in sorted(set(dice), reverse=True) if board[seat, start] else ():
            if board_plays.can_leave(board, seat, start, pips):
                after = board.copy()
                hit = bool(board_plays.move_checker(after, seat, start, pips))
                yield Step(start, max(start - pips, OFF), pips, hit), after


def _hops(steps: Hop, longest: int) -> Iterator[tuple[Hop, ...]]:
    """The steps one by one, then with up to `longest` consecutive steps of one checker joined."""
    if not steps:
        yield ()
    for size in range(1, min(longest, len(steps)) + 1):
        if all(before.end == after.start for before, after in pairwise(steps[:size])):
            yield from ((steps[:size], *rest) for rest in _hops(steps[size:], longest))


def _ambiguous(ways: dict[int, Ways], longest: int) -> set[Clicks]:
    """Clicks that belong to several plays; this happens only if one click uses several dice."""
    meant: dict[Clicks, set[int]] = defaultdict(set)
    for move, found in ways.items():
        for clicks in found:
            for length in range(2, longest, 2):
                meant[clicks[:length]].add(move)
    return {clicks for clicks, moves in meant.items() if len(moves) > 1}


def _selected(found: Ways, ambiguous: set[Clicks], most: int) -> Ways:
    """The unambiguous ways; if there are too many, those with one die per click first."""
    clear = sorted((clicks for clicks in found if clicks not in ambiguous), key=len, reverse=True)
    return {clicks: found[clicks] for clicks in clear[:most]}
