"""Seconds per generation of NEAT's genetics, without any game, compared with neat-python in the same run."""

import contextlib
import io
import random
import time
from importlib.util import find_spec

import numpy as np

from sparring.lab.bench_neat import MEASURED, ROUNDS, SIZES, WARM, Genetics, figure, genetics_figures, settings
from sparring.studies.xor.measured import their_config


def compared_figures() -> dict[str, float]:
    """Our figures and, at the two smaller sizes, neat-python's, if it is installed."""
    figures = genetics_figures()
    for size in SIZES if find_spec("neat") else ():
        ours, theirs = alternating(size)
        name = figure(size)
        more = {f"neat-python.{name.removeprefix('neat.')}": theirs, f"{name}.times_faster": theirs / ours}
        figures |= {name: ours, **more}
    return figures


def alternating(size: tuple[int, int, int]) -> tuple[float, float]:
    """Seconds per generation of ours and of neat-python, measured alternately.

    Both start afresh each time and are measured over the same generations, because later ones have more species and
    take longer.
    """
    pairs = [(Genetics(size).seconds(MEASURED), NeatPython(size).seconds(MEASURED)) for _ in range(ROUNDS)]
    first, second = np.median(pairs, axis=0)
    return float(first), float(second)


class NeatPython:
    """neat-python with the same configuration."""

    def __init__(self, size: tuple[int, int, int]) -> None:
        import neat

        genomes, inputs, outputs = size
        self.config = their_config(settings(genomes), inputs, outputs)
        with contextlib.redirect_stdout(io.StringIO()):
            self.population = neat.Population(self.config, seed=1)
        self.rng = random.Random(1)
        self.seconds(WARM)

    def seconds(self, generations: int) -> float:
        """Mean seconds per generation."""
        population, elapsed = self.population, 0.0
        for _ in range(generations):
            for genome in population.population.values():
                genome.fitness = self.rng.random()
            began = time.perf_counter()
            population.population = population.reproduction.reproduce(
                self.config, population.species, self.config.pop_size, population.generation
            )
            population.species.speciate(self.config, population.population, population.generation)
            elapsed += time.perf_counter() - began
            population.generation += 1
        return elapsed / generations
