"""Genomes as graphs, inside kernels: finding genes, paths between nodes, and the network of a genome.

Genomes are rows of padded tables: row g of `nodes`, sorted by key, and row g of `links`, sorted by source and
target. Inputs have the keys -1, -2, ... and no node; outputs are the first nodes.
"""

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.network import activate

UNUSED, WAITING = -2, -1  # nodes that are no unit, and units without a number yet
LEAST = -(2**31)
MEAN = 1  # the aggregation of that number in sparring.nets.genome.AGGREGATIONS


@kernel
def node_place(nodes, g, count, key):
    """The place of a node in its row, or where it belongs."""
    low, high = np.int64(0), np.int64(count)
    while low < high:
        middle = (low + high) >> 1
        if nodes[g, middle].key < key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def link_place(links, g, count, source, target):
    """The place of a connection in its row, or where it belongs."""
    low, high = np.int64(0), np.int64(count)
    while low < high:
        middle = (low + high) >> 1
        there = links[g, middle].source
        if there < source or (there == source and links[g, middle].target < target):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def reaches(nodes, links, g, node_count, link_count, start, end, scratch):
    """Whether a path leads from one node to another, over connections enabled or not. `scratch` has two places per node."""
    if start == end:
        return True
    for k in range(node_count):
        scratch[k] = 0
    scratch[node_place(nodes, g, node_count, start)] = 1
    scratch[node_count] = start
    waiting = np.int64(1)
    while waiting > 0:
        waiting -= 1
        here = scratch[node_count + waiting]
        e = link_place(links, g, link_count, here, LEAST)
        while e < link_count and links[g, e].source == here:
            there = links[g, e].target
            if there == end:
                return True
            k = node_place(nodes, g, node_count, there)
            if scratch[k] == 0:
                scratch[k] = 1
                scratch[node_count + waiting] = there
                waiting += 1
            e += 1
    return False


@kernel
def arrange(nodes, links, g, node_count, link_count, outputs, scratch):
    """Number a network's units: scratch[k] is the unit of node k, or less than 0. Returns how many there are.

    Units are the outputs and all that they need over enabled connections. Each comes after those that feed it, and the
    smallest key first among the ready.
    """
    inner = link_place(links, g, link_count, 0, LEAST)  # before it are connections from inputs
    for k in range(node_count):
        scratch[k] = WAITING if k < outputs else UNUSED
        scratch[node_count + k] = 0
    growing = True
    while growing:
        growing = False
        for e in range(link_count - 1, inner - 1, -1):
            if links[g, e].enabled and scratch[node_place(nodes, g, node_count, links[g, e].target)] == WAITING:
                k = node_place(nodes, g, node_count, links[g, e].source)
                if scratch[k] == UNUSED:
                    scratch[k] = WAITING
                    growing = True
    for e in range(inner, link_count):
        if links[g, e].enabled and scratch[node_place(nodes, g, node_count, links[g, e].source)] == WAITING:
            scratch[node_count + node_place(nodes, g, node_count, links[g, e].target)] += 1
    units = np.int64(0)
    place = np.int64(0)
    while place < node_count:
        if scratch[place] != WAITING or scratch[node_count + place] > 0:
            place += 1
            continue
        scratch[place] = units
        units += 1
        e = link_place(links, g, link_count, nodes[g, place].key, LEAST)
        while e < link_count and links[g, e].source == nodes[g, place].key:
            if links[g, e].enabled:
                scratch[node_count + node_place(nodes, g, node_count, links[g, e].target)] -= 1
            e += 1
        place = np.int64(0)
    return units


@kernel
def count_units(tables, first, last, outputs, units, scratch):
    """The units of the networks of genomes `first` to `last` - 1. `tables` are nodes, links and how many each genome has."""
    nodes, links, node_counts, link_counts = tables
    for g in range(first, last):
        units[g] = arrange(nodes, links, g, node_counts[g], link_counts[g], outputs, scratch)


@kernel
def express(tables, first, last, shape, input_major, weights, units, offsets, scratch):
    """Write the networks of genomes `first` to `last` - 1, with `shape` inputs and outputs, into `weights` at their offsets."""
    nodes, links, node_counts, link_counts = tables
    for g in range(first, last):
        arrange(nodes, links, g, node_counts[g], link_counts[g], shape[1], scratch)
        write_network(tables, g, shape, input_major, weights, units[g], offsets[g], scratch)


@kernel
def write_network(tables, g, shape, input_major, weights, units, offset, scratch):
    """One network, its units arranged in `scratch`: first layer, biases, links among units, activations, outputs."""
    nodes, links, node_count, link_count = tables[0], tables[1], tables[2][g], tables[3][g]
    inputs, outputs = shape
    bias_at = offset + inputs * units
    links_at = bias_at + units
    codes_at = links_at + units * units
    for i in range(offset, codes_at):
        weights[i] = 0.0
    count_incoming(nodes, links, g, node_count, link_count, scratch)
    for k in range(node_count):
        if scratch[k] >= 0:
            weights[bias_at + scratch[k]] = nodes[g, k].bias
            weights[codes_at + scratch[k]] = nodes[g, k].activation
    for e in range(link_count):
        k = node_place(nodes, g, node_count, links[g, e].target)
        to = scratch[k]
        if links[g, e].enabled == 0 or to < 0:
            continue
        weight = np.float64(nodes[g, k].response) * np.float64(links[g, e].weight)
        if nodes[g, k].aggregation == MEAN:
            weight /= scratch[node_count + k]
        source = links[g, e].source
        if source >= 0:
            weights[links_at + to * units + scratch[node_place(nodes, g, node_count, source)]] = weight
        elif input_major:
            weights[offset + (-1 - source) * units + to] = weight
        else:
            weights[offset + to * inputs + (-1 - source)] = weight
    for k in range(outputs):
        weights[codes_at + units + k] = scratch[k]


@kernel
def count_incoming(nodes, links, g, node_count, link_count, scratch):
    """How many enabled connections lead into each node, from scratch[node_count] on."""
    for k in range(node_count):
        scratch[node_count + k] = 0
    for e in range(link_count):
        if links[g, e].enabled:
            scratch[node_count + node_place(nodes, g, node_count, links[g, e].target)] += 1


@kernel
def run_networks(weights, units, offsets, first, last, inputs, outputs, cases, out, scratch):
    """The outputs of networks `first` to `last` - 1 (first layers as rows) for each row of `cases`."""
    for g in range(first, last):
        bias_at = offsets[g] + inputs * units[g]
        links_at = bias_at + units[g]
        codes_at = links_at + units[g] * units[g]
        for c in range(cases.shape[0]):
            for u in range(units[g]):
                total = weights[bias_at + u]
                for i in range(inputs):
                    total += weights[offsets[g] + u * inputs + i] * cases[c, i]
                for v in range(u):
                    total += weights[links_at + u * units[g] + v] * scratch[v]
                scratch[u] = activate(np.int64(weights[codes_at + u]), total)
            for k in range(outputs):
                out[g, c, k] = scratch[np.int64(weights[codes_at + units[g] + k])]
