"""The conquest study's report: the claims, every section's tables, figures with bands over trials, maps and networks."""

from pathlib import Path

import numpy as np

from sparring.report import plots
from sparring.report.network import connections, draw_net, net_labels
from sparring.report.page import Page
from sparring.report.plots import Tracks
from sparring.report.runs import footer
from sparring.studies import Table
from sparring.studies.conquest import published
from sparring.studies.conquest.cases import STUDY
from sparring.studies.conquest.measured import Measured
from sparring.studies.conquest.pictures import best_trial, case_pictures, rivals_pictures
from sparring.studies.conquest.published import CASES
from sparring.studies.conquest.report_tables import BETTER_SECTION, CASES_SECTION, UNSEEN_SECTION
from sparring.studies.conquest.rival_tables import COLLUSION_SECTION, CURE_SECTION, RIVALS_SECTION

UNIT = "generation"
TITLE = "Conquest by NEAT, re-run"
SUBTITLE = (
    "After “Applications of NEAT algorithm for automatic gameplay of agents” (2021): published figures beside ours"
)


def write_page(found: Measured, tables: dict[str, list[Table]], claims: Table, path: Path) -> None:
    """Write the report as one HTML file."""
    page, told = Page(TITLE, SUBTITLE), found.budget
    generations = ", ".join(f"{told.generations(case)} of {CASES[case].generations}" for case in CASES)
    page.text(
        f"{found.trials} trials of each case, where the study had one; {generations} generations in cases 1 to 4 and "
        f"{told.rival_generations} of {published.GENERATIONS} in case 5. Intervals are 95%."
    )
    page.heading("Claims")
    claims.add_to(page)
    for section, stands in tables.items():
        page.heading(section)
        for add in FIGURES.get(section, ()):
            add(page, found)
        for table in stands:
            table.add_to(page)
        for add in PICTURES.get(section, ()):
            add(page, found)
    page.footer(footer(found.seed))
    page.write(path)


def _tracks(page: Page, title: str, items: list[Tracks], ylabel: str, caption: str, shares: bool = False) -> None:
    page.figure(plots.tracks(title, items, ylabel, shares=shares), caption, plots.track_numbers(items))


# Cases 1 to 4.


def add_progress(page: Page, found: Measured) -> None:
    """Figures 6.2, 6.6, 6.11 and 6.16."""
    items: list[Tracks] = []
    for number, case in CASES.items():
        generations, curves = found.cases[number].curves
        lines = {kind: (generations, curves[f"population.{kind}.fitness"]) for kind in ("best", "mean")}
        lines["published, the best at the end"] = (np.array([case.generations]), np.array([case.exact]))
        items.append((case.title, UNIT, lines))
    caption = (
        "As Figures 6.2, 6.6, 6.11 and 6.16: the best network's fitness in each generation and the population's mean, mean over "
        "trials with 95% bands."
    )
    _tracks(page, "Fitness by generation", items, "fitness", caption)


def add_draws(page: Page, found: Measured) -> None:
    """The published draw among ours."""
    items: list[Tracks] = []
    for number, case in CASES.items():
        trained, better = found.cases[number], found.better[number]
        lines = {"study's settings": _ordered(trained.fitness), "settings of our own": _ordered(better.judged)}
        if trained.unseen:
            lines["study's settings, other deals"] = _ordered(trained.judged)
        lines["published"] = (np.array([0.0, 100.0]), np.full(2, case.exact))
        items.append((case.title, "of a hundred trials, from the worst", lines))
    caption = (
        "Every trial's best network, from the worst trial to the best, and the study's one. In case 4 settings of our own are "
        "judged on other deals than those of training."
    )
    _tracks(page, "Fitness of the best networks", items, "fitness", caption)


