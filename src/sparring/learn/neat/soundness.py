"""The check of NEAT's checkpoints: genomes must describe networks, and species must exist.

Kernels search nodes and connections by their order, and follow connections to their end. Genomes from a file are
therefore checked gene by gene, all genomes of a population at once.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sparring.kernel.network import ACTIVATIONS
from sparring.learn.checkpoints import COUNT, Damaged, Numbers, check_numbers, shown
from sparring.learn.neat.beginning import possible_links
from sparring.learn.neat.options import LARGEST
from sparring.learn.neat.structure import GAINED_LINKS, GAINED_NODES
from sparring.nets.genome import AGGREGATIONS, Link, Node

if TYPE_CHECKING:
    from sparring.learn.neat.training import NeatTraining

Arrays = Mapping[str, np.ndarray]
MEDIAN = re.compile(r"recorded/(population|rivals)\.median\.fitness")
KEYS = 2**30  # of nodes and innovations: 32 bits hold twice as many
COUNTERS = ("generation", "next id", "next species", "innovation", "node")


def check_training(training: "NeatTraining", step: int, arrays: Arrays) -> None:
    """Raise Damaged for arrays that a training cannot have after `step` generations."""
    expected = training.expected(step)
    first = {name: arrays[name] for name in ("solved",) if name in arrays}  # the others depend on it
    check_numbers(first, {"solved": expected["solved"]})
    links = len(possible_links(training.options, training.inputs, training.outputs))
    sides = [
        Side(training, f"{t}/{side}/", step, int(solved), arrays, links)
        for t, solved in enumerate(arrays["solved"])
        for side in range(training.sides)
    ]
    for side in sides:
        expected |= side.expected()
    # Versions before 0.9 recorded no median.
    shape = training.trials, training.steps
    expected |= {name: Numbers.reals(*shape) for name in arrays if step and MEDIAN.fullmatch(name)}
    check_numbers(arrays, expected)
    for side in sides:
        side.check()


def length(arrays: Arrays, name: str) -> int:
    """The length of a list of numbers; 0 for anything else, which another check reports."""
    return len(arrays[name]) if name in arrays and arrays[name].ndim == 1 else 0


@dataclass(frozen=True)
class Side:
    """The part of a checkpoint about one population of a trial: its genomes, the best so far, and those of the last generations."""

    training: "NeatTraining"
    place: str  # the beginning of its arrays' names
    step: int
    solved: int
    arrays: Arrays
    first_links: int  # the most connections of an initial genome

    @property
    def judged(self) -> int:
        """Generations that have played."""
        return self.step if self.solved < 0 else self.solved + 1

    @property
    def generation(self) -> int:
        return min(self.step, self.training.steps - 1) if self.solved < 0 else self.solved

    @property
    def ended(self) -> bool:
        """Whether no generation follows this one."""
        return self.solved >= 0 or self.step == self.training.steps

    def array(self, name: str) -> np.ndarray:
        return self.arrays[self.place + name]

    def kept(self) -> Iterator[str]:
        """The beginnings of single genomes' names."""
        if self.judged:
            yield "best/"
        for word in ("hall", "partner")[: self.training.sides]:
            for k in range(min(self.judged, self.training.options.hall)):
                yield f"{word}/{k}/"

    def expected(self) -> dict[str, Numbers]:
        """The types, shapes and ranges of its arrays."""
        found = self._population()
        for place in self.kept():
            found |= self._genes(f"{place}nodes.", f"{place}links.")
        if self.judged:
            found |= {"best/fitness": Numbers.reals(1), "best/when": Numbers.counts(2)}
        return {self.place + name: numbers for name, numbers in found.items()}

    def _population(self) -> dict[str, Numbers]:
        options = self.training.options
        count = options.pop_size if options.exact_size else max(1, length(self.arrays, f"{self.place}population/ids"))
        species = min(count, max(1, length(self.arrays, f"{self.place}population/species.ids")))
        whole = {"counters": Numbers.counts(len(COUNTERS)), "ids": Numbers.counts(count).within(1, COUNT)}
        whole |= {"parents": Numbers.counts(count, 2), "places": Numbers.counts(count).within(0, species - 1)}
        whole["fitness"] = replace(Numbers.reals(count), gaps=not self.ended)
        whole["species.ids"] = Numbers.counts(species).within(1, COUNT)
        for name in ("created", "last_improved"):
            whole[f"species.{name}"] = Numbers.counts(species).within(0, self.generation)
        whole["species.best_fitness"] = replace(Numbers.reals(species), least=-np.inf)
        for name, rows in (("genomes", count), ("representatives", species)):
            whole |= {f"{name}.node_count": Numbers.counts(rows), f"{name}.link_count": Numbers.counts(rows)}
            whole |= self._genes(f"{name}.node.", f"{name}.link.", "population/")
        return {f"population/{name}": numbers for name, numbers in whole.items()}

    def _genes(self, nodes: str, links: str, within: str = "") -> dict[str, Numbers]:
        """The properties of genes whose names begin so, for any number of genes."""
        ranges = {
            nodes: {"key": (0, KEYS), "bias": (-LARGEST, LARGEST), "response": (-LARGEST, LARGEST),
                    "activation": (0, len(ACTIVATIONS) - 1), "aggregation": (0, len(AGGREGATIONS) - 1)},
            links: {"source": (-self.training.inputs, KEYS), "target": (0, KEYS), "innovation": (1, KEYS),
                    "enabled": (0, 1), "weight": (-LARGEST, LARGEST)},
        }  # fmt: skip
        found: dict[str, Numbers] = {}
        for (place, fields), kind in zip(ranges.items(), (Node, Link), strict=True):
            count = length(self.arrays, f"{self.place}{within}{place}{next(iter(fields))}")
            found |= {place + name: Numbers(kind[name], (count,), *fields[name]) for name in fields}
        return found

    def check(self) -> None:
        """Raise Damaged for arrays that are within their ranges but contradict each other."""
        generation, next_id, next_species, innovation, node = self.array("population/counters").tolist()
        ids, species = self.array("population/ids"), self.array("population/species.ids")
        places = self.array("population/places")
        faults = {
            "is of another generation": generation != self.generation,
            "has too many innovations": innovation > KEYS or node > KEYS,
            "has ids out of order": not rising(ids, next_id),
            "has parents that never existed": (self.array("population/parents") >= next_id).any(),
            "has species out of order": not rising(species, next_species),
            "has an empty species": not np.bincount(places, minlength=len(species)).all(),
            "has a fitness before its games": not (self.ended or np.isnan(self.array("population/fitness")).all()),
        }
        for fault, found in faults.items():
            if found:
                raise Damaged(f"{shown(self.place + 'population')} {fault}")
        for name in ("genomes", "representatives"):
            at, last = f"population/{name}.", (node, innovation)
            counts = self.array(f"{at}node_count"), self.array(f"{at}link_count")
            self._check_genes(f"{at}node.", f"{at}link.", counts, last)
        for place in self.kept():
            keys, sources = self.array(f"{place}nodes.key"), self.array(f"{place}links.source")
            counts = np.array([len(keys)]), np.array([len(sources)])
            self._check_genes(f"{place}nodes.", f"{place}links.", counts, (KEYS, KEYS))

    def _check_genes(
        self, nodes: str, links: str, counts: tuple[np.ndarray, np.ndarray], last: tuple[int, int]
    ) -> None:
        """Raise Damaged for genomes that describe no network, or that have grown faster than genomes can.

        `counts` are the nodes and connections of each; `last` are the last key of a node and the last innovation number.
        """
        training, (node_count, link_count) = self.training, counts
        most_nodes = training.outputs + training.options.num_hidden + GAINED_NODES * self.generation
        keys, sources = self.array(f"{nodes}key"), self.array(f"{links}source")
        small = (node_count >= training.outputs).all() and (node_count <= most_nodes).all()
        small = small and (link_count <= self.first_links + GAINED_LINKS * self.generation).all()
        if not small or node_count.sum() != len(keys) or link_count.sum() != len(sources):
            raise Damaged(f"{shown(self.place + nodes)} has too many or too few genes")
        if keys.max() > last[0] or self.array(f"{links}innovation").max(initial=0) > last[1]:
            raise Damaged(f"{shown(self.place + nodes)} has genes with numbers of the future")
        fault = graph_fault(keys, sources, self.array(f"{links}target"), counts, training.outputs)
        if fault:
            raise Damaged(f"{shown(self.place + nodes)} has {fault}")


