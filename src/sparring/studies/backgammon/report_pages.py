"""The backgammon study's report: the claims, every section's tables, and the figures' counterparts with bands over trials."""

from pathlib import Path

import numpy as np

from sparring.report import plots
from sparring.report.page import Page
from sparring.report.plots import Tracks
from sparring.report.runs import add_replay, footer
from sparring.studies import Table
from sparring.studies.backgammon import published
from sparring.studies.backgammon.debate import CLIMBING_SECTION, DEBATE_SECTION, TD_SECTION
from sparring.studies.backgammon.measured import CLIMBING, HIDDEN, Measured, td_title
from sparring.studies.backgammon.published import NETWORKS
from sparring.studies.backgammon.report_tables import (
    NETWORK_SECTION,
    PRINTED_SECTION,
    START_SECTION,
    STARTS,
    published_curve,
)
from sparring.studies.backgammon.study_runs import NO_HIT, RANDOM, SIMPLE, UNITS, VARIANTS, mirrored, printed_net

WON = "games won"
CYCLE_UNIT = f"cycle of {published.CYCLE} challenges"
SHOWN_TRIAL = 0


def write_page(found: Measured, tables: dict[str, list[Table]], claims: Table, path: Path) -> None:
    """Write the report as one HTML file."""
    page, told = Page(TITLE, SUBTITLE), found.budget
    page.text(
        f"{found.trials} trials of {told.challenges} challenges per network (the study had one of about 10,000), "
        f"{told.climbs} climbs of {told.generations} generations, {told.lessons} nets of each size taught by {told.td_games} "
        f"games; {told.pairs} pairs of games per champion and opponent. Intervals are 95%."
    )
    page.heading("Claims")
    claims.add_to(page)
    for section, stands in tables.items():
        page.heading(section)
        for add in FIGURES.get(section, ()):
            add(page, found)
        for table in stands:
            table.add_to(page)
    page.heading("A game of a champion")
    add_replay(page, found.runs["2-1-2"])
    page.footer(footer(found.seed))
    page.write(path)


TITLE = "Backgammon by coevolution, re-run"
SUBTITLE = "After “Co-evolutionary Backgammon Player” (2017), and the debate it joins: published figures beside ours"


def _curves(
    page: Page,
    title: str,
    items: list[Tracks],
    caption: str,
    levels: dict[str, float] | None = None,
    log: bool = False,
) -> None:
    page.figure(plots.tracks(title, items, WON, levels, log, shares=True), caption, plots.track_numbers(items))


# The study's networks.


def add_against_random(page: Page, found: Measured) -> None:
    """Figures 30, 32, 33 and 34."""
    items: list[Tracks] = [(network, CYCLE_UNIT, _three(found, network, RANDOM)) for network in NETWORKS]
    caption = "As Figures 30, 32, 33 and 34: games won against random during training, ours with 95% bands over trials."
    _curves(page, "Against random", items, caption, log=is_short(found))


def add_against_simple(page: Page, found: Measured) -> None:
    """Figure 31, with either reading of simple."""
    items: list[Tracks] = [
        (f"2-1-2 against {opponent}", CYCLE_UNIT, _three(found, "2-1-2", opponent)) for opponent in (SIMPLE, NO_HIT)
    ]
    caption = "As Figure 31: games won against simple during training, beside simple as described and without hitting."
    _curves(page, "Against simple", items, caption, log=is_short(found))


