"""Kernels of the doubling cube: the value of chances to win with a cube, for money and in a match (see cube.py).

Sides are 0, the side on roll, and 1. `shares` are each side's gammons and backgammons as shares of its wins.
"""

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon.plays import HOME, PLACES
from sparring.games.backgammon.pubeval import is_race
from sparring.kernel.compiler import inline_kernel, kernel

MOVER, OTHER, MIDDLE = 0, 1, 2  # owners of the cube
LARGEST = 4096  # cube
CONTACT, BEAROFF = 0.68, 0.6  # cube efficiencies; that of a race depends on the pips of the side on roll:
SHORT, LONG = (40, 0.6), (120, 0.7)
LONGEST = 64  # points that a side may need
DEVIATIONS = (1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72, 1.77)  # of a game, by the points needed
GAMMONS = 0.25  # of the games won after the Crawford game, beyond the table


class CubeRules(NamedTuple):
    """What the value of a cube depends on beside the cube."""

    away: tuple[Any, Any]  # the points that each side needs; zeros for money
    frozen: Any  # whether nobody may double
    jacoby: Any
    table: Any  # match equities


def read_table(path: Path) -> np.ndarray:
    """A match equity table: a row per points that a side needs, a column per points that the other needs, then one row for
    games after the Crawford game, of the side that needs more than one point. It is extended to `LONGEST` points."""
    try:
        table = np.loadtxt(path, delimiter=",", ndmin=2)
    except (OSError, ValueError):
        raise UserError(
            f"{path}: not a match equity table: lines of numbers from 0 to 1, separated by commas"
        ) from None
    if table.shape[0] != table.shape[1] + 1 or not ((table >= 0) & (table <= 1)).all():
        size = f"{table.shape[0]} rows of {table.shape[1]}"
        raise UserError(f"{path}: {size} numbers; a table to N points has N + 1 rows of N numbers from 0 to 1")
    return extended(table)


def extended(table: np.ndarray) -> np.ndarray:
    """A table with rows and columns up to `LONGEST` points, computed as GNU Backgammon does.

    The lead after n games is taken for normal, with a deviation per game by the points needed; after the Crawford game every second
    game is won, one in four of these a gammon, with a cube of 2.
    """
    known = table.shape[1]
    if known >= LONGEST:
        return table
    found = np.zeros((LONGEST + 1, LONGEST))
    found[:known, :known], found[-1, :known] = table[:-1], table[-1]
    for more in range(known + 1, LONGEST + 1):
        for less in range(1, more + 1):
            deviation = math.hypot(*(DEVIATIONS[min(points, len(DEVIATIONS)) - 1] for points in (more, less)))
            sigmas = (more - less) / (deviation * math.sqrt((more + less) / 2))
            found[more - 1, less - 1] = 0.5 * math.erfc(sigmas / math.sqrt(2))
            found[less - 1, more - 1] = 1.0 - found[more - 1, less - 1]
        after = [found[-1, more - 1 - points] if more > points else 1.0 for points in (2, 4)]
        found[-1, more - 1] = 0.5 * ((1.0 - GAMMONS) * after[0] + GAMMONS * after[1])
    return found


MATCH_EQUITIES = read_table(Path(__file__).with_name("match-equity.csv"))


@inline_kernel
def worth(side, points, stakes):
    """The value for a side of winning points, or of losing them if negative."""
    if stakes.away[0] == 0:
        return 1.0 * points
    mine, theirs = stakes.away[side] - max(points, 0), stakes.away[1 - side] - max(-points, 0)
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    if stakes.away[0] == 1 or stakes.away[1] == 1:  # the Crawford game is this one or is over
        if theirs == 1:
            return stakes.table[stakes.table.shape[0] - 1, mine - 1]
        return 1.0 - stakes.table[stakes.table.shape[0] - 1, theirs - 1]
    return stakes.table[mine - 1, theirs - 1]


@inline_kernel
def useful(side, cube, stakes):
    """Whether a side that wins with this cube could still use more points."""
    return stakes.away[0] == 0 or cube < stakes.away[side]


@inline_kernel
def can_turn(side, cube, owner, stakes):
    """Whether a side may turn the cube and could gain by it."""
    return stakes.frozen == 0 and owner != 1 - side and useful(side, cube, stakes) and cube < LARGEST


@inline_kernel
def won(side, cube, gammons, stakes, shares):
    """The mean value for a side of a game that it wins."""
    gammon, backgammon = (shares[2 * side], shares[2 * side + 1]) if gammons else (0.0, 0.0)
    single, double, triple = worth(side, cube, stakes), worth(side, 2 * cube, stakes), worth(side, 3 * cube, stakes)
    return (1.0 - gammon) * single + (gammon - backgammon) * double + backgammon * triple


@inline_kernel
def lost(side, cube, gammons, stakes, shares):
    """The mean value for a side of a game that it loses: values of both sides add up to 0 for money, to 1 in a match."""
    return (0.0 if stakes.away[0] == 0 else 1.0) - won(1 - side, cube, gammons, stakes, shares)


