"""Games per second of our players and of other programs' random players, on one core and on all cores.

Everything that is compared is measured alternately in several short rounds, so that other load on the machine affects all
alike; each figure is the median of its rounds.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.queues import Queue

import numpy as np

from benchmarks.entries import ENTRIES, Entry, shape_of
from benchmarks.others import EXTERNAL, Speed
from sparring.arena.players import find_players
from sparring.kernel.launch import threads_available
from sparring.lab.bench import BATCH, speed

ROUNDS = 5
ONE, ALL = "one_core", "all_cores"


def speed_figures(seconds: float) -> tuple[dict[str, float], dict[str, str]]:
    """Games per second, and the shapes of our nets."""
    figures: dict[str, float] = {}
    nets: dict[str, str] = {}
    with process_per_core() as pool:
        for name in dict.fromkeys(entry.name for entry in ENTRIES):
            entries = [entry for entry in ENTRIES if entry.name == name]
            figures |= in_turns(ours(entries, nets) | others(name, pool), seconds)
    return figures, nets


def in_turns(measures: dict[str, Speed], seconds: float, rounds: int = ROUNDS) -> dict[str, float]:
    """The median speed of each over `seconds` in total; programs that are not installed are left out."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            value = measure(seconds / rounds)
            if value is not None:
                found[name].append(value)
    return {name: float(np.median(values)) for name, values in found.items() if values}


def ours(entries: list[Entry], nets: dict[str, str]) -> dict[str, Speed]:
    """Random players and networks of one game; adds the networks' shapes to `nets`."""
    game = entries[0].game
    sides = {"random": find_players(game, ["random"] * 2)} | {entry.figure: entry.players() for entry in entries}
    deals = {entry.figure: entry.deals for entry in entries}
    nets |= {f"{game.name}.{figure}": shape_of(sides[figure][0]) for figure in sides if figure != "random"}

    def measure(side: str, threads: int, seconds: float) -> float:
        return speed(game, sides[side], threads, seconds, deals.get(side, BATCH))[0]

    places = {ONE: 1, ALL: threads_available()}
    return {
        f"{game.name}.{side}_games_per_second.{place}": partial(measure, side, threads)
        for side in sides
        for place, threads in places.items()
    }


# Other programs.


@contextmanager
def process_per_core() -> Iterator[ProcessPoolExecutor]:
    """One process per core, bound to it: other programs hold Python's lock or start threads."""
    context = get_context("spawn")
    cores = context.Queue()
    for core in range(threads_available()):
        cores.put(core)
    with ProcessPoolExecutor(threads_available(), context, bind_to_core, (cores,)) as pool:
        yield pool


def bind_to_core(cores: "Queue[int]") -> None:
    number = cores.get()
    if hasattr(os, "sched_setaffinity"):
        own = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {own[number % len(own)]})


def others(name: str, pool: ProcessPoolExecutor) -> dict[str, Speed]:
    """Other programs that play a game, on one core and, with one process per core, on all."""
    count = threads_available()

    def measure(figure: str, processes: int, seconds: float) -> float | None:
        values = list(pool.map(external_speed, [name] * processes, [figure] * processes, [seconds] * processes))
        return None if None in values else sum(values)

    found: dict[str, Speed] = {}
    for figure in EXTERNAL.get(family(name), {}):
        measure(figure, count, 0.01)  # loads and compiles
        found[figure] = partial(measure, figure, 1)
        found[figure.replace(ONE, ALL)] = partial(measure, figure, count)
    return found


def external_speed(name: str, figure: str, seconds: float) -> float | None:
    """Runs in a process of the pool."""
    return EXTERNAL[family(name)][figure](seconds)


def family(name: str) -> str:
    """A game's name without rules."""
    return name.partition(":")[0]
