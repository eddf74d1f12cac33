"""Structural mutations: nodes and connections that children gain and lose. Kernels, for one child after the other.

They share the generation's table of innovations, so they are done in one pass; everything else is done child by child in
threads.
"""

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.random import below, key, step, uniform
from sparring.learn.neat.innovation import invented
from sparring.learn.neat.mutation import beginning, first_choice, first_enabled
from sparring.learn.neat.settings import STRUCTURE
from sparring.nets.graph import link_place, node_place, reaches

GAINED_NODES, GAINED_LINKS = 1, 3  # the most that a child gains: a split and a connection


@kernel
def restructure(
    nodes, links, node_count, link_count, first, last, inputs, outputs, options, stream, table, counters, scratch
):
    """The structural mutations of rows `first` to `last` - 1."""
    settings = options[0]
    for g in range(first, last):
        own = step(key(key(stream, g), STRUCTURE))
        if settings.single:
            mutate_once(
                nodes, links, node_count, link_count, g, inputs, outputs, settings, own, table, counters, scratch
            )
            continue
        if uniform(own) < settings.node_add_prob:
            add_node(
                nodes,
                links,
                node_count,
                link_count,
                g,
                inputs,
                outputs,
                settings,
                key(own, 1),
                table,
                counters,
                scratch,
            )
        own = step(own)
        if uniform(own) < settings.node_delete_prob:
            delete_node(nodes, links, node_count, link_count, g, outputs, key(own, 2))
        own = step(own)
        if uniform(own) < settings.conn_add_prob:
            add_link(
                nodes,
                links,
                node_count,
                link_count,
                g,
                inputs,
                outputs,
                settings,
                key(own, 3),
                table,
                counters,
                scratch,
            )
        own = step(own)
        if uniform(own) < settings.conn_delete_prob:
            delete_link(links, link_count, g, key(own, 4))


@kernel
def mutate_once(nodes, links, node_count, link_count, g, inputs, outputs, settings, stream, table, counters, scratch):
    """At most one structural mutation, by the share of its chance."""
    node = settings.node_add_prob + settings.node_delete_prob
    link = settings.conn_add_prob + settings.conn_delete_prob
    chance = uniform(stream) * max(1.0, node + link)
    stream = key(stream, 1)
    if chance < settings.node_add_prob:
        add_node(nodes, links, node_count, link_count, g, inputs, outputs, settings, stream, table, counters, scratch)
    elif chance < node:
        delete_node(nodes, links, node_count, link_count, g, outputs, stream)
    elif chance < node + settings.conn_add_prob:
        add_link(nodes, links, node_count, link_count, g, inputs, outputs, settings, stream, table, counters, scratch)
    elif chance < node + link:
        delete_link(links, link_count, g, stream)


@kernel
def add_node(nodes, links, node_count, link_count, g, inputs, outputs, settings, stream, table, counters, scratch):
    """Split a connection: a new node without bias between a weight of 1 and the old weight."""
    if link_count[g] == 0:
        if settings.surer:
            add_link(
                nodes, links, node_count, link_count, g, inputs, outputs, settings, stream, table, counters, scratch
            )
        return
    stream = step(stream)
    e = below(stream, link_count[g])
    links[g, e].enabled = 0
    source, target, weight = links[g, e].source, links[g, e].target, links[g, e].weight
    at = invented(table, counters, source, target, links[g, e].innovation)
    node, number = table[at].node, table[at].number
    place = node_place(nodes, g, node_count[g], node)
    for k in range(node_count[g], place, -1):
        nodes[g, k] = nodes[g, k - 1]
    node_count[g] += 1
    nodes[g, place].key = node
    nodes[g, place].bias = 0.0
    nodes[g, place].response = beginning(settings.response, stream)
    stream = step(step(stream))
    nodes[g, place].activation = first_choice(settings.activation, stream)
    nodes[g, place].aggregation = first_choice(settings.aggregation, step(stream))
    insert_link(links, link_count, g, source, node, number, 1, 1.0)
    insert_link(links, link_count, g, node, target, number + 1, 1, weight)


@kernel
def insert_link(links, link_count, g, source, target, number, enabled, weight):
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
def delete_node(nodes, links, node_count, link_count, g, outputs, stream):
    """Remove a hidden node and its connections."""
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
def add_link(nodes, links, node_count, link_count, g, inputs, outputs, settings, stream, table, counters, scratch):
    """Connect an input or hidden node to a hidden or output node, unless that makes a cycle or is there."""
    stream = step(stream)
    target = nodes[g, below(stream, node_count[g])].key
    stream = step(stream)
    pick = below(stream, inputs + node_count[g] - outputs)
    source = np.int64(-1 - pick) if pick < inputs else np.int64(nodes[g, outputs + pick - inputs].key)
    place = link_place(links, g, link_count[g], source, target)
    if place < link_count[g] and links[g, place].source == source and links[g, place].target == target:
        if settings.surer:
            links[g, place].enabled = 1
        return
    if source >= 0 and reaches(nodes, links, g, node_count[g], link_count[g], target, source, scratch):
        return
    number = table[invented(table, counters, source, target, 0)].number
    weight = beginning(settings.weight, stream)
    enabled = first_enabled(settings, step(step(stream)))
    insert_link(links, link_count, g, source, target, number, enabled, weight)


@kernel
def delete_link(links, link_count, g, stream):
    if link_count[g] > 0:
        for e in range(below(step(stream), link_count[g]) + 1, link_count[g]):
            links[g, e - 1] = links[g, e]
        link_count[g] -= 1
