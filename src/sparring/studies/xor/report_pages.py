"""The figures of the report: the share of runs that solved the problem by each generation."""

import numpy as np

from sparring.report.page import Page
from sparring.studies.xor.measured import STOCK_GENERATIONS, Measured, Runs

SOLVED_SECTION = "Solved runs by generation"
SHOWN = 150  # generations


def add_ablations(page: Page, found: Measured) -> None:
    """NEAT and its ablations."""
    add_solved(page, "Full NEAT and its ablations", found.variants, min(SHOWN, found.budget.generations))


def add_stock(page: Page, found: Measured) -> None:
    """neat-python's example."""
    add_solved(page, "neat-python's example, by either program", found.stock, STOCK_GENERATIONS)


def add_solved(page: Page, title: str, kinds: dict[str, Runs], most: int) -> None:
    """The share of solved runs, generation by generation."""
    generations = np.arange(most + 1)
    items = [("", generations, {name: solved_by(runs, generations) for name, runs in kinds.items()})]
    page.panels(title, items, "share of runs", f"{title}: share of solved runs, with 95% bands.", "generation")


def solved_by(runs: Runs, generations: np.ndarray) -> np.ndarray:
    """For every run and generation, 1 if the run was solved by then."""
    return (runs.solved[:, None] & (runs.generations[:, None] <= generations)).astype(float)


FIGURES = {SOLVED_SECTION: (add_ablations, add_stock)}
