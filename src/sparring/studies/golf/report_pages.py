"""The figures of the golf study's report, with bands over trials and the published levels after training."""

from collections.abc import Mapping, Sequence

import numpy as np

from sparring.arena.statistics import mean_interval
from sparring.games.golf import WORST
from sparring.report import plots
from sparring.report.page import Page
from sparring.report.runs import add_replay
from sparring.studies.golf.measured import Measured
from sparring.studies.golf.published import INPUTS, MEASURES, NEAT, TITLES, players

WORDS = {"score": "mean score", "matches_per_game": "matches per game", "rounds_ended": "share of rounds ended"}
TRAINING = {  # figures by setting and measure
    ("training", "score"): 5, ("benchmark", "score"): 6, ("training", "matches_per_game"): 7,
    ("benchmark", "matches_per_game"): 8, ("training", "rounds_ended"): 10, ("benchmark", "rounds_ended"): 11,
}  # fmt: skip
SUMMARIES = ("best", "worst", "mean", "highest", "lowest")
SIZES = {
    "hidden nodes of the best": "population.best.hidden_nodes",
    "mean hidden nodes": "population.mean.hidden_nodes",
    "species": "population.species",
}


def add_scores(page: Page, found: Measured) -> None:
    """Scores against random, ours and published."""
    ours = {name: mean_interval(found.against_random[name][:, 0]) for name in (*INPUTS, *NEAT)}
    rows = [(TITLES[name], mean.value, mean.low, mean.high) for name, mean in ours.items()]
    page.figure(
        plots.dots(
            "Mean score against random", rows, {TITLES[name]: players(name)[:, 0].mean() for name in ours}, "score"
        ),
        "The mean score of every input against random: ours with its interval over trials, the published one as a cross.",
    )


def panels(
    found: Measured, names: Sequence[str], lines: Mapping[str, str], measure: str = "", opponent: str = "random"
) -> list[plots.Panel]:
    """A panel per input with these curves by label; for a measure, the published mean after training as a level."""
    items = []
    for name in names:
        steps, values = found.curves[name]
        shown = {label: values[key] for label, key in lines.items()}
        if measure:
            level = players(name, opponent)[:, MEASURES.index(measure)].mean()
            shown["published, after training"] = np.full((1, len(steps)), level)
        items.append((TITLES[name], steps, shown))
    return items


def add_training(page: Page, found: Measured) -> None:
    """Figures 5 to 11."""
    for (setting, measure), number in TRAINING.items():
        opponent = "random" if setting == "benchmark" else "training"
        other, words = ("random" if setting == "benchmark" else "training opponent"), WORDS[measure]
        lines = {"player": f"{setting}.player.{measure}", other: f"{setting}.opponent.{measure}"}
        if measure == "rounds_ended":
            lines["stalemate"] = f"{setting}.player.stalemates"
        items = panels(found, INPUTS, lines, measure, opponent)
        caption = (
            f"As Figure {number}: {words} of the player and of {other} during training, with 95% bands over trials."
        )
        page.panels(f"{words.capitalize()} against {other}", items, words, caption)
        if number == 8:
            add_cards(page, found, INPUTS, 9, "epoch")


def add_neat(page: Page, found: Measured) -> None:
    """Figures 12 to 17, and what the study only mentions: turns, rounds ended, hidden nodes and species."""

    def add(items: list[plots.Panel], title: str, words: str, caption: str) -> None:
        page.panels(title, items, words, f"{caption}; 95% bands over trials.", "generation")

    kinds = {"lowest": "highest", "highest": "lowest", "mean": "mean"}  # scores, by kind of fitness
    items = panels(found, NEAT, {label: f"population.{kind}.fitness" for label, kind in kinds.items()})
    scores = [
        (title, steps, {label: WORST - values for label, values in lines.items()}) for title, steps, lines in items
    ]
    caption = "As Figure 12: the lower of the two scores when a network plays itself: lowest, highest and mean of a generation"
    add(scores, "Scores in the population", "lower score of a game", caption)
    for begins, measure in (("As Figure 14: m", "matches_per_game"), ("T", "turns_per_round"), ("R", "rounds_ended")):
        words = WORDS.get(measure, "turns per round")
        lines = {kind: f"population.{kind}.{measure}" for kind in SUMMARIES}
        caption = f"{begins}{measure.replace('_', ' ')[1:]} when networks play themselves: fittest, least fit, mean and extremes"
        add(panels(found, NEAT, lines), f"{words.capitalize()} in the population", words, caption)
    for number, measure in ((13, "score"), (15, "matches_per_game"), (17, "rounds_ended")):
        lines = {"best": f"benchmark.player.{measure}", "random": f"benchmark.opponent.{measure}"}
        caption = f"As Figure {number}: {WORDS[measure]} of each generation's best and of random in ten games"
        title = f"{WORDS[measure].capitalize()} against random"
        add(panels(found, NEAT, lines, measure), title, WORDS[measure], caption)
        if number == 15:
            add_cards(page, found, NEAT, 16, "generation")
    add(panels(found, NEAT, SIZES), "Hidden nodes and species", "number", "Hidden nodes of networks, and species")


def add_cards(page: Page, found: Measured, names: Sequence[str], number: int, unit: str) -> None:
    """Figures 9 and 16."""
    steps, first = found.curves[names[0]]
    labels = found.runs[names[0]].game.rules.labels["cards"]
    stacks = [(TITLES[name], found.curves[name][1]["benchmark.player.cards"].mean(axis=0)) for name in names]
    stacks.append(("random", first["benchmark.opponent.cards"].mean(axis=0)))
    columns = {f"{title}: {label}": shares[:, i] for title, shares in stacks for i, label in enumerate(labels)}
    page.figure(
        plots.stacked("Cards in final hands", steps, stacks, labels, unit),
        f"As Figure {number}: frequency of cards in final hands against random, mean over trials.",
        {unit: steps} | columns,
    )


FIGURES = {
    "Scores against random": (add_scores,),
    "Training by coevolution": (add_training,),
    "Training by NEAT": (add_neat,),
    "A round of the coevolved champion": (lambda page, found: add_replay(page, found.runs["hand"]),),
    "A round of NEAT's champion": (lambda page, found: add_replay(page, found.runs["neat-hand"]),),
}
