"""Seconds per generation of NEAT's genetics, without any game."""

import time

import numpy as np

from sparring.learn.neat.options import NeatOptions
from sparring.learn.neat.population import Population

SIZES = ((150, 198, 1), (100, 36, 4))  # genomes, inputs, outputs
MANY = (10_000, 36, 4)
WARM, MEASURED, ROUNDS = 5, 5, 3  # generations before the measured ones, measured generations, rounds


def genetics_figures() -> dict[str, float]:
    """Seconds per generation at three sizes; of the smaller ones the median of several rounds, after one that compiles."""
    rounds = {size: [Genetics(size).seconds(MEASURED) for _ in range(1 + ROUNDS)][1:] for size in SIZES}
    figures = {figure(size): float(np.median(seconds)) for size, seconds in rounds.items()}
    return figures | {figure(MANY): Genetics(MANY).seconds(3)}


def figure(size: tuple[int, int, int]) -> str:
    """A figure's name."""
    return f"neat.genetics_seconds_per_generation.{size[0]}_genomes_{size[1]}_inputs"


def settings(genomes: int) -> NeatOptions:
    """The default settings, with stagnation so long that no species dies out."""
    return NeatOptions(pop_size=genomes, max_stagnation=1000)


class Genetics:
    """A population with random fitness."""

    def __init__(self, size: tuple[int, int, int]) -> None:
        genomes, inputs, outputs = size
        self.population = Population(settings(genomes), inputs, outputs, 1)
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
