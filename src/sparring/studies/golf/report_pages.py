"""The figures of the golf study's report, with bands over trials."""

from collections.abc import Mapping, Sequence

from sparring.arena.statistics import mean_interval
from sparring.games.golf import WORST
from sparring.report import plots
from sparring.report.page import Page
from sparring.report.runs import add_replay
from sparring.studies.golf.measured import Curves, Measured
from sparring.studies.golf.published import INPUTS, NEAT, TITLES, average

OTHERS = {"training": "training opponent", "benchmark": "random"}
TRAINING = (  # figure, setting, measure, its name
    (5, "training", "score", "mean score"),
    (6, "benchmark", "score", "mean score"),
    (7, "training", "matches_per_game", "matches per game"),
    (8, "benchmark", "matches_per_game", "matches per game"),
    (10, "training", "rounds_ended", "share of rounds ended"),
    (11, "benchmark", "rounds_ended", "share of rounds ended"),
)
GENERATION = "generation"
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
    "mean hidden nodes": "population.mean.hidden_nodes",
    "species": "population.species",
}


def add_scores(page: Page, found: Measured) -> None:
    """Scores against random, ours and published."""
    rows = []
    for name in (*INPUTS, *NEAT):
        ours = mean_interval(found.against_random[name][:, 0])
        rows.append((TITLES[name], ours.value, ours.low, ours.high))
    theirs = {TITLES[name]: average(name) for name in (*INPUTS, *NEAT)}
    page.figure(
        plots.dots("Mean score against random", rows, theirs, "score"),
        "The mean score of every input against random: ours with its interval over trials, the published one as a cross.",
    )


def add_training(page: Page, found: Measured) -> None:
    """Figures 5 to 11."""
    for number, setting, measure, words in TRAINING:
        other = OTHERS[setting]
        lines = {"player": f"{setting}.player.{measure}", other: f"{setting}.opponent.{measure}"}
        if measure == "rounds_ended":
            lines["stalemate"] = f"{setting}.player.stalemates"
        items = _panels({name: found.curves[name] for name in INPUTS}, lines)
        caption = (
            f"As Figure {number}: {words} of the player and of {other} during training, with 95% bands over trials."
        )
        page.panels(f"{words.capitalize()} against {other}", items, words, caption)
        if number == 8:
            _add_cards(page, found, INPUTS, 9, "epoch")


def add_neat(page: Page, found: Measured) -> None:
    """Figures 12 to 17, and what the study only mentions: turns, rounds ended, hidden nodes and species."""
    curves = {name: found.curves[name] for name in NEAT}

    def add(items: list[plots.Panel], title: str, words: str, caption: str) -> None:
        page.panels(title, items, words, f"{caption}; 95% bands over trials.", GENERATION)

    fitness = {label: f"population.{kind}.fitness" for label, kind in (("lowest", "highest"), ("highest", "lowest"))}
    scores = [
        (title, steps, {label: WORST - line for label, line in lines.items()})
        for title, steps, lines in _panels(curves, fitness | {"mean": "population.mean.fitness"})
    ]
    caption = "As Figure 12: the lower of the two scores when a network plays itself, from which fitness is computed"
    add(
        scores,
        "Scores in the population",
        "lower score of a game",
        f"{caption}: lowest, highest and mean of a generation",
    )
    for measure, words, begins in POPULATION:
        lines = {kind: f"population.{kind}.{measure}" for kind in SUMMARIES}
        caption = f"{begins} when networks play themselves: a generation's fittest, least fit, mean, highest and lowest"
        add(_panels(curves, lines), f"{words.capitalize()} in the population", words, caption)
    for number, measure, words in BENCHMARK:
        lines = {"best": f"benchmark.player.{measure}", "random": f"benchmark.opponent.{measure}"}
        caption = f"As Figure {number}: {words} of each generation's best and of random in ten games"
        add(_panels(curves, lines), f"{words.capitalize()} against random", words, caption)
        if number == 15:
            _add_cards(page, found, NEAT, 16, GENERATION)
    add(_panels(curves, SIZES), "Hidden nodes and species", "number", "Hidden nodes of networks, and species")


def _panels(curves: Mapping[str, Curves], lines: Mapping[str, str]) -> list[plots.Panel]:
    """A panel per input, with these curves by label."""
    return [
        (TITLES[name], steps, {label: values[key] for label, key in lines.items()})
        for name, (steps, values) in curves.items()
    ]


def _add_cards(page: Page, found: Measured, names: Sequence[str], number: int, unit: str) -> None:
    """Figures 9 and 16."""
    steps, first = found.curves[names[0]]
    labels = found.runs[names[0]].game.rules.labels["cards"]
    stacks = [(TITLES[name], found.curves[name][1]["benchmark.player.cards"].mean(axis=0)) for name in names]
    stacks.append(("random", first["benchmark.opponent.cards"].mean(axis=0)))
    data = {unit: steps} | {
        f"{title}: {label}": shares[:, i] for title, shares in stacks for i, label in enumerate(labels)
    }
    page.figure(
        plots.stacked("Cards in final hands", steps, stacks, labels, unit),
        f"As Figure {number}: frequency of cards in final hands against random, mean over trials.",
        data,
    )


FIGURES = {
    "Scores against random": (add_scores,),
    "Training by coevolution": (add_training,),
    "Training by NEAT": (add_neat,),
    "A round of the coevolved champion": (lambda page, found: add_replay(page, found.runs["hand"]),),
    "A round of NEAT's champion": (lambda page, found: add_replay(page, found.runs["neat-hand"]),),
}