def rising(ids: np.ndarray, end: int) -> bool:
    """Whether ids ascend and are below an end."""
    return bool((np.diff(ids) > 0).all() and ids[-1] < end)


def graph_fault(
    keys: np.ndarray, sources: np.ndarray, targets: np.ndarray, counts: tuple[np.ndarray, np.ndarray], outputs: int
) -> str:
    """The fault of the graphs of consecutive genomes, in a few words; empty if there is none."""
    node_count, link_count = counts
    genomes = np.arange(len(node_count)) << 32  # a node is identified by its genome and its key
    nodes, owner = np.repeat(genomes, node_count) + keys, np.repeat(genomes, link_count)
    ends_of_outputs = np.cumsum(node_count) - node_count + outputs - 1
    if (np.diff(nodes) <= 0).any() or (keys[ends_of_outputs] != outputs - 1).any():
        return "nodes out of order, or lacks an output"
    before, after = owner + sources, owner + targets
    later = np.diff(before)
    if ((later < 0) | ((later == 0) & (np.diff(after) <= 0))).any():
        return "connections out of order"
    inner = sources >= 0
    if not np.isin(after, nodes).all() or not np.isin(before[inner], nodes).all():
        return "a connection to a missing node"
    ways = np.searchsorted(nodes, before[inner]), np.searchsorted(nodes, after[inner])
    graph = coo_array((np.ones(len(ways[0]), np.int8), ways), shape=(len(nodes), len(nodes)))
    alone = connected_components(graph, connection="strong", return_labels=False) == len(nodes)
    return "" if alone and (ways[0] != ways[1]).all() else "connections that form a cycle"
