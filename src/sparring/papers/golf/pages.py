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
from sparring.report.runs import add_replay, footer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OTHERS = {"training": "training opponent", "benchmark": "random"}
PANELS = (  # figure, setting, measure, its name
    (5, "training", "score", "mean score"),
    (6, "benchmark", "score", "mean score"),
    (7, "training", "matches_per_game", "matches per game"),
    (8, "benchmark", "matches_per_game", "matches per game"),
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
    _add_table(page, claims)
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
        _add_table(page, table)
    page.footer(footer(found.seed))
    page.write(path)


def _add_table(page: Page, table: Table) -> None:
    page.table(table.header, table.rows, f"{table.title}. {table.caption}".strip(), table.verdicts)


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
    curves = {name: run.training().curves() for name, run in found.runs.items()}
    for number, setting, measure, words in PANELS:
        items = [
            (
                TITLES[name],
                epochs,
                {
                    "player": lines[f"{setting}.player.{measure}"],
                    OTHERS[setting]: lines[f"{setting}.opponent.{measure}"],
                },
            )
            for name, (epochs, lines) in curves.items()
        ]
        data = {
            k: v
            for title, epochs, lines in items
            for k, v in plots.numbers(epochs, {f"{title}: {n}": a for n, a in lines.items()}).items()
        }
        page.figure(
            plots.panels(f"{words.capitalize()} against {OTHERS[setting]}", items, words),
            f"As Figure {number}: {words} of the player and of {OTHERS[setting]} during training, with 95% bands over trials.",
            data,
        )
    epochs = curves["hand"][0]
    labels = found.runs["hand"].game.labels["cards"]
    stacks = [(TITLES[name], lines["benchmark.player.cards"].mean(axis=0)) for name, (_, lines) in curves.items()]
    stacks.append(("random", curves["hand"][1]["benchmark.opponent.cards"].mean(axis=0)))
    page.figure(
        plots.stacked("Cards in final hands", epochs, stacks, labels),
        "As Figure 9: frequency of cards in final hands against random.",
    )
    for number, setting in ((10, "training"), (11, "benchmark")):
        items_ = [
            (
                TITLES[name],
                {
                    "player": lines[f"{setting}.player.rounds_ended"].mean(axis=0),
                    OTHERS[setting]: lines[f"{setting}.opponent.rounds_ended"].mean(axis=0),
                    "stalemate": lines[f"{setting}.player.stalemates"].mean(axis=0),
                },
            )
            for name, (_, lines) in curves.items()
        ]
        page.figure(
            plots.rounds(f"Rounds ended, against {OTHERS[setting]}", epochs, items_, "share of rounds"),
            f"As Figure {number}: who ended the rounds during training, and how many were stopped.",
        )
