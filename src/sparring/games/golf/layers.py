"""The second layer of a golf network, for several candidates at once.

Golf's networks are unit-major (`Policies.input_major` is False): a unit's weights of all cards are contiguous, and one loop over
them evaluates all candidates. Files and checkpoints have that order.
"""

import math

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.dense import add_rows
from sparring.kernel.launch import GRAPH
from sparring.kernel.maths import sigmoids
from sparring.kernel.network import SIGMOID, STEEP, evolved_rows

SATURATING = 4  # the number of the policy net+saturating
EXACT, LAST, LOWEST = 20.0, 37.0, -60.0  # arguments of the sigmoid
STEPS = 2.0**52  # of double precision between 1 and 2


@kernel
def second_layer(player, net, work, values, width):
    """The values of `width` candidates from their hidden sums, which lie unit by unit and are overwritten."""
    hidden = player.hidden
    output = hidden * player.inputs + hidden
    if player.kind == GRAPH:
        copy(work[evolved_rows(player, net, output, work, 0, width) :], values, width)
        if player.policy == SATURATING and net[output + hidden * hidden + hidden - 1] == SIGMOID:
            saturate(values, width)
        return
    for k in range(width):
        values[k] = net[output + hidden]
    add_rows(net, output, hidden, width, work, 0, values, 0)


@kernel
def add_unit(values, rows, weight, n):
    """Add one hidden unit's contribution to n values."""
    sigmoids(rows, n)
    for k in range(n):
        values[k] += weight * rows[k]


@kernel
def copy(source, target, n):
    for k in range(n):
        target[k] = source[k]


@kernel
def saturate(values, n):
    """Make sums equal whose sigmoids neat-python cannot tell apart: 1 / (1 + exp(-x)) in double precision, x from -60 to 60."""
    for k in range(n):
        x = np.float64(STEEP) * values[k]
        if x > EXACT:
            steps = math.floor(STEPS * math.exp(-x) + 0.5)
            x = math.log(STEPS / steps) if steps > 0 else LAST
        values[k] = max(x, LOWEST)
