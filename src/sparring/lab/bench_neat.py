"""Seconds that a generation of NEAT's genetics takes, without any game, beside neat-python's in the same run."""

import contextlib
import io
import random
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.players import find_players
from sparring.games import find_game
from sparring.lab.bench import speed
from sparring.learn.neat.config import config_text
from sparring.learn.neat.options import NeatOptions
from sparring.learn.neat.population import Population

SIZES = ((150, 198, 1), (100, 36, 4))  # genomes, inputs, outputs
MANY = (10_000, 36, 4)
WARM, MEASURED, ROUNDS = 5, 5, 3  # generations before the measured ones, these; alternations of the two programs


def neat_figures(seconds: float) -> dict[str, float]:
    """Genetics alone, and how fast conquest, which is played by it, is."""
    figures, game = genetics_figures(), find_game("conquest")
    for player in ("random", "greedy"):
        players = find_players(game, [player, player])
        figures[f"conquest.{player}_games_per_second.one_core"] = speed(game, players, 1, seconds)[0]
    return figures


def genetics_figures() -> dict[str, float]:
    """Seconds a generation at the two sizes and at ten thousand genomes."""
    figures: dict[str, float] = {}
    for size in SIZES:
        name = f"neat.genetics_seconds_per_generation.{size[0]}_genomes_{size[1]}_inputs"
        ours, theirs = alternating(size)
        figures[name] = ours
        if theirs:
            figures |= {f"neat-python.{name.removeprefix('neat.')}": theirs, f"{name}.times_faster": theirs / ours}
    many = Ours(MANY)
    figures[f"neat.genetics_seconds_per_generation.{MANY[0]}_genomes_{MANY[1]}_inputs"] = many.seconds(3)
    return figures


def alternating(size: tuple[int, int, int]) -> tuple[float, float]:
    """Seconds a generation of ours and of neat-python's (0 where it is not installed), in turns.

    Both begin anew each time and are measured over the same generations: species grow more with time, and cost it.
    """
    Ours(size)  # compiles
    theirs = find_spec("neat") is not None
    pairs = [(Ours(size).seconds(MEASURED), Theirs(size).seconds(MEASURED) if theirs else 0.0) for _ in range(ROUNDS)]
    first, second = np.median(pairs, axis=0)
    return float(first), float(second)


class Ours:
    """Our genetics on fitness that means nothing."""

    def __init__(self, size: tuple[int, int, int]) -> None:
        genomes, inputs, outputs = size
        self.population = Population(options_of(genomes), inputs, outputs, 1)
        self.dice = np.random.default_rng(1)
        self.seconds(WARM)

    def seconds(self, generations: int) -> float:
        """The mean over so many generations."""
        spent = 0.0
        for _ in range(generations):
            self.population.fitness[:] = self.dice.random(len(self.population.fitness))
            began = time.perf_counter()
            self.population.reproduce()
            spent += time.perf_counter() - began
        return spent / generations


class Theirs:
    """neat-python's, on the same configuration."""

    def __init__(self, size: tuple[int, int, int]) -> None:
        import neat

        genomes, inputs, outputs = size
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "neat.ini"
            path.write_text(config_text(options_of(genomes), inputs, outputs))
            kinds = neat.DefaultGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation
            self.config: Any = neat.Config(*kinds, str(path))
        with contextlib.redirect_stdout(io.StringIO()):
            self.population = neat.Population(self.config, seed=1)
        self.dice = random.Random(1)
        self.seconds(WARM)

    def seconds(self, generations: int) -> float:
        """The mean over so many generations."""
        population, spent = self.population, 0.0
        for _ in range(generations):
            for genome in population.population.values():
                genome.fitness = self.dice.random()
            began = time.perf_counter()
            population.population = population.reproduction.reproduce(
                self.config, population.species, self.config.pop_size, population.generation
            )
            population.species.speciate(self.config, population.population, population.generation)
            spent += time.perf_counter() - began
            population.generation += 1
        return spent / generations


def options_of(genomes: int) -> NeatOptions:
    """The conquest study's settings, with no dying out of species."""
    return NeatOptions(pop_size=genomes, max_stagnation=1000)
