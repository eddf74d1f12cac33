"""How far apart genomes are. Kernels.

The distance is that of the nodes plus that of the connections. Each is the sum over genes, divided by the larger number of
genes: the disjoint coefficient for a gene that one genome lacks; for a gene of both, the weight coefficient times the
absolute differences of its numbers, plus 1 where a property differs.

Connections are laid out for this by column: their ends as one number each, their weights, and whether they are enabled.
Genomes mostly have the same ones, so eight at a time are compared and added up.
"""

from dataclasses import dataclass

import numpy as np

from sparring.kernel.compiler import kernel, leaf
from sparring.kernel.records import records
from sparring.nets.genome import Genomes

LANES = 8
SHIFT = np.int64(32)


@dataclass(frozen=True)
class Columns:
    """Genomes laid out for comparison."""

    nodes: np.ndarray
    ends: np.ndarray
    numbers: np.ndarray  # weights of a row, then whether they are enabled
    node_count: np.ndarray
    link_count: np.ndarray

    @classmethod
    def of(cls, genomes: Genomes, threads: int | None) -> "Columns":
        rows, width = genomes.links.shape
        ends, numbers = np.empty((rows, width), np.int64), np.empty((rows, 2, width))
        genomes.each(threads, lambda first, last: lay_out(*genomes.parts(), first, last, ends, numbers))
        return cls(genomes.nodes, ends, numbers, genomes.node_count, genomes.link_count)

    def parts(self) -> tuple[np.ndarray, ...]:
        """As kernels want them."""
        return records(self.nodes), self.ends, self.numbers, self.node_count, self.link_count


@kernel
def lay_out(nodes, links, node_count, link_count, first, last, ends, numbers):
    for g in range(first, last):
        for e in range(link_count[g]):
            ends[g, e] = (np.int64(links[g, e].source) << SHIFT) + np.int64(links[g, e].target)
            numbers[g, 0, e] = links[g, e].weight
            numbers[g, 1, e] = links[g, e].enabled


@kernel
def distances(
    nodes, ends, numbers, node_count, link_count, rows,
    other_nodes, other_ends, other_numbers, other_node_count, other_link_count, first, last,
    options, out,
):  # fmt: skip
    """The distance of some rows of one table to those from `first` to `last` - 1 of another."""
    settings = options[0]
    lanes = np.zeros(LANES)
    for b in range(first, last):
        for place in range(rows.shape[0]):
            a = rows[place]
            out[place, b] = node_distance(
                nodes, a, node_count[a], other_nodes, b, other_node_count[b], settings
            ) + link_distance(
                ends, numbers, a, link_count[a], other_ends, other_numbers, b, other_link_count[b], settings, lanes
            )  # fmt: skip


@kernel
def node_distance(nodes, a, count_a, others, b, count_b, settings):
    i, j, matching = np.int64(0), np.int64(0), np.int64(0)
    total = 0.0
    while i < count_a and j < count_b:
        x, y = nodes[a, i], others[b, j]
        if x.key == y.key:
            matching += 1
            total += abs(np.float64(x.bias) - np.float64(y.bias)) + abs(np.float64(x.response) - np.float64(y.response))
            total += np.float64(x.activation != y.activation) + np.float64(x.aggregation != y.aggregation)
            i += 1
            j += 1
        elif x.key < y.key:
            i += 1
        else:
            j += 1
    return weighed(total, matching, count_a, count_b, settings)


@kernel
def link_distance(ends, numbers, a, count_a, other_ends, other_numbers, b, count_b, settings, lanes):
    for lane in range(LANES):
        lanes[lane] = 0.0
    i, j, matching = np.int64(0), np.int64(0), np.int64(0)
    total = 0.0
    while i < count_a and j < count_b:
        if i + LANES <= count_a and j + LANES <= count_b and alike(ends, a, i, other_ends, b, j):
            add_lanes(numbers, a, i, other_numbers, b, j, lanes)
            matching += LANES
            i += LANES
            j += LANES
            continue
        x, y = ends[a, i], other_ends[b, j]
        if x == y:
            matching += 1
            total += abs(numbers[a, 0, i] - other_numbers[b, 0, j]) + abs(numbers[a, 1, i] - other_numbers[b, 1, j])
            i += 1
            j += 1
        elif x < y:
            i += 1
        else:
            j += 1
    for lane in range(LANES):
        total += lanes[lane]
    return weighed(total, matching, count_a, count_b, settings)


@leaf
def alike(ends, a, i, other_ends, b, j):
    """Whether the next eight connections are the same."""
    p, q, x, y = np.uint64(a), np.uint64(b), np.uint64(i), np.uint64(j)
    difference = np.int64(0)
    for lane in range(np.uint64(LANES)):
        difference |= ends[p, x + lane] ^ other_ends[q, y + lane]
    return difference == 0


@leaf
def add_lanes(numbers, a, i, other_numbers, b, j, lanes):
    p, q, x, y = np.uint64(a), np.uint64(b), np.uint64(i), np.uint64(j)
    for part in range(np.uint64(2)):
        for lane in range(np.uint64(LANES)):
            lanes[lane] += abs(numbers[p, part, x + lane] - other_numbers[q, part, y + lane])


@kernel
def weighed(total, matching, count_a, count_b, settings):
    alone = np.float64(count_a + count_b - 2 * matching)
    total = total * settings.compatibility_weight_coefficient + alone * settings.compatibility_disjoint_coefficient
    return total / max(1, max(count_a, count_b))
