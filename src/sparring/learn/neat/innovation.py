"""Innovation numbers: the same structural mutation in the same generation gets the same numbers.

After Stanley and Miikkulainen (2002), section 3.2. A generation has a table of its innovations so far: a new
connection between two nodes, or a connection (identified by its number) that is split by a new node.
"""

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.random import GOLDEN, mixed

# An entry of the table: an innovation and its numbers. `split` is 0 for a new connection.
Innovation = np.dtype([(name, np.int32) for name in ("source", "target", "split", "number", "node")], align=True)
NUMBERS, NODES = range(2)  # counters: the last innovation number, the last key of a node


def empty_table(children: int) -> np.ndarray:
    """A table large enough for the innovations of some children: a split and a connection each."""
    return np.zeros(1 << max(4, (4 * children - 1).bit_length()), Innovation)


@kernel
def innovate(table, counters, source, target, split):
    """The entry of an innovation in the table; a new one gets numbers."""
    last = np.int64(table.shape[0] - 1)
    ends = (np.int64(source) << np.int64(32)) ^ np.int64(target)
    at = np.int64(mixed(np.uint64(ends) * GOLDEN + np.uint64(split)) >> np.uint64(1)) & last
    while table[at].number > 0:
        if table[at].source == source and table[at].target == target and table[at].split == split:
            return at
        at = (at + 1) & last
    table[at].source = source
    table[at].target = target
    table[at].split = split
    table[at].number = counters[NUMBERS] + 1
    counters[NUMBERS] += 1
    if split > 0:  # two connections and a node
        counters[NUMBERS] += 1
        counters[NODES] += 1
        table[at].node = counters[NODES]
    return at
