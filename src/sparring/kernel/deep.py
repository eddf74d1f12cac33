"""The deep network: layers of ReLU units with biases, then sigmoid outputs. The forward pass, for cores.

The weights lie layer after layer, from `net.offset` on, each layer with a row of its units per unit of the layer before, then its
biases. A game computes the sums of the first layer, because a move changes few inputs. Most ReLU units are 0, and their rows of the
next layer's weights are skipped.

The layers after the first lie at the end of the scratch memory (`sparring.kernel.launch.scratch_floats`), in two places by turns.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.maths import sigmoid
from sparring.kernel.vectors import add_scaled, copy

ZERO = np.float32(0.0)


@kernel
def deep_outputs(net, weights, scratch, at, squashed):
    """Write the outputs, given the sums of the first layer, to `at` + units and on; the sums are not changed.

    Unless `squashed`, outputs are left as sums.
    """
    depth, first, units = net.depth, net.offset, net.inputs
    now, end = at, scratch.size
    width = np.int64(0)
    for layer in range(1, depth):
        width = max(width, net.layers[layer])
    for layer in range(1, depth):
        first += (units + 1) * net.layers[layer - 1]
        units = net.layers[layer - 1]
        to = end - width if layer % 2 else end - 2 * width
        next_layer(weights, first, scratch, now, units, to, net.layers[layer])
        now = to
    for k in range(net.outputs):
        total = scratch[now + k]
        scratch[at + net.hidden + k] = sigmoid(total) if squashed else total


@inline_kernel
def next_layer(weights, first, scratch, now, units, to, width):
    """The sums of a layer of `width` units at `to`, given those of the layer of `units` before it at `now`."""
    copy(scratch, to, weights, first + units * width, width)
    for u in range(units):
        value = scratch[now + u]
        if value > ZERO:
            add_scaled(scratch, to, weights, first + u * width, value, width)
