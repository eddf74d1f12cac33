"""The figures of the backgammon study's report, with bands over trials."""

import numpy as np

from sparring.report import plots
from sparring.report.page import Page
from sparring.report.plots import Tracks
from sparring.report.runs import add_replay
from sparring.studies.backgammon import published, report_tables
from sparring.studies.backgammon.measured import CLIMBING, FIRST_LAYER, HIDDEN, Measured, td_title
from sparring.studies.backgammon.published import NETWORKS, published_curve
from sparring.studies.backgammon.study_runs import PUBLISHED, RANDOM, UNITS, VARIANTS, mirrored, printed_net, short

WON, CYCLE_UNIT = "games won", "cycle"
SHOWN_TRIAL = 0


# The study's networks.


def add_curves(page: Page, found: Measured) -> None:
    """Figures 30 to 34."""
    shown = [(network, RANDOM) for network in NETWORKS] + [("2-1-2", PUBLISHED)]
    items: list[Tracks] = [
        (f"{network} against {opponent}", CYCLE_UNIT, _curves(found, network, opponent)) for network, opponent in shown
    ]
    caption = (
        "As Figures 30 to 34: games won against random and simple during training, ours with 95% bands over trials."
    )
    short_beside_theirs = bool(2 * found.cycles[-1] < published.FITTED_CYCLES)
    page.tracks("During training", items, WON, caption, log=short_beside_theirs, shares=True)


def _curves(found: Measured, network: str, opponent: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """A network's curve, with cycles of a hundred challenges and of ten, mirrored, and the published one."""
    curve = published_curve(network, opponent == RANDOM)
    return {
        "ours": (found.cycles, found.curve(network, opponent)),
        "published": (np.arange(1.0, len(curve) + 1), curve),
        "ours, cycles of 10 challenges": (found.cycles, found.curve(short(network), opponent)),
        "ours, points mirrored": (found.cycles, found.curve(mirrored(network), opponent)),
    }


def add_starts(page: Page, found: Measured) -> None:
    """2-1-2 from its four starts."""
    items: list[Tracks] = [
        (
            f"against {opponent}",
            CYCLE_UNIT,
            {VARIANTS[name].title: (found.cycles, found.curve(name, opponent)) for name in report_tables.STARTS},
        )
        for opponent in (RANDOM, PUBLISHED)
    ]
    page.tracks("Other starts", items, WON, "Games won by 2-1-2 on the full board, from four starts.", shares=True)


def add_weights(page: Page, found: Measured) -> None:
    """Appendix C: every weight over time, in one trial."""
    history, cycles = found.trainings["2-1-2"].history[SHOWN_TRIAL].T, found.cycles
    groups = {f"unit {unit + 1} of the first layer": history[24 * unit : 24 * unit + 24] for unit in range(2)}
    items = [(title, cycles, {title: lines}) for title, lines in groups.items()]
    last = {"middle unit": history[FIRST_LAYER : FIRST_LAYER + 2], "last layer": history[FIRST_LAYER + 2 :]}
    items.append(("the other layers", cycles, last))
    data = {"cycle": cycles} | {f"weight {n + 1}": line for n, line in enumerate(history.astype(float))}
    caption = f"As Appendix C: the 52 weights of 2-1-2 during training, trial {SHOWN_TRIAL:03d}."
    page.figure(plots.strands("Weights during training", items, "weight", CYCLE_UNIT), caption, data)


def add_point_values(page: Page, found: Measured) -> None:
    """A linear network is one number per point: Figure 36's, and those of our champions."""
    points = np.arange(1.0, UNITS[0] + 1)
    ours = [point_values(champion.net.weights) for champion in found.runs["2-1-2"].champions() if champion.net]
    figure_36 = point_values(printed_net("Figure 36", 1).weights)
    lines = {"our champions": (points, np.array(ours)), "Figure 36": (points, figure_36)}
    page.tracks(
        "The value of one checker on each point",
        [("", "point, from the player's own side", lines)],
        "value, largest = 1",
        "The layers of 2-1-2 multiplied out and scaled so that the largest value is 1 or -1: our champions, mean over trials "
        "with its band, and Figure 36. The first player moves from point 24 to point 1. Without mirroring the second player "
        "moves the other way by the same values, so that they cannot prefer either end.",
    )


def point_values(weights: np.ndarray) -> np.ndarray:
    """The effect of each of the 24 inputs of a 2-1-2 network, as a share of the largest."""
    first, between, last = weights[:48].reshape(2, 24), weights[48:50], weights[50:]
    values = last.sum() * (between @ first)
    largest = np.abs(values).max()
    return np.asarray(values / largest if largest else values)


# The debate.


def add_climb(page: Page, found: Measured) -> None:
    """Figures 7 and 8."""
    method, points = found.methods[CLIMBING], np.array(found.climb.generations)
    frozen = {f"against generation {mark:,}": (points, won.T) for mark, won in found.climb.frozen.items()}
    items: list[Tracks] = [
        ("against pubeval", "generation", {CLIMBING: (method.run.training().curves()[0], method.won)}),
        ("against frozen generations", "generation", frozen),
    ]
    caption = (
        "As Figures 7 and 8: hill-climbing against pubeval during training, and against its own frozen generations; means "
        "over trials with 95% bands. The dotted line is the published 40% against pubeval."
    )
    page.tracks("Hill-climbing by generation", items, WON, caption, {CLIMBING: published.CLIMBING_WON}, shares=True)


def add_td(page: Page, found: Measured) -> None:
    """Tesauro's table as curves."""
    methods = [found.methods[td_title(hidden)] for hidden in HIDDEN]
    lines = {method.title: (method.games, method.won) for method in methods}
    levels = {td_title(hidden): shares[1] for hidden, shares in published.TESAURO.items()}
    caption = (
        "Temporal differences against pubeval during training; dotted: Tesauro's Pub-1. The curves show the networks as they "
        "are; champions average the weights of the last fifth and are stronger."
    )
    page.tracks("Temporal differences", [("", "games", lines)], WON, caption, levels, shares=True)


def add_debate(page: Page, found: Measured) -> None:
    """Every method by its cost."""
    methods = found.methods.values()
    items: list[Tracks] = [("by games", "games", {method.title: (method.games, method.won) for method in methods})]
    timed = {method.title: (method.time, method.won) for method in methods if method.time is not None}
    items += [("by time", "seconds on one core", timed)] if timed else []
    caption = "Games won against pubeval, by games of self-play and by seconds of one trial; means with bands."
    page.tracks("Every method against pubeval", items, WON, caption, log=True, shares=True)


FIGURES = {
    report_tables.NETWORK_SECTION: (add_curves,),
    report_tables.START_SECTION: (add_starts,),
    report_tables.PRINTED_SECTION: (add_weights, add_point_values),
    report_tables.CLIMBING_SECTION: (add_climb,),
    report_tables.TD_SECTION: (add_td,),
    report_tables.DEBATE_SECTION: (add_debate,),
    report_tables.REPLAY_SECTION: (lambda page, found: add_replay(page, found.runs["2-1-2"]),),
}
