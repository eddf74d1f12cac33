"""The dense network: one hidden layer of sigmoid units and sigmoid outputs. Forward pass, gradient and Adam, for cores and GPU.

The weights of a network lie in one flat array, from `net.offset` on, input-major:

    hidden weights (inputs x hidden), hidden biases (hidden), output weights (outputs x hidden), output biases (outputs)

A game may keep its hidden weights unit-major (hidden x inputs) instead; `Policies.input_major` says so, and only the functions
that take `input_major` read that layout. `net` is anything with the fields of `Dense`: a row of the table of players is one.
Inputs are sparse: the number `index[k]` and the value `value[k]` of each input that is not 0.

Every sum has a fixed order, on which the bytes of trained networks depend. On a GPU a subwarp shares the hidden units. Loops use
copies of the fields of `net`: a record's field is read again after every store.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.maths import sigmoid
from sparring.kernel.subwarp import on_gpu, subwarp_rank, subwarp_size, subwarp_sum
from sparring.kernel.vectors import TINY, add_scaled, apply_sigmoid, copy, dot, sigmoid_dot

ZERO, ONE = np.float32(0.0), np.float32(1.0)


class Dense(NamedTuple):
    """Where a network lies in the weights, and its size."""

    offset: int
    inputs: int
    hidden: int
    outputs: int


@inline_kernel
def net_size(net):
    """The number of weights and biases."""
    return (net.inputs + 1) * net.hidden + net.outputs * (net.hidden + 1)


@inline_kernel
def output_row(net, k):
    """Where the weights of output k begin."""
    return net.offset + (net.inputs + 1 + k) * net.hidden


@inline_kernel
def output_bias(net, k):
    """Where the bias of output k lies."""
    return output_row(net, net.outputs) + k


# The forward pass.


@inline_kernel
def first_layer(net, weights, index, first, count, value, place, sums, at):
    """The sums of the hidden units, at `at` and on: inputs index[first] and on, with values value[place] and on."""
    units, row = net.hidden, net.offset
    copy(sums, at, weights, row + net.inputs * units, units)
    for k in range(count):
        add_scaled(sums, at, weights, row + index[first + k] * units, value[place + k], units)


@inline_kernel
def first_layer_of_ones(net, weights, index, count, sums, at):
    """The same for inputs that are all 1."""
    units, row = net.hidden, net.offset
    copy(sums, at, weights, row + net.inputs * units, units)
    for k in range(count):
        add_scaled(sums, at, weights, row + index[k] * units, ONE, units)


@inline_kernel
def output_sum(net, weights, k, hidden, at):
    """The sum of output k, given the hidden units."""
    return dot(weights, output_row(net, k), hidden, at, net.hidden) + weights[output_bias(net, k)]


@inline_kernel
def one_output(net, weights, sums, at):
    """The value of a network with one output, given the sums of its hidden units, which are lost."""
    if on_gpu():
        return sigmoid(sigmoid_dot(weights, output_row(net, 0), sums, at, net.hidden) + weights[output_bias(net, 0)])
    apply_sigmoid(sums, at, net.hidden)
    return sigmoid(output_sum(net, weights, 0, sums, at))


@kernel
def forward(net, weights, input_major, index, value, count, hidden, outputs):
    """The hidden units and the outputs."""
    if on_gpu():
        forward_in_subwarp(net, weights, input_major, index, value, count, hidden, outputs)
        return
    units, inputs, first = net.hidden, net.inputs, net.offset
    if input_major:
        first_layer(net, weights, index, 0, count, value, 0, hidden, 0)
    else:
        copy(hidden, 0, weights, first + inputs * units, units)
        for k in range(count):
            for h in range(units):
                hidden[h] += value[k] * weights[first + h * inputs + index[k]]
    apply_sigmoid(hidden, 0, units)
    for k in range(net.outputs):
        outputs[k] = sigmoid(output_sum(net, weights, k, hidden, 0))


@inline_kernel
def forward_in_subwarp(net, weights, input_major, index, value, count, hidden, outputs):
    """The same, unit by unit: each thread computes the hidden units that are its own."""
    units, inputs, first = net.hidden, net.inputs, net.offset
    for h in range(subwarp_rank(), units, subwarp_size()):
        total = weights[first + inputs * units + h]
        for k in range(count):
            total += value[k] * weights[first + (index[k] * units + h if input_major else h * inputs + index[k])]
        hidden[h] = sigmoid(total)
    for k in range(net.outputs):
        total, row = ZERO, output_row(net, k)
        for h in range(subwarp_rank(), units, subwarp_size()):
            total += weights[row + h] * hidden[h]
        outputs[k] = sigmoid(subwarp_sum(total) + weights[output_bias(net, k)])


@inline_kernel
def add_rows(weights, out, units, width, rows, at, values, to):
    """Add to the values of `width` candidates what the hidden units count, whose sums lie unit by unit and are lost.

    `out` is where the output's weights begin. The caller has written the bias to the values, or 0 where it only compares them.
    """
    apply_sigmoid(rows, at, units * width)
    for h in range(units):
        add_scaled(values, to, rows, at + h * width, weights[out + h], width)


# The gradient.


@inline_kernel
def clear(slopes, units):
    for h in range(np.uint64(units)):
        slopes[h] = ZERO


@inline_kernel
def slope(output):
    """The derivative of a sigmoid by its sum, given its value."""
    return output * (ONE - output)


@inline_kernel
def add_hidden_slopes(net, weights, k, factor, hidden, slopes):
    """Add the gradient of output k's sum by the sums of the hidden units, times `factor`."""
    first = np.uint64(output_row(net, k))
    for h in range(np.uint64(net.hidden)):
        slopes[h] += factor * weights[first + h] * hidden[h] * (ONE - hidden[h])


