"""neat-python as the oracle: our options as its configuration, and its genomes as ours."""

import random
import tempfile
import warnings
from pathlib import Path

import neat
import numpy as np

from sparring.kernel.network import ACTIVATIONS
from sparring.learn.neat.config import config_text
from sparring.learn.neat.options import NeatOptions
from sparring.nets.genome import AGGREGATIONS, Genome
from sparring.studies.xor.measured import converted as converted

KINDS = (neat.DefaultGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation)


def config(options: NeatOptions, inputs: int, outputs: int) -> neat.Config:
    """The same as neat-python reads it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "neat.ini"
        path.write_text(config_text(options, inputs, outputs))
        return neat.Config(*KINDS, str(path))


class Evolution:
    """A population of neat-python's under fitness that means nothing, its numbers rounded as ours are."""

    def __init__(self, options: NeatOptions, inputs: int, outputs: int, seed: int) -> None:
        self.options, self.inputs, self.outputs = options, inputs, outputs
        self.config = config(options, inputs, outputs)
        self.dice = random.Random(seed)
        self.population = neat.Population(self.config, seed=seed)
        self.round()

    def round(self) -> None:
        for genome in self.genomes:
            for node in genome.nodes.values():
                node.bias, node.response = float(np.float32(node.bias)), float(np.float32(node.response))
            for link in genome.connections.values():
                link.weight = float(np.float32(link.weight))

    @property
    def genomes(self) -> list[neat.DefaultGenome]:
        """In the order of their ids."""
        return [genome for _, genome in sorted(self.population.population.items())]

    def reproduce(self) -> None:
        """The next generation, not yet divided into species."""
        for genome in self.genomes:
            genome.fitness = self.dice.gauss(0, 10)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.population.population = self.population.reproduction.reproduce(
                self.config, self.population.species, self.config.pop_size, self.population.generation
            )
        self.round()

    def speciate(self) -> None:
        self.population.species.speciate(self.config, self.population.population, self.population.generation)
        self.population.generation += 1

    def advance(self, generations: int) -> None:
        for _ in range(generations):
            self.reproduce()
            self.speciate()


def back(genome: Genome) -> neat.DefaultGenome:
    """Our genome as neat-python's."""
    found = neat.DefaultGenome(1)
    for node in genome.nodes:
        gene = neat.genes.DefaultNodeGene(int(node["key"]))
        gene.bias, gene.response, gene.time_constant = float(node["bias"]), float(node["response"]), 1.0
        gene.activation, gene.aggregation = ACTIVATIONS[node["activation"]], AGGREGATIONS[node["aggregation"]]
        found.nodes[gene.key] = gene
    for link in genome.links:
        ends = int(link["source"]), int(link["target"])
        connection = neat.genes.DefaultConnectionGene(ends, innovation=int(link["innovation"]))
        connection.weight, connection.enabled = float(link["weight"]), bool(link["enabled"])
        found.connections[ends] = connection
    return found
