"""The second layer of a golf network, for several candidates at once."""

from sparring.kernel.compiler import kernel
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
    sigmoids(work, hidden * width)
    for k in range(width):
        values[k] = net[output + hidden]
    for h in range(hidden):
        for k in range(width):
            values[k] += net[output + h] * work[h * width + k]


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
