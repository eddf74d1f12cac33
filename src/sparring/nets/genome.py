"""Genomes of networks whose topology evolves, and their networks.

After Stanley and Miikkulainen, "Evolving Neural Networks through Augmenting Topologies" (2002), with the keys and formulas of
neat-python: inputs are -1, -2, ..., outputs 0, 1, ..., then hidden nodes. A node's value is
activation(bias + response * aggregation(weight * source, ...)) over its enabled connections. A recurrent network may have
cycles: its nodes read the values of the last time step, which are 0 at first.

Kernels read a network as float32: the first layer (a row of inputs per unit or, input-major, of units per input), a bias per
unit, the weights among units (a row of sources per unit), the activation of each unit, and the unit of each output. Responses
are included in the weights.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

import numpy as np

from sparring.errors import UserError, cut, cut_text
from sparring.kernel.launch import share_out, threads_available
from sparring.kernel.network import ACTIVATIONS
from sparring.kernel.records import records
from sparring.nets.graph import count_units, express, run_networks

NODE_FIELDS = [("key", "i4"), ("bias", "f4"), ("response", "f4"), ("activation", "i4"), ("aggregation", "i4")]
LINK_FIELDS = [("source", "i4"), ("target", "i4"), ("innovation", "i4"), ("enabled", "i4"), ("weight", "f4")]
Node, Link = np.dtype(NODE_FIELDS, align=True), np.dtype(LINK_FIELDS, align=True)
AGGREGATIONS = ("sum", "mean")
# Limits, so that a genome's network fits into memory.
MOST_HIDDEN = 4096  # hidden nodes, as many as any learner's option allows
MOST_LINKS = 1 << 20
MOST_WEIGHTS = 1 << 26  # of a network
FEW = 60_000  # genes: below this number one thread is faster than several


@dataclass(frozen=True)
class Genome:
    """One genome: its nodes (outputs and hidden) sorted by key, its connections by source and target."""

    inputs: int
    outputs: int
    nodes: np.ndarray
    links: np.ndarray
    recurrent: bool = False

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """The network's outputs for one row of inputs, in double precision; of a recurrent one, in the first time step."""
        from sparring.nets.evaluators import GraphEvaluator

        return np.asarray(GraphEvaluator(self).values(np.asarray(inputs, float)[None])[0])

    def tensors(self) -> dict[str, np.ndarray]:
        """The genes as arrays by name, as net files store them."""
        nodes = {f"nodes.{name}": np.ascontiguousarray(self.nodes[name]) for name in Node.names or ()}
        return nodes | {f"links.{name}": np.ascontiguousarray(self.links[name]) for name in Link.names or ()}

    @classmethod
    def of_tensors(cls, tensors: dict[str, np.ndarray], inputs: int, outputs: int, place: str = "genome") -> "Genome":
        """The inverse of `tensors`; a UserError that begins with `place` names a missing or wrong array."""
        tables = []
        for table, kind in (("nodes", Node), ("links", Link)):
            length = None
            for name in kind.names or ():
                found, wanted = tensors.get(f"{table}.{name}"), kind[name]
                length = len(found) if length is None and found is not None and found.ndim == 1 else length
                if found is None or found.dtype != wanted or found.shape != (length,):
                    fault = "missing" if found is None else f"{found.dtype} of shape {cut(list(found.shape))}"
                    raise UserError(f"{place}: not a genome: {table}.{name} is {fault}; must be a list of {wanted}")
            rows = np.zeros(length or 0, kind)
            for name in kind.names or ():
                rows[name] = tensors[f"{table}.{name}"]
            tables.append(rows)
        return cls(inputs, outputs, *tables)

    @property
    def hidden(self) -> int:
        """The number of hidden nodes, needed or not."""
        return len(self.nodes) - self.outputs

    @property
    def enabled(self) -> int:
        """The number of enabled connections."""
        return int((self.links["enabled"] != 0).sum())


