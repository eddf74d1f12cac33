"""From the sums of a net's first layer to its outputs, for dense, evolved and deep nets alike.

A game computes the first layer itself (`sparring.kernel.dense`), because a move changes few inputs. An evolved net (kind `graph`)
is kept as a dense first layer over all its units, in an order in which each unit reads only earlier ones:

    first layer (inputs x units), bias (units), links (units x units, to by from), activation (units), outputs (which unit each is)

so a game's policies use both alike. A team of nets (kind `team`) begins with HEAD numbers for each role: where its net begins,
counted from the team's own place, its hidden units (0 for none), where its output weights begin, and a threshold for nets that
decide.
"""

import math

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.deep import deep_outputs, deep_rows
from sparring.kernel.dense import first_layer, output_row, output_sum
from sparring.kernel.launch import DEEP, GRAPH
from sparring.kernel.maths import sigmoid
from sparring.kernel.vectors import add_scaled, apply_sigmoid, dot

# neat-python's, in its order; `activate` has their formulas.
ACTIVATIONS = (
    "sigmoid", "tanh", "sin", "gauss", "relu", "elu", "lelu", "selu", "softplus",
    "identity", "clamped", "inv", "log", "exp", "abs", "hat", "square", "cube",
)  # fmt: skip
SIGMOID, TANH = 0, 1
HEAD = 4  # numbers for each role of a team
STEEP = np.float32(5.0)  # neat-python's sigmoid is of five times the sum
MONOTONE = 2  # activations that rise all the way and saturate: below this number


@inline_kernel
def activate(code, x):
    """The value of a unit, given its sum and the number of its activation."""
    if code == SIGMOID:
        return sigmoid(STEEP * x)
    return np.float32(other_activation(code, np.float64(x)))


@kernel
def other_activation(code, x):
    """All activations but `sigmoid`, in double precision."""
    if code == 1:
        return math.tanh(min(max(2.5 * x, -60.0), 60.0))
    if code == 2:
        return math.sin(min(max(5.0 * x, -60.0), 60.0))
    if code == 3:
        x = min(max(x, -3.4), 3.4)
        return math.exp(-5.0 * x * x)
    if code == 4:
        return max(x, 0.0)
    if code == 5:
        return x if x > 0.0 else math.exp(x) - 1.0
    if code == 6:
        return x if x > 0.0 else 0.005 * x
    if code == 7:
        return 1.0507009873554805 * (x if x > 0.0 else 1.6732632423543772 * (math.exp(x) - 1.0))
    if code == 8:
        return 0.2 * math.log(1.0 + math.exp(min(max(5.0 * x, -60.0), 60.0)))
    return unbounded_activation(code, x)


@kernel
def unbounded_activation(code, x):
    """Those from `identity` on."""
    if code == 9:
        return x
    if code == 10:
        return min(max(x, -1.0), 1.0)
    if code == 11:
        return 1.0 / x if x != 0.0 else 0.0
    if code == 12:
        return math.log(max(x, 1e-7))
    if code == 13:
        return math.exp(min(max(x, -60.0), 60.0))
    if code == 14:
        return abs(x)
    if code == 15:
        return max(0.0, 1.0 - abs(x))
    if code == 16:
        return x * x
    return x * x * x


@kernel
def net_value(player, weights, index, value, count, scratch):
    """The first output of a net, for `count` inputs with the numbers `index` and the values `value`.

    `scratch` has room for the hidden units and the outputs, which follow them.
    """
    first_layer(player, weights, index, 0, count, value, 0, scratch, 0)
    outputs(player, weights, scratch, 0, True)
    return scratch[player.hidden]


@kernel
def outputs(player, weights, scratch, at, squashed):
    """Write the outputs, given the sums of the first layer, to `at` + units and on; the sums are lost.

    Unless `squashed`, outputs are left as sums, for comparisons: a saturated sigmoid would make them equal.
    """
    units = player.hidden
    if player.kind == GRAPH:
        evolved_outputs(player, weights, output_row(player, 0), scratch, at, squashed)
        return
    if player.kind == DEEP:
        deep_outputs(player, weights, scratch, at, squashed)
        return
    apply_sigmoid(scratch, at, units)
    for k in range(player.outputs):
        total = output_sum(player, weights, k, scratch, at)
        scratch[at + units + k] = sigmoid(total) if squashed else total


@kernel
def evolved_outputs(player, weights, net, scratch, at, squashed):
    units = player.hidden
    codes = net + units * units
    which = codes + units
    for k in range(player.outputs):
        scratch[at + units + k] = np.float32(0.0)
    for u in range(units):
        total = scratch[at + u] + dot(weights, net + u * units, scratch, at, u)
        code = np.int64(weights[codes + u])
        scratch[at + u] = activate(code, total)
        for k in range(player.outputs):
            if np.int64(weights[which + k]) == u:
                scratch[at + units + k] = total if code < MONOTONE and not squashed else scratch[at + u]


@kernel
def other_rows(player, weights, net, scratch, at, width, count):
    """The one output, or its sum, of `count` candidates by an evolved or a deep net: see `evolved_rows` and `deep_rows`."""
    if player.kind == DEEP:
        return deep_rows(player, weights, scratch, at, width, count)
    return evolved_rows(player, weights, net, scratch, at, width)


@kernel
def evolved_rows(player, weights, net, scratch, at, width):
    """The one output of `width` candidates at once, whose sums lie unit by unit; returns where the outputs lie.

    `net` is where the links lie. With one output the last unit is the output: every other one leads to it. It is left as a
    sum where its activation is monotone.
    """
    units = player.hidden
    codes = net + units * units
    for u in range(units):
        row = at + u * width
        for v in range(u):
            weight = weights[net + u * units + v]
            if weight != 0.0:
                add_scaled(scratch, row, scratch, at + v * width, weight, width)
        code = np.int64(weights[codes + u])
        if u < units - 1 or code >= MONOTONE:
            activate_row(code, scratch, row, width)
    return at + (units - 1) * width


@inline_kernel
def activate_row(code, scratch, at, n):
    a = np.uint64(at)
    if code == SIGMOID:
        for i in range(np.uint64(n)):
            scratch[a + i] = sigmoid(STEEP * scratch[a + i])
    else:
        for i in range(np.uint64(n)):
            scratch[a + i] = activate(code, scratch[a + i])
