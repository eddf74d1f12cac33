"""The golf study's report: every table, the claims, and the figures' counterparts with bands over trials."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sparring.arena.statistics import mean_interval
from sparring.papers import Table
from sparring.papers.golf.measured import Measured
from sparring.papers.golf.published import AGAINST_RANDOM, INPUTS, TITLES
from sparring.report import plots
from sparring.report.page import Page
from sparring.report.runs import Curves, add_replay, footer

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
        "Golf by coevolution, re-run",
        "After “Playing a Game of Cards using Neuroevolution” (2019): published figures beside ours",
    )
    page.text(
        f"{found.trials} trials per input of {found.budget.epochs} epochs each (the study had 5), "
        f"{found.budget.pairs} pairs of games per champion and opponent. Intervals are 95%."
    )
    *rest, claims = tables
    page.heading("Claims")
    claims.add_to(page)
    page.heading("Scores against random")
    page.figure(
        _dots(found),
        "Every input's mean score against random: ours with its interval over trials, published as a cross.",
    )
    page.heading("Training")
    _add_training(page, found)
    page.heading("A round")
    add_replay(page, found.runs["hand"])
    page.heading("Tables")
    for table in rest:
        table.add_to(page)
    page.footer(footer(found.seed))
    page.write(path)


def _dots(found: Measured) -> "Figure":
    rows = []
    for name in INPUTS:
        ours = mean_interval(found.against_random[name][:, 0])
        rows.append((TITLES[name], ours.value, ours.low, ours.high))
    return plots.dots(
        "Mean score against random",
        rows,
        {TITLES[n]: float(np.mean(AGAINST_RANDOM[n], axis=0)[0]) for n in INPUTS},
        "score",
    )


def _add_training(page: Page, found: Measured) -> None:
    """Figures 5 to 11, with bands over trials."""
    curves = {name: run.training().curves() for name, run in found.runs.items()}
    for number, setting, measure, words in PANELS:
        _add_panels(page, curves, number, setting, measure, words)
        if number == 8:
            _add_cards(page, found, curves)


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


def _add_cards(page: Page, found: Measured, curves: dict[str, Curves]) -> None:
    epochs, hand = curves["hand"]
    labels = found.runs["hand"].game.labels["cards"]
    stacks = [(TITLES[name], values["benchmark.player.cards"].mean(axis=0)) for name, (_, values) in curves.items()]
    stacks.append(("random", hand["benchmark.opponent.cards"].mean(axis=0)))
    data = {"epoch": epochs} | {
        f"{title}: {label}": shares[:, i] for title, shares in stacks for i, label in enumerate(labels)
    }
    page.figure(
        plots.stacked("Cards in final hands", epochs, stacks, labels),
        "As Figure 9: frequency of cards in final hands against random, mean over trials.",
        data,
    )
