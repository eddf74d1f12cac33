"""Networks that evaluate the board after each move and choose the best.

The first layer is computed once per turn; a move changes two tiles, so each candidate adds a few rows of weights. Candidates go
through the rest of the network in batches. Only a few numbers of troops are tried: one, half, all but one, all, as many as the
target can hold and, against an enemy, as many as it has and one more.
"""

import numpy as np

from sparring.games.conquest.encodings import (
    FRONTS,
    MOST,
    MOVES,
    PLANES,
    SHARE,
    SHARES,
    SIXTH,
    SUMMARY,
    SURVEY,
    board_inputs,
    summary_inputs,
    turned,
)
from sparring.games.conquest.encodings import ONE as WHOLE
from sparring.games.conquest.greedy import neighbours
from sparring.games.conquest.move_features import move_inputs
from sparring.games.conquest.rules import (
    ALL,
    CODES,
    COUNT,
    FULL,
    IDLE,
    PLACES,
    STALE,
    find_slot,
    hash_term,
    most_sent,
    state_key,
)
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.deep import deep_value
from sparring.kernel.dense import add_rows, first_layer, output_row
from sparring.kernel.launch import DEEP, GRAPH
from sparring.kernel.network import evolved_rows
from sparring.kernel.vectors import add_scaled, copy

WIDTH = 64  # candidates per batch
WORST = np.float32(-np.inf)

# Offsets in scratch memory. Floats: values of the inputs; sums before a move, without the tiles it changes, and after it; then the
# candidates' sums, unit by unit, and their outputs. Integers: indices of inputs, tiles that a move changes, candidate moves.
SUMS = MOST
CHANGED = MOST
CANDIDATES = CHANGED + 2 + 2 * PLACES
INT_SCRATCH = CANDIDATES + WIDTH


def float_scratch(hidden: int) -> int:
    """Scratch memory for a network with this many hidden units."""
    return SUMS + 3 * hidden + (hidden + 1) * WIDTH + WIDTH


@kernel
def value_move(s, player, weights, scratch, int_scratch):
    """The move to the board of the highest value; with `shares`, whose values are blue's, red takes the lowest.

    Moves that end the game without a win are left out; without any other move the player idles.
    """
    sign, units = 1 - 2 * s.turn, player.hidden
    count = board_inputs(s, s.turn, player.encoding, int_scratch, 0, scratch)
    first_layer(player, weights, int_scratch, 0, count, scratch, 0, scratch, SUMS)
    best, top, waiting = np.int64(IDLE), WORST, np.int64(0)
    for source in range(s.rules.tiles):
        here = sign * s.board[source]
        if here <= 0:
            continue
        for place in range(-1, PLACES):
            target = source if place < 0 else np.int64(s.rules.near[source, place])
            if target < 0 or (place < 0 and here == FULL):
                continue
            there = sign * s.board[target]
            changed = changed_tiles(s, player.encoding, source, target, int_scratch)
            if player.encoding < SUMMARY:
                copy(scratch, SUMS + units, scratch, SUMS, units)
                add_tiles(s, player, weights, int_scratch, changed, scratch, SUMS + units, -WHOLE)
            for troops in range(1, 2 if place < 0 else 1 + most_sent(here, there)):
                if place >= 0 and not sensible(troops, here, there):
                    continue
                move = source * CODES if place < 0 else source * CODES + place * FULL + troops
                lay_out(s, player, weights, source, target, troops, int_scratch, changed, scratch, waiting)
                int_scratch[CANDIDATES + waiting] = move
                waiting += 1
                if waiting == WIDTH:
                    best, top = best_of(s, player, weights, int_scratch, scratch, waiting, best, top)
                    waiting = np.int64(0)
    if waiting > 0:
        best, top = best_of(s, player, weights, int_scratch, scratch, waiting, best, top)
    return best


@inline_kernel
def sensible(troops, here, there):
    """Whether this number of troops is tried. No tile is abandoned to reinforce another."""
    if there > 0 and troops == here:
        return False
    if troops == 1 or troops >= here - 1 or troops == here // 2:
        return True
    return troops + there == FULL if there > 0 else there < 0 and (troops == -there or troops == 1 - there)


@inline_kernel
def changed_tiles(s, encoding, source, target, int_scratch):
    """Write the tiles whose inputs a move may change and return their number."""
    int_scratch[CHANGED], int_scratch[CHANGED + 1] = source, target
    count = 1 if source == target else 2
    if encoding == FRONTS:
        for end in range(count):
            for place in range(PLACES):
                near = s.rules.near[int_scratch[CHANGED + end], place]
                known = near < 0
                for k in range(count):
                    known |= int_scratch[CHANGED + k] == near
                if not known:
                    int_scratch[CHANGED + count] = near
                    count += 1
    return count


