"""The golf study's report: every table, the claims, and the figures' counterparts with bands over trials."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sparring.arena.statistics import mean_interval
from sparring.report import plots
from sparring.report.page import Page
from sparring.report.runs import add_replay, footer
from sparring.studies import Table
from sparring.studies.golf.measured import Curves, Measured
from sparring.studies.golf.neat_pages import add_cards, add_neat
from sparring.studies.golf.published import AGAINST_RANDOM, INPUTS, NEAT, TITLES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OTHERS = {"training": "training opponent", "benchmark": "random"}
PANELS = (  # figure, setting, measure, its name
    (5, "training", "score", "mean score"),
    (6, "benchmark", "score", "mean score"),
    (7, "training", "matches_per_game", "matches per game"),
    (8, "benchmark", "matches_per_game", "matches per game"),
    (10, "training", "rounds_ended", "share of rounds ended"),
    (11, "benchmark", "rounds_ended", "share of rounds ended"),
)


def write_page(found: Measured, tables: list[Table], path: Path) -> None:
    """Write the report as one HTML file."""
    page = Page(
        "Golf by coevolution and by NEAT, re-run",
        "After “Playing a Game of Cards using Neuroevolution” (2019): published figures beside ours",
    )
    page.text(
        f"{found.trials} trials per input of {found.budget.epochs} epochs of coevolution each (the study had 5) and of "
        f"{found.budget.generations} generations of NEAT (the study had 3), {found.budget.pairs} pairs of games per "
        "champion and opponent. Intervals are 95%."
    )
    *rest, claims = tables
    page.heading("Claims")
    claims.add_to(page)
    page.heading("Scores against random")
    page.figure(
        _dots(found),
        "Every input's mean score against random: ours with its interval over trials, published as a cross.",
    )
    page.heading("Training by coevolution")
    _add_training(page, found)
    page.heading("Training by NEAT")
    add_neat(page, found)
    page.heading("A round of the coevolved champion")
    add_replay(page, found.runs["hand"])
    page.heading("A round of NEAT's champion")
    add_replay(page, found.runs["neat-hand"])
    page.heading("Tables")
    for table in rest:
        table.add_to(page)
    page.footer(footer(found.seed))
    page.write(path)


def _dots(found: Measured) -> "Figure":
    rows = []
    for name in (*INPUTS, *NEAT):
        ours = mean_interval(found.against_random[name][:, 0])
        rows.append((TITLES[name], ours.value, ours.low, ours.high))
    return plots.dots(
        "Mean score against random",
        rows,
        {TITLES[n]: float(np.mean(AGAINST_RANDOM[n], axis=0)[0]) for n in (*INPUTS, *NEAT)},
        "score",
    )


def _add_training(page: Page, found: Measured) -> None:
    """Figures 5 to 11, with bands over trials."""
    curves = {name: found.curves[name] for name in INPUTS}
    for number, setting, measure, words in PANELS:
        _add_panels(page, curves, number, setting, measure, words)
        if number == 8:
            add_cards(page, found, INPUTS, 9, "epoch")


def _add_panels(page: Page, curves: dict[str, Curves], number: int, setting: str, measure: str, words: str) -> None:
    other = OTHERS[setting]
    items = []
    for name, (epochs, values) in curves.items():
        lines = {"player": values[f"{setting}.player.{measure}"], other: values[f"{setting}.opponent.{measure}"]}
        if measure == "rounds_ended":
            lines["stalemate"] = values[f"{setting}.player.stalemates"]
        items.append((TITLES[name], epochs, lines))
    page.figure(
        plots.panels(f"{words.capitalize()} against {other}", items, words),
        f"As Figure {number}: {words} of the player and of {other} during training, with 95% bands over trials.",
        plots.panel_numbers(items),
    )
