"""Inputs of conquest networks.

- `shares`: as in the study: each tile's troops divided by 20, blue positive and red negative for both players.
- `own`: the same from the player's side: own troops positive, and the board rotated by 180 degrees for red.
- `planes`: three per tile, from the player's side: own share, enemy's share, and 1 if the tile is nature's.
- `fronts`: three per tile, from the player's side: the signed share as in `own`; for an own tile also the fractions of its six
  neighbours that are the enemy's and nature's.
- `summary`: sixteen for the whole board, from the player's side (`sparring.games.conquest.summary`).
- `moves`: of a move and what is around it, from the player's side (`sparring.games.conquest.move_features`).

Rotation maps tile i to n - 1 - i. On a map with an even number of rows it preserves neighbours.
"""

import numpy as np

from sparring.games.conquest.greedy import neighbours
from sparring.games.conquest.move_features import survey_moves
from sparring.games.conquest.rules import FULL, PLACES, TILES
from sparring.games.conquest.summary import INPUTS as SUMMARIZED
from sparring.games.conquest.summary import summary, survey
from sparring.kernel.compiler import inline_kernel, kernel

NAMES = ("shares", "own", "planes", "fronts", "summary", "moves")
PER_TILE = (1, 1, 3, 3, 0, 0)  # inputs
SHARES, OWN, PLANES, FRONTS, SUMMARY, MOVES = range(6)
MOST = 3 * TILES  # the largest number of inputs
SURVEY = 32  # scratch memory of a summary, after its own numbers
SHARE = np.float32(1.0 / FULL)
SIXTH = np.float32(1.0 / PLACES)
ONE = np.float32(1.0)


@inline_kernel
def turned(encoding, seat):
    """Whether this player sees the board rotated."""
    return encoding != SHARES and seat == 1


@inline_kernel
def put(index, first, value, count, number, amount):
    index[first + count] = number
    value[count] = amount
    return count + 1


@kernel
def inputs(s, seat, encoding, index, value):
    """Write the indices and values of the nonzero inputs as this seat sees them; returns their number."""
    return board_inputs(s, seat, encoding, index, 0, value)


@kernel
def board_inputs(s, seat, encoding, index, first, value):
    """The same, with indices written from `first` on; both arrays have MOST places."""
    if encoding == SUMMARY:
        survey(s, seat, value, SURVEY, index, first + SURVEY)
        return summary_inputs(s, seat, index, first, value)
    if encoding == MOVES:
        survey_moves(s, seat, index, first + SURVEY)
        return np.int64(0)  # there are none before a move
    n, tiles = np.int64(0), s.rules.tiles
    sign = -1 if seat == 1 and encoding != SHARES else 1
    away = turned(encoding, seat)
    for tile in range(tiles):
        troops = sign * s.board[tile]
        number = tiles - 1 - tile if away else tile
        if encoding == PLANES:
            plane = 2 if troops == 0 else (0 if troops > 0 else 1)
            n = put(index, first, value, n, 3 * number + plane, ONE if troops == 0 else abs(troops) * SHARE)
        elif troops != 0:
            if encoding == FRONTS:
                n = put(index, first, value, n, 3 * number, troops * SHARE)
                if troops > 0:
                    n = front_inputs(s, sign, tile, 3 * number, index, first, value, n)
            else:
                n = put(index, first, value, n, number, troops * SHARE)
    return n


@kernel
def summary_inputs(s, seat, index, first, value):
    """Write a summary after its survey."""
    summary(s, seat, value, SURVEY, 0)
    for k in range(SUMMARIZED):
        index[first + k] = k
    return np.int64(SUMMARIZED)


@inline_kernel
def front_inputs(s, sign, tile, number, index, first, value, n):
    enemies, empty = neighbours(s, sign, tile)
    if enemies > 0:
        n = put(index, first, value, n, number + 1, enemies * SIXTH)
    if empty > 0:
        n = put(index, first, value, n, number + 2, empty * SIXTH)
    return n