@inline_kernel
def settled(side, cube, stakes):
    """The cube's value once a side that owns it has redoubled where that is free: its loss loses the match in any case."""
    free = stakes.frozen == 0 and useful(side, cube, stakes) and not useful(1 - side, cube, stakes)
    return 2 * cube if free else cube


@kernel
def take_point(side, cube, live, stakes, shares):
    """The chance to win from which a side may take a double of this cube."""
    if stakes.away[0] == 0:
        loss = lost(side, 2 * cube, True, stakes, shares)
        return (-cube - loss) / (won(side, 2 * cube, True, stakes, shares) - loss + (cube if live else 0))
    depth = 0  # of redoubles that could follow
    while live and useful(side, 2 * cube << depth, stakes) and useful(1 - side, 2 * cube << depth, stakes):
        depth += 1
    point = 0.0
    for level in range(depth, -1, -1):
        taker, taken = (side + level) % 2, 2 * cube << level
        dropped, loss = worth(taker, -(cube << level), stakes), lost(taker, taken, True, stakes, shares)
        if level == depth:
            best = won(taker, settled(taker, taken, stakes), True, stakes, shares)
            point = (dropped - loss) / (best - loss)
        else:
            point = (1.0 - point) * (dropped - loss) / (worth(taker, taken, stakes) - loss)
    return point


@inline_kernel
def between(x, x0, x1, y0, y1):
    return y0 if x1 <= x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)


@kernel
def live_value(win, cube, owner, loss, gain, stakes, shares):
    """The value for the side on roll of a live cube: linear between a lost game, both sides' take points, and a won game."""
    low, low_value, high, high_value = 0.0, loss, 1.0, gain
    if can_turn(OTHER, cube, owner, stakes):
        low, low_value = min(max(take_point(MOVER, cube, True, stakes, shares), 0.0), 1.0), worth(MOVER, -cube, stakes)
    if can_turn(MOVER, cube, owner, stakes):
        high = max(min(1.0 - take_point(OTHER, cube, True, stakes, shares), 1.0), low)
        high_value = worth(MOVER, cube, stakes)
    if win < low:
        return between(win, 0.0, low, loss, low_value)
    if win < high:
        return between(win, low, high, low_value, high_value)
    return between(win, high, 1.0, high_value, gain)


@kernel
def cube_value(win, cube, owner, efficiency, stakes, shares):
    """The value for the side on roll of a cube that it does not turn now, with this chance to win."""
    if owner == OTHER and settled(OTHER, cube, stakes) > cube:
        cube, owner = 2 * cube, MOVER
    gammons = not (stakes.jacoby != 0 and stakes.away[0] == 0 and owner == MIDDLE)
    loss, gain = lost(MOVER, cube, gammons, stakes, shares), won(MOVER, cube, gammons, stakes, shares)
    live = live_value(win, cube, owner, loss, gain, stakes, shares)
    return efficiency * live + (1.0 - efficiency) * (win * gain + (1.0 - win) * loss)


@kernel
def best_value(win, cube, owner, efficiency, stakes, shares):
    """The value for the side on roll if both sides do with the cube what is best for them."""
    value = cube_value(win, cube, owner, efficiency, stakes, shares)
    if can_turn(MOVER, cube, owner, stakes):
        taken = cube_value(win, 2 * cube, OTHER, efficiency, stakes, shares)
        return max(value, min(taken, worth(MOVER, cube, stakes)))
    return value


@kernel
def efficiency(board, seat):
    """The cube efficiency by the kind of position, for the side on roll."""
    if not is_race(board):
        return CONTACT
    home, pips = True, 0
    for place in range(1, PLACES):
        pips += place * board[seat, place]
        if place > HOME and (board[0, place] > 0 or board[1, place] > 0):
            home = False
    if home:
        return BEAROFF
    share = min(max((pips - SHORT[0]) / (LONG[0] - SHORT[0]), 0.0), 1.0)
    return SHORT[1] + share * (LONG[1] - SHORT[1])


@inline_kernel
def share(part, whole):
    return min(part / whole, 1.0) if whole > 0.0 else 0.0


@inline_kernel
def shares_of(win, gammon, backgammon, gammon_lost, backgammon_lost):
    """Each side's gammons and backgammons as shares of its wins."""
    mine, theirs = share(gammon, win), share(gammon_lost, 1.0 - win)
    return mine, min(share(backgammon, win), mine), theirs, min(share(backgammon_lost, 1.0 - win), theirs)


@kernel
def best_values(boards, seat, outcomes, cube, owner, stakes, out):
    """The values of many boards for the side on roll, which is not `seat`; outcomes are those of `seat`."""
    for n in range(len(boards)):
        win = 1.0 - outcomes[n, 0]
        shares = shares_of(win, outcomes[n, 3], outcomes[n, 4], outcomes[n, 1], outcomes[n, 2])
        out[n] = best_value(win, cube, owner, efficiency(boards[n], 1 - seat), stakes, shares)
