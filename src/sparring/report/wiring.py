"""What a drawing of a net shows: its nodes in layers, the connections to draw, and what is left out.

Every net is treated as a genome: inputs are -1, -2, ..., outputs 0, 1, ..., hidden nodes follow. A net at work, whose nodes have
values, shows its strongest parts: a connection carries its weight times the value of its source.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sparring.nets.dense import Net
from sparring.nets.genome import Genome, Link, Node

MOST, DENSE = 500, 160  # maximum connections: of an evolved net; of each layer of a dense one
# Of a net at work: maximum inputs, hidden nodes, and connections into each layer of a dense net or in an evolved net.
PULLING, WORKING, CARRYING = 24, 16, 120
EVOLVED_WORKING, EVOLVED_CARRYING = 40, 200
DEEP = 32  # maximum hidden nodes of each layer of a deep net; at work WORKING


@dataclass(frozen=True)
class Wiring:
    """Inputs, layers of hidden nodes and outputs from left to right, by key, and the connections to draw."""

    genome: Genome
    layers: list[list[int]]
    links: np.ndarray
    left_out: list[str]  # as text
    hidden: int  # how many hidden nodes and connections the net has
    enabled: int
    carried: np.ndarray | None = None  # by each connection of a net at work


def wiring(net: Net, whole: bool = False) -> Wiring:
    """What to draw of a net; `whole` adds disabled connections and nodes that lead to no output."""
    genome = net.genome or as_genome(net)
    every, hidden = genome.links, [int(key) for key in genome.nodes["key"][genome.outputs :]]
    units, weights = _counts(net, genome)
    enabled = every if whole else every[every["enabled"] != 0]
    useful = {*hidden} if whole else leading(enabled, genome.outputs)
    links = enabled if whole else enabled[np.isin(enabled["target"], list(useful))]
    depth = depths(genome, links)
    group, most = (np.zeros(len(links)), MOST) if net.genome else (depth[links["target"]], DENSE)
    drawn = links[_largest(np.abs(links["weight"]), group, most)]
    ends = {*drawn["source"].tolist(), *drawn["target"].tolist()}
    inputs = [-n for n in range(1, genome.inputs + 1) if -n in ends]
    inner = [key for key in hidden if key in useful]
    shown = inner if len(drawn) == len(links) else [key for key in inner if key in ends]
    steps = sorted({int(depth[key]) for key in shown})
    layers = [inputs, *([key for key in shown if depth[key] == step] for step in steps), [*range(genome.outputs)]]
    left_out = (
        (
            weights - len(every) + len(links) - len(drawn),
            "connection",
            "(the lightest)" if net.genome else "(the lightest into each layer)",
        ),
        (units - len(hidden), "hidden node", "(the lightest of each layer)"),
        (len(every) - len(enabled), "disabled connection", ""),
        (len(enabled) - len(links), "connection", "leading to no output"),
        (len(hidden) - len(inner), "hidden node", "leading to no output"),
        (len(inner) - len(shown), "hidden node", "without a line"),
        (genome.inputs - len(inputs), "input", "without a line"),
    )
    words = [f"{count(number, thing)} {why}".strip() for number, thing, why in left_out if number]
    return Wiring(genome, layers, drawn, words, units, weights - int((every["enabled"] == 0).sum()))


def wiring_at_work(net: Net, values: Mapping[int, float]) -> Wiring:
    """What to draw of a net whose nodes have these values, without connections that carry nothing."""
    genome = net.genome or as_genome(net, WORKING, values)
    enabled = genome.links[genome.links["enabled"] != 0]
    useful = leading(enabled, genome.outputs)
    links = enabled[np.isin(enabled["target"], list(useful))]
    depth = depths(genome, links)
    carried = links["weight"] * np.array([values.get(key, 0.0) for key in links["source"].tolist()])
    hidden = [key for key in genome.nodes["key"][genome.outputs :].tolist() if key in useful]
    # Hidden nodes rank by what they carry on; inputs also by the weight of the nodes that they lead to.
    pulling, most = _pulls(links, np.abs(carried)), EVOLVED_WORKING if net.genome else WORKING
    shown = [key for key in hidden if pulling[key]] if net.kind == "deep" else _strongest(hidden, pulling, most)
    near = np.isin(links["target"], [*shown, *range(genome.outputs)])
    weighty = _pulls(links, np.abs(links["weight"]))
    onwards = np.array([1.0 if key < genome.outputs else weighty.get(key, 0.0) for key in links["target"].tolist()])
    pulls = _pulls(links[near], (np.abs(carried) * onwards)[near])
    active = [-n for n in range(1, genome.inputs + 1) if pulls.get(-n)]
    inputs = _strongest(active, pulls, PULLING)
    among = near & np.isin(links["source"], [*inputs, *shown, *range(genome.outputs)]) & (carried != 0)
    group = np.zeros(among.sum()) if net.genome else depth[links["target"][among]]
    strong = _largest(np.abs(carried[among]), group, EVOLVED_CARRYING if net.genome else CARRYING)
    steps = sorted({int(depth[key]) for key in shown})
    layers = [inputs, *([key for key in shown if depth[key] == step] for step in steps), [*range(genome.outputs)]]
    units, weights = _counts(net, genome)
    found = units if net.kind == "deep" else len(hidden)
    shown_text = _at_work(len(inputs), len(active), "input") + _at_work(len(shown), found, "hidden node")
    weights -= len(genome.links) - len(enabled)
    return Wiring(genome, layers, links[among][strong], shown_text, units, weights, carried[among][strong])


def _counts(net: Net, genome: Genome) -> tuple[int, int]:
    """How many hidden nodes and connections a net has."""
    if net.genome:
        return len(genome.nodes) - genome.outputs, len(genome.links)
    return sum(net.shape[1:-1]), sum(before * units for before, units in pairwise(net.shape))


def _strongest_units(net: Net, most: int, values: Mapping[int, float] | None = None) -> list[np.ndarray]:
    """The units of each layer that are drawn: of a deep net those of the largest weights, at work times their values.

    Only weights that lead to units drawn in the next layer count.
    """
    kept = [np.arange(units) for units in net.shape[1:]]
    matrices = [tensor for tensor in net.tensors().values() if tensor.ndim == 2]
    for number in range(len(kept) - 2, -1, -1) if net.kind == "deep" else ():
        pulls = np.abs(matrices[number + 1][kept[number + 1]]).sum(axis=0)
        if values is not None:
            first = net.shape[-1] + sum(net.shape[1 : number + 1])
            pulls = pulls * [abs(values.get(first + unit, 0.0)) for unit in range(len(pulls))]
        kept[number] = np.sort(np.argsort(-pulls, kind="stable")[:most])
    return kept


def _at_work(shown: int, found: int, thing: str) -> list[str]:
    return [f"the {count(shown, thing)} of {found:,} that pull{'s' * (shown == 1)} most"] if shown < found else []


def _pulls(links: np.ndarray, amounts: np.ndarray) -> dict[int, float]:
    """The total that leaves each node."""
    keys, places = np.unique(links["source"], return_inverse=True)
    return dict(zip(keys.tolist(), np.bincount(places, amounts, len(keys)).tolist(), strict=True))


def _strongest(keys: list[int], pulls: Mapping[int, float], most: int) -> list[int]:
    """The strongest keys, in their order."""
    kept = {*sorted(keys, key=lambda key: -pulls.get(key, 0.0))[:most]}
    return [key for key in keys if key in kept]


def as_genome(net: Net, most: int = DEEP, values: Mapping[int, float] | None = None) -> Genome:
    """A dense net's nodes and connections; hidden nodes are numbered layer by layer. For `most` see `_strongest_units`."""
    kept, (*hidden, outputs) = _strongest_units(net, most, values), net.shape[1:]
    keys = [-1 - np.arange(net.inputs)]
    keys += [units + outputs + sum(hidden[:number]) for number, units in enumerate(kept[:-1])]
    keys.append(np.arange(outputs))
    tensors = net.tensors()
    rows = [np.arange(net.inputs), *kept]
    biases = [tensor[units] for tensor, units in zip((t for t in tensors.values() if t.ndim == 1), kept, strict=False)]
    nodes = np.zeros(sum(map(len, kept)), Node)
    nodes["key"], nodes["response"] = np.concatenate([keys[-1], *keys[1:-1]]), 1
    if biases:
        nodes["bias"] = np.concatenate([biases[-1], *biases[:-1]])
    matrices = [tensor for tensor in tensors.values() if tensor.ndim == 2]
    links = np.zeros(sum(len(before) * len(units) for before, units in pairwise(rows)), Link)
    links["enabled"] = 1
    first = 0
    for number, matrix in enumerate(matrices):
        before, after = keys[number : number + 2]
        part = links[first : first + len(before) * len(after)]
        part["source"], part["target"] = np.tile(before, len(after)), np.repeat(after, len(before))
        part["weight"] = matrix[np.ix_(rows[number + 1], rows[number])].ravel()
        first += len(part)
    return Genome(net.inputs, outputs, nodes, links)


