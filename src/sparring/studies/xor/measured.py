"""Runs of exclusive or: how many generations they take and what they find."""

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
from sparring.studies import Watch
from sparring.studies.study_cache import Kept
from sparring.studies.xor.settings import STOCK, VARIANTS

INPUTS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)
ANSWERS = np.array([0.0, 1.0, 1.0, 0.0])
STOCK_GENERATIONS = 300
NEAT_PYTHON, OURS = "neat-python", "sparring"


@dataclass(frozen=True)
class Budget:
    """How much to spend."""

    runs: int  # of the experiment and of each ablation
    generations: int  # after which a run has failed
    stock_runs: int  # of neat-python's example, with ours
    their_runs: int  # with neat-python's


BUDGETS = {
    "quick": Budget(20, 200, 20, 2),
    "paper": Budget(100, 500, 100, 20),
    "deep": Budget(1000, 500, 1000, 100),
}


@dataclass(frozen=True)
class Runs:
    """What came of many runs of one kind."""

    generations: np.ndarray  # until solved, or all there were
    solved: np.ndarray
    hidden: np.ndarray  # nodes of the solution
    connections: np.ndarray  # its enabled ones
    species: np.ndarray  # in the last generation
    seconds: np.ndarray  # of one core

    @classmethod
    def told(cls, rows: list[dict[str, Any]]) -> "Runs":
        return cls(*(np.array([row[name] for row in rows]) for name in cls.__dataclass_fields__))

    def __len__(self) -> int:
        return len(self.generations)


@dataclass(frozen=True)
class Measured:
    """Everything the tables, claims and figures are made of."""

    budget: Budget
    runs: int
    seed: int
    folder: Path
    variants: dict[str, Runs]
    stock: dict[str, Runs]  # by program

    @property
    def full(self) -> Runs:
        """The experiment itself."""
        return self.variants["full"]


def measure(budget: Budget, runs: int, seed: int, folder: Path, watch: Watch) -> Measured:
    """Do whatever has not been done yet."""
    work = Kept(seed, folder / f"{runs}-runs", None, watch)
    variants = {
        name: kept_runs(work, name, runs, partial(solve, options, budget.generations, question=with_bias, judge=sides))
        for name, options in VARIANTS.items()
    }
    ours = partial(solve, STOCK, STOCK_GENERATIONS, question=plain, judge=squares)
    stock = {OURS: kept_runs(work, f"stock-{OURS}", budget.stock_runs, ours)}
    if importlib.util.find_spec("neat"):
        stock[NEAT_PYTHON] = kept_runs(work, f"stock-{NEAT_PYTHON}", budget.their_runs, solve_with_neat_python)
    return Measured(budget, runs, seed, work.folder, variants, stock)


def kept_runs(work: Kept, name: str, count: int, run: Callable[[int], dict[str, Any]]) -> Runs:
    """So many runs, each with a seed of its own; kept in tens, since a run is short."""
    rows: list[dict[str, Any]] = []
    with work.watch.games_bar(name, "runs") as progress:
        for first in range(0, count, 10):
            numbers = range(first, min(first + 10, count))

            def make(numbers: range = numbers) -> list[dict[str, Any]]:
                return [run(derive(work.seed, name, number) % 2**32) for number in numbers]

            rows += work.kept(f"{name.replace(', ', '-').replace(' ', '-')}-{first:03d}-{len(numbers)}", make)
            progress(len(rows), count)
    return Runs.told(rows)


# Two ways to put the question: with a bias as the first input, as the paper does, or with biases of nodes.


def with_bias() -> np.ndarray:
    return np.hstack([np.ones((4, 1)), INPUTS])


def plain() -> np.ndarray:
    return INPUTS


# And two to judge the answers: each gives the fitness of every genome and who has solved it.


def sides(outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The paper's: the squared distance from being all wrong; solved if every answer is on the right side of a half."""
    fitness = (4 - np.abs(outputs - ANSWERS).sum(axis=1)) ** 2
    return fitness, ((outputs >= 0.5) == (ANSWERS > 0.5)).all(axis=1)


def squares(outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """neat-python's: 4 less the squared errors; solved at its threshold."""
    fitness = 4 - ((outputs - ANSWERS) ** 2).sum(axis=1)
    return fitness, fitness >= STOCK.fitness_threshold


def solve(
    options: NeatOptions,
    generations: int,
    seed: int,
    question: Callable[[], np.ndarray],
    judge: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
) -> dict[str, Any]:
    """One run: generations until a genome solves it."""
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
    """One run of neat-python on its own example, evaluated as the example does it."""
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
    random.setstate(before)  # neat-python draws from Python's own numbers
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
    """neat-python's example as it reads it."""
    return config_text(replace(STOCK, no_fitness_termination=False), 2, 1)