@inline_kernel
def add_tiles(s, player, weights, int_scratch, changed, scratch, at, factor):
    """Add the contribution of these tiles, times `factor`, to the sums."""
    encoding, units, net = player.encoding, player.hidden, player.offset
    sign = -1 if s.turn == 1 and encoding != SHARES else 1
    for k in range(changed):
        tile = int_scratch[CHANGED + k]
        troops = sign * s.board[tile]
        number = s.rules.tiles - 1 - tile if turned(encoding, s.turn) else tile
        if encoding == PLANES:
            plane = 2 if troops == 0 else (0 if troops > 0 else 1)
            share = WHOLE if troops == 0 else abs(troops) * SHARE
            add_scaled(scratch, at, weights, net + (3 * number + plane) * units, factor * share, units)
        elif troops != 0:
            row = 3 * number if encoding == FRONTS else number
            add_scaled(scratch, at, weights, net + row * units, factor * troops * SHARE, units)
            if encoding == FRONTS and troops > 0:
                enemies, empty = neighbours(s, sign, tile)
                add_scaled(scratch, at, weights, net + (row + 1) * units, factor * enemies * SIXTH, units)
                add_scaled(scratch, at, weights, net + (row + 2) * units, factor * empty * SIXTH, units)


@inline_kernel
def lay_out(s, player, weights, source, target, troops, int_scratch, changed, scratch, column):
    """Write a candidate's sums into its column. The board is restored."""
    units, at, sign = player.hidden, SUMS + 2 * player.hidden, 1 - 2 * s.turn
    here, there = s.board[source], s.board[target]
    if player.encoding == MOVES:
        move_inputs(s, s.turn, source, target, troops, int_scratch, SURVEY, scratch)
    if source == target:
        s.board[source] = here + sign
    else:
        s.board[source], s.board[target] = here - sign * troops, there + sign * troops
    if player.encoding == MOVES:
        first_of_all(player, weights, scratch, at)
    elif player.encoding == SUMMARY:
        count = summary_inputs(s, s.turn, int_scratch, 0, scratch)
        first_layer(player, weights, int_scratch, 0, count, scratch, 0, scratch, at)
    else:
        copy(scratch, at, scratch, SUMS + units, units)
        add_tiles(s, player, weights, int_scratch, changed, scratch, at, WHOLE)
    s.board[source] = here
    s.board[target] = there
    rows = at + units + column
    if player.kind == DEEP:
        scratch[rows + units * WIDTH] = deep_value(player, weights, scratch, at)
        return
    for u in range(units):
        scratch[rows + u * WIDTH] = scratch[at + u]


@inline_kernel
def first_of_all(player, weights, scratch, at):
    """The sums of the first layer, of inputs that are all written out at the beginning of the scratch memory."""
    units, net = player.hidden, player.offset
    copy(scratch, at, weights, net + player.inputs * units, units)
    for k in range(player.inputs):
        add_scaled(scratch, at, weights, net + k * units, scratch[k], units)


@kernel
def best_of(s, player, weights, int_scratch, scratch, waiting, best, top):
    """The best of the waiting candidates and the best so far, with its value."""
    outputs = rest_of_net(player, weights, scratch, SUMS + 3 * player.hidden)
    lowest = player.encoding == SHARES and s.turn == 1
    for j in range(waiting):
        value = -scratch[outputs + j] if lowest else scratch[outputs + j]
        if player.encoding == MOVES and wins(s, int_scratch[CANDIDATES + j]):
            return int_scratch[CANDIDATES + j], -WORST
        if (value > top or best == IDLE) and not ends_badly(s, int_scratch[CANDIDATES + j]):
            best, top = int_scratch[CANDIDATES + j], value
    return best, top


@kernel
def rest_of_net(player, weights, scratch, at):
    """Compute the candidates' outputs from their sums and return the offset of the outputs."""
    net, outputs = output_row(player, 0), at + player.hidden * WIDTH
    if player.kind == GRAPH:
        return evolved_rows(player, weights, net, scratch, at, WIDTH)
    if player.kind == DEEP:
        return outputs  # which `lay_out` has written
    for j in range(WIDTH):
        scratch[outputs + j] = np.float32(0.0)
    add_rows(weights, net, player.hidden, WIDTH, scratch, at, scratch, outputs)
    return outputs


@kernel
def wins(s, move):
    """Whether a move takes the enemy's last tile; the player's own side is then all that is left."""
    k = move % CODES - 1
    if k < 0 or s.tally.tiles[1 - s.turn] > 1 or s.rules.goal == ALL:
        return False
    sign, source = 1 - 2 * s.turn, move // CODES
    there = sign * s.board[s.rules.near[source, k // FULL]]
    return there < 0 and k % FULL + 1 > -there


@kernel
def ends_badly(s, move):
    """Whether a move loses the last tile or ends the game as stale."""
    sign, source = 1 - 2 * s.turn, move // CODES
    here = s.board[source]
    if move % CODES == 0:
        board = s.hash + hash_term(source, here + sign) - hash_term(source, here)
    else:
        k = move % CODES - 1
        target, troops = s.rules.near[source, k // FULL], sign * (k % FULL + 1)
        there = s.board[target]
        if s.tally.tiles[s.turn] == 1 and troops == here and sign * (there + troops) <= 0:
            return True
        board = s.hash + hash_term(source, here - troops) - hash_term(source, here)
        board += hash_term(target, there + troops) - hash_term(target, there)
    state = state_key(s.rules.reading, board, 1 - s.turn)
    return np.int64(s.table[find_slot(s, state)] & COUNT) == STALE - 1
