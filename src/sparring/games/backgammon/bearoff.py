"""Exact endings: how many rolls a side needs to bear off, and the value of short endings with the cube.

- One side: 54,264 positions of at most 15 checkers on the six home points. For each, the distribution of the number of rolls to
  bear off all checkers, with plays that minimize its mean, and to bear off the first of 15 checkers, which saves the gammon.
- Two sides: all pairs of positions of at most six checkers each, for money: cubeless, with the cube in the middle, own or the
  opponent's. The best play is chosen for each, and doubles, takes and passes are optimal.

Positions are numbered in lexicographic order of their checkers on points 6 to 1, so every play leads to a lower number. Tables
are computed once and kept in the cache folder with a checksum; a damaged file is computed again.
"""

import hashlib
import math
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from sparring.errors import remark
from sparring.games.backgammon.plays import CHECKERS, HOME, MOST_PLAYS, PLACES, make_play, plays, unmake_play
from sparring.kernel.compiler import CACHE, inline_kernel, kernel

FEW = 6  # checkers of a side in the table of two sides
POSITIONS, FEW_POSITIONS = math.comb(CHECKERS + HOME, HOME), math.comb(FEW + HOME, HOME)
ROLLS, FIRST = 32, 16  # columns of the distributions: 0 rolls, 1 roll, ...; more have a probability below 1e-10
DICE = 21
MOST_ENDS = 128  # above the number of plays of a roll with six checkers at home
CUBELESS, CENTRED, OWNED, UNAVAILABLE = range(4)  # columns of two sides: before the roll, if the cube is not turned now
WAYS = np.array([[math.comb(left + point, point) for point in range(HOME + 1)] for left in range(CHECKERS + 1)])


@inline_kernel
def number_of(board, seat, most):
    """The number of a seat's home position among those of at most `most` checkers."""
    number, left = 0, most
    for point in range(HOME, 0, -1):
        number += WAYS[left, point] - WAYS[left - board[seat, point], point]
        left -= board[seat, point]
    return number


@kernel
def next_position(board, most):
    """Change seat 0's home position to the one with the next number."""
    total = 0
    for point in range(1, HOME + 1):
        total += board[0, point]
    point = 1
    if total == most:
        while board[0, point] == 0:
            point += 1
        board[0, point] = 0
        point += 1
    board[0, point] += 1


@kernel
def ends_of(board, larger, smaller, most, moves, ends):
    """Write the numbers of the positions that a roll reaches, and return how many they are."""
    count = plays(board, 0, larger, smaller, moves)
    for k in range(count):
        hits = make_play(board, 0, moves[k], larger, smaller)
        ends[k] = number_of(board, 0, most)
        unmake_play(board, 0, moves[k], larger, smaller, hits)
    return count


@kernel
def solve_one_side(board, moves, ends, tables, means):
    """Fill the distributions of `tables`: columns up to ROLLS count rolls to the end, the others rolls to the first checker off."""
    tables[0, 0] = tables[0, ROLLS] = 1.0
    for i in range(1, tables.shape[0]):
        next_position(board, CHECKERS)
        left = 0
        for point in range(1, HOME + 1):
            left += board[0, point]
        for larger in range(1, 7):
            for smaller in range(1, larger + 1):
                weight = (1.0 if larger == smaller else 2.0) / 36.0
                count = ends_of(board, larger, smaller, CHECKERS, moves, ends)
                add_roll(tables, means, ends, count, i, weight, 0, ROLLS)
                if left == CHECKERS:
                    add_roll(tables, means, ends, count, i, weight, ROLLS, ROLLS + FIRST)
        if left < CHECKERS:
            tables[i, ROLLS] = 1.0


@inline_kernel
def add_roll(tables, means, ends, count, i, weight, first, last):
    """Add one roll's share to the distribution in some columns of position i: that of the end with the lowest mean."""
    kind = 0 if first == 0 else 1
    best = ends[0]
    for k in range(1, count):
        if means[ends[k], kind] < means[best, kind]:
            best = ends[k]
    for n in range(first, last - 1):
        tables[i, n + 1] += weight * tables[best, n]
    means[i, kind] += weight * (1.0 + means[best, kind])


@kernel
def list_ends(board, moves, ends, counts):
    """List the ends of every roll of positions of few checkers."""
    for i in range(1, ends.shape[0]):
        next_position(board, FEW)
        roll = 0
        for larger in range(1, 7):
            for smaller in range(1, larger + 1):
                counts[i, roll] = ends_of(board, larger, smaller, FEW, moves, ends[i, roll])
                roll += 1


@kernel
def solve_two_sides(ends, counts, values):
    """Fill `values`[mover, other] for positions of few checkers, in the order of the sum of their numbers."""
    size = values.shape[0]
    for i in range(size):
        for column in range(4):
            values[i, 0, column] = -1.0  # the other side has borne off
    for total in range(2, 2 * size - 1):
        for i in range(max(1, total - size + 1), min(total, size)):
            solve_pair(ends, counts, values, i, total - i)


