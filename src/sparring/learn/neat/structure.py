"""Kernels of structural mutations: nodes and connections that children gain and lose.

Children share the generation's table of innovations, so one thread mutates them in order; all other work is parallel.
"""

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.random import below, key, step, uniform
from sparring.learn.neat.innovation import innovate
from sparring.learn.neat.mutation import initial_choice, initial_value, initially_enabled
from sparring.learn.neat.settings import STRUCTURE
from sparring.nets.graph import link_place, node_place, reaches

GAINED_NODES, GAINED_LINKS = 1, 3  # the most that a child gains: a split and a connection


@kernel
def restructure(genomes, rows, sizes, options, stream, innovations, scratch):
    """Apply structural mutations to the rows from rows[0] to rows[1] - 1.

    `sizes` are the numbers of inputs and outputs, `innovations` the table of innovations and its counters.
    """
    settings = options[0]
    for g in range(rows[0], rows[1]):
        own = step(key(key(stream, g), STRUCTURE))
        if settings.single:
            mutate_once(genomes, g, sizes, settings, own, innovations, scratch)
            continue
        if uniform(own) < settings.node_add_prob:
            add_node(genomes, g, sizes, settings, key(own, 1), innovations, scratch)
        own = step(own)
        if uniform(own) < settings.node_delete_prob:
            delete_node(genomes, g, sizes, key(own, 2))
        own = step(own)
        if uniform(own) < settings.conn_add_prob:
            add_link(genomes, g, sizes, settings, key(own, 3), innovations, scratch)
        own = step(own)
        if uniform(own) < settings.conn_delete_prob:
            delete_link(genomes, g, key(own, 4))


@kernel
def mutate_once(genomes, g, sizes, settings, stream, innovations, scratch):
    """Apply at most one structural mutation, in proportion to the probabilities."""
    node = settings.node_add_prob + settings.node_delete_prob
    link = settings.conn_add_prob + settings.conn_delete_prob
    chance = uniform(stream) * max(1.0, node + link)
    stream = key(stream, 1)
    if chance < settings.node_add_prob:
        add_node(genomes, g, sizes, settings, stream, innovations, scratch)
    elif chance < node:
        delete_node(genomes, g, sizes, stream)
    elif chance < node + settings.conn_add_prob:
        add_link(genomes, g, sizes, settings, stream, innovations, scratch)
    elif chance < node + link:
        delete_link(genomes, g, stream)


@kernel
def add_node(genomes, g, sizes, settings, stream, innovations, scratch):
    """Split a connection: a new node without bias between a weight of 1 and the old weight."""
    nodes, links, node_count, link_count = genomes
    table, counters = innovations
    if link_count[g] == 0:
        if settings.surer:
            add_link(genomes, g, sizes, settings, stream, innovations, scratch)
        return
    stream = step(stream)
    e = below(stream, link_count[g])
    links[g, e].enabled = 0
    source, target, weight = links[g, e].source, links[g, e].target, links[g, e].weight
    at = innovate(table, counters, source, target, links[g, e].innovation)
    node, number = table[at].node, table[at].number
    place = node_place(nodes, g, node_count[g], node)
    for k in range(node_count[g], place, -1):
        nodes[g, k] = nodes[g, k - 1]
    node_count[g] += 1
    nodes[g, place].key = node
    nodes[g, place].bias = 0.0
    nodes[g, place].response = initial_value(settings.response, stream)
    stream = step(step(stream))
    nodes[g, place].activation = initial_choice(settings.activation, stream)
    nodes[g, place].aggregation = initial_choice(settings.aggregation, step(stream))
    insert_link(links, link_count, g, source, node, number, 1, 1.0)
    insert_link(links, link_count, g, node, target, number + 1, 1, weight)


@kernel
def insert_link(links, link_count, g, source, target, number, enabled, weight):
    """Insert a connection at its place in the order."""
    place = link_place(links, g, link_count[g], source, target)
    for e in range(link_count[g], place, -1):
        links[g, e] = links[g, e - 1]
    link_count[g] += 1
    links[g, place].source = source
    links[g, place].target = target
    links[g, place].innovation = number
    links[g, place].enabled = enabled
    links[g, place].weight = weight


@kernel
def delete_node(genomes, g, sizes, stream):
    """Remove a hidden node and its connections."""
    nodes, links, node_count, link_count = genomes
    outputs = sizes[1]
    hidden = node_count[g] - outputs
    if hidden == 0:
        return
    place = outputs + below(step(stream), hidden)
    gone = nodes[g, place].key
    for k in range(place + 1, node_count[g]):
        nodes[g, k - 1] = nodes[g, k]
    node_count[g] -= 1
    kept = np.int64(0)
    for e in range(link_count[g]):
        if links[g, e].source != gone and links[g, e].target != gone:
            if kept < e:
                links[g, kept] = links[g, e]
            kept += 1
    link_count[g] = kept


@kernel
def add_link(genomes, g, sizes, settings, stream, innovations, scratch):
    """Connect an input or hidden node to a hidden or output node, unless they are connected or that would make a cycle.

    Recurrent networks may have cycles. With `recur_only_prob`, that share of new connections must close one, half of them from
    a node to itself, and the others must not.
    """
    nodes, links, node_count, link_count = genomes
    inputs, outputs = sizes
    table, counters = innovations
    stream = step(stream)
    target = nodes[g, below(stream, node_count[g])].key
    stream = step(stream)
    pick = below(stream, inputs + node_count[g] - outputs)
    source = np.int64(-1 - pick) if pick < inputs else np.int64(nodes[g, outputs + pick - inputs].key)
    closing = settings.recurrent > 0 and uniform(key(stream, 1)) < settings.recur_only_prob
    if closing:
        any_node = nodes[g, below(key(stream, 2), node_count[g])].key
        source = np.int64(target if uniform(key(stream, 3)) < 0.5 else any_node)
    place = link_place(links, g, link_count[g], source, target)
    if place < link_count[g] and links[g, place].source == source and links[g, place].target == target:
        if settings.surer:
            links[g, place].enabled = 1
        return
    if settings.recurrent == 0 or settings.recur_only_prob > 0.0:
        cycle = source >= 0 and reaches(nodes, links, g, node_count[g], link_count[g], target, source, scratch)
        if cycle != closing:
            return
    number = table[innovate(table, counters, source, target, 0)].number
    weight = initial_value(settings.weight, stream)
    enabled = initially_enabled(settings, step(step(stream)))
    insert_link(links, link_count, g, source, target, number, enabled, weight)


@kernel
def delete_link(genomes, g, stream):
    """Remove a connection."""
    _, links, _, link_count = genomes
    if link_count[g] > 0:
        for e in range(below(step(stream), link_count[g]) + 1, link_count[g]):
            links[g, e - 1] = links[g, e]
        link_count[g] -= 1
