"""Backgammon nets: the value of a position after a play, for the side that played.

A sigmoid net's first layer is computed once for a roll; each play then adds one row of weights for every place that a checker
leaves or reaches. Each input's weights lie together, so that a row is one run of memory.
"""

import numpy as np

from sparring.games.backgammon.encodings import (
    MOST,
    OFF_ROLL,
    TESAURO,
    board_inputs,
    by_steps,
    place_change,
    place_input,
)
from sparring.games.backgammon.rules import (
    BAR,
    OFF,
    borne_off,
    make_play,
    move_checker,
    play_steps,
    points_won,
    unmake_play,
)
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.dense import first_layer, one_output, output_row
from sparring.kernel.launch import GRAPH, LINEAR
from sparring.kernel.maths import sigmoid
from sparring.kernel.network import outputs
from sparring.kernel.vectors import add_scaled, apply_sigmoid, copy

WON = 3.0  # points of a backgammon: values are shares of it, from -1 to 1
ONE = np.float32(1.0)

# Where things lie in the working room. No slices are made: counting references to them would cost more than the sums.
VALUES = 0  # of the inputs
UNITS = MOST  # of a linear net's layers, now and next
WIDEST = 16
LINEAR_VECTOR = MOST + 2 * WIDEST  # what each input counts to a linear net
SUMS = LINEAR_VECTOR + 198  # of the first layer before a play, then of the play being valued
INT_SCRATCH = MOST


def float_scratch(hidden: int) -> int:
    """The working room that a net with this many hidden units needs: sums before a play and after it, and outputs."""
    return SUMS + 2 * hidden + 5


@kernel
def board_sums(board, seat, player, weights, scratch, at, int_scratch, first):
    """The weighted sums of the hidden units, nothing left out; `integers` from `first` on hold the inputs' numbers."""
    count = board_inputs(board, seat, player.encoding, int_scratch, first, scratch)
    first_layer(player, weights, int_scratch, first, count, scratch, VALUES, scratch, at)
    if player.encoding == TESAURO:
        add_scaled(scratch, at, weights, player.offset + OFF_ROLL * player.hidden, ONE, player.hidden)


@inline_kernel
def last_layer(player, weights, scratch, at):
    """The value of the sums, which are lost: from -1 to 1, as a share of a backgammon."""
    if player.kind == GRAPH:
        return evolved_value(player, weights, scratch, at)
    if player.outputs == 1:
        return 2.0 * one_output(player, weights, scratch, at) - 1.0
    apply_sigmoid(scratch, at, player.hidden)
    return five_outputs(weights, output_row(player, 0), scratch, at, player.hidden)


@kernel
def evolved_value(player, weights, scratch, at):
    """The value of an evolved net's sums, of one output or five."""
    outputs(player, weights, scratch, at, True)
    out = at + player.hidden
    if player.outputs == 1:
        return 2.0 * scratch[out] - 1.0
    more, less = scratch[out + 1] + scratch[out + 2], scratch[out + 3] + scratch[out + 4]
    return (2.0 * scratch[out] - 1.0 + more - less) / WON


@inline_kernel
def five_outputs(weights, net, scratch, at, hidden):
    """Won, gammon or more won, backgammon won, gammon or more lost, backgammon lost: as one value.

    A specialised copy of `output_sum` in kernel/dense.py: five sums side by side are 2.1 times as fast as one after another (40
    hidden units), each of which would wait for its own last step. tests/test_dense.py holds them equal.
    """
    n, first, place = np.uint64(hidden), np.uint64(net), np.uint64(at)
    bias = first + n * np.uint64(5)
    won, gammon, backgammon = weights[bias], weights[bias + np.uint64(1)], weights[bias + np.uint64(2)]
    lost, lost_all = weights[bias + np.uint64(3)], weights[bias + np.uint64(4)]
    for h in range(n):
        x = scratch[place + h]
        won += weights[first + h] * x
        gammon += weights[first + n + h] * x
        backgammon += weights[first + n + n + h] * x
        lost += weights[first + n + n + n + h] * x
        lost_all += weights[first + n + n + n + n + h] * x
    more = sigmoid(gammon) + sigmoid(backgammon)
    less = sigmoid(lost) + sigmoid(lost_all)
    return (2.0 * sigmoid(won) - 1.0 + more - less) / WON