@dataclass
class Genomes:
    """A table of genomes: a row of nodes and a row of links for each, padded to equal length."""

    nodes: np.ndarray
    links: np.ndarray
    node_count: np.ndarray
    link_count: np.ndarray
    recurrent: bool = False  # their networks

    @classmethod
    def empty(cls, count: int, nodes: int, links: int, recurrent: bool = False) -> "Genomes":
        """Empty genomes with space for this many nodes and links each."""
        counts = np.zeros((2, count), np.int64)
        return cls(np.zeros((count, nodes), Node), np.zeros((count, links), Link), *counts, recurrent)

    def __len__(self) -> int:
        return len(self.nodes)

    def parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The arrays that kernels read."""
        return records(self.nodes), records(self.links), self.node_count, self.link_count

    def take(self, rows: np.ndarray) -> "Genomes":
        """Copies of some rows, padded no more than necessary."""
        nodes, links = self.node_count[rows], self.link_count[rows]
        kept = _take(self.nodes, rows, nodes.max(initial=1)), _take(self.links, rows, links.max(initial=1))
        return Genomes(*kept, nodes, links, self.recurrent)

    def each(self, threads: int | None, work: Callable[[int, int], Any], least: int = 0) -> None:
        """Run `work(first, last)` in threads on all rows from `least` on."""
        spread((len(self), self.nodes.shape[1] + self.links.shape[1]), threads, work, least)

    def genome(self, row: int, inputs: int, outputs: int) -> Genome:
        """The genome of a row."""
        nodes, links = self.nodes[row, : self.node_count[row]], self.links[row, : self.link_count[row]]
        return Genome(inputs, outputs, nodes.copy(), links.copy(), self.recurrent)


def _take(table: np.ndarray, rows: np.ndarray, width: int) -> np.ndarray:
    """The first columns of some rows, copied as int32 because NumPy copies records one by one."""
    part = table.dtype.itemsize // 4
    return np.ascontiguousarray(table.view(np.int32)[rows, : part * width]).view(table.dtype)


def spread(
    shape: tuple[int, ...], threads: int | None, work: Callable[[int, int], Any], least: int = 0, times: float = 1.0
) -> None:
    """Run `work(first, last)` in threads on all rows of a table from `least` on, or in one thread if there is little to do.

    `times` is the number of passes over a row.
    """
    rows = shape[0] - least
    wanted = (threads or threads_available()) if rows * shape[1] * times > FEW else 1

    def run(chunks: Iterator[tuple[int, int]]) -> None:
        with np.errstate(over="ignore"):
            for first, last in chunks:
                work(least + first, least + last)

    share_out(rows, max(1, rows if wanted == 1 else -(-rows // (8 * wanted))), wanted, run)


def network_size(inputs: int, outputs: int, units: Any) -> Any:
    """The number of weights of a network with this many units."""
    return inputs * units + 2 * units + units * units + outputs


def express_all(
    genomes: Genomes, inputs: int, outputs: int, input_major: bool, threads: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The weights of all genomes' networks in one array, the units of each, and the offset of each."""
    units = np.zeros(len(genomes), np.int64)
    scratch, recurrent = 2 * genomes.nodes.shape[1], genomes.recurrent

    def count(first: int, last: int) -> None:
        count_units(genomes.parts(), first, last, outputs, recurrent, units, np.empty(scratch, np.int64))

    genomes.each(threads, count)
    sizes = network_size(inputs, outputs, units)
    offsets = np.cumsum(sizes) - sizes
    weights = np.empty(int(sizes.sum()), np.float32)

    def write(first: int, last: int) -> None:
        networks, memory = (weights, units, offsets), np.empty(scratch, np.int64)
        express(genomes.parts(), first, last, (inputs, outputs), input_major, recurrent, networks, memory)

    genomes.each(threads, write)
    return weights, units, offsets


def express_one(genome: Genome, input_major: bool) -> tuple[np.ndarray, int]:
    """The weights and the number of units of one genome's network."""
    counts = np.array([[len(genome.nodes)], [len(genome.links)]])
    single = Genomes(genome.nodes[None], genome.links[None], *counts, genome.recurrent)
    weights, units, _ = express_all(single, genome.inputs, genome.outputs, input_major, 1)
    return weights, int(units[0])


def all_values(
    genomes: Genomes, inputs: int, outputs: int, cases: np.ndarray, threads: int | None = None
) -> np.ndarray:
    """The outputs of all genomes' networks for each row of `cases`: (genomes, cases, outputs).

    The rows are consecutive time steps if the networks are recurrent.
    """
    networks = express_all(genomes, inputs, outputs, False, threads)
    out = np.empty((len(genomes), len(cases), outputs), np.float32)
    rows, places = cases.astype(np.float32), 2 * int(networks[1].max())

    def run(first: int, last: int) -> None:
        scratch = np.empty(places, np.float32)
        run_networks(networks, first, last, (inputs, outputs), genomes.recurrent, rows, out, scratch)

    genomes.each(threads, run)
    return out


