"""The report: claims, how many runs have solved it by each generation, tables."""

from pathlib import Path

import numpy as np

from sparring.report import plots
from sparring.report.page import Page
from sparring.report.runs import footer
from sparring.studies import Table
from sparring.studies.xor.measured import STOCK_GENERATIONS, Measured, Runs

SHOWN = 150  # generations


def write_page(found: Measured, tables: list[Table], path: Path) -> None:
    """Write the report as one HTML file."""
    page = Page(
        "Exclusive or by NEAT, re-run",
        "After Stanley and Miikkulainen, “Evolving Neural Networks through Augmenting Topologies” (2002): published "
        "figures beside ours",
    )
    page.text(
        f"{found.runs} runs of the experiment and of each ablation, a population of 150 in each, up to {found.budget.generations} "
        "generations. Intervals are 95%."
    )
    *rest, claims = tables
    page.heading("Claims")
    claims.add_to(page)
    page.heading("Runs that have solved it")
    add_solved(page, "By generation, whole and without its parts", found.variants, min(SHOWN, found.budget.generations))
    add_solved(page, "neat-python's example, by either program", found.stock, STOCK_GENERATIONS)
    page.heading("Tables")
    for table in rest:
        table.add_to(page)
    page.footer(footer(found.seed))
    page.write(path)


def add_solved(page: Page, title: str, kinds: dict[str, Runs], most: int) -> None:
    """The share of runs that have solved it, generation by generation."""
    generations = np.arange(most + 1)
    lines = {name: solved_by(runs, generations) for name, runs in kinds.items()}
    items = [("", generations, lines)]
    page.figure(
        plots.panels(title, items, "share of runs", "generation"),
        f"{title}: share of runs that have solved it, with 95% bands.",
        plots.panel_numbers(items, "generation"),
    )


def solved_by(runs: Runs, generations: np.ndarray) -> np.ndarray:
    """For every run and generation, 1 if it was solved by then."""
    return (runs.solved[:, None] & (runs.generations[:, None] <= generations)).astype(float)
