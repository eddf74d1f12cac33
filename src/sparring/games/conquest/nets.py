"""Conquest nets that tell a move: the study's four outputs, or six, cut into equal parts; and the guided move.

What a net tells is often no legal move. Then the nearest legal one is made, which the study calls guided.
"""

import numpy as np

from sparring.games.conquest.encodings import MOST, board_inputs, turned
from sparring.games.conquest.rules import CODES, FULL, GUIDED, IDLE, ONE, PLACES, most_sent
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.dense import first_layer
from sparring.kernel.network import outputs

FAR = 1 << 30
HALF = np.float32(0.5)

# Where things lie in the working room: the inputs' values, then the sums and outputs.
VALUES, SUMS = 0, MOST
INT_SCRATCH = MOST


@inline_kernel
def part(x, parts):
    """Which of equal parts of [0, 1] a number lies in; 1 belongs to the last. What lies outside belongs to the nearest."""
    if not x > 0:  # so said, it holds of what is no number too
        return np.int64(0)
    return np.int64(np.float64(x) * parts) if x < 1 else parts - 1


@kernel
def tell(s, player, weights, scratch, int_scratch):
    """Let the net tell its outputs; returns where they begin in `room`."""
    count = board_inputs(s, s.turn, player.encoding, int_scratch, 0, scratch)
    first_layer(player, weights, int_scratch, 0, count, scratch, VALUES, scratch, SUMS)
    outputs(player, weights, scratch, SUMS, True)
    return SUMS + player.hidden


@kernel
def net_move(s, player, weights, scratch, int_scratch):
    """Four outputs: whether to produce, source, target, troops."""
    at, tiles = tell(s, player, weights, scratch, int_scratch), s.rules.tiles
    source, target = part(scratch[at + 1], tiles), part(scratch[at + 2], tiles)
    return decoded(s, player.encoding, scratch[at] <= HALF, source, target, 1 + part(scratch[at + 3], FULL))


@kernel
def coordinates_move(s, player, weights, scratch, int_scratch):
    """Six outputs: whether to produce, source row and column, target row and column, troops."""
    at, rows, columns = tell(s, player, weights, scratch, int_scratch), s.rules.rows, s.rules.columns
    source = part(scratch[at + 1], rows) * columns + part(scratch[at + 2], columns)
    target = part(scratch[at + 3], rows) * columns + part(scratch[at + 4], columns)
    return decoded(s, player.encoding, scratch[at] <= HALF, source, target, 1 + part(scratch[at + 5], FULL))


@kernel
def decoded(s, encoding, produce, source, target, troops):
    """The move that is told, if it is legal: production before all; else the guided one."""
    sign = 1 - 2 * s.turn
    if turned(encoding, s.turn):
        source, target = s.rules.tiles - 1 - source, s.rules.tiles - 1 - target
    here = sign * s.board[source]
    if produce and 0 < here < FULL:
        return source * CODES
    if here > 0:
        for place in range(PLACES):
            if s.rules.near[source, place] == target and troops <= most_sent(here, sign * s.board[target]):
                return source * CODES + 1 + place * FULL + troops - 1
    move = nearest_move(s, source, target, troops)
    if move != IDLE:
        s.luck[GUIDED + s.turn] += ONE
    return move


@inline_kernel
def squared(s, one, two):
    """The distance of two tiles in rows and columns, squared."""
    down, right = s.rules.row[one] - s.rules.row[two], s.rules.column[one] - s.rules.column[two]
    return np.int64(down * down + right * right)


@kernel
def nearest_move(s, source, target, troops):
    """The legal move nearest in (source row, source column, target row, target column, troops); IDLE if there is none.

    A production has target = source and troops = 1. Of equally near ones the first by source, target and troops.
    """
    sign, least, move = 1 - 2 * s.turn, FAR, IDLE
    for tile in range(s.rules.tiles):
        here = sign * s.board[tile]
        if here <= 0:
            continue
        apart = squared(s, tile, source)
        if apart >= least:
            continue
        for turn in range(PLACES + 1):  # production stands between the neighbours before and behind the tile
            if turn == PLACES // 2:
                far = apart + squared(s, tile, target) + (troops - 1) * (troops - 1)
                if here < FULL and far < least:
                    move, least = tile * CODES, far
                continue
            place = turn - (turn > PLACES // 2)
            near = s.rules.near[tile, place]
            if near >= 0:
                sent = min(troops, most_sent(here, sign * s.board[near]))
                far = apart + squared(s, near, target) + (troops - sent) * (troops - sent)
                if sent > 0 and far < least:
                    move, least = tile * CODES + 1 + place * FULL + sent - 1, far
    return move
