"""The published figures of the conquest study.

"Applications of NEAT algorithm for automatic gameplay of agents in deterministic and non-deterministic game environments",
2021. It truncates fitness after one digit: 79.799 is printed as 79.7. `exact` is the value of its own formulas. `curves.csv` has
the results of every generation that its author published; rows begin with the second generation.
"""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Case(NamedTuple):
    """One of the first four trainings: its best network, and its best three where the study reports them."""

    title: str
    place: str  # its section
    generations: int  # to the end of its author's curves
    printed: float  # fitness of the best
    exact: float
    limit: int  # rounds
    rounds: tuple[int, int, int]
    hidden: int
    connections: int
    moves: tuple[int, int, int]  # production, attack, transport
    guided: int | None = None
    tiles: tuple[int, int, int] | None = None  # blue's at the end, where reported for all three


KINDS = ("production", "attack", "transport")
CASES = {
    1: Case(
        "case 1: an empty map", "section 6.1", 83, 79.7, 50 + 50 * (1 - 1140 / 5000) ** 2, 5000, (1140, 1754, 1843), 7, 150,
        (568, 43, 529), 636,
    ),
    2: Case(
        "case 2: easy red", "section 6.2", 263, 93.8, 70 + 30 * (1 - 102 / 500), 500, (102, 108, 136), 6, 114, (66, 28, 8)
    ),
    3: Case(
        "case 3: hard red", "section 6.3", 130, 93.8, 70 + 30 * (1 - 1020 / 5000), 5000, (1020, 1065, 1101), 2, 116,
        (313, 109, 598),
    ),
    4: Case(
        "case 4: deterministic red", "section 6.4", 164, 65.1, 50 * 18 / 36 + 50 * (1 - 99 / 500), 500, (99, 61, 84), 2, 137,
        (62, 31, 6), 73, (18, 15, 16),
    ),
}  # fmt: skip

# Case 5: two populations.
GENERATIONS, SPIKE_GENERATION, ROUNDS = 27, 15, 5000
END = (231, 191)  # best fitness of blue and red in the last generation
SPIKE = (414.23, 412.19)  # and at the spike
HALFWAY = (176.3, 171.89)  # of the same game, at round 2,500
# Moves of best blue and red as KINDS, by the author's results: at the end the study prints those of another game, and 481 for 489.
END_MOVES, END_ROUNDS = ((1075, 781, 3144), (1352, 398, 3132)), (5000, 4883)
SPIKE_MOVES = ((2881, 1630, 489), (2867, 1322, 810))
SIZES = ((3, 146), (3, 136))  # hidden nodes and connections at the end

# What our own settings must reach: median fitness over trials, in case 4 on deals that were not trained on.
REQUIRED = {1: 90.0, 2: 95.0, 3: 95.0, 4: 80.0}

# Measures of curves.csv, and how NEAT records them.
MEASURES = {
    "best": "best.fitness",
    "mean": "mean.fitness",
    "median": "median.fitness",
    "guided": "mean.guided",
    "wins": "mean.score",
}
FIRST_ROW = 1  # of our generations, from 0


@cache
def curves() -> dict[tuple[int, str], dict[str, np.ndarray]]:
    """The author's curves by case and side; NaN where nothing was recorded."""
    with (Path(__file__).parent / "curves.csv").open() as file:
        rows = list(csv.DictReader(file))
    found = {}
    for case, side in dict.fromkeys((row["case"], row["side"]) for row in rows):
        mine = [row for row in rows if (row["case"], row["side"]) == (case, side)]
        found[int(case), side] = {name: np.array([float(row[name] or "nan") for row in mine]) for name in MEASURES}
    return found
