"""The study's tables, published figures beside ours, section by section."""

from collections.abc import Callable, Iterable

import numpy as np

from sparring.arena.statistics import mean_interval
from sparring.studies import Table, make_table
from sparring.studies.backgammon import published, study_runs
from sparring.studies.backgammon.measured import (
    CLIMBING,
    FIRST_LAYER,
    HIDDEN,
    Measured,
    Method,
    first_layer_sizes,
    td_title,
)
from sparring.studies.backgammon.published import NETWORKS, Fit, published_curve, published_fit
from sparring.studies.backgammon.study_runs import OPPONENTS, PUBLISHED, RANDOM, VARIANTS, ZERO, mirrored, short
from sparring.studies.formats import percent, rate_text, share_text
from sparring.studies.study import Sections

BASELINE_SECTION, NETWORK_SECTION = "Players that do not learn", "The four networks"
START_SECTION, PRINTED_SECTION, REPLAY_SECTION = "Other starts", "The printed network", "A game of a champion"
CLIMBING_SECTION, TD_SECTION, DEBATE_SECTION = "Hill-climbing", "Temporal differences", "The debate"
STARTS = ("2-1-2", "2-1-2-random", "2-1-2-imitated", "2-1-2-small")
FIT_DIGITS = (5, 4, 2, 4)
ABOUT_40 = f"about {published.CLIMBING_WON:.0%}"
Rows = list[list[str]]


def text_table(
    name: str, rows: Rows, found: Measured | None = None, more: Iterable[str] = (), words: str = ""
) -> Table:
    """A table with its texts, and `more` columns."""
    budget = found and found.budget
    return make_table("backgammon", name, rows, more, found=found, budget=budget, published=published, words=words)


def all_tables(found: Measured) -> Sections:
    """The tables by section."""
    networks = (fit_table, mean_table, final_table, size_table, ages_table)
    return {
        BASELINE_SECTION: [baseline_table(found), left_table(found)],
        NETWORK_SECTION: [check_table(), *(each(found) for each in networks)],
        START_SECTION: [start_table(found), begin_table(found)],
        PRINTED_SECTION: [printed_table(found)],
        CLIMBING_SECTION: [climbing_table(found)],
        TD_SECTION: [tesauro_table(found)],
        DEBATE_SECTION: [
            debate_table(found),
            _by(found, (1_000, 10_000, 100_000, 1_000_000), lambda method: method.games, "games", "games"),
            _by(found, (1, 10, 100, 1000), lambda method: method.time, "seconds", "s"),
        ],
        REPLAY_SECTION: [],
    }


PARTS: dict[str, Callable[[Measured], Sections]] = {  # groups of claims that can be measured alone, with their tables
    "begins": lambda found: {START_SECTION: [begin_table(found)]},
    "td": lambda found: {TD_SECTION: [tesauro_table(found)]},
}


def three(network: str) -> tuple[str, str, str]:
    """A network as the study describes it, with short cycles, and mirrored."""
    return network, short(network), mirrored(network)


# Figures 28 and 29.


def figure_of(pair: tuple[str, str]) -> tuple[int, np.ndarray]:
    """The games that the study's players of this kind won, and what the printed games left."""
    if pair[0] == pair[1]:
        return published.RANDOM_WON, published.left_behind(published.RANDOM_GAMES)
    return published.SIMPLE_WON, published.left_behind(published.SIMPLE_GAMES)


def baseline_table(found: Measured) -> Table:
    rows = [
        [*pair, percent(figure_of(pair)[0] / published.GAMES, 2)]
        + [rate_text(won) for won in (games["begins"], games["follows"], (games["begins"] + games["follows"]) / 2)]
        for pair, games in found.baselines.items()
    ]
    return text_table("baselines", rows, found)


def left_table(found: Measured) -> Table:
    rows = []
    for pair in study_runs.BASELINES:
        printed, ours = figure_of(pair)[1], found.baselines[pair]
        cells = [(mean_interval(printed[:, i]), mean_interval(ours[key])) for i, key in enumerate(("left", "value"))]
        rows.append([*pair, *(each.text(1 - i) for i, both in enumerate(cells) for each in both)])
    return text_table("left", rows, found)


