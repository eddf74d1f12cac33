"""What a conquest net sees of the board.

- `shares`: the study's: for each tile its troops over 20, blue's positive and red's negative, whoever looks.
- `own`: the same from the player's side: its own positive, and for red the board turned by 180 degrees.
- `planes`: three for each tile, from the player's side: its own share, the enemy's, and 1 if it is nature's.
- `summary`: sixteen for the whole board, from the player's side (`sparring.games.conquest.summary`).
- `fronts`: three for each tile, from the player's side: the signed share as in `own`; and, of a tile of its own, how many of
  the six neighbours are the enemy's and how many nature's, over six.

Turned, tile i is tile n - 1 - i. On a map with an even number of rows neighbours stay neighbours.
"""

import numpy as np

from sparring.games.conquest.rules import FULL, PLACES, TILES
from sparring.games.conquest.summary import INPUTS as SUMMARIZED
from sparring.games.conquest.summary import summary, survey
from sparring.kernel.compiler import inline_kernel, kernel

NAMES = ("shares", "own", "planes", "fronts", "summary")
EACH = (1, 1, 3, 3, 0)  # inputs of a tile
SHARES, OWN, PLANES, FRONTS, SUMMARY = range(5)
MOST = 3 * TILES  # more are never other than 0
SURVEY = 32  # where a summary has its working room, behind its own numbers
SHARE = np.float32(1.0 / FULL)
SIXTH = np.float32(1.0 / PLACES)
ONE = np.float32(1.0)


@inline_kernel
def turned(encoding, seat):
    """Whether this player sees the board from the other end."""
    return encoding != SHARES and seat == 1


@inline_kernel
def put(index, first, value, count, number, amount):
    index[first + count] = number
    value[count] = amount
    return count + 1


@kernel
def inputs(s, seat, encoding, index, value):
    """The inputs other than 0 of the board as this seat sees it, by number and value; returns how many."""
    return board_inputs(s, seat, encoding, index, 0, value)


@kernel
def board_inputs(s, seat, encoding, index, first, value):
    """The same, with the numbers in `index` from `first` on; both arrays have MOST places."""
    if encoding == SUMMARY:
        survey(s, seat, value, SURVEY, index, first + SURVEY)
        return summary_inputs(s, seat, index, first, value)
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
    """A summary after its survey."""
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


@inline_kernel
def neighbours(s, sign, tile):
    """How many neighbours of a tile are the enemy's, and how many nature's."""
    enemies = empty = 0
    for place in range(PLACES):
        near = s.rules.near[tile, place]
        if near >= 0:
            troops = sign * s.board[near]
            enemies += troops < 0
            empty += troops == 0
    return enemies, empty
