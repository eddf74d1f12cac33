"""Backgammon networks: the value of a position after a play, for the side that played.

A sigmoid network's first layer is computed once per roll; each play then adds one row of weights for every place that a
checker leaves or reaches. The weights of one input are contiguous.
"""

import numpy as np

from sparring.games.backgammon import encodings
from sparring.games.backgammon.plays import (
    BAR,
    MOST_PLAYS,
    OFF,
    borne_off,
    make_play,
    move_checker,
    play_steps,
    points_won,
    unmake_play,
)
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.deep import deep_outputs
from sparring.kernel.dense import first_layer, one_output, output_row
from sparring.kernel.launch import DEEP, LINEAR, SIGMOID
from sparring.kernel.maths import sigmoid
from sparring.kernel.network import evolved_outputs
from sparring.kernel.vectors import add_scaled, apply_sigmoid, copy

WON = 3.0  # points of a backgammon: values are divided by it, so they range from -1 to 1
ZERO, ONE = np.float32(0.0), np.float32(1.0)

# Offsets in scratch memory. Kernels take no slices, because reference counts would cost more than the sums.
VALUES = 0  # of the inputs
UNITS = encodings.MOST  # of a linear network: the current layer and the next
WIDEST = 16
LINEAR_VECTOR = encodings.MOST + 2 * WIDEST  # the weight of each input of a linear network
SUMS = LINEAR_VECTOR + 198  # of the first layer before a play, then after it
INDEX = MOST_PLAYS  # in the integers, after a list of plays: indices of the inputs
INT_SCRATCH = INDEX + encodings.MOST


def float_scratch(hidden: int) -> int:
    """Scratch memory for a network with this many hidden units: sums before a play and after it, and outputs."""
    return SUMS + 2 * hidden + 5


@kernel
def board_sums(board, seat, player, weights, scratch, at, int_scratch):
    """Compute the weighted sums of the hidden units from scratch."""
    count = encodings.board_inputs(board, seat, player.encoding, int_scratch, INDEX, scratch)
    first_layer(player, weights, int_scratch, INDEX, count, scratch, VALUES, scratch, at)
    if encodings.says_who_rolls(player.encoding):
        add_scaled(scratch, at, weights, player.offset + encodings.OFF_ROLL * player.hidden, ONE, player.hidden)


@inline_kernel
def last_layer(player, weights, scratch, at):
    """The value of a position from its sums, which are overwritten: from -1 to 1."""
    if player.kind != SIGMOID:
        return other_value(player, weights, scratch, at)
    if player.outputs == 1:
        return 2.0 * one_output(player, weights, scratch, at) - 1.0
    apply_sigmoid(scratch, at, player.hidden)
    return five_outputs(weights, output_row(player, 0), scratch, at, player.hidden)


@inline_kernel
def value_of(chances):
    """The value of the five `outcomes`."""
    won, gammon, backgammon, lost, lost_all = chances
    more, less = gammon + backgammon, lost + lost_all
    return (2.0 * won - 1.0 + more - less) / WON


@kernel
def other_value(player, weights, scratch, at):
    """The value computed by an evolved or a deep network with one output or five."""
    chances = other_outputs(player, weights, scratch, at)
    return 2.0 * chances[0] - 1.0 if player.outputs == 1 else value_of(chances)


@kernel
def other_outputs(player, weights, scratch, at):
    """The outputs of an evolved or a deep network; of one with one output, zeros follow it."""
    if player.kind == DEEP:
        deep_outputs(player, weights, scratch, at, True)
    else:
        evolved_outputs(player, weights, output_row(player, 0), scratch, at, True)
    out = at + player.hidden
    if player.outputs == 1:
        return scratch[out], ZERO, ZERO, ZERO, ZERO
    return scratch[out], scratch[out + 1], scratch[out + 2], scratch[out + 3], scratch[out + 4]


@kernel
def chances_of(player, weights, scratch, at):
    """The five `outcomes` of a position from its sums, which are overwritten. A network with one output says how often it wins."""
    if player.kind != SIGMOID:
        return other_outputs(player, weights, scratch, at)
    if player.outputs == 1:
        return np.float32(one_output(player, weights, scratch, at)), ZERO, ZERO, ZERO, ZERO
    apply_sigmoid(scratch, at, player.hidden)
    return five_outcomes(weights, output_row(player, 0), scratch, at, player.hidden)


@inline_kernel
def five_outputs(weights, net, scratch, at, hidden):
    """The value of the five `outcomes`."""
    return value_of(five_outcomes(weights, net, scratch, at, hidden))


