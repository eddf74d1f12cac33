"""The deep network: layers of ReLU units with biases, then sigmoid outputs. The forward pass on cores.

The weights lie layer after layer, from `net.offset` on, each layer with a row of its units per unit of the layer before, then its
biases. A game computes the sums of the first layer, because a move changes few inputs. Most ReLU units are 0, and their rows of the
next layer's weights are skipped; four other rows are added at a time, which is 1.6 times as fast as one.

The end of the scratch memory (`sparring.kernel.launch.scratch_floats`) has four places of the size of the widest layer: for the
numbers of the units that are not 0, for the sums of the layers after the first, by turns, and for one of several candidates.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import DEEP_PLACES
from sparring.kernel.maths import sigmoid
from sparring.kernel.subwarp import on_gpu
from sparring.kernel.vectors import ONE, add_scaled, copy

ZERO = np.float32(0.0)


@kernel
def deep_outputs(net, weights, scratch, at, squashed):
    """Write the outputs, given the sums of the first layer, to `at` + units and on; unless `squashed`, they are left as sums."""
    now = output_sums(net, weights, scratch, at)
    for k in range(net.outputs):
        total = scratch[now + k]
        scratch[at + net.hidden + k] = sigmoid(total) if squashed else total


@inline_kernel
def deep_value(net, weights, scratch, at):
    """The sum of the first output, given the sums of the first layer, which are not changed."""
    return scratch[output_sums(net, weights, scratch, at)]


@kernel
def deep_rows(net, weights, scratch, at, width, count):
    """The sums of the first output of `count` candidates, whose first layers lie unit by unit in rows of `width`.

    They replace the first row; returns where that is.
    """
    place = scratch.size - DEEP_PLACES * widest_layer(net)
    for k in range(count):
        for h in range(net.hidden):
            scratch[place + h] = scratch[at + h * width + k]
        scratch[at + k] = deep_value(net, weights, scratch, place)
    return at


@inline_kernel
def widest_layer(net):
    widest = np.int64(0)
    for layer in range(net.depth):
        widest = max(widest, net.layers[layer])
    return widest


@kernel
def output_sums(net, weights, scratch, at):
    """Compute the sums of the outputs, given those of the first layer; returns where they lie."""
    if on_gpu():  # deep nets are refused there: see sparring.kernel.cuda
        return at
    widest = widest_layer(net)
    listed = scratch.size - widest
    first, before, now = net.offset, net.inputs, at
    for layer in range(1, net.depth):
        units, width = net.layers[layer - 1], net.layers[layer]
        first += (before + 1) * units
        to = listed - widest if layer % 2 else listed - 2 * widest
        next_layer(weights, first, scratch, now, units, listed, to, width)
        before, now = units, to
    return now


@inline_kernel
def next_layer(weights, first, scratch, now, units, listed, to, width):
    """The sums of a layer of `width` units at `to`, given those of the layer of `units` before it at `now`."""
    copy(scratch, to, weights, first + units * width, width)
    add_listed(weights, first, scratch, now, listed, list_active(scratch, now, units, listed), to, width)


@inline_kernel
def add_listed(weights, first, scratch, now, listed, count, to, width):
    """Add to `to` the listed rows of a matrix, each times its value at `now`."""
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
