"""Learning of a deep network on cores: the forward pass that keeps all layers, the gradient, and Adam's rule.

Inputs and ReLU units are mostly 0, and their rows of weights are skipped. A minibatch is cut into blocks, whose gradients are added
in their order: the number of threads changes nothing. Matrix products by NumPy took 0.6 to 0.9 of the time on one core, but their
sums depend on the library and its threads, and a turn would take only a tenth less.

A thread's scratch memory holds the inputs, the units of each layer and the sums of the outputs; then two places of the size of the
widest layer, for slopes, by turns; then the numbers of what is not 0.
"""

import math
from itertools import pairwise

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.deep import add_listed
from sparring.kernel.dense import SINGLE, adam
from sparring.kernel.maths import sigmoid
from sparring.kernel.vectors import ONE, add_scaled, copy

ZERO, WHOLE = np.float32(0.0), np.float32(1.0)
FINE = SINGLE._replace(tiny=np.float32(1e-30))  # gradients are means over minibatches: their squares are small
MOST_BLOCKS, LEAST_BLOCK = 16, 32  # of a minibatch; samples of a block, where it has as many


def blocks_for(minibatch: int, shape: tuple[int, ...]) -> np.ndarray:
    """Room for the gradients of a minibatch's blocks, a row each in the order of the weights."""
    count = max(1, min(MOST_BLOCKS, minibatch // LEAST_BLOCK))
    return np.zeros((count, sum((before + 1) * units for before, units in pairwise(shape))), np.float32)


def scratch_for(shape: tuple[int, ...]) -> np.ndarray:
    """A thread's scratch memory."""
    return np.zeros(sum(shape) + 3 * max(shape), np.float32)


@inline_kernel
def list_nonzero(scratch, at, count, listed):
    """Write the numbers of the places that are not 0; returns how many."""
    a, b, found = np.uint64(at), np.uint64(listed), np.uint64(0)
    for u in range(np.uint64(count)):
        scratch[b + found] = np.float32(np.int64(u))
        found += np.uint64(scratch[a + u] != ZERO)
    return np.int64(found)


@inline_kernel
def clear(scratch, at, count):
    for k in range(np.uint64(at), np.uint64(at + count)):
        scratch[k] = ZERO


@inline_kernel
def widest(net):
    """Of all layers, with the inputs."""
    found = net.inputs
    for layer in range(net.depth):
        found = max(found, net.layers[layer])
    return found


@kernel
def forward(net, weights, scratch):
    """Compute all layers, given the inputs; returns where the sums of the outputs lie."""
    listed = scratch.size - widest(net)
    first, before, now = net.offset, net.inputs, np.int64(0)
    for layer in range(net.depth):
        width, to = net.layers[layer], now + before
        copy(scratch, to, weights, first + before * width, width)
        count = list_nonzero(scratch, now, before, listed)
        add_listed(weights, first, scratch, now, listed, count, to, width)
        if layer < net.depth - 1:
            for u in range(np.uint64(to), np.uint64(to + width)):
                scratch[u] = max(scratch[u], ZERO)
        first += (before + 1) * width
        before, now = width, to
    return now


@kernel
def backward(net, turned, scratch, at, change):
    """Add a sample's gradient, given all layers, of which the last is at `at`, and the slopes of the outputs in the first place."""
    room = widest(net)
    listed, slopes, other = scratch.size - room, scratch.size - 3 * room, scratch.size - 2 * room
    first = change.size
    for back in range(net.depth):
        layer = net.depth - 1 - back
        width = net.layers[layer]
        before = net.layers[layer - 1] if layer else net.inputs
        first -= (before + 1) * width
        at -= before
        add_scaled(change, first + before * width, scratch, slopes, WHOLE, width)
        count = list_nonzero(scratch, at, before, listed)
        for k in range(listed, listed + count):
            unit = np.int64(scratch[k])
            add_scaled(change, first + unit * width, scratch, slopes, scratch[at + unit], width)
        if layer:
            clear(scratch, other, before)
            count = list_nonzero(scratch, slopes, width, listed)
            add_listed(turned, first, scratch, slopes, listed, count, other, before)
            for u in range(before):
                if scratch[at + u] == ZERO:
                    scratch[other + u] = ZERO
            slopes, other = other, slopes


@kernel
def gradient(first, last, begin, size, samples, players, weights, turned, blocks, scratch):
    """The gradients of the blocks from `first` to `last` - 1 of the minibatch of `size` samples that begins at `begin`."""
    net, each = players[0], (size + blocks.shape[0] - 1) // blocks.shape[0]
    slopes = scratch.size - 3 * widest(net)
    for b in range(first, last):
        clear(blocks[b], 0, blocks.shape[1])
        for i in range(begin + b * each, min(begin + (b + 1) * each, begin + size)):
            if samples.weights[i] == ZERO:
                continue
            copy(scratch, 0, samples.rows[i], 0, net.inputs)
            at = forward(net, weights, scratch)
            for k in range(net.outputs):
                scratch[slopes + k] = (sigmoid(scratch[at + k]) - samples.targets[i, k]) / np.float32(size)
            backward(net, turned, scratch, at, blocks[b])


@kernel
def teach(first, last, samples, players, weights, scratch):
    """Replace the targets of some samples by what another network says of their positions."""
    net = players[0]
    for i in range(first, last):
        if samples.weights[i] != ZERO:
            copy(scratch, 0, samples.rows[i], 0, net.inputs)
            at = forward(net, weights, scratch)
            for k in range(net.outputs):
                samples.targets[i, k] = sigmoid(scratch[at + k])


@kernel
def measure(games, samples, players, weights, measured, scratch):
    """Add to `measured` what `DeepTD.learn` returns of the samples of these games."""
    net, hidden = players[0], measured.size - 2
    for i in range(games):
        if samples.weights[i] == ZERO:
            continue
        copy(scratch, 0, samples.rows[i], 0, net.inputs)
        at = forward(net, weights, scratch)
        for u in range(hidden):
            measured[u] += scratch[net.inputs + u] > ZERO
        for k in range(net.outputs):
            total = scratch[at + k]
            loss = max(total, ZERO) - total * samples.targets[i, k] + math.log1p(math.exp(-abs(np.float64(total))))
            measured[hidden] += loss / net.outputs
        measured[hidden + 1] += 1


@kernel
def turn_matrices(players, weights, turned):
    """Write the transposed matrices of all layers but the first, which `backward` reads."""
    net = players[0]
    first, before = net.offset, net.inputs
    for layer in range(net.depth):
        width = net.layers[layer]
        if layer:
            for u in range(before):
                for v in range(width):
                    turned[first + v * before + u] = weights[first + u * width + v]
        first += (before + 1) * width
        before = width


@kernel
def correct(blocks, weights, average, mean, square, rate, share):
    """Move the weights against the sum of the blocks' gradients by Adam's rule, and their moving average."""
    total = blocks[0]
    for b in range(1, blocks.shape[0]):
        add_scaled(total, 0, blocks[b], 0, WHOLE, total.size)
    k, end = np.uint64(0), np.uint64(total.size)
    while k < end:
        weights[k] = adam(weights[k], total[k], mean, square, k, -rate, FINE)
        average[k] += share * (weights[k] - average[k])
        k += ONE
