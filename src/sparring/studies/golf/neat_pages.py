"""The golf study's figures of NEAT, with bands over trials; and of cards in final hands, for both algorithms."""

from collections.abc import Sequence

import numpy as np

from sparring.games.golf import WORST
from sparring.report import plots
from sparring.report.page import Page
from sparring.studies.golf.measured import Curves, Measured
from sparring.studies.golf.published import NEAT, TITLES

UNIT = "generation"
SUMMARIES = ("best", "worst", "mean", "highest", "lowest")
POPULATION = (
    ("matches_per_game", "matches per game", "As Figure 14: matches"),
    ("turns_per_round", "turns per round", "Turns per round"),
    ("rounds_ended", "share of rounds ended", "Rounds ended"),
)
BENCHMARK = (
    (13, "score", "mean score"),
    (15, "matches_per_game", "matches per game"),
    (17, "rounds_ended", "share of rounds ended"),
)
SIZES = {
    "hidden nodes of the best": "population.best.hidden_nodes",
    "hidden nodes on average": "population.mean.hidden_nodes",
    "species": "population.species",
}


def add_neat(page: Page, found: Measured) -> None:
    """Figures 12 to 17, and what the study only mentions: turns, rounds ended, hidden nodes and species."""
    _add_scores(page, found)
    for measure, words, begins in POPULATION:
        lines = {kind: f"population.{kind}.{measure}" for kind in SUMMARIES}
        caption = (
            f"{begins} when nets play themselves: of each generation's fittest and least fit, mean, highest and lowest"
        )
        _add_panels(page, found, lines, f"{words.capitalize()} in the population", words, caption)
    for number, measure, words in BENCHMARK:
        lines = {"best": f"benchmark.player.{measure}", "random": f"benchmark.opponent.{measure}"}
        caption = f"As Figure {number}: {words} of each generation's best and of random, who meet in ten games"
        _add_panels(page, found, lines, f"{words.capitalize()} against random", words, caption)
        if number == 15:
            add_cards(page, found, NEAT, 16, UNIT)
    _add_panels(page, found, SIZES, "Hidden nodes and species", "number", "Hidden nodes of nets, and species")


def _add_scores(page: Page, found: Measured) -> None:
    """Figure 12: the lower score of a game with itself, from which fitness is made."""
    kinds = {"lowest": "highest", "highest": "lowest", "average": "mean"}
    items = []
    for name in NEAT:
        generations, values = found.curves[name]
        lines = {label: WORST - values[f"population.{kind}.fitness"] for label, kind in kinds.items()}
        items.append((TITLES[name], generations, lines))
    _add_figure(
        page,
        items,
        "Scores in the population",
        "lower score of a game",
        "As Figure 12: the lower of the two scores when a net plays itself, from which its fitness is made: lowest, highest "
        "and average of each generation",
    )


def _add_panels(page: Page, found: Measured, lines: dict[str, str], title: str, words: str, caption: str) -> None:
    items = []
    for name in NEAT:
        generations, values = found.curves[name]
        items.append((TITLES[name], generations, {label: values[key] for label, key in lines.items()}))
    _add_figure(page, items, title, words, caption)


def _add_figure(page: Page, items: list[plots.Panel], title: str, words: str, caption: str) -> None:
    figure = plots.panels(title, items, words, UNIT)
    page.figure(figure, f"{caption}; 95% bands over trials.", plots.panel_numbers(items, UNIT))


def add_cards(page: Page, found: Measured, names: Sequence[str], number: int, unit: str) -> None:
    """Figures 9 and 16."""
    steps, first = found.curves[names[0]]
    labels = found.runs[names[0]].game.rules.labels["cards"]
    stacks = [(TITLES[name], _cards(found.curves[name], "player")) for name in names]
    stacks.append(("random", _cards((steps, first), "opponent")))
    data = {unit: steps} | {
        f"{title}: {label}": shares[:, i] for title, shares in stacks for i, label in enumerate(labels)
    }
    page.figure(
        plots.stacked("Cards in final hands", steps, stacks, labels, unit),
        f"As Figure {number}: frequency of cards in final hands against random, mean over trials.",
        data,
    )


def _cards(curves: Curves, side: str) -> np.ndarray:
    shares: np.ndarray = curves[1][f"benchmark.{side}.cards"].mean(axis=0)
    return shares
