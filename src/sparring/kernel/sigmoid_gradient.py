"""Gradients of networks with one hidden layer of sigmoid units, as `sparring.kernel.deep_gradient` has them for deep networks."""

import numpy as np

from sparring.kernel import dense
from sparring.kernel.compiler import kernel
from sparring.kernel.deep_gradient import clear
from sparring.kernel.maths import sigmoid
from sparring.kernel.vectors import add_scaled, apply_sigmoid, copy

ZERO, WHOLE = np.float32(0.0), np.float32(1.0)


@kernel
def sigmoid_gradient(first, last, begin, size, samples, players, weights, input_major, blocks, scratch):
    """The gradients of the cross-entropy, as `deep_gradient.gradient` has them; `scratch` has two places for hidden units."""
    net, each = players[0], (size + blocks.shape[0] - 1) // blocks.shape[0]
    units, inputs = net.hidden, net.inputs
    hidden, slopes = scratch[:units], scratch[units : 2 * units]
    for b in range(first, last):
        change = blocks[b]
        clear(change, 0, change.size)
        for i in range(begin + b * each, min(begin + (b + 1) * each, begin + size)):
            if samples.weights[i] == ZERO:
                continue
            row = samples.rows[i]
            first_sums(net, weights, input_major, row, hidden)
            apply_sigmoid(hidden, 0, units)
            dense.clear(slopes, units)
            for k in range(net.outputs):
                error = sigmoid(dense.output_sum(net, weights, k, hidden, 0)) - samples.targets[i, k]
                dense.add_hidden_slopes(net, weights, k, error / np.float32(size), hidden, slopes)
                dense.add_output_gradient(change, 0, net, error / np.float32(size), k, hidden)
            add_scaled(change, inputs * units, slopes, 0, WHOLE, units)
            for j in range(inputs):
                if row[j] != ZERO:
                    add_input_gradient(change, input_major, j, row[j], slopes, inputs, units)


@kernel
def first_sums(net, weights, input_major, row, hidden):
    """The sums of the hidden units."""
    units, inputs, at = net.hidden, net.inputs, net.offset
    copy(hidden, 0, weights, at + inputs * units, units)
    for j in range(inputs):
        if row[j] != ZERO:
            if input_major:
                add_scaled(hidden, 0, weights, at + j * units, row[j], units)
            else:
                for h in range(units):
                    hidden[h] += row[j] * weights[at + h * inputs + j]


@kernel
def add_input_gradient(change, input_major, j, value, slopes, inputs, units):
    """Add the gradient by the weights of one input."""
    if input_major:
        add_scaled(change, j * units, slopes, 0, value, units)
    else:
        for h in range(units):
            change[h * inputs + j] += value * slopes[h]