def _three(found: Measured, network: str, opponent: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """A network's curve, mirrored and not, and the published one."""
    curve = np.array(published_curve(network, opponent)) / 100
    return {
        "ours": (found.cycles, found.curve(network, opponent)),
        "published": (np.arange(1.0, len(curve) + 1), curve),
        "ours, points mirrored": (found.cycles, found.curve(mirrored(network), opponent)),
    }


def is_short(found: Measured) -> bool:
    """Whether our curves would hardly be seen beside the study's."""
    return bool(2 * found.cycles[-1] < published.FITTED_CYCLES)


def add_starts(page: Page, found: Measured) -> None:
    """2-1-2 from its three starts."""
    items: list[Tracks] = [
        (
            f"against {opponent}",
            CYCLE_UNIT,
            {VARIANTS[name].title: (found.cycles, found.curve(name, opponent)) for name in STARTS},
        )
        for opponent in (RANDOM, NO_HIT)
    ]
    _curves(page, "Other starts", items, "Games won by 2-1-2 during training, from three kinds of first weights.")


def add_weights(page: Page, found: Measured) -> None:
    """Appendix C: every weight over time, in one trial."""
    history, cycles = found.trainings["2-1-2"].history[SHOWN_TRIAL].T, found.cycles
    groups = {f"unit {unit + 1} of the first layer": history[24 * unit : 24 * unit + 24] for unit in range(2)}
    items = [(title, cycles, {title: lines}) for title, lines in groups.items()]
    items.append(("the other layers", cycles, {"the unit between": history[48:50], "last layer": history[50:]}))
    data = {"cycle": cycles} | {f"weight {n + 1}": line for n, line in enumerate(history.astype(float))}
    page.figure(
        plots.strands("Weights during training", items, "weight", CYCLE_UNIT),
        f"As Appendix C: the 52 weights of 2-1-2 during training, trial {SHOWN_TRIAL:03d}.",
        data,
    )


def add_worths(page: Page, found: Measured) -> None:
    """A linear network is one number a point: Figure 36's, and those of our champions."""
    points = np.arange(1.0, UNITS[0] + 1)
    ours = [worths(champion.net.weights) for champion in found.runs["2-1-2"].champions() if champion.net is not None]
    figure_36 = worths(printed_net("Figure 36", 1).weights)
    items: list[Tracks] = [
        (
            "",
            "point, from the player's own side",
            {"our champions": (points, np.array(ours)), "Figure 36": (points, figure_36)},
        )
    ]
    page.figure(
        plots.tracks("What one of its checkers is worth on each point", items, "worth, largest = 1"),
        "The layers of 2-1-2 multiplied out, each network's scaled so that its largest number is 1 or -1: our champions, "
        "mean over trials with its band, and Figure 36. The first player moves from point 24 to point 1. Not mirrored, the "
        "second moves the other way by the same numbers, so that they cannot prefer either end.",
        plots.track_numbers(items),
    )


def worths(weights: np.ndarray) -> np.ndarray:
    """What each of the 24 inputs counts to a 2-1-2 network, as a share of the largest."""
    first, between, last = weights[:48].reshape(2, 24), weights[48:50], weights[50:]
    counts = last.sum() * (between @ first)
    largest = np.abs(counts).max()
    scaled: np.ndarray = counts / largest if largest else counts
    return scaled


# The debate.


def add_climbs(page: Page, found: Measured) -> None:
    """Figures 7 and 8."""
    curves = {}
    for title in found.climbs:
        method = found.methods[title]
        curves[title] = (method.run.training().curves()[0], method.won)
    items: list[Tracks] = [("against pubeval", "generation", curves)]
    for title, climb in found.climbs.items():
        places = np.array(climb.generations)
        frozen = {f"against generation {mark:,}": (places, won.T) for mark, won in climb.frozen.items()}
        items.append((title, "generation", frozen))
    caption = (
        "As Figures 7 and 8: hill-climbing against pubeval during training, and against its own frozen generations; means "
        "over trials with 95% bands. The dotted line is the literature's 40% against pubeval."
    )
    _curves(page, "Hill-climbing by generation", items, caption, {CLIMBING: published.CLIMBING_WON})


def add_td(page: Page, found: Measured) -> None:
    """Tesauro's table as curves."""
    lines = {td_title(hidden): found.methods[td_title(hidden)] for hidden in HIDDEN}
    items: list[Tracks] = [("", "games", {title: (method.games, method.won) for title, method in lines.items()})]
    levels = {td_title(hidden): shares[1] for hidden, shares in published.TESAURO.items()}
    caption = (
        "Temporal differences against pubeval during training; dotted: Tesauro's Pub-1. The curves show the nets as they "
        "are; the champions are the means of their weights over the last fifth, and stronger."
    )
    _curves(page, "Temporal differences", items, caption, levels)


def add_debate(page: Page, found: Measured) -> None:
    """Every method by what it cost."""
    methods = found.methods.values()
    items: list[Tracks] = [
        ("by games played", "games", {method.title: (method.games, method.won) for method in methods})
    ]
    if all(method.seconds is not None for method in methods):
        lines = {method.title: (method.time, method.won) for method in methods}
        items.append(("by time", "seconds of one core", lines))
    caption = (
        "Games won against pubeval, by games of self-play and by seconds of training of one trial; means with bands."
    )
    _curves(page, "Every method against pubeval", items, caption, log=True)


FIGURES = {
    NETWORK_SECTION: (add_against_random, add_against_simple),
    START_SECTION: (add_starts,),
    PRINTED_SECTION: (add_weights, add_worths),
    CLIMBING_SECTION: (add_climbs,),
    TD_SECTION: (add_td,),
    DEBATE_SECTION: (add_debate,),
}