def check(genome: Genome, place: str) -> None:
    """Refuse a genome without a valid network; the message begins with `place`."""
    for fault in _faults(genome):
        raise UserError(f"{place}: {fault}")


def _faults(genome: Genome) -> Iterator[str]:
    yield from _size_faults(genome)
    keys = genome.nodes["key"].tolist()
    yield from _node_faults(genome, keys)
    ends = list(zip(genome.links["source"].tolist(), genome.links["target"].tolist(), strict=True))
    known, seen = set(keys), set()
    for source, target in ends:
        words = f"connection {source} -> {target}"
        if target < 0:
            yield f"{words}: an input has no incoming connections"
        if source < -genome.inputs:
            yield f"{words}: there is no input {source}; inputs are -1 to {-genome.inputs}"
        for key in (source, target):
            if key >= 0 and key not in known:
                yield f"{words}: there is no node {key}"
        if (source, target) in seen:
            yield f"{words} is listed twice"
        seen.add((source, target))
    for name in ("bias", "response"):
        for key in genome.nodes["key"][~np.isfinite(genome.nodes[name])]:
            yield f"node {key}: its {name} is not a number"
    yield from _link_faults(genome.links)
    if not genome.recurrent and (cycle := _cycle(sorted(seen))):
        yield f"connections {cut_text(' -> '.join(map(str, cycle)))} form a cycle"
    if sorted(seen) != ends:
        yield "connections are not sorted by source and target"


def _size_faults(genome: Genome) -> Iterator[str]:
    nodes, links = len(genome.nodes), len(genome.links)
    for name, count in (("inputs", genome.inputs), ("outputs", genome.outputs)):
        if not 1 <= count <= MOST_WEIGHTS:
            yield f"{cut(count)} {name}; must be from 1 to {MOST_WEIGHTS}"
    if nodes - genome.outputs > MOST_HIDDEN:
        yield f"{nodes - genome.outputs} hidden nodes; must be at most {MOST_HIDDEN}"
    if links > MOST_LINKS:
        yield f"{links} connections; must be at most {MOST_LINKS}"
    if network_size(int(genome.inputs), int(genome.outputs), nodes) > MOST_WEIGHTS:
        yield f"{genome.inputs} inputs and {nodes} nodes make more than {MOST_WEIGHTS} weights"


def _link_faults(links: np.ndarray) -> Iterator[str]:
    faulty = (
        (~np.isfinite(links["weight"]), "weight", "is not a number"),
        ((links["enabled"] < 0) | (links["enabled"] > 1), "enabled", "must be 0 or 1"),
        (links["innovation"] < 0, "innovation", "must be 0 or more"),
    )
    for which, name, fault in faulty:
        for link in links[which]:
            words = f"its {name} {fault}" if name == "weight" else f"{name} is {link[name]}; {fault}"
            yield f"connection {link['source']} -> {link['target']}: {words}"


def _node_faults(genome: Genome, keys: list[int]) -> Iterator[str]:
    known = set(keys)
    for key in range(genome.outputs):
        if key not in known:
            yield f"output {key}: there is no such node"
    if sorted(known) != keys:
        twice = next((key for key, after in pairwise(sorted(keys)) if key == after), None)
        yield "nodes are not sorted by key" if twice is None else f"node {twice} is listed twice"
    if keys and keys[0] < 0:
        yield f"node {keys[0]}: keys of nodes are 0 or more"
    for name, codes in (("activation", ACTIVATIONS), ("aggregation", AGGREGATIONS)):
        for node in genome.nodes[(genome.nodes[name] < 0) | (genome.nodes[name] >= len(codes))]:
            yield f"node {node['key']}: unknown {name} {node[name]}; must be from 0 to {len(codes) - 1}"


def _cycle(links: list[tuple[int, int]]) -> list[int]:
    """The nodes of a cycle, starting and ending with the smallest key; empty if there is none."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for source, target in links:
        sorter.add(target, source)
    try:
        sorter.prepare()
    except CycleError as error:
        *cycle, _ = error.args[1]
        least = cycle.index(min(cycle))
        return [*cycle[least:], *cycle[:least], cycle[least]]
    return []
