"""The figures of the report: the share of runs that solved the problem by each generation."""

import numpy as np

from sparring.report.page import Page
from sparring.studies.xor.measured import HIDDEN_POLES, PROGRAM, STOCK_GENERATIONS, STOCK_XOR, XOR, Measured, Runs
from sparring.studies.xor.settings import VARIANTS

SOLVED_SECTION = "Solved runs by generation"
SHOWN = 200  # generations


def add_all(page: Page, found: Measured) -> None:
    """Every kind of run, by task."""
    poles = {name: found.runs[name] for name in (*VARIANTS, PROGRAM)}
    stock = {name: runs for name, runs in found.runs.items() if name.startswith(STOCK_XOR)}
    add_solved(page, "Exclusive or", {"NEAT": found.runs[XOR]}, SHOWN)
    add_solved(page, "Two poles with velocities: full NEAT and its ablations", poles, SHOWN)
    add_solved(page, "Two poles without velocities", {"NEAT": found.runs[HIDDEN_POLES]}, SHOWN)
    add_solved(page, "neat-python's example for exclusive or, by either program", stock, STOCK_GENERATIONS)


def add_solved(page: Page, title: str, kinds: dict[str, Runs], most: int) -> None:
    """The share of solved runs, generation by generation."""
    generations = np.arange(most + 1)
    items = [("", generations, {name: solved_by(runs, generations) for name, runs in kinds.items()})]
    page.panels(title, items, "share of runs", f"{title}: share of solved runs, with 95% bands.", "generation")


def solved_by(runs: Runs, generations: np.ndarray) -> np.ndarray:
    """For every run and generation, 1 if the run was solved by then."""
    return (runs.solved[:, None] & (runs.generations[:, None] <= generations)).astype(float)


FIGURES = {SOLVED_SECTION: (add_all,)}