def _ordered(trials: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Trials from the worst to the best, each at its place of a hundred."""
    return 100 * (np.arange(len(trials)) + 0.5) / len(trials), np.sort(trials)


def add_other_deals(page: Page, found: Measured) -> None:
    """Whether what pays on one deal pays on others."""
    generations, curves = found.cases[4].curves
    items: list[Tracks] = [
        (
            "",
            UNIT,
            {
                "on the deal of training": (generations, curves["population.best.score"]),
                "on other deals": (generations, curves["benchmark.player.won"]),
            },
        )
    ]
    caption = "Case 4: games that each generation's best network wins; means over trials with 95% bands."
    _tracks(page, "Winning against the deterministic red", items, "games won", caption, shares=True)


def add_networks(page: Page, found: Measured) -> None:
    """The fittest trial of each case: how its games ended, and its network."""
    for number, case in CASES.items():
        trained = found.cases[number]
        page.frames(f"C{case.title[1:]}: the fittest trial's best networks", case_pictures(trained, number))
        net = trained.run.champions()[best_trial(trained)].net
        assert net is not None
        labels = net_labels(net, trained.run.game)
        page.figure(draw_net(net, labels), f"C{case.title[1:]}: the fittest trial's network.", connections(net, labels))


# Case 5.


def add_rivals(page: Page, found: Measured) -> None:
    """Figure 6.19."""
    study, items = found.rivals[STUDY], []
    generations, curves = study.run.training().curves()
    for place, (side, name) in enumerate((("population", "blue"), ("rivals", "red"))):
        lines = {kind: (generations, curves[f"{side}.{kind}.fitness"]) for kind in ("best", "mean")}
        for words, when, told in (
            ("published, the spike", published.SPIKE_GENERATION, published.SPIKE),
            ("published, the end", published.GENERATIONS, published.END),
        ):
            lines[words] = (np.array([when]), np.array([told[place]]))
        items.append((name, UNIT, lines))
    caption = (
        "As Figure 6.19: best and mean fitness of blue and red, means over trials with 95% bands. Of the published curve the spike "
        "and the end are told."
    )
    _tracks(page, "Two populations paid for their moves", items, "fitness", caption)
    strands: list[plots.Panel] = [("", generations, {"a trial": study.joint})]
    page.figure(
        plots.strands("Best blue and best red together, every trial", strands, "fitness", UNIT),
        "Spikes come and go: the sum of the two best, a line for each trial.",
        {UNIT: generations} | {f"trial {n:03d}": row for n, row in enumerate(study.joint)},
    )


def add_game_of_two(page: Page, found: Measured) -> None:
    """Figures 6.20 and 6.21."""
    page.frames(
        "As Figures 6.20 and 6.21: the game in which best blue and red had most", rivals_pictures(found.rivals[STUDY])
    )


def add_index(page: Page, found: Measured) -> None:
    """The index by generation."""
    lines = {}
    for fitness, rivals in found.rivals.items():
        index = np.array([meeting.index for meeting in rivals.meetings]).T
        if np.isfinite(index).all():
            lines[fitness] = (np.arange(1.0, index.shape[1] + 1), index)
    if lines:
        items: list[Tracks] = [("", UNIT, lines)]
        caption = (
            "The collusion index in every generation, by what networks strove for; means over trials with 95% bands."
        )
        _tracks(page, "The collusion index", items, "index", caption)


def add_payoff(page: Page, found: Measured) -> None:
    """What two sides feed each other."""
    items: list[Tracks] = []
    for words, own in (("bred together", True), ("among strangers", False)):
        lines = {}
        for fitness, rivals in found.rivals.items():
            payoff = np.array([meeting.mean("mutual", own) for meeting in rivals.meetings]).T
            if np.isfinite(payoff).all():
                lines[fitness] = (np.arange(1.0, payoff.shape[1] + 1), payoff)
        if lines:
            items.append((words, UNIT, lines))
    caption = (
        "The lesser of the two sides' payoffs, by the study's payoff for moves whatever networks strove for: in the games that "
        "made a generation's best the best, and of the same networks among strangers. Means over trials with 95% bands."
    )
    _tracks(page, "What both sides get", items, "payoff", caption)


def add_decided(page: Page, found: Measured) -> None:
    """Whether games are fought out."""
    lines = {
        fitness: (
            np.arange(1.0, len(rivals.meetings) + 1),
            np.array([meeting.mean("decided") for meeting in rivals.meetings]).T,
        )
        for fitness, rivals in found.rivals.items()
    }
    items: list[Tracks] = [("", UNIT, lines)]
    caption = "Share of the games that made a generation's best the best in which someone won; means over trials with 95% bands."
    _tracks(page, "Games decided", items, "decided", caption, shares=True)


FIGURES = {
    CASES_SECTION: (add_progress,),
    UNSEEN_SECTION: (add_other_deals,),
    BETTER_SECTION: (add_draws,),
    RIVALS_SECTION: (add_rivals,),
    COLLUSION_SECTION: (add_index, add_payoff),
    CURE_SECTION: (add_decided,),
}
PICTURES = {CASES_SECTION: (add_networks,), RIVALS_SECTION: (add_game_of_two,)}
