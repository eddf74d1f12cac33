"""Runs of the paper's two experiments and of its ablations: evaluations until a solution, and the network that solves it."""

import contextlib
import importlib.util
import io
import random
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.launch import threads_available
from sparring.kernel.network import ACTIVATIONS
from sparring.kernel.random import derive
from sparring.learn.neat.config import config_text
from sparring.learn.neat.double_pole import LONG, SHORT, START, WITH, WITHOUT, balance, starting_states
from sparring.learn.neat.options import NeatOptions
from sparring.learn.neat.population import Population
from sparring.nets.genome import AGGREGATIONS, Genomes, all_values
from sparring.studies.study import Measurement
from sparring.studies.study_cache import StudyCache
from sparring.studies.xor.published import GENERALISING
from sparring.studies.xor.settings import PAPER, POLES, STOCK, VARIANTS

INPUTS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)
ANSWERS = np.array([0.0, 1.0, 1.0, 0.0])
STOCK_GENERATIONS, THEIR_GENERATIONS = 300, 100  # of neat-python's example, and of neat-python without velocities
XOR, HIDDEN_POLES, STOCK_XOR, PROGRAM = "exclusive or", "without velocities", "stock", "full, start of the program"
HIDDEN_PROGRAM = f"{HIDDEN_POLES}, start of the program"
MANY = ("full", "no mating", "full, rare mutation", "no mating, rare mutation")  # as often as the experiments
THEIRS = ", neat-python"  # after the name of its runs
TOGETHER = 2  # runs that are cached together


@dataclass(frozen=True)
class Budget:
    """What to run."""

    trials: int  # runs of exclusive or, of both versions of two poles, and of NEAT without mating
    ablations: int  # runs of the other ablations
    generations: int  # after which a run with two poles has failed
    their_runs: int  # by neat-python; a tenth of them without velocities


BUDGETS = {
    "quick": Budget(20, 5, 200, 2),
    "paper": Budget(100, 40, 1000, 20),
    "deep": Budget(1000, 100, 1000, 100),
}


@dataclass(frozen=True)
class Runs:
    """The results of many runs of one kind, one element per run."""

    generations: np.ndarray  # until solved, or the limit
    solved: np.ndarray
    evaluations: np.ndarray  # networks evaluated until then
    hidden: np.ndarray  # nodes of the solution
    connections: np.ndarray  # its enabled connections
    general: np.ndarray  # starting states of the generalisation test that it solves
    species: np.ndarray  # in the last generation
    seconds: np.ndarray  # on one core

    @classmethod
    def from_rows(cls, rows: list[dict[str, Any]]) -> "Runs":
        return cls(*(np.array([row[name] for row in rows]) for name in cls.__dataclass_fields__))

    def __len__(self) -> int:
        return len(self.generations)

    def of_solved(self, name: str) -> np.ndarray:
        """A measure of the solved runs."""
        return np.asarray(getattr(self, name)[self.solved], float)


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    runs: dict[str, Runs]  # by name; neat-python's only if it is installed


class StudyRuns(StudyCache[Budget]):
    """The study's runs."""

    def repeated(self, name: str, count: int, run: Callable[[int], dict[str, Any]], alone: bool = False) -> Runs:
        """Runs with seeds of their own, in threads or, `alone`, in processes."""
        rows: list[dict[str, Any]] = []

        def some(first: int) -> Any:
            numbers = range(first, min(first + TOGETHER, count))
            seeds = [derive(self.seed, name, number) % 2**32 for number in numbers]
            place = f"{name.replace(', ', '-').replace(' ', '-')}-{first:03d}-{len(numbers)}"
            return self.cached(place, lambda: [make(seed) for seed in seeds])

        workers = self.threads or threads_available()
        with (
            self.watch.games_bar(name, "runs") as progress,
            ProcessPoolExecutor(workers, get_context("spawn")) if alone else contextlib.nullcontext() as processes,
            ThreadPoolExecutor(workers) as threads,
        ):
            make = (lambda seed: processes.submit(run, seed).result()) if processes else run
            for found in threads.map(some, range(0, count, TOGETHER)):
                rows += found
                progress(len(rows), count)
        return Runs.from_rows(rows)


