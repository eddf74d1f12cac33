"""Genomes of networks that evolve their own shape, and the networks they stand for.

After Stanley and Miikkulainen, "Evolving Neural Networks through Augmenting Topologies" (2002), with the keys and
formulas of neat-python: inputs are -1, -2, ..., outputs 0, 1, ..., hidden nodes follow. A node's value is
activation(bias + response * aggregation(weight * source, ...)) over its enabled connections.

A network is written for kernels as float32: the first layer (a row of inputs per unit or, as columns, of units per
input), a bias per unit, the weights among units (a row of sources per unit), the activation of each unit, and the unit
of each output. Responses are part of the weights.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import expit

from sparring.errors import UserError, cut, cut_text
from sparring.kernel.launch import share_out, threads_available
from sparring.kernel.network import ACTIVATIONS, SIGMOID, other_activation
from sparring.kernel.records import records
from sparring.nets.graph import count_units, express, run_networks

Node = np.dtype(
    [
        ("key", np.int32),
        ("bias", np.float32),
        ("response", np.float32),
        ("activation", np.int32),
        ("aggregation", np.int32),
    ],
    align=True,
)
Link = np.dtype(
    [
        ("source", np.int32),
        ("target", np.int32),
        ("innovation", np.int32),
        ("enabled", np.int32),
        ("weight", np.float32),
    ],
    align=True,
)
AGGREGATIONS = ("sum", "mean")
# What a genome may have, so that its network fits into memory.
MOST_HIDDEN = 4096  # nodes that are no outputs: no learner offers more hidden units
MOST_LINKS = 1 << 20
MOST_WEIGHTS = 1 << 26  # numbers of a network
FEW = 60_000  # genes that one thread has mutated before a second has started


@dataclass(frozen=True)
class Genome:
    """One genome: its nodes sorted by key (outputs and hidden ones), its connections by source and target."""

    inputs: int
    outputs: int
    nodes: np.ndarray
    links: np.ndarray

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """The network's outputs: the plain formula, for people and for checks."""
        known = {-1 - i: float(x) for i, x in enumerate(inputs)}
        return np.array([self._value(key, known) for key in range(self.outputs)])

    def _value(self, key: int, known: dict[int, float]) -> float:
        if key not in known:
            node = self.nodes[np.searchsorted(self.nodes["key"], key)]
            incoming = self.links[(self.links["target"] == key) & (self.links["enabled"] != 0)]
            parts = [float(link["weight"]) * self._value(int(link["source"]), known) for link in incoming]
            total = sum(parts) / (max(1, len(parts)) if AGGREGATIONS[node["aggregation"]] == "mean" else 1)
            known[key] = activated(int(node["activation"]), float(node["bias"]) + float(node["response"]) * total)
        return known[key]

    def tensors(self) -> dict[str, np.ndarray]:
        """The genes as plain arrays by name, as files keep them."""
        nodes = {f"nodes.{name}": np.ascontiguousarray(self.nodes[name]) for name in Node.names or ()}
        return nodes | {f"links.{name}": np.ascontiguousarray(self.links[name]) for name in Link.names or ()}

    @classmethod
    def of_tensors(cls, tensors: dict[str, np.ndarray], inputs: int, outputs: int, place: str = "genome") -> "Genome":
        """Back from `tensors`; a UserError that begins with `place` where something is missing or of the wrong kind."""
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
        """Hidden nodes, whether the network needs them or not."""
        return len(self.nodes) - self.outputs

    @property
    def enabled(self) -> int:
        """Enabled connections."""
        return int((self.links["enabled"] != 0).sum())


def activated(code: int, x: float) -> float:
    """A unit's value of its sum, in double precision."""
    return float(expit(min(max(5.0 * x, -60.0), 60.0)) if code == SIGMOID else other_activation(code, x))


@dataclass
class Genomes:
    """Many genomes side by side: a row of nodes and one of links each, of which the first so many count."""

    nodes: np.ndarray
    links: np.ndarray
    node_count: np.ndarray
    link_count: np.ndarray

    @classmethod
    def empty(cls, count: int, nodes: int, links: int) -> "Genomes":
        """Empty genomes with room for so many nodes and links each."""
        return cls(
            np.zeros((count, nodes), Node),
            np.zeros((count, links), Link),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
        )

    def __len__(self) -> int:
        return len(self.nodes)

    def parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """As kernels want them."""
        return records(self.nodes), records(self.links), self.node_count, self.link_count

    def take(self, rows: np.ndarray) -> "Genomes":
        """Copies of some of them, without needless room."""
        nodes, links = self.node_count[rows], self.link_count[rows]
        return Genomes(
            chosen(self.nodes, rows, nodes.max(initial=1)),
            chosen(self.links, rows, links.max(initial=1)),
            nodes,
            links,
        )

    def each(self, threads: int | None, work: Callable[[int, int], Any], least: int = 0) -> None:
        """Let threads do `work(first, last)` on all rows from `least` on."""
        spread((len(self), self.nodes.shape[1] + self.links.shape[1]), threads, work, least)

    def genome(self, row: int, inputs: int, outputs: int) -> Genome:
        """One of them."""
        return Genome(
            inputs,
            outputs,
            self.nodes[row, : self.node_count[row]].copy(),
            self.links[row, : self.link_count[row]].copy(),
        )


