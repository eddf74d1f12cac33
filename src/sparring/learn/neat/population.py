"""A population of genomes that evolves, generation by generation. Its fitness is set from outside."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.kernel.random import derive
from sparring.kernel.records import records
from sparring.learn.neat.beginning import first_genomes
from sparring.learn.neat.crossover import cross_all
from sparring.learn.neat.innovation import empty_table
from sparring.learn.neat.mutation import mutate_genes
from sparring.learn.neat.options import NeatOptions, check_neat
from sparring.learn.neat.reproduction import Plan, fitting, planned
from sparring.learn.neat.settings import settings
from sparring.learn.neat.species import Speciation, Species
from sparring.learn.neat.stagnation import survivors
from sparring.learn.neat.structure import GAINED_LINKS, GAINED_NODES, restructure
from sparring.nets.genome import Genome, Genomes, Link, Node

GENOMES = ("ids", "parents", "fitness", "places")
SPECIES = ("ids", "created", "last_improved", "best_fitness")  # arrays of a checkpoint


class Extinct(UserError):
    """The last species has died out."""


class Population:
    """Genomes and their species: set `fitness` and call `reproduce` for every generation.

    The result depends only on the options and the seed, not on threads.
    """

    def __init__(self, options: NeatOptions, inputs: int, outputs: int, seed: int, threads: int | None = None) -> None:
        check_neat(options)
        self.options, self.inputs, self.outputs, self.seed, self.threads = options, inputs, outputs, seed, threads
        self.settings = settings(options)
        self.speciation = Speciation(options, self.settings, inputs, outputs, threads)
        self.generation = 0
        self.counters = np.array([0, outputs + options.num_hidden - 1])  # last innovation number, last key of a node
        self.next_id = 1
        self._begin(Species.none())

    def _begin(self, before: Species) -> None:
        """Create a new population."""
        stream = derive(self.seed, "neat", self.generation)
        self.genomes, self.counters[0] = first_genomes(
            self.options, self.settings, self.inputs, self.outputs, stream, int(self.counters[0]), self.threads
        )
        self.ids = self.next_id + np.arange(len(self.genomes))
        self.next_id += len(self.genomes)
        self.parents = np.zeros((len(self.genomes), 2), np.int64)  # ids; 0 for none
        self._divide(before)

    def _divide(self, before: Species) -> None:
        self.records, self.places = self.speciation.divide(before, self.genomes, self.generation)
        self.fitness = np.full(self.size, np.nan)

    @property
    def size(self) -> int:
        """Genomes in this generation."""
        return len(self.genomes)

    @property
    def species(self) -> np.ndarray:
        """The id of every genome's species."""
        return np.asarray(self.records.ids[self.places])

    @property
    def best(self) -> int:
        """The row of the fittest genome."""
        return int(self.fitness.argmax())

    @property
    def solved(self) -> bool:
        """Whether the fitness reaches the threshold of the options."""
        if self.options.no_fitness_termination:
            return False
        return float(getattr(self.fitness, self.options.fitness_criterion)()) >= self.options.fitness_threshold

    def genome(self, row: int) -> Genome:
        """One genome."""
        return self.genomes.genome(row, self.inputs, self.outputs)

    def reproduce(self) -> None:
        """Replace this generation by the next: stagnation, reproduction, speciation."""
        if not np.isfinite(self.fitness).all():
            raise ValueError("every genome must have a fitness that is a finite number")
        order = np.argsort(self.places, kind="stable")
        members = np.split(order, np.cumsum(np.bincount(self.places))[:-1])
        going_on = survivors(self.records, members, self.fitness, self.generation, self.options)
        going_on = fitting(going_on, self.options)
        if not going_on:
            self._die_out()
            return
        self.generation += 1
        self._bear(planned([members[place] for place in going_on], self.fitness, self.ids, self.options))
        self._divide(self.records.only(np.array(going_on)))

    def _die_out(self) -> None:
        if not self.options.reset_on_extinction:
            fault = f"all species have died out, none improved for {self.options.max_stagnation} generations"
            remedy = "raise max_stagnation or species_elitism, or set reset_on_extinction to true"
            raise Extinct(f"generation {self.generation}: {fault}; {remedy}")
        self.generation += 1
        self._begin(Species.none(self.records.next_id))

    def _bear(self, plan: Plan) -> None:
        """Create the next generation's genomes: elites, followed by children."""
        old, elites, children = self.genomes, len(plan.elites), len(plan.pool_first)
        widths = (int(old.node_count.max()) + GAINED_NODES, int(old.link_count.max()) + GAINED_LINKS)
        new = Genomes.empty(elites + children, *widths, old.recurrent)
        kept = old.take(plan.elites)
        new.nodes[:elites, : kept.nodes.shape[1]] = kept.nodes
        new.links[:elites, : kept.links.shape[1]] = kept.links
        new.node_count[:elites], new.link_count[:elites] = kept.node_count, kept.link_count
        rows = np.zeros((elites + children, 2), np.int64)
        stream = np.uint64(derive(self.seed, "neat", self.generation))

        def cross(first: int, last: int) -> None:
            pools = plan.ranked, plan.pool_first, plan.pool_count
            cross_all(old.parts(), new.parts(), (first, last, elites), pools, self.fitness, self.settings, stream, rows)

        def mutate(first: int, last: int) -> None:
            mutate_genes(new.parts(), first, last, self.settings, stream)

        new.each(self.threads, cross, elites)
        with np.errstate(over="ignore"):
            innovations = records(empty_table(children)), self.counters
            limits, sizes = (elites, elites + children), (self.inputs, self.outputs)
            scratch = np.zeros(2 * widths[0], np.int64)
            restructure(new.parts(), limits, sizes, self.settings, stream, innovations, scratch)
        new.each(self.threads, mutate, elites)
        self.parents = np.concatenate([self.parents[plan.elites], self.ids[rows[elites:]]])
        self.ids = np.concatenate([self.ids[plan.elites], self.next_id + np.arange(children)])
        self.next_id += children
        self.genomes = new

    # Checkpoints.

    def arrays(self) -> dict[str, np.ndarray]:
        """The state of the population as plain arrays."""
        species = self.records
        return {
            "counters": np.array([self.generation, self.next_id, species.next_id, *self.counters]),
            **{name: getattr(self, name) for name in GENOMES},
            **{f"species.{name}": getattr(species, name) for name in SPECIES},
            **packed("genomes", self.genomes),
            **packed("representatives", species.representatives),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Return to the state that `arrays` returned."""
        self.generation, self.next_id, next_species, *counters = (int(n) for n in arrays["counters"])
        self.counters = np.array(counters)
        self.ids, self.parents, self.fitness, self.places = (arrays[name].copy() for name in GENOMES)
        self.genomes = unpacked("genomes", arrays)
        self.genomes.recurrent = not self.options.feed_forward
        species: dict[str, Any] = {name: arrays[f"species.{name}"].copy() for name in SPECIES}
        self.records = Species(**species, representatives=unpacked("representatives", arrays), next_id=next_species)


def packed(name: str, genomes: Genomes) -> dict[str, np.ndarray]:
    """Genomes as one plain array per attribute, genome after genome."""
    found = {f"{name}.node_count": genomes.node_count, f"{name}.link_count": genomes.link_count}
    both = ("node", genomes.nodes, genomes.node_count), ("link", genomes.links, genomes.link_count)
    for kind, genes, counts in both:
        real = genes[np.arange(genes.shape[1]) < counts[:, None]]
        found |= {f"{name}.{kind}.{field}": np.ascontiguousarray(real[field]) for field in genes.dtype.names or ()}
    return found


def unpacked(name: str, arrays: Mapping[str, np.ndarray]) -> Genomes:
    """The genomes of which `packed` made arrays."""
    counts = [arrays[f"{name}.{kind}_count"].copy() for kind in ("node", "link")]
    tables = []
    for kind, dtype, count in (("node", Node, counts[0]), ("link", Link, counts[1])):
        table = np.zeros((len(count), max(1, int(count.max(initial=1)))), dtype)
        real = np.arange(table.shape[1]) < count[:, None]
        for field in dtype.names or ():
            table[field][real] = arrays[f"{name}.{kind}.{field}"]
        tables.append(table)
    return Genomes(*tables, *counts)
