"""The figures of the report: the share of runs that solved the problem by each generation."""

import numpy as np

from sparring.report.page import Page
from sparring.studies.xor.measured import STOCK_GENERATIONS, Measured, Runs

SOLVED_SECTION = "Solved runs by generation"
SHOWN = 200  # generations


def add_poles(page: Page, found: Measured) -> None:
    """NEAT and its ablations, and the versions of the task."""
    add_solved(page, "Two poles with velocities: full NEAT and its ablations", found.poles, SHOWN)
    add_solved(page, "Two poles without velocities", {"NEAT": found.hidden}, SHOWN)


def add_xor(page: Page, found: Measured) -> None:
    """Exclusive or, and neat-python's example of it."""
    add_solved(page, "Exclusive or", {"NEAT": found.xor}, SHOWN)
    add_solved(page, "neat-python's example for exclusive or, by either program", found.stock, STOCK_GENERATIONS)


def add_solved(page: Page, title: str, kinds: dict[str, Runs], most: int) -> None:
    """The share of solved runs, generation by generation."""
    generations = np.arange(most + 1)
    items = [("", generations, {name: solved_by(runs, generations) for name, runs in kinds.items()})]
    page.panels(title, items, "share of runs", f"{title}: share of solved runs, with 95% bands.", "generation")


def solved_by(runs: Runs, generations: np.ndarray) -> np.ndarray:
    """For every run and generation, 1 if the run was solved by then."""
    return (runs.solved[:, None] & (runs.generations[:, None] <= generations)).astype(float)


FIGURES = {SOLVED_SECTION: (add_xor, add_poles)}