def chosen(table: np.ndarray, rows: np.ndarray, width: int) -> np.ndarray:
    """The beginnings of some rows of a table, copied as whole numbers: NumPy copies records one by one."""
    part = table.dtype.itemsize // 4
    return np.ascontiguousarray(table.view(np.int32)[rows, : part * width]).view(table.dtype)


def spread(
    shape: tuple[int, ...], threads: int | None, work: Callable[[int, int], Any], least: int = 0, times: float = 1.0
) -> None:
    """Let threads do `work(first, last)` on all rows of a table from `least` on; one does it all where there is little to do.

    `times` is how often the work goes through a row.
    """
    rows = shape[0] - least
    wanted = (threads or threads_available()) if rows * shape[1] * times > FEW else 1

    def run(chunks: Iterator[tuple[int, int]]) -> None:
        with np.errstate(over="ignore"):
            for first, last in chunks:
                work(least + first, least + last)

    share_out(rows, max(1, rows if wanted == 1 else -(-rows // (8 * wanted))), wanted, run)


def network_size(inputs: int, outputs: int, units: Any) -> Any:
    """The numbers that a network of so many units takes."""
    return inputs * units + 2 * units + units * units + outputs


def express_all(
    genomes: Genomes, inputs: int, outputs: int, input_major: bool, threads: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The networks of all genomes in one array of weights, the units of each, and where each begins."""
    units = np.zeros(len(genomes), np.int64)
    scratch = 2 * genomes.nodes.shape[1]

    def count(first: int, last: int) -> None:
        count_units(genomes.parts(), first, last, outputs, units, np.empty(scratch, np.int64))

    genomes.each(threads, count)
    sizes = network_size(inputs, outputs, units)
    offsets = np.cumsum(sizes) - sizes
    weights = np.empty(int(sizes.sum()), np.float32)

    def write(first: int, last: int) -> None:
        shape, room = (inputs, outputs), np.empty(scratch, np.int64)
        express(genomes.parts(), first, last, shape, input_major, weights, units, offsets, room)

    genomes.each(threads, write)
    return weights, units, offsets


def express_one(genome: Genome, input_major: bool) -> tuple[np.ndarray, int]:
    """One genome's network and its number of units."""
    single = Genomes(
        genome.nodes[None], genome.links[None], np.array([len(genome.nodes)]), np.array([len(genome.links)])
    )
    weights, units, _ = express_all(single, genome.inputs, genome.outputs, input_major, 1)
    return weights, int(units[0])


def all_values(
    genomes: Genomes, inputs: int, outputs: int, cases: np.ndarray, threads: int | None = None
) -> np.ndarray:
    """The outputs of all genomes' networks for each row of `cases`: (genomes, cases, outputs)."""
    weights, units, offsets = express_all(genomes, inputs, outputs, False, threads)
    out = np.empty((len(genomes), len(cases), outputs), np.float32)
    told, scratch = cases.astype(np.float32), int(units.max())

    def run(first: int, last: int) -> None:
        run_networks(weights, units, offsets, first, last, inputs, outputs, told, out, np.empty(scratch, np.float32))

    genomes.each(threads, run)
    return out


def check(genome: Genome, place: str) -> None:
    """Refuse a genome that no network can be made of; the message begins with `place`."""
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
            yield f"{words}: nothing leads into an input"
        if source < -genome.inputs:
            yield f"{words}: there is no input {source}; inputs are -1 to {-genome.inputs}"
        for key in (source, target):
            if key >= 0 and key not in known:
                yield f"{words}: there is no node {key}"
        if (source, target) in seen:
            yield f"{words} is there twice"
        seen.add((source, target))
    for name in ("bias", "response"):
        for key in genome.nodes["key"][~np.isfinite(genome.nodes[name])]:
            yield f"node {key}: its {name} is not a number"
    yield from _link_faults(genome.links)
    if cycle := _cycle(sorted(seen)):
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
        ordered = sorted(keys)
        twice = next((key for key, after in pairwise(ordered) if key == after), None)
        yield "nodes are not sorted by key" if twice is None else f"node {twice} is there twice"
    for key in keys[:1]:
        if key < 0:
            yield f"node {key}: keys of nodes are 0 or more"
    for name, codes in (("activation", ACTIVATIONS), ("aggregation", AGGREGATIONS)):
        for node in genome.nodes[(genome.nodes[name] < 0) | (genome.nodes[name] >= len(codes))]:
            yield f"node {node['key']}: unknown {name} {node[name]}; must be from 0 to {len(codes) - 1}"


def _cycle(links: list[tuple[int, int]]) -> list[int]:
    """A cycle as a list of nodes that ends where it began, at the smallest; or nothing."""
    after: dict[int, list[int]] = {}
    for source, target in links:
        after.setdefault(source, []).append(target)
    done: set[int] = set()
    for start in after:
        path, on_path, ways = [start], {start}, [iter(after[start])]
        while ways:
            step = next(ways[-1], None)
            if step is None:
                done.add(path[-1])
                on_path.remove(path.pop())
                ways.pop()
            elif step in on_path:
                round_trip = path[path.index(step) :]
                least = round_trip.index(min(round_trip))
                return [*round_trip[least:], *round_trip[:least], round_trip[least]]
            elif step not in done:
                path.append(step)
                on_path.add(step)
                ways.append(iter(after.get(step, [])))
    return []
