"""The second layer of a golf network, for several candidates at once.

Golf's networks are unit-major (`Policies.input_major` is False): a unit's weights of all cards are contiguous, and one loop over
them evaluates all candidates. Files and checkpoints have that order.
"""

from sparring.kernel.compiler import kernel
from sparring.kernel.dense import add_rows
from sparring.kernel.launch import GRAPH
from sparring.kernel.maths import sigmoids
from sparring.kernel.network import evolved_rows


@kernel
def second_layer(player, net, work, values, width):
    """The values of `width` candidates from their hidden sums, which lie unit by unit and are overwritten."""
    hidden = player.hidden
    output = hidden * player.inputs + hidden
    if player.kind == GRAPH:
        copy(work[evolved_rows(player, net, output, work, 0, width) :], values, width)
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
