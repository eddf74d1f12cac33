"""A network of one hidden layer of rectified units and one linear output: values of hands that judge luck.

Its weights are those of each input, of which every unit has one; the units' biases; the units' output weights; the output's bias.
`net` is anything with `offset`, `inputs` and `hidden`, such as a row of the table of players.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.vectors import add_scaled, copy

ZERO = np.float32(0.0)


@inline_kernel
def begin(net, weights, sums):
    """Write the units' sums of no input into scratch memory."""
    copy(sums, 0, weights, net.offset + net.inputs * net.hidden, net.hidden)


@inline_kernel
def add_input(net, weights, number, value, sums):
    """Add an input to the units' sums."""
    add_scaled(sums, 0, weights, net.offset + number * net.hidden, value, net.hidden)


@kernel
def output(net, weights, sums):
    """The output for the units' sums."""
    row = net.offset + (net.inputs + 1) * net.hidden
    total = weights[row + net.hidden]
    for h in range(net.hidden):
        total += weights[row + h] * max(sums[h], ZERO)
    return total
