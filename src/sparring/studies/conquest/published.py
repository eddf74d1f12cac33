"""The published figures of the conquest study: `study.toml`, and in `curves.csv` the author's results of every generation.

"Applications of NEAT algorithm for automatic gameplay of agents in deterministic and non-deterministic game environments",
2021.
"""

import csv
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.studies import read_data

HERE = Path(__file__).parent


class Case(NamedTuple):
    """One of the first four trainings, as `study.toml` describes it."""

    title: str
    place: str
    game: str
    opponent: str
    fitness: str
    other_fitness: list[str]
    neat: dict[str, Any]
    generations: int
    printed: float
    exact: float
    rounds: list[int]
    tiles: list[int]
    moves: list[int]
    guided: int
    hidden: int
    connections: int
    aim: float
    better: dict[str, Any]  # our own settings


DATA = read_data("conquest", "study")
CASES = {number: Case(**case) for number, case in enumerate(DATA["case"], 1)}
RIVALS = DATA["rivals"]
KINDS = ("production", "attack", "transport")

# Measures of curves.csv, and how NEAT records them. The first row is the second generation.
MEASURES = {
    "best": "best.fitness",
    "mean": "mean.fitness",
    "median": "median.fitness",
    "guided": "mean.guided",
    "wins": "mean.score",
}
FIRST_ROW = 1


@cache
def curves() -> dict[tuple[int, str], dict[str, np.ndarray]]:
    """The author's curves by case and side; NaN where nothing was recorded."""
    with (HERE / "curves.csv").open() as file:
        rows = list(csv.DictReader(file))
    found = {}
    for case, side in dict.fromkeys((row["case"], row["side"]) for row in rows):
        mine = [row for row in rows if (row["case"], row["side"]) == (case, side)]
        found[int(case), side] = {name: np.array([float(row[name] or "nan") for row in mine]) for name in MEASURES}
    return found