@kernel
def net_value(board, seat, player, weights, scratch, int_scratch, first):
    """The value of a position from nothing."""
    if player.kind == LINEAR:
        return linear_value(board, seat, player, weights, scratch, int_scratch, first)
    board_sums(board, seat, player, weights, scratch, SUMS + player.hidden, int_scratch, first)
    return last_layer(player, weights, scratch, SUMS + player.hidden)


@kernel
def linear_vector(player, weights, scratch):
    """All layers of a linear net as one: what each input counts, from the last layer's sum backwards."""
    net, depth = player.offset, player.depth
    for layer in range(depth):
        net += player.layers[layer] * (player.layers[layer - 1] if layer else player.inputs)
    for u in range(player.layers[depth - 1]):
        scratch[UNITS + u] = ONE
    for layer in range(depth - 1, -1, -1):
        units, width = player.layers[layer], player.layers[layer - 1] if layer else player.inputs
        net -= units * width
        to = UNITS + WIDEST if layer else LINEAR_VECTOR
        for k in range(width):
            total = np.float32(0.0)
            for u in range(units):
                total += scratch[UNITS + u] * weights[net + u * width + k]
            scratch[to + k] = total
        for u in range(width if layer else 0):
            scratch[UNITS + u] = scratch[to + u]


@kernel
def linear_value(board, seat, player, weights, scratch, int_scratch, first):
    """The study's networks: layers of sums without biases, the last layer's outputs added up."""
    linear_vector(player, weights, scratch)
    count = board_inputs(board, seat, player.encoding, int_scratch, first, scratch)
    total = np.float32(0.0)
    for k in range(count):
        total += scratch[LINEAR_VECTOR + int_scratch[first + k]] * scratch[VALUES + k]
    return total


# The value of a play: played, valued, taken back.


@inline_kernel
def add_place(scratch, at, player, weights, side, place, count, sign):
    encoding, hidden = player.encoding, player.hidden
    change = np.float32(sign * place_change(encoding, side, place, count))
    row = player.offset + place_input(encoding, side, place, count) * hidden
    add_scaled(scratch, at, weights, row, change, hidden)


@inline_kernel
def add_step(board, seat, player, weights, point, pips, scratch, at):
    """Add to the sums what a checker's step changes; called before the step."""
    target = max(point - pips, OFF)
    add_place(scratch, at, player, weights, 0, point, board[seat, point] - 1, -1.0)
    add_place(scratch, at, player, weights, 0, target, np.int64(board[seat, target]), 1.0)
    if target > OFF and board[1 - seat, BAR - target] == 1:
        add_place(scratch, at, player, weights, 1, BAR - target, 0, -1.0)
        add_place(scratch, at, player, weights, 1, BAR, np.int64(board[1 - seat, BAR]), 1.0)


@kernel
def prepare_plays(board, seat, player, weights, scratch, int_scratch, first):
    """What all plays of a roll begin from."""
    if player.kind != LINEAR and by_steps(player.encoding):
        board_sums(board, seat, player, weights, scratch, SUMS, int_scratch, first)


@inline_kernel
def worth_of_winning(board, seat, single):
    """What a side that has borne off all its checkers has won, as nets count it: a share of the most that can be won."""
    return 1.0 if single else points_won(board, seat) / WON


@kernel
def play_value(board, seat, move, larger, smaller, player, weights, scratch, int_scratch, first, single):
    """A play's value, after `prepare_plays`; a play that wins is worth what it wins."""
    if player.kind == LINEAR or not by_steps(player.encoding):
        hits = make_play(board, seat, move, larger, smaller)
        value = 1.0 * net_value(board, seat, player, weights, scratch, int_scratch, first)
    else:
        at = SUMS + player.hidden
        copy(scratch, at, scratch, SUMS, player.hidden)
        points, second, others = play_steps(move, larger, smaller)
        hits = 0
        for k in range(4):
            if points[k] == 0:
                break
            pips = second if k == 1 else others
            add_step(board, seat, player, weights, points[k], pips, scratch, at)
            if move_checker(board, seat, points[k], pips):
                hits |= 1 << k
        value = 1.0 * last_layer(player, weights, scratch, at)
    if board[seat, OFF] > 0 and borne_off(board, seat):
        value = worth_of_winning(board, seat, single)
    unmake_play(board, seat, move, larger, smaller, hits)
    return value
