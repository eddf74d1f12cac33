"""Kernels for genomes as graphs: finding genes, paths between nodes, and writing networks.

Genomes are rows of padded tables: row g of `nodes`, sorted by key, and row g of `links`, sorted by source and target. Inputs
have the keys -1, -2, ... and no node; outputs are the first nodes.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.network import ACTIVATIONS, activate

UNUSED, WAITING = -2, -1  # nodes that are not units, and units without a number yet
LEAST = -(2**31)
MEAN = 1  # position in sparring.nets.genome.AGGREGATIONS
IDENTITY = np.int64(ACTIVATIONS.index("identity"))


@kernel
def node_place(nodes, g, count, key):
    """The position of a node in its row, or where it belongs."""
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
    """The position of a connection in its row, or where it belongs."""
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
    """Whether a path of connections, enabled or not, leads from one node to another. `scratch` has two places per node."""
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
def arrange(nodes, links, g, node_count, link_count, outputs, recurrent, scratch):
    """Number a network's units: scratch[k] is the unit of node k, or negative. Returns their number.

    Units are the outputs and all nodes with an enabled path to them, in topological order; ties go to the smallest key. In a
    recurrent network, which may have cycles, they are in the order of their keys.
    """
    inner = link_place(links, g, link_count, 0, LEAST)  # connections from inputs come before it
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
    units = np.int64(0)
    if recurrent:
        for k in range(node_count):
            if scratch[k] == WAITING:
                scratch[k] = units
                units += 1
        return units
    for e in range(inner, link_count):
        if links[g, e].enabled and scratch[node_place(nodes, g, node_count, links[g, e].source)] == WAITING:
            scratch[node_count + node_place(nodes, g, node_count, links[g, e].target)] += 1
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
def count_units(genomes, first, last, outputs, recurrent, units, scratch):
    """Count the units of the networks of genomes `first` to `last` - 1. `genomes` is `Genomes.parts()`."""
    nodes, links, node_counts, link_counts = genomes
    for g in range(first, last):
        units[g] = arrange(nodes, links, g, node_counts[g], link_counts[g], outputs, recurrent, scratch)


@kernel
def express(genomes, first, last, sizes, input_major, recurrent, networks, scratch):
    """Write the networks of genomes `first` to `last` - 1. `sizes` are the numbers of inputs and outputs, `networks` is the
    weights, and the units and the offset of each network."""
    nodes, links, node_counts, link_counts = genomes
    for g in range(first, last):
        arrange(nodes, links, g, node_counts[g], link_counts[g], sizes[1], recurrent, scratch)
        write_network(genomes, g, sizes, input_major, recurrent, networks, scratch)


@kernel
def write_network(genomes, g, sizes, input_major, recurrent, networks, scratch):
    """Write one network, its units arranged in `scratch`: first layer, biases, weights among units, activations, outputs.

    A unit of a recurrent network that nothing leads into stays 0, as in neat-python.
    """
    inputs, outputs = sizes
    nodes, links, node_counts, link_counts = genomes
    weights, all_units, offsets = networks
    node_count, link_count, units, offset = node_counts[g], link_counts[g], all_units[g], offsets[g]
    bias_at = offset + inputs * units
    links_at = bias_at + units
    codes_at = links_at + units * units
    for i in range(offset, codes_at):
        weights[i] = 0.0
    count_incoming(nodes, links, g, node_count, link_count, scratch)
    for k in range(node_count):
        if scratch[k] >= 0:
            silent = recurrent and scratch[node_count + k] == 0
            weights[bias_at + scratch[k]] = 0.0 if silent else nodes[g, k].bias
            weights[codes_at + scratch[k]] = IDENTITY if silent else nodes[g, k].activation
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
    """Count the enabled connections into each node, in `scratch` from `node_count` on."""
    for k in range(node_count):
        scratch[node_count + k] = 0
    for e in range(link_count):
        if links[g, e].enabled:
            scratch[node_count + node_place(nodes, g, node_count, links[g, e].target)] += 1


@kernel
def run_networks(networks, first, last, sizes, recurrent, cases, out, scratch):
    """Compute the outputs of networks `first` to `last` - 1 (not input-major) for each row of `cases`.

    Rows are independent, or consecutive time steps of a recurrent network. `scratch` has two places per unit.
    """
    weights, units, offsets = networks
    for g in range(first, last):
        for u in range(units[g]):
            scratch[u] = 0.0
        for c in range(cases.shape[0]):
            step_network(weights, units[g], offsets[g], sizes[0], recurrent, cases[c], scratch)
            for k in range(sizes[1]):
                out[g, c, k] = scratch[output_unit(weights, units[g], offsets[g], sizes[0], k)]


@inline_kernel
def output_unit(weights, units, offset, inputs, k):
    """The unit of an output."""
    return np.int64(weights[offset + (inputs + 2 + units) * units + k])


@kernel
def step_network(weights, units, offset, inputs, recurrent, values, scratch):
    """Compute the units of a network, given its inputs: `scratch` begins with them.

    Units read those before them, or in a recurrent network the last time step's units, all at once.
    """
    bias_at = offset + inputs * units
    links_at = bias_at + units
    codes_at = links_at + units * units
    for u in range(units):
        total = weights[bias_at + u]
        for i in range(inputs):
            total += weights[offset + u * inputs + i] * values[i]
        for v in range(units if recurrent else u):
            total += weights[links_at + u * units + v] * scratch[v]
        scratch[units + u if recurrent else u] = activate(np.int64(weights[codes_at + u]), total)
    if recurrent:
        for u in range(units):
            scratch[u] = scratch[units + u]