# Table 12 and the appendices.


def check_table() -> Table:
    """Whether the published curves agree with the published figures."""
    rows: Rows = []
    for network in NETWORKS:
        theirs, again = published.FITS[network], published_fit(network)
        agrees = all(round(a, len(f"{b}".partition(".")[2])) == b for a, b in zip(again, theirs, strict=True))
        rows.append(
            [network, "random", str(len(published.AGAINST_RANDOM[network]))]
            + [f"{published.MEAN_RANDOM:.2f}" if network == "2-1-2" else ""]
            + [f"{100 * published_curve(network, True).mean():.2f}", "agrees" if agrees else "does not agree"]
        )
    rows.append(
        ["2-1-2", "simple", str(len(published.AGAINST_SIMPLE) - 1), f"{published.MEAN_SIMPLE:.2f}"]
        + [f"{np.mean(published.AGAINST_SIMPLE):.2f}"]
        + [f"none; the mean agrees if cycle {published.LOST_CYCLE}, not printed, is {published.LOST}"]
    )
    return text_table("check", rows)


def fit_table(found: Measured) -> Table:
    rows = []
    for network in NETWORKS:
        again, ours = published_fit(network), [found.fits(name) for name in three(network)]
        for i, name in enumerate(Fit._fields):
            rows.append(
                [network, "R²" if name == "r2" else name, f"{published.FITS[network][i]:g}"]
                + [f"{again[i]:.{FIT_DIGITS[i]}f}", f"{ours[0][0][i]:.{FIT_DIGITS[i]}f}"]
                + [_spread(np.array(fits[1:])[:, i], FIT_DIGITS[i]) for fits in ours]
            )
    return text_table("fits", rows, found)


def _spread(values: np.ndarray, digits: int) -> str:
    low, middle, high = np.percentile(values, [5, 50, 95])
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def mean_table(found: Measured) -> Table:
    rows = []
    for network in NETWORKS:
        for opponent, words in OPPONENTS.items():
            curve = published_curve(network, opponent == RANDOM) if opponent in (RANDOM, PUBLISHED) else np.array([])
            theirs = [percent(part.mean(), 2) if len(curve) else "" for part in (curve, curve[-published.LAST :])]
            means = [share_text(found.curve(name, opponent).mean(axis=1)) for name in three(network)]
            ends = [share_text(found.curve_end(name, opponent)) for name in three(network)]
            rows.append([network, words, theirs[0], *means, theirs[1], *ends])
    return text_table("means", rows, found)


def final_table(found: Measured) -> Table:
    rows: Rows = []
    for opponent, words in OPPONENTS.items():
        rows.append([ZERO, words, rate_text(found.printed[ZERO][opponent]), *[""] * 5])
        for network in NETWORKS:
            shares = [found.strengths[name][opponent].won for name in three(network)]
            rows.append([network, words, *(cell for won in shares for cell in (share_text(won), _range(won)))])
    return text_table("champions", rows, found)


def _range(won: np.ndarray) -> str:
    """The worst and the best trial."""
    return f"{100 * won.min():.1f} to {100 * won.max():.1f}"


def size_table(found: Measured) -> Table:
    """How far the weights have moved, which tells how many challenges were won."""
    printed = [np.sqrt(np.mean(np.square(w[:FIRST_LAYER]))) for w in (published.FIGURE_36, published.APPENDIX_C)]
    rows = [["Figure 36, Appendix C", "", "", ", ".join(f"{size:.3f}" for size in printed)]]
    for name in three("2-1-2"):
        training = found.trainings[name]
        accepted = share_text(training.accepted / training.steps)
        rows.append([VARIANTS[name].title, f"{training.steps:,}", accepted, mean_interval(found.sizes(name)).text(3)])
    return text_table("sizes", rows, found)


def ages_table(found: Measured) -> Table:
    shares, names = found.ages.mean(axis=1), [f"{age:.0%}" for age in study_runs.AGES]
    rows = [
        [f"after {name}", *("" if a == b else share_text(shares[:, a, b]) for b in range(len(study_runs.AGES)))]
        for a, name in enumerate(names)
    ]
    return text_table("ages", rows, found, [f"against {name}" for name in names])


