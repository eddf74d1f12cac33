"""Runs of exclusive or: how many generations they take, and the networks that they find."""

import contextlib
import importlib.util
import io
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sparring.kernel.random import derive
from sparring.learn.neat.config import config_text
from sparring.learn.neat.options import NeatOptions
from sparring.learn.neat.population import Population
from sparring.nets.genome import Genomes, all_values
from sparring.studies.study import Measurement
from sparring.studies.study_cache import StudyCache
from sparring.studies.xor.settings import STOCK, VARIANTS

INPUTS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)
ANSWERS = np.array([0.0, 1.0, 1.0, 0.0])
STOCK_GENERATIONS = 300
NEAT_PYTHON, OURS = "neat-python", "sparring"


@dataclass(frozen=True)
class Budget:
    """What to run."""

    trials: int  # runs of the experiment and of each ablation
    generations: int  # after which a run has failed
    stock_runs: int  # of neat-python's example, by our program
    their_runs: int  # by neat-python


BUDGETS = {
    "quick": Budget(20, 200, 20, 2),
    "paper": Budget(100, 500, 100, 20),
    "deep": Budget(1000, 500, 1000, 100),
}


@dataclass(frozen=True)
class Runs:
    """The results of many runs of one kind, one element per run."""

    generations: np.ndarray  # until solved, or the limit
    solved: np.ndarray
    hidden: np.ndarray  # nodes of the solution
    connections: np.ndarray  # its enabled connections
    species: np.ndarray  # in the last generation
    seconds: np.ndarray  # on one core

    @classmethod
    def from_rows(cls, rows: list[dict[str, Any]]) -> "Runs":
        return cls(*(np.array([row[name] for row in rows]) for name in cls.__dataclass_fields__))

    def __len__(self) -> int:
        return len(self.generations)


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    budget: Budget
    variants: dict[str, Runs]
    stock: dict[str, Runs]  # by program

    @property
    def full(self) -> Runs:
        """The experiment itself."""
        return self.variants["full"]


class StudyRuns(StudyCache[Budget]):
    """The study's runs."""

    def repeated(self, name: str, count: int, run: Callable[[int], dict[str, Any]]) -> Runs:
        """Runs with seeds of their own, cached in tens because a run is short."""
        rows: list[dict[str, Any]] = []
        with self.watch.games_bar(name, "runs") as progress:
            for first in range(0, count, 10):
                numbers = range(first, min(first + 10, count))

                def make(numbers: range = numbers) -> list[dict[str, Any]]:
                    return [run(derive(self.seed, name, number) % 2**32) for number in numbers]

                rows += self.cached(f"{name.replace(', ', '-').replace(' ', '-')}-{first:03d}-{len(numbers)}", make)
                progress(len(rows), count)
        return Runs.from_rows(rows)


def measure(cache: StudyRuns, trials: int) -> Measured:
    """Run whatever has not been run yet."""
    runs, budget = cache.within(f"{trials}-runs"), cache.budget
    variants = {
        name: runs.repeated(name, trials, partial(solve, options, budget.generations, question=with_bias, judge=sides))
        for name, options in VARIANTS.items()
    }
    ours = partial(solve, STOCK, STOCK_GENERATIONS, question=plain, judge=squares)
    stock = {OURS: runs.repeated(f"stock-{OURS}", budget.stock_runs, ours)}
    if importlib.util.find_spec("neat"):
        stock[NEAT_PYTHON] = runs.repeated(f"stock-{NEAT_PYTHON}", budget.their_runs, solve_with_neat_python)
    return Measured(budget, trials, runs.seed, runs.folder, variants, stock)


# Two forms of the inputs: with a bias as the first input, as in the paper, or without, for nodes that have biases.


def with_bias() -> np.ndarray:
    return np.hstack([np.ones((4, 1)), INPUTS])


def plain() -> np.ndarray:
    return INPUTS


# Two ways to judge the outputs: each returns the fitness of every genome, and whether it solves the problem.


def sides(outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The paper's: the squared distance from all wrong; solved if every output is on the right side of 0.5."""
    fitness = (4 - np.abs(outputs - ANSWERS).sum(axis=1)) ** 2
    return fitness, ((outputs >= 0.5) == (ANSWERS > 0.5)).all(axis=1)


def squares(outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """neat-python's: 4 minus the squared errors; solved at its threshold."""
    fitness = 4 - ((outputs - ANSWERS) ** 2).sum(axis=1)
    return fitness, fitness >= STOCK.fitness_threshold


def solve(
    options: NeatOptions,
    generations: int,
    seed: int,
    question: Callable[[], np.ndarray],
    judge: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
) -> dict[str, Any]:
    """One run: generations until a genome solves the problem."""
    began, cases = time.process_time(), question()
    population = Population(options, cases.shape[1], 1, seed, threads=1)
    while True:
        population.fitness, right = judge(outputs_of(population.genomes, cases))
        if right.any() or population.generation == generations:
            break
        population.reproduce()
    best = population.genome(
        int(np.where(right, population.fitness, -np.inf).argmax() if right.any() else population.best)
    )
    return {
        "generations": population.generation,
        "solved": bool(right.any()),
        "hidden": best.hidden,
        "connections": best.enabled,
        "species": len(population.records),
        "seconds": time.process_time() - began,
    }


def outputs_of(genomes: Genomes, cases: np.ndarray) -> np.ndarray:
    """The one output of every genome for each case."""
    values: np.ndarray = all_values(genomes, cases.shape[1], 1, cases, 1)[:, :, 0].astype(float)
    return values


def solve_with_neat_python(seed: int) -> dict[str, Any]:
    """One run of neat-python on its own example, with the example's evaluation."""
    import neat

    def evaluate(genomes: Any, config: Any) -> None:
        for _, genome in genomes:
            network = neat.nn.FeedForwardNetwork.create(genome, config)
            answers = [network.activate(case)[0] for case in INPUTS.tolist()]
            genome.fitness = 4.0 - sum((a - b) ** 2 for a, b in zip(answers, ANSWERS.tolist(), strict=True))

    before, began = random.getstate(), time.process_time()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        path = Path(folder) / "neat.ini"
        path.write_text(stock_file())
        kinds = neat.DefaultGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation
        population = neat.Population(neat.Config(*kinds, str(path)), seed=seed)
        best = population.run(evaluate, STOCK_GENERATIONS)
    random.setstate(before)  # neat-python uses Python's global generator
    nodes, connections = best.size()
    return {
        "generations": population.generation,
        "solved": bool(best.fitness >= STOCK.fitness_threshold),
        "hidden": nodes - 1,
        "connections": connections,
        "species": len(population.species.species),
        "seconds": time.process_time() - began,
    }


def stock_file() -> str:
    """The configuration file of neat-python's example."""
    return config_text(replace(STOCK, no_fitness_termination=False), 2, 1)