@inline_kernel
def hidden_slopes(net, weights, factors, hidden, slopes):
    """The same for all outputs at once, each with its own factor; it adds up the outputs first."""
    units, count, row = net.hidden, net.outputs, output_row(net, 0)
    for h in range(subwarp_rank(), units, subwarp_size()):
        total = ZERO
        for k in range(count):
            total += factors[k] * weights[row + k * units + h]
        slopes[h] = total * hidden[h] * (ONE - hidden[h])


@kernel
def add_output_gradient(target, at, net, factor, k, hidden):
    """Add to `target`, from `at` on, the gradient of output k's sum by its weights and bias, times `factor`."""
    row = at + output_row(net, k) - net.offset
    add_scaled(target, row, hidden, 0, factor, net.hidden)
    target[at + output_bias(net, k) - net.offset] += factor


@kernel
def add_hidden_gradient(target, at, net, input_major, index, value, count, slopes):
    """Add the gradient by hidden weights and biases, given the gradient by the sums of the hidden units."""
    units, inputs = net.hidden, net.inputs
    add_scaled(target, at + inputs * units, slopes, 0, ONE, units)
    for k in range(count):
        if input_major:
            add_scaled(target, at + index[k] * units, slopes, 0, value[k], units)
        else:
            for h in range(units):
                target[at + h * inputs + index[k]] += value[k] * slopes[h]


@inline_kernel
def add_hidden_gradient_of_ones(target, at, net, index, count, slopes):
    """The same for inputs that are all 1, input-major."""
    units = net.hidden
    add_scaled(target, at + net.inputs * units, slopes, 0, ONE, units)
    for k in range(count):
        add_scaled(target, at + index[k] * units, slopes, 0, ONE, units)


@inline_kernel
def sum_row(net, row, first, count, batch, target, at):
    """Add the gradients of all games of a batch by one row of weights, in the order of the games: `count` units from `first` on.

    Rows are those of the inputs, then the biases of the hidden units, then the weights of each output.
    """
    for i in range(batch.dense.shape[0]):
        if row < net.inputs:
            if batch.dense[i, row] != 0.0:
                add_scaled(target, at, batch.slopes[i], first, batch.dense[i, row], count)
        elif row == net.inputs:
            add_scaled(target, at, batch.slopes[i], first, ONE, count)
        else:
            add_scaled(target, at, batch.hidden[i], first, batch.errors[i, row - net.inputs - 1], count)


@inline_kernel
def sum_bias(batch, k):
    """The gradient of all games of a batch by the bias of output k."""
    total = ZERO
    for i in range(batch.errors.shape[0]):
        total += batch.errors[i, k]
    return total


# Adam (Kingma and Ba 2015).

MEAN, SQUARE = 0.9, 0.999  # how much of the running means of gradients and of their squares a step keeps


class Precision(NamedTuple):
    """Adam's numbers in single or double precision."""

    mean: Any
    square: Any
    least: Any  # added to the divisor
    tiny: Any  # running means that are not above it become 0: see `TINY`


SINGLE = Precision(np.float32(MEAN), np.float32(SQUARE), np.float32(1e-8), TINY)
DOUBLE = Precision(np.float64(MEAN), np.float64(SQUARE), np.float64(1e-8), np.float64(-1.0))


@inline_kernel
def adam(weight, change, mean, square, k, rate, precision):
    """The next value of a weight; `mean[k]` and `square[k]` are its running means, and `rate` is a corrected rate."""
    m = precision.mean * mean[k] + (ONE - precision.mean) * change
    v = precision.square * square[k] + (ONE - precision.square) * change * change
    mean[k] = m if abs(m) > precision.tiny else ZERO
    square[k] = v if v > precision.tiny else ZERO
    return weight + rate * m / (math.sqrt(v) + precision.least)


def corrected_rate(rate: float, steps: int) -> float:
    """The rate of step number `steps`, corrected for running means that began at 0."""
    return rate * math.sqrt(1.0 - SQUARE**steps) / (1.0 - MEAN**steps)


corrected_rate_in_kernel = inline_kernel(corrected_rate)