def leading(links: np.ndarray, outputs: int) -> set[int]:
    """The outputs, and all nodes from which connections lead to an output."""
    found = set(range(outputs))
    while True:
        more = found | set(links["source"][np.isin(links["target"], list(found))].tolist())
        if more == found:
            return found
        found = more


def _largest(sizes: np.ndarray, group: np.ndarray, most: int) -> np.ndarray:
    """A mask of the largest of each group."""
    order = np.argsort(-sizes, kind="stable")
    kept = np.zeros(len(sizes), bool)
    for one in np.unique(group):
        kept[order[group[order] == one][:most]] = True
    return kept


def count(number: int, thing: str) -> str:
    """A number of things as text."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def depths(genome: Genome, links: np.ndarray) -> np.ndarray:
    """The longest path from an input to each node, 1 if nothing leads to it; indexed by key, so inputs are at the end.

    The shortest path in a recurrent network, where paths have no end.
    """
    top = int(genome.nodes["key"].max()) + 1
    depth = np.zeros(top + genome.inputs, np.int64)
    depth[genome.nodes["key"]] = len(genome.nodes) if genome.recurrent else 1
    choose = np.minimum if genome.recurrent else np.maximum
    for _ in range(len(genome.nodes)):
        before = depth.copy()
        choose.at(depth, links["target"], depth[links["source"]] + 1)
        if (before == depth).all():
            break
    return depth
