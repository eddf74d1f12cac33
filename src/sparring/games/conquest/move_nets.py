"""Networks whose outputs are a move: the study's four outputs, or six, each divided into equal intervals.

The chosen move is often illegal. Then the nearest legal move is made, which the study calls guided.
"""

import numpy as np

from sparring.games.conquest.encodings import MOST, board_inputs, turned
from sparring.games.conquest.random_moves import listed_place
from sparring.games.conquest.rules import CODES, CORNERS, FULL, GUIDED, IDLE, ONE, PLACES, most_sent
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.dense import first_layer
from sparring.kernel.network import outputs

FAR = 1 << 30
HALF = np.float32(0.5)

VALUES, SUMS = 0, MOST  # in scratch memory: values of the inputs, then sums and outputs


@inline_kernel
def interval(x, count):
    """The number of the interval of [0, 1], divided into `count`, that holds x; the nearest if x is outside."""
    if not x > 0:  # also for NaN
        return np.int64(0)
    return np.int64(np.float64(x) * count) if x < 1 else count - 1


@kernel
def run_net(s, player, weights, scratch, int_scratch):
    """Run the network and return the offset of its outputs in `scratch`."""
    count = board_inputs(s, s.turn, player.encoding, int_scratch, 0, scratch)
    first_layer(player, weights, int_scratch, 0, count, scratch, VALUES, scratch, SUMS)
    outputs(player, weights, scratch, SUMS, True)
    return SUMS + player.hidden


@kernel
def net_move(s, player, weights, scratch, int_scratch):
    """The move of four outputs: produce or not, source, target, troops."""
    at, tiles = run_net(s, player, weights, scratch, int_scratch), s.rules.tiles
    source, target = interval(scratch[at + 1], tiles), interval(scratch[at + 2], tiles)
    return decoded(s, player.encoding, scratch[at] <= HALF, source, target, 1 + interval(scratch[at + 3], FULL))


@kernel
def coordinates_move(s, player, weights, scratch, int_scratch):
    """The move of six outputs: produce or not, source row and column, target row and column, troops."""
    at, rows, columns = run_net(s, player, weights, scratch, int_scratch), s.rules.rows, s.rules.columns
    source = interval(scratch[at + 1], rows) * columns + interval(scratch[at + 2], columns)
    target = interval(scratch[at + 3], rows) * columns + interval(scratch[at + 4], columns)
    return decoded(s, player.encoding, scratch[at] <= HALF, source, target, 1 + interval(scratch[at + 5], FULL))


@kernel
def decoded(s, encoding, produce, source, target, troops):
    """The move that the outputs encode, if it is legal (production first); else the guided move."""
    sign = 1 - 2 * s.turn
    if turned(encoding, s.turn):
        source, target = s.rules.tiles - 1 - source, s.rules.tiles - 1 - target
    here = sign * s.board[source]
    if produce and 0 < here < FULL:
        return source * CODES
    move = sending(s, source, target, troops)
    return move if move != IDLE else counted(s, nearest_move(s, source, target, troops))


@inline_kernel
def sending(s, source, target, troops):
    """The move that sends troops to a neighbour or a corner, or IDLE if that is illegal."""
    sign = 1 - 2 * s.turn
    here = sign * s.board[source]
    if here > 0 and troops <= most_sent(here, sign * s.board[target]):
        for place in range(PLACES):
            if s.rules.near[source, place] == target:
                return source * CODES + 1 + place * FULL + troops - 1
        for place in range(CORNERS if sign * s.board[target] > 0 else 0):
            if s.rules.corner[source, place] == target:
                return IDLE + 1 + (source * CORNERS + place) * FULL + troops - 1
    return np.int64(IDLE)


@inline_kernel
def counted(s, move):
    """Count a guided move."""
    if move != IDLE:
        s.luck[GUIDED + s.turn] += ONE
    return move


@kernel
def author_move(s, player, weights, scratch, int_scratch):
    """The move of four outputs by the author's decoder, which never names the last tile.

    A production that is asked for and illegal is guided as one.
    """
    at, tiles = run_net(s, player, weights, scratch, int_scratch), s.rules.tiles
    produce = scratch[at] <= HALF
    source, troops = interval(scratch[at + 1], tiles - 1), np.int64(1)
    target = source
    if not produce:
        target, troops = interval(scratch[at + 2], tiles - 1), 1 + interval(scratch[at + 3], FULL)
    if turned(player.encoding, s.turn):
        source, target = tiles - 1 - source, tiles - 1 - target
    if produce and 0 < (1 - 2 * s.turn) * s.board[source] < FULL:
        return source * CODES
    move = np.int64(IDLE) if produce else sending(s, source, target, troops)
    return move if move != IDLE else counted(s, author_nearest(s, source, target, troops))


@inline_kernel
def squared(s, one, two):
    """The squared distance of two tiles in rows and columns."""
    down, right = s.rules.row[one] - s.rules.row[two], s.rules.column[one] - s.rules.column[two]
    return np.int64(down * down + right * right)


@kernel
def nearest_move(s, source, target, troops):
    """The legal move nearest in (source row, source column, target row, target column, troops), or IDLE.

    A production has target = source and troops = 1. Ties go to the first by source, target and troops.
    """
    sign, least, move = 1 - 2 * s.turn, FAR, IDLE
    for tile in range(s.rules.tiles):
        here = sign * s.board[tile]
        if here <= 0:
            continue
        apart = squared(s, tile, source)
        if apart >= least:
            continue
        for turn in range(PLACES + 1):  # production comes between the neighbours with smaller and larger numbers
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


@kernel
def author_nearest(s, source, target, troops):
    """The legal move nearest in (source number, target number, troops), or IDLE.

    Ties go to the first in the order of productions, then each tile's attacks and its transports.
    """
    sign, least, move = 1 - 2 * s.turn, FAR, np.int64(IDLE)
    for tile in range(s.rules.tiles):
        far = (tile - source) ** 2 + (tile - target) ** 2 + (troops - 1) ** 2
        if far < least and 0 < sign * s.board[tile] < FULL:
            move, least = tile * CODES, far
    for tile in range(s.rules.tiles):
        here, apart = sign * s.board[tile], (tile - source) ** 2
        for k in range(2 * PLACES if here > 0 and apart < least else 0):
            place = listed_place(s, tile, k % PLACES)
            near = np.int64(s.rules.near[tile, place])
            if near >= 0 and (sign * s.board[near] > 0) == (k >= PLACES):
                sent = min(troops, most_sent(here, sign * s.board[near]))
                far = apart + (near - target) ** 2 + (troops - sent) ** 2
                if sent > 0 and far < least:
                    move, least = tile * CODES + 1 + place * FULL + sent - 1, far
    return move
