"""Seconds per generation of NEAT's genetics, without any game, compared with neat-python in the same run."""

import contextlib
import io
import random
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from sparring.learn.neat.config import config_text
from sparring.learn.neat.options import NeatOptions
from sparring.learn.neat.population import Population

SIZES = ((150, 198, 1), (100, 36, 4))  # genomes, inputs, outputs
MANY = (10_000, 36, 4)
WARM, MEASURED, ROUNDS = 5, 5, 3  # generations before the measured ones, measured generations, alternations


def genetics_figures() -> dict[str, float]:
    """Seconds per generation at the two compared sizes and at ten thousand genomes."""
    figures: dict[str, float] = {}
    for size in SIZES:
        name = f"neat.genetics_seconds_per_generation.{size[0]}_genomes_{size[1]}_inputs"
        ours, theirs = alternating(size)
        figures[name] = ours
        if theirs:
            figures |= {f"neat-python.{name.removeprefix('neat.')}": theirs, f"{name}.times_faster": theirs / ours}
    figures[f"neat.genetics_seconds_per_generation.{MANY[0]}_genomes_{MANY[1]}_inputs"] = Ours(MANY).seconds(3)
    return figures


def alternating(size: tuple[int, int, int]) -> tuple[float, float]:
    """Seconds per generation of ours and of neat-python (0 if it is not installed), measured alternately.

    Both start afresh each time and are measured over the same generations, because later ones have more species and
    take longer.
    """
    Ours(size)  # compiles
    theirs = find_spec("neat") is not None
    pairs = [(Ours(size).seconds(MEASURED), Theirs(size).seconds(MEASURED) if theirs else 0.0) for _ in range(ROUNDS)]
    first, second = np.median(pairs, axis=0)
    return float(first), float(second)


class Ours:
    """Our genetics with random fitness."""

    def __init__(self, size: tuple[int, int, int]) -> None:
        genomes, inputs, outputs = size
        self.population = Population(_options(genomes), inputs, outputs, 1)
        self.rng = np.random.default_rng(1)
        self.seconds(WARM)

    def seconds(self, generations: int) -> float:
        """Mean seconds per generation."""
        elapsed = 0.0
        for _ in range(generations):
            self.population.fitness[:] = self.rng.random(len(self.population.fitness))
            began = time.perf_counter()
            self.population.reproduce()
            elapsed += time.perf_counter() - began
        return elapsed / generations


def their_config(options: NeatOptions, inputs: int, outputs: int) -> Any:
    """Our options as neat-python's configuration."""
    import neat

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "neat.ini"
        path.write_text(config_text(options, inputs, outputs))
        kinds = neat.DefaultGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation
        return neat.Config(*kinds, str(path))


class Theirs:
    """neat-python with the same configuration."""

    def __init__(self, size: tuple[int, int, int]) -> None:
        import neat

        genomes, inputs, outputs = size
        self.config = their_config(_options(genomes), inputs, outputs)
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


def _options(genomes: int) -> NeatOptions:
    """The default settings, with stagnation so long that no species dies out."""
    return NeatOptions(pop_size=genomes, max_stagnation=1000)
