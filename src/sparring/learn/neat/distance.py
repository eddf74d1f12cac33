"""Kernels of the distance between genomes.

The distance is the sum of the nodes' and the connections' distances. Each is a sum over genes, divided by the larger
number of genes: the disjoint coefficient for a gene that one genome lacks; for a gene of both, the weight coefficient
times the absolute differences of its numbers, plus 1 for each property that differs.

Most connections lead directly from an input to an output, and most genomes have most of these. They are laid out in a
table with one column each, which is compared without branches; the others are merged in the order of their ends.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel

ZERO, ONE, TWO, THREE, FOUR = (np.uint64(n) for n in range(5))
SHIFT = np.int64(32)
WEIGHT, STATE = range(2)
ABSENT, DISABLED, ENABLED = 0.0, 1.0, 2.0  # states of a connection


@kernel
def lay_out(genomes, first, last, outputs, columns):
    """Lay out the connections of rows `first` to `last` - 1 for comparison."""
    _, links, _, link_count = genomes
    direct, ends, numbers, other_count = columns
    for g in range(first, last):
        others = np.int64(0)
        for e in range(link_count[g]):
            source, target = np.int64(links[g, e].source), np.int64(links[g, e].target)
            state = ENABLED if links[g, e].enabled else DISABLED
            if source < 0 and target < outputs:
                direct[g, WEIGHT, (-1 - source) * outputs + target] = links[g, e].weight
                direct[g, STATE, (-1 - source) * outputs + target] = state
            else:
                ends[g, others] = (source << SHIFT) + target
                numbers[g, WEIGHT, others] = links[g, e].weight
                numbers[g, STATE, others] = state
                others += 1
        other_count[g] = others


@kernel
def distances(some, rows, others, first, last, options, scratch, out):
    """The distances of some rows of one table to rows `first` to `last` - 1 of another.

    All genes count as disjoint at first; a gene of both genomes subtracts two of them. `scratch` is as wide as `direct`.
    """
    nodes, node_count, link_count, direct, ends, numbers, other_count = some
    their_nodes, their_node_count, their_link_count, their_direct, their_ends, their_numbers, their_other_count = others
    factor, alone = options[0].compatibility_weight_coefficient, options[0].compatibility_disjoint_coefficient
    for b in range(first, last):
        for place in range(rows.shape[0]):
            a = rows[place]
            total = alone * np.float64(link_count[a] + their_link_count[b])
            total += over_direct(direct, a, their_direct, b, factor, alone, scratch)
            total += over_others(
                ends, numbers, a, other_count[a], their_ends, their_numbers, b, their_other_count[b], factor, alone
            )
            out[place, b] = total / max(1, max(link_count[a], their_link_count[b]))
            total = alone * np.float64(node_count[a] + their_node_count[b])
            total += over_nodes(nodes, a, node_count[a], their_nodes, b, their_node_count[b], factor, alone)
            out[place, b] += total / max(node_count[a], their_node_count[b])


@inline_kernel
def over_direct(direct, a, their_direct, b, factor, alone, scratch):
    """The sum over the table. One loop writes the terms and another adds them, so that both vectorise."""
    p, q, width = np.uint64(a), np.uint64(b), np.uint64(scratch.shape[0])
    for at in range(width):
        x, y = direct[p, STATE, at], their_direct[q, STATE, at]
        different = abs(direct[p, WEIGHT, at] - their_direct[q, WEIGHT, at]) + abs(x - y)
        scratch[at] = min(x, 1.0) * min(y, 1.0) * (factor * different - 2.0 * alone)
    t0 = t1 = t2 = t3 = 0.0
    for at in range(ZERO, width, FOUR):
        t0 += scratch[at]
        t1 += scratch[at + ONE]
        t2 += scratch[at + TWO]
        t3 += scratch[at + THREE]
    return (t0 + t1) + (t2 + t3)


@inline_kernel
def over_others(ends, numbers, a, count_a, their_ends, their_numbers, b, count_b, factor, alone):
    i, j, total = np.int64(0), np.int64(0), 0.0
    while i < count_a and j < count_b:
        x, y = ends[a, i], their_ends[b, j]
        if x == y:
            different = abs(numbers[a, WEIGHT, i] - their_numbers[b, WEIGHT, j])
            different += abs(numbers[a, STATE, i] - their_numbers[b, STATE, j])
            total += factor * different - 2.0 * alone
        i += np.int64(x <= y)
        j += np.int64(y <= x)
    return total


@inline_kernel
def over_nodes(nodes, a, count_a, their_nodes, b, count_b, factor, alone):
    i, j, total = np.int64(0), np.int64(0), 0.0
    while i < count_a and j < count_b:
        x, y = nodes[a, i].key, their_nodes[b, j].key
        if x == y:
            different = abs(np.float64(nodes[a, i].bias) - np.float64(their_nodes[b, j].bias))
            different += abs(np.float64(nodes[a, i].response) - np.float64(their_nodes[b, j].response))
            different += np.float64(nodes[a, i].activation != their_nodes[b, j].activation)
            different += np.float64(nodes[a, i].aggregation != their_nodes[b, j].aggregation)
            total += factor * different - 2.0 * alone
        i += np.int64(x <= y)
        j += np.int64(y <= x)
    return total
