"""What a search reads besides its network: a small network that preselects replies, and the tables of endings.

They are one array of numbers, which follows the weights of a player that searches (`Player.tables`): the small network, then
the table of one side, then the cubeless equities of the table of two sides.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from safetensors.numpy import load_file

from sparring.games.backgammon import encodings
from sparring.games.backgammon.bearoff import (
    CUBELESS,
    FEW,
    FEW_POSITIONS,
    FIRST,
    POSITIONS,
    ROLLS,
    number_of,
    one_side,
    two_sides,
)
from sparring.games.backgammon.encodings import checkers_left
from sparring.games.backgammon.outcomes import UNKNOWN
from sparring.games.backgammon.plays import CHECKERS, HOME, OFF, PLACES
from sparring.kernel.compiler import INTERPRETED, inline_kernel, kernel

SMALL = Path(__file__).parent / "champion-40.safetensors"
SMALL_INPUTS, SMALL_UNITS, SMALL_OUTPUTS = encodings.INPUTS[encodings.TESAURO], 40, 5
ONE_SIDE = (SMALL_INPUTS + 1) * SMALL_UNITS + SMALL_OUTPUTS * (SMALL_UNITS + 1)  # where the tables begin
TWO_SIDES = ONE_SIDE + POSITIONS * (ROLLS + FIRST)


class Pruner(NamedTuple):
    """Where the small network lies in the weights, and its size."""

    offset: int
    inputs: int
    hidden: int
    outputs: int
    encoding: int


@cache
def search_tables() -> np.ndarray:
    """The array; empty for interpreted kernels, for which the tables of endings would take hours."""
    if INTERPRETED:
        return np.zeros(0, np.float32)
    tensors = load_file(SMALL)
    names = ("hidden.bias", "output.weight", "output.bias")
    small = [tensors["hidden.weight"].T.ravel(), *(tensors[name].ravel() for name in names)]
    return np.concatenate([*small, one_side().ravel(), two_sides()[:, :, CUBELESS].ravel()]).astype(np.float32)


@inline_kernel
def pruner_at(tables):
    """The small network of tables that begin at this place of the weights."""
    return Pruner(tables, SMALL_INPUTS, SMALL_UNITS, SMALL_OUTPUTS, encodings.TESAURO)


@inline_kernel
def at_home(board, seat):
    """Whether all checkers are home."""
    for place in range(HOME + 1, PLACES):
        if board[seat, place] > 0:
            return False
    return True


@inline_kernel
def is_short(board, seat):
    """Whether a side at home has few checkers left and can lose no gammon."""
    return board[seat, OFF] > 0 and checkers_left(board, seat) <= FEW


@inline_kernel
def in_table(board, seat):
    """Whether the table of one side has the position of a side at home: without a checker off, it has those of 15 alone."""
    return board[seat, OFF] > 0 or checkers_left(board, seat) == CHECKERS


@kernel
def ending(board, seat, weights, tables):
    """The outcomes for the side on roll, where both are home; a negative chance to win where no table has the position."""
    other = 1 - seat
    if is_short(board, seat) and is_short(board, other):
        row = number_of(board, seat, FEW) * FEW_POSITIONS + number_of(board, other, FEW)
        return 0.5 + 0.5 * weights[tables + TWO_SIDES + row], 0.0, 0.0, 0.0, 0.0
    if not (in_table(board, seat) and in_table(board, other)):
        return UNKNOWN
    mine = tables + ONE_SIDE + number_of(board, seat, CHECKERS) * (ROLLS + FIRST)
    theirs = tables + ONE_SIDE + number_of(board, other, CHECKERS) * (ROLLS + FIRST)
    return independent(weights, mine, theirs)


@kernel
def independent(weights, mine, theirs):
    """The outcomes of two bear-offs that ignore each other, for the side on roll, from two rows of the table of one side."""
    won = gammon = lost = 0.0
    playing = spared = saved = (
        1.0  # the chances that n rolls or more are needed: theirs to the end and to the first checker, mine
    )
    for n in range(ROLLS):
        won += weights[mine + n] * playing
        gammon += weights[mine + n] * spared
        playing -= weights[theirs + n]
        if n < FIRST:
            spared -= weights[theirs + ROLLS + n]
            saved -= weights[mine + ROLLS + n]
        if n >= FIRST - 1:
            spared = saved = 0.0
        lost += weights[theirs + n] * saved
    return won, max(gammon, 0.0), 0.0, max(lost, 0.0), 0.0
