"""Kernels of crossover: children of two parents.

A child has the genes of the fitter parent (of the second, if equal). Where both have the same gene, each attribute comes
from either; a connection that is disabled in one parent is disabled in three of four children. Connections are the same
gene if they have the same ends and the same innovation number. With `crossover = "ends"` the same ends are enough, and no
further children are disabled.
"""

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.random import below, key, mixed, step, uniform
from sparring.learn.neat.settings import CROSSOVER, PARENTS

B0, B1, B2, B3 = (np.uint64(1 << n) for n in range(4))
BOTH = np.uint64(12)


@kernel
def cross_all(genomes, children, rows, pools, fitness, options, stream, parents):
    """Write the children of some rows, each of parents from its own pool, before mutation.

    `rows` are the first row, the end, and the number of elites before the first child; `pools` are the ranked parents, and for
    every child the first of its pool and their number.
    """
    nodes, links, node_count, link_count = genomes
    to_nodes, to_links, to_node_count, to_link_count = children
    first, last, elites = rows
    ranked, pool_first, pool_count = pools
    settings = options[0]
    for g in range(first, last):
        own = step(key(key(stream, g), PARENTS))
        c = g - elites
        a = ranked[pool_first[c] + below(own, pool_count[c])]
        own = step(own)
        b = ranked[pool_first[c] + below(own, pool_count[c])]
        if uniform(step(own)) >= settings.mating:
            b = a
        parents[g, 0] = a
        parents[g, 1] = b
        if not fitness[a] > fitness[b]:
            a, b = b, a
        own = key(key(stream, g), CROSSOVER)
        own = cross_nodes(nodes, node_count, a, b, to_nodes, g, own)
        cross_links(links, link_count, a, b, to_links, g, own, settings.by_ends)
        to_node_count[g] = node_count[a]
        to_link_count[g] = link_count[a]


@kernel
def cross_nodes(nodes, count, a, b, to, g, stream):
    j = np.int64(0)
    for i in range(count[a]):
        to[g, i] = nodes[a, i]
        while j < count[b] and nodes[b, j].key < nodes[a, i].key:
            j += 1
        if a != b and j < count[b] and nodes[b, j].key == nodes[a, i].key:
            stream = step(stream)
            bits = mixed(stream)
            if bits & B0:
                to[g, i].bias = nodes[b, j].bias
            if bits & B1:
                to[g, i].response = nodes[b, j].response
            if bits & B2:
                to[g, i].activation = nodes[b, j].activation
            if bits & B3:
                to[g, i].aggregation = nodes[b, j].aggregation
    return stream


@kernel
def cross_links(links, count, a, b, to, g, stream, by_ends):
    j = np.int64(0)
    for i in range(count[a]):
        to[g, i] = links[a, i]
        if a == b:
            continue
        source, target = links[a, i].source, links[a, i].target
        while j < count[b] and (
            links[b, j].source < source or (links[b, j].source == source and links[b, j].target < target)
        ):
            j += 1
        if j == count[b] or links[b, j].source != source or links[b, j].target != target:
            continue
        if not by_ends and links[b, j].innovation != links[a, i].innovation:
            continue
        stream = step(stream)
        bits = mixed(stream)
        if bits & B0:
            to[g, i].weight = links[b, j].weight
        if bits & B1:
            to[g, i].enabled = links[b, j].enabled
        if not by_ends and links[a, i].enabled + links[b, j].enabled < 2 and bits & BOTH:  # in three of four cases
            to[g, i].enabled = 0