@inline_kernel
def five_outcomes(weights, net, scratch, at, hidden):
    """The five `outcomes`.

    A specialised copy of `output_sum` in kernel/dense.py: five sums in one loop are 2.1 times as fast as five loops (40 hidden
    units). tests/test_dense.py compares them.
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
    return sigmoid(won), sigmoid(gammon), sigmoid(backgammon), sigmoid(lost), sigmoid(lost_all)


@inline_kernel
def equity(head, out):
    """The value of outputs: of the heads `value` and `cubeful`, or of the five `outcomes`."""
    if head != 1:
        return 2.0 * out[0] - 1.0
    return (2.0 * out[0] - 1.0 + out[1] + out[2] - out[3] - out[4]) / WON


@kernel
def net_value(board, seat, player, weights, scratch, int_scratch):
    """The value of a position, computed from scratch."""
    if player.kind == LINEAR:
        return linear_value(board, seat, player, weights, scratch, int_scratch)
    board_sums(board, seat, player, weights, scratch, SUMS + player.hidden, int_scratch)
    return last_layer(player, weights, scratch, SUMS + player.hidden)


@kernel
def linear_vector(player, weights, scratch):
    """Multiply the layers of a linear network: one weight per input."""
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
def linear_value(board, seat, player, weights, scratch, int_scratch):
    """The study's networks: linear layers without biases; the value is the sum of the last layer's outputs."""
    linear_vector(player, weights, scratch)
    count = encodings.board_inputs(board, seat, player.encoding, int_scratch, INDEX, scratch)
    total = np.float32(0.0)
    for k in range(count):
        total += scratch[LINEAR_VECTOR + int_scratch[INDEX + k]] * scratch[VALUES + k]
    return total


@inline_kernel
def add_place(scratch, at, player, weights, side, place, count, sign):
    encoding, hidden = player.encoding, player.hidden
    change = np.float32(sign * encodings.place_change(encoding, side, place, count))
    row = player.offset + encodings.place_input(encoding, side, place, count) * hidden
    add_scaled(scratch, at, weights, row, change, hidden)


@inline_kernel
def add_step(board, seat, player, weights, point, pips, scratch, at):
    """Update the sums for one checker's step, which is made afterwards."""
    target = max(point - pips, OFF)
    add_place(scratch, at, player, weights, 0, point, board[seat, point] - 1, -1.0)
    add_place(scratch, at, player, weights, 0, target, np.int64(board[seat, target]), 1.0)
    if target > OFF and board[1 - seat, BAR - target] == 1:
        add_place(scratch, at, player, weights, 1, BAR - target, 0, -1.0)
        add_place(scratch, at, player, weights, 1, BAR, np.int64(board[1 - seat, BAR]), 1.0)


@kernel
def prepare_plays(board, seat, player, weights, scratch, int_scratch):
    """Compute what all plays of a roll share."""
    if player.kind != LINEAR and encodings.by_steps(player.encoding):
        board_sums(board, seat, player, weights, scratch, SUMS, int_scratch)


@inline_kernel
def win_value(board, seat, single):
    """The value of a finished game for the winner."""
    return 1.0 if single else points_won(board, seat) / WON


@inline_kernel
def make_play_with_sums(board, seat, move, larger, smaller, player, weights, scratch, base, at):
    """Move the checkers of a play, with the sums after it at `at`, given those before it at `base`; returns which steps hit."""
    copy(scratch, at, scratch, base, player.hidden)
    points, second, others = play_steps(move, larger, smaller)
    hits = 0
    for k in range(4):
        if points[k] == 0:
            break
        pips = second if k == 1 else others
        add_step(board, seat, player, weights, points[k], pips, scratch, at)
        if move_checker(board, seat, points[k], pips):
            hits |= 1 << k
    return hits


@kernel
def play_value(board, seat, move, larger, smaller, player, weights, scratch, int_scratch, single):
    """The value of a play, after `prepare_plays`. The board is restored."""
    if player.kind == LINEAR or not encodings.by_steps(player.encoding):
        hits = make_play(board, seat, move, larger, smaller)
        value = 1.0 * net_value(board, seat, player, weights, scratch, int_scratch)
    else:
        at = SUMS + player.hidden
        hits = make_play_with_sums(board, seat, move, larger, smaller, player, weights, scratch, SUMS, at)
        value = 1.0 * last_layer(player, weights, scratch, at)
    if board[seat, OFF] > 0 and borne_off(board, seat):
        value = win_value(board, seat, single)
    unmake_play(board, seat, move, larger, smaller, hits)
    return value
