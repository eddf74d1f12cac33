"""The initial genomes of a population: the possible connections, and kernels that choose from them."""

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.random import below, key, shuffle, step
from sparring.learn.neat.mutation import initial_choice, initial_value, initially_enabled
from sparring.learn.neat.options import NeatOptions, connection
from sparring.learn.neat.settings import START
from sparring.nets.genome import Genomes


def possible_links(options: NeatOptions, inputs: int, outputs: int) -> np.ndarray:
    """All connections that an initial genome may have, as (source, target), sorted."""
    kind, _ = connection(options)
    sources, ends = -1 - np.arange(inputs), np.arange(outputs)
    hidden = outputs + np.arange(options.num_hidden)
    pairs = []
    if kind.startswith("fs_neat"):
        pairs.append((sources, np.concatenate([ends, hidden]) if kind == "fs_neat_hidden" else ends))
    elif kind != "unconnected":
        pairs += [(sources, hidden), (hidden, ends)]
        if kind.endswith("_direct") or not len(hidden):
            pairs.append((sources, ends))
    lists = [np.stack(np.meshgrid(a, b, indexing="ij"), axis=-1).reshape(-1, 2) for a, b in pairs]
    if kind.startswith(("full", "partial")) and not options.feed_forward and not options.recur_only_prob:
        lists.append(np.tile(np.concatenate([ends, hidden]), (2, 1)).T)  # every node to itself
    found = np.concatenate([*lists, np.zeros((0, 2), np.int64)]).astype(np.int64)
    return found[np.lexsort((found[:, 1], found[:, 0]))]


def first_genomes(
    options: NeatOptions, settings: np.ndarray, inputs: int, outputs: int, stream: int, number: int, threads: int | None
) -> tuple[Genomes, int]:
    """A new population, and its last innovation number; `number` is the last one before."""
    kind, share = connection(options)
    possible = possible_links(options, inputs, outputs)
    each = len(possible) // inputs if kind.startswith("fs_neat") else round(len(possible) * share)
    nodes = outputs + options.num_hidden
    genomes = Genomes.empty(options.pop_size, max(1, nodes), max(1, each), not options.feed_forward)
    genomes.node_count[:], genomes.link_count[:] = nodes, each

    def work(first: int, last: int) -> None:
        order = np.arange(len(possible))
        single = inputs if kind.startswith("fs_neat") else 0
        start(genomes.parts(), first, last, possible, single, settings, np.uint64(stream), number, order)

    genomes.each(threads, work)
    return genomes, number + len(possible)


@kernel
def start(genomes, first, last, possible, single, options, stream, number, order):
    """Fill rows `first` to `last` - 1. If `single` is not 0, only one of that many inputs is connected, to all possible targets."""
    nodes, links, node_count, link_count = genomes
    settings = options[0]
    for g in range(first, last):
        own = step(key(key(stream, g), START))
        count = link_count[g]
        chosen = np.int64(0)
        if single > 0:
            chosen = below(own, single) * count
        elif count < order.shape[0]:
            own = choose(order, count, own)
        for e in range(count):
            own = step(own)
            at = chosen + e if single > 0 else order[e]
            links[g, e].source = possible[at, 0]
            links[g, e].target = possible[at, 1]
            links[g, e].innovation = number + 1 + at
            links[g, e].weight = initial_value(settings.weight, own)
            own = step(step(own))
            links[g, e].enabled = initially_enabled(settings, own)
        for k in range(node_count[g]):
            own = step(own)
            nodes[g, k].key = k
            nodes[g, k].bias = initial_value(settings.bias, own)
            own = step(step(own))
            nodes[g, k].response = initial_value(settings.response, own)
            own = step(step(own))
            nodes[g, k].activation = initial_choice(settings.activation, own)
            own = step(own)
            nodes[g, k].aggregation = initial_choice(settings.aggregation, own)


@kernel
def choose(order, count, stream):
    """Move a random sample, in ascending order, to the front."""
    for i in range(order.shape[0]):
        order[i] = i
    stream = shuffle(stream, order, order.shape[0])
    for i in range(1, count):
        now, j = order[i], i
        while j > 0 and order[j - 1] > now:
            order[j] = order[j - 1]
            j -= 1
        order[j] = now
    return stream