def measure(cache: StudyRuns, trials: int) -> Measured:
    """Run whatever has not been run yet."""
    runs, budget = cache.within(f"{trials}-runs"), cache.budget
    limit, their = budget.generations, min(trials, budget.their_runs)
    plan = {
        XOR: ((EXCLUSIVE_OR, PAPER, limit), trials),
        **{name: ((SEEN, options, limit), min(trials, budget.ablations)) for name, options in VARIANTS.items()},
        **{name: ((SEEN, VARIANTS[name], limit), trials) for name in MANY},
        PROGRAM: ((NEARER, PAPER, limit), trials),
        HIDDEN_POLES: ((HIDDEN, POLES, limit), trials),
        HIDDEN_PROGRAM: ((HIDDEN_NEARER, POLES, limit), trials),
        STOCK_XOR: ((STOCK_TASK, STOCK, STOCK_GENERATIONS), trials),
    }
    found = {name: runs.repeated(name, count, partial(solve, *run)) for name, (run, count) in plan.items()}
    if importlib.util.find_spec("neat"):
        theirs = {
            STOCK_XOR: ((STOCK_TASK, STOCK, STOCK_GENERATIONS), their),
            "full": ((SEEN, replace(PAPER, min_species_size=2), limit), their),
            HIDDEN_POLES: ((HIDDEN, replace(POLES, min_species_size=2), THEIR_GENERATIONS), -(-their // 10)),
        }
        for name, (run, count) in theirs.items():
            solve_theirs = partial(solve_with_neat_python, *run)
            found[name + THEIRS] = runs.repeated(name + THEIRS, count, solve_theirs, alone=True)
    return Measured(budget, trials, runs.seed, runs.folder, found)


# Tasks.


class Verdict(NamedTuple):
    """The fitness of every genome, which of them solve the task, and how many starting states the solution solves."""

    fitness: np.ndarray
    solved: np.ndarray
    general: int = 0


Pick = Callable[[np.ndarray], int]  # the genome to test, given the fitness of all


class Task(NamedTuple):
    """A task: the number of inputs, and a function that judges a generation."""

    inputs: int
    judge: Callable[[Genomes, Pick], Verdict]


def sides(outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The paper's judgment of exclusive or: the squared distance from all wrong; solved on the right sides of 0.5."""
    fitness = (4 - np.abs(outputs - ANSWERS).sum(axis=1)) ** 2
    return fitness, ((outputs >= 0.5) == (ANSWERS > 0.5)).all(axis=1)


def squares(outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """neat-python's: 4 minus the squared errors; solved at its threshold."""
    fitness = 4 - ((outputs - ANSWERS) ** 2).sum(axis=1)
    return fitness, fitness >= STOCK.fitness_threshold


def judge_answers(cases: np.ndarray, rule: Callable[..., Any], genomes: Genomes, pick: Pick) -> Verdict:
    return Verdict(*rule(all_values(genomes, cases.shape[1], 1, cases, 1)[:, :, 0].astype(float)))


def judge_seen(start: np.ndarray, genomes: Genomes, pick: Pick) -> Verdict:
    """Two poles with velocities: the fitness is the time in balance, up to 100,000 steps."""
    steps = balance(genomes, WITH, LONG, start).steps
    return Verdict(steps.astype(float), steps >= LONG)


def judge_hidden(start: np.ndarray, genomes: Genomes, pick: Pick) -> Verdict:
    """Two poles without velocities: Gruau's fitness; one genome is tested for 100,000 steps and from 625 states."""
    fitness = balance(genomes, WITHOUT, SHORT, start).gruau()
    row, general = pick(fitness), 0
    tested = genomes.take(np.array([row]))
    if balance(tested, WITHOUT, LONG, start).steps[0] >= LONG:
        general = int((balance(tested, WITHOUT, SHORT, starting_states()).steps >= SHORT).sum())
    return Verdict(fitness, (np.arange(len(genomes)) == row) & (general >= GENERALISING), general)


EXCLUSIVE_OR = Task(3, partial(judge_answers, np.hstack([np.ones((4, 1)), INPUTS]), sides))  # the first input is a bias
STOCK_TASK = Task(2, partial(judge_answers, INPUTS, squares))
SEEN, HIDDEN = Task(7, partial(judge_seen, START)), Task(4, partial(judge_hidden, START))
PROGRAM_START = np.array([0, 0, 0.07, 0, 0, 0])  # of the authors' program
NEARER, HIDDEN_NEARER = Task(7, partial(judge_seen, PROGRAM_START)), Task(4, partial(judge_hidden, PROGRAM_START))


# Programs.


def solve(task: Task, options: NeatOptions, generations: int, seed: int) -> dict[str, Any]:
    """One run: generations until a genome solves the task."""
    began = time.thread_time()
    population = Population(options, task.inputs, 1, seed, threads=1)
    while True:
        verdict = task.judge(population.genomes, partial(improved_champion, population))
        population.fitness = verdict.fitness
        if verdict.solved.any() or population.generation == generations:
            break
        population.reproduce()
    counted = population.generation, len(population.records), time.thread_time() - began
    return outcome(verdict, population.genomes, *counted)


def improved_champion(population: Population, fitness: np.ndarray) -> int:
    """The champion of the fittest species that has improved, else of the fittest of all."""
    best = np.full(len(population.records), -np.inf)
    np.maximum.at(best, population.places, fitness)
    improved = best > population.records.best_fitness
    return int(np.where(improved[population.places] | ~improved.any(), fitness, -np.inf).argmax())


def outcome(verdict: Verdict, genomes: Genomes, generation: int, species: int, seconds: float) -> dict[str, Any]:
    """What is kept of a run: the fittest genome that solves the task, or the fittest of all."""
    solved = bool(verdict.solved.any())
    row = int(np.where(verdict.solved | (not solved), verdict.fitness, -np.inf).argmax())
    best = genomes.genome(row, 1, 1)
    return {
        "generations": generation,
        "solved": solved,
        "evaluations": generation * len(genomes) + (int(verdict.solved.argmax()) + 1 if solved else len(genomes)),
        "hidden": best.hidden,
        "connections": best.enabled,
        "general": verdict.general,
        "species": species,
        "seconds": seconds,
    }


class Solved(Exception):
    """Ends a run of neat-python."""


def solve_with_neat_python(task: Task, options: NeatOptions, generations: int, seed: int) -> dict[str, Any]:
    """One run of neat-python with the same options, as far as it has them; our kernels evaluate its networks.

    A run fails where neat-python stops with an error, because its species do not fit into the population.
    """
    import neat

    verdicts: list[tuple[Verdict, Genomes]] = []

    def evaluate(genomes: Any, config: Any) -> None:
        ours = converted([genome for _, genome in genomes], not options.feed_forward)
        verdicts[:] = [(task.judge(ours, lambda fitness: int(fitness.argmax())), ours)]
        for (_, genome), fitness in zip(genomes, verdicts[0][0].fitness.tolist(), strict=True):
            genome.fitness = fitness
        if verdicts[0][0].solved.any():
            raise Solved

    before, began = random.getstate(), time.thread_time()
    with contextlib.redirect_stdout(io.StringIO()):
        population = neat.Population(their_config(options, task.inputs, 1), seed=seed)
        with contextlib.suppress(Solved, RuntimeError, neat.CompleteExtinctionException):
            population.run(evaluate, generations + 1)
    random.setstate(before)  # neat-python uses Python's global generator
    species, seconds = len(population.species.species), time.thread_time() - began
    return outcome(*verdicts[0], min(population.generation, generations), species, seconds)


def converted(genomes: list[Any], recurrent: bool = False) -> Genomes:
    """neat-python's genomes as ours."""
    most = max(len(genome.nodes) for genome in genomes), max(1, *(len(genome.connections) for genome in genomes))
    found = Genomes.empty(len(genomes), *most, recurrent)
    for row, genome in enumerate(genomes):
        found.node_count[row], found.link_count[row] = len(genome.nodes), len(genome.connections)
        for place, (key, node) in enumerate(sorted(genome.nodes.items())):
            kinds = ACTIVATIONS.index(node.activation), AGGREGATIONS.index(node.aggregation)
            found.nodes[row, place] = (key, node.bias, node.response, *kinds)
        for place, ((source, target), link) in enumerate(sorted(genome.connections.items())):
            found.links[row, place] = (source, target, link.innovation, link.enabled, link.weight)
    return found


def their_config(options: NeatOptions, inputs: int, outputs: int) -> Any:
    """Our options as neat-python's configuration."""
    import neat

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "neat.ini"
        path.write_text(config_text(options, inputs, outputs))
        kinds = neat.DefaultGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation
        return neat.Config(*kinds, str(path))
