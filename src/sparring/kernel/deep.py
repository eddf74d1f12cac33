"""The deep network: layers of ReLU units with biases, then sigmoid outputs. The forward pass.

The weights lie layer after layer, from `net.offset` on, each layer with a row of its units per unit of the layer before, then its
biases. A game computes the sums of the first layer, because a move changes few inputs. Most ReLU units are 0, and their rows of the
next layer's weights are skipped; four other rows are added at a time, which is 1.6 times as fast as one.

The end of the scratch memory (`sparring.kernel.launch.scratch_floats`) holds the numbers of the units that are not 0, and the sums
of the layers after the first, in two places by turns.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.maths import sigmoid
from sparring.kernel.vectors import ONE, add_scaled, copy

ZERO = np.float32(0.0)


@kernel
def deep_outputs(net, weights, scratch, at, squashed):
    """Write the outputs, given the sums of the first layer, to `at` + units and on; the sums are not changed.

    Unless `squashed`, outputs are left as sums.
    """
    widest = np.int64(0)
    for layer in range(net.depth):
        widest = max(widest, net.layers[layer])
    listed = scratch.size - widest
    first, before, now = net.offset, net.inputs, at
    for layer in range(1, net.depth):
        units, width = net.layers[layer - 1], net.layers[layer]
        first += (before + 1) * units
        to = listed - widest if layer % 2 else listed - 2 * widest
        next_layer(weights, first, scratch, now, units, listed, to, width)
        before, now = units, to
    for k in range(net.outputs):
        total = scratch[now + k]
        scratch[at + net.hidden + k] = sigmoid(total) if squashed else total


@inline_kernel
def next_layer(weights, first, scratch, now, units, listed, to, width):
    """The sums of a layer of `width` units at `to`, given those of the layer of `units` before it at `now`."""
    copy(scratch, to, weights, first + units * width, width)
    count = list_active(scratch, now, units, listed)
    k = listed
    while k + 4 <= listed + count:
        a, b, c, d = np.int64(scratch[k]), np.int64(scratch[k + 1]), np.int64(scratch[k + 2]), np.int64(scratch[k + 3])
        rows = first + a * width, first + b * width, first + c * width, first + d * width
        values = scratch[now + a], scratch[now + b], scratch[now + c], scratch[now + d]
        add_four(scratch, to, weights, rows, values, width)
        k += 4
    while k < listed + count:
        a = np.int64(scratch[k])
        add_scaled(scratch, to, weights, first + a * width, scratch[now + a], width)
        k += 1


@inline_kernel
def list_active(scratch, now, units, listed):
    """Write the numbers of the units that are not 0; returns how many. They are floats, because the scratch memory is."""
    a, b, count = np.uint64(now), np.uint64(listed), np.uint64(0)
    for u in range(np.uint64(units)):
        scratch[b + count] = np.float32(np.int64(u))
        count += np.uint64(scratch[a + u] > ZERO)  # not a branch, which would be mispredicted
    return np.int64(count)


@inline_kernel
def add_four(target, at, weights, rows, values, n):
    """Add four rows of weights, each times a value."""
    t, end = np.uint64(at), np.uint64(at + n)
    a, b, c, d = np.uint64(rows[0]), np.uint64(rows[1]), np.uint64(rows[2]), np.uint64(rows[3])
    w, x, y, z = values
    while t < end:
        more = y * weights[c] + z * weights[d]
        target[t] = target[t] + w * weights[a] + x * weights[b] + more
        t += ONE
        a += ONE
        b += ONE
        c += ONE
        d += ONE