def start_table(found: Measured) -> Table:
    rows = []
    for name in STARTS:
        won, curve = [found.strengths[name][opponent].won for opponent in OPPONENTS], found.curve(name, RANDOM)
        parts = [curve[:, : max(1, round(part * curve.shape[1]))].mean(axis=1) for part in (0.1, 0.5, 1.0)]
        rows.append([VARIANTS[name].title, str(len(won[0])), *map(share_text, won), *map(share_text, parts)])
    return text_table("starts", rows, found)


def begin_table(found: Measured) -> Table:
    rows = []
    for name, training in found.begins.items():
        curve, sizes = found.begin_curve(name), first_layer_sizes(training)
        won = [share_text(part) for part in (curve[:, 0], curve[:, -1], curve.mean(axis=1))]
        size = [mean_interval(sizes[:, at]).text(3) for at in (0, -1)]
        rows.append([VARIANTS[name].title, str(len(curve)), *won, *size])
    return text_table("begins", rows, found)


def printed_table(found: Measured) -> Table:
    last = [published_curve("2-1-2", random)[-published.LAST :] for random in (True, False)]
    rows: Rows = [
        ["published: the last 20 cycles", *(percent(curve.mean()) for curve in last), ""],
        ["published: the last cycle", *(f"{100 * curve[-1]:.0f} of 100" for curve in last), ""],
        *([name, *map(rate_text, found.printed[name].values())] for name in study_runs.PRINTED if name != ZERO),
    ]
    for name in three("2-1-2"):
        ours = [share_text(found.strengths[name][opponent].won) for opponent in OPPONENTS]
        rows.append([f"our champions, {VARIANTS[name].title}", *ours])
    return text_table("printed", rows, found)


# The debate.


def climbing_table(found: Measured) -> Table:
    """Figures 7 and 8 print no numbers; the text gives one."""
    climb = found.climb
    rows = [
        [f"{generation:,}", ABOUT_40 if generation == published.GENERATIONS else "", share_text(climb.pubeval[i])]
        + [share_text(won[i]) for won in climb.frozen.values()]
        for i, generation in enumerate(climb.generations)
    ]
    return text_table("climbing", rows, found, [f"against generation {mark:,}" for mark in climb.frozen])


def tesauro_table(found: Measured) -> Table:
    rows = []
    for hidden in HIDDEN:
        strength = found.methods[td_title(hidden)].strength
        theirs = [percent(share) for share in published.TESAURO.get(hidden, ())] or ["", "", ""]
        rows.append(
            [str(hidden), *theirs, share_text(strength.won)]
            + [_range(strength.won), mean_interval(strength.score).text(3)]
        )
    return text_table("tesauro", rows, found)


def debate_table(found: Measured) -> Table:
    theirs = {CLIMBING: ABOUT_40} | {
        td_title(hidden): f"{percent(first)}, {percent(second)}"
        for hidden, (_, first, second) in published.TESAURO.items()
    }
    rows = [
        [title, str(len(method.strength.won)), f"{method.played:,}"]
        + ["" if method.seconds is None else f"{method.seconds:,.1f}", theirs.get(title, "")]
        + [share_text(method.strength.won), mean_interval(method.strength.score).text(3)]
        for title, method in found.methods.items()
    ]
    return text_table("debate", rows, found)


def _by(
    found: Measured, points: tuple[int, ...], axis: Callable[[Method], np.ndarray | None], words: str, unit: str
) -> Table:
    rows = [[title, *(_won_at(m, axis(m), point) for point in points)] for title, m in found.methods.items()]
    return text_table("by", rows, found, [f"{point:,} {unit}" for point in points], words)


def _won_at(method: Method, axis: np.ndarray | None, place: int) -> str:
    if axis is None or not axis[0] <= place <= axis[-1]:
        return ""
    return share_text(method.won[:, int(np.searchsorted(axis, place, side="right")) - 1])