@inline_kernel
def solve_pair(ends, counts, values, i, j):
    roll, cubeless, centred, owned, unavailable = 0, 0.0, 0.0, 0.0, 0.0
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            a = b = c = d = -2.0
            for k in range(counts[i, roll]):
                end = ends[i, roll, k]
                theirs = values[j, end, UNAVAILABLE]
                doubled = min(1.0, 2.0 * theirs)
                a = max(a, -values[j, end, CUBELESS])
                b = max(b, -max(values[j, end, CENTRED], doubled))
                c = max(c, -theirs)
                d = max(d, -max(values[j, end, OWNED], doubled))
            weight = 1.0 if larger == smaller else 2.0
            cubeless += weight * a
            centred += weight * b
            owned += weight * c
            unavailable += weight * d
            roll += 1
    values[i, j, CUBELESS], values[i, j, CENTRED] = cubeless / 36.0, centred / 36.0
    values[i, j, OWNED], values[i, j, UNAVAILABLE] = owned / 36.0, unavailable / 36.0


def _one_side() -> np.ndarray:
    board, tables = np.zeros((2, PLACES), np.int8), np.zeros((POSITIONS, ROLLS + FIRST))
    scratch = np.zeros(MOST_PLAYS, np.int64), np.zeros(MOST_PLAYS, np.int64)
    solve_one_side(board, *scratch, tables, np.zeros((POSITIONS, 2)))
    return tables


def _two_sides() -> np.ndarray:
    board, moves = np.zeros((2, PLACES), np.int8), np.zeros(MOST_PLAYS, np.int64)
    ends = np.zeros((FEW_POSITIONS, DICE, MOST_ENDS), np.int64)
    counts = np.zeros((FEW_POSITIONS, DICE), np.int64)
    list_ends(board, moves, ends, counts)
    values = np.zeros((FEW_POSITIONS, FEW_POSITIONS, 4))
    solve_two_sides(ends, counts, values)
    return values


@cache
def one_side() -> np.ndarray:
    """The distributions by position: ROLLS columns of rolls to the end, then FIRST columns of rolls to the first checker off."""
    return stored("bearoff-one-side", (POSITIONS, ROLLS + FIRST), _one_side)


@cache
def two_sides() -> np.ndarray:
    """Equities for money by the positions of mover and other; the columns are CUBELESS, CENTRED, OWNED and UNAVAILABLE."""
    return stored("bearoff-two-sides", (FEW_POSITIONS, FEW_POSITIONS, 4), _two_sides)


def stored(name: str, shape: tuple[int, ...], make: Callable[[], np.ndarray]) -> np.ndarray:
    """A table of the cache folder; one that is missing or damaged is made and written."""
    path = CACHE / f"{name}.table"
    data = path.read_bytes() if path.is_file() else b""
    digest, content = data[:32], data[32:]
    if len(content) != 4 * math.prod(shape) or hashlib.sha256(content).digest() != digest:
        remark(f"computing the table {name}, once")
        content = make().astype("<f4").tobytes()
        with tempfile.NamedTemporaryFile(dir=CACHE, delete=False) as file:
            file.write(hashlib.sha256(content).digest() + content)
        os.replace(file.name, path)
    return np.frombuffer(content, "<f4").reshape(shape)


@dataclass(frozen=True)
class Race:
    """Two home positions without contact, given as checkers off, on points 1 to 24 and on the bar; the first is on roll."""

    mover: tuple[int, ...]
    other: tuple[int, ...]

    @property
    def known(self) -> bool:
        """Whether both sides bear off."""
        return not any(self.mover[HOME + 1 :]) and not any(self.other[HOME + 1 :])

    @property
    def short(self) -> bool:
        """Whether both sides have few checkers left."""
        return self.known and sum(self.mover[1:]) <= FEW and sum(self.other[1:]) <= FEW

    def outcomes(self) -> tuple[float, float, float, float, float]:
        """The probabilities of winning, a gammon won, a backgammon won, a gammon lost and a backgammon lost."""
        mine, theirs = (one_side()[number(side, CHECKERS)].astype(float) for side in (self.mover, self.other))
        later, still = (_later(rolls[:ROLLS]) for rolls in (mine, theirs))
        saved, spared = (_later(np.pad(rolls[ROLLS:], (0, ROLLS - FIRST))) for rolls in (mine, theirs))
        win = float(two_sides()[self.numbers][CUBELESS] + 1) / 2 if self.short else float(mine[:ROLLS] @ still)
        return win, float(mine[:ROLLS] @ spared), 0.0, float(theirs[: ROLLS - 1] @ saved[1:]), 0.0

    @property
    def numbers(self) -> tuple[int, int]:
        return number(self.mover, FEW), number(self.other, FEW)

    def equities(self) -> np.ndarray:
        """The exact equities of a short ending for money, by columns, if the cube is not turned now."""
        return np.asarray(two_sides()[self.numbers], float)

    def mean_rolls(self) -> tuple[float, float]:
        """The mean number of rolls that each side needs."""
        mine, theirs = (
            one_side()[number(side, CHECKERS), :ROLLS] @ np.arange(ROLLS) for side in (self.mover, self.other)
        )
        return float(mine), float(theirs)


def _later(distribution: np.ndarray) -> np.ndarray:
    """The probability of n rolls or more, for each n."""
    return np.asarray(distribution[::-1].cumsum()[::-1])


def number(side: tuple[int, ...], most: int) -> int:
    """The number of a home position among those of at most `most` checkers."""
    return int(number_of(np.array([side, side], np.int8), 0, most))
