"""The inputs of golf networks, whatever their encoding."""

from sparring.games.golf.column_encoding import column_inputs
from sparring.games.golf.encodings import COLUMN, active_inputs, locate
from sparring.games.golf.rules import CARDS
from sparring.kernel.compiler import kernel


@kernel
def inputs(s, seat, encoding, index, value):
    """Write the inputs that are not 0, by number and value; returns how many. The end of `index` is scratch."""
    if encoding == COLUMN:
        return column_inputs(s, seat, index, value)
    where = index[index.size - CARDS :]
    locate(s, seat, where)
    count = active_inputs(s, seat, encoding, where, index)
    for k in range(count):
        value[k] = 1.0
    return count
