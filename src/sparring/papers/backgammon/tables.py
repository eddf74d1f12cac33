"""The backgammon study's tables, each with the published figures beside ours, section by section."""

from collections.abc import Sequence

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.papers import Table
from sparring.papers.backgammon import published
from sparring.papers.backgammon.debate import debate_tables
from sparring.papers.backgammon.fits import Fit, fit, published_fit
from sparring.papers.backgammon.measured import Measured
from sparring.papers.backgammon.published import NETWORKS
from sparring.papers.backgammon.work import BASELINES, NO_HIT, OPPONENTS, PRINTED, RANDOM, SIMPLE, VARIANTS

BASELINE_SECTION, NETWORK_SECTION = "Players who do not learn", "The four networks"
CHANGES_SECTION, PRINTED_SECTION = "Mirrored or not, and other starts", "The printed network"
STARTS = ("2-1-2", "2-1-2-random", "2-1-2-imitated")
FIT_DIGITS = (5, 4, 2, 4)
FIGURES = {  # games won and games printed, by the players they may be
    **dict.fromkeys([("random", "random"), (RANDOM, RANDOM)], (published.RANDOM_WON, published.RANDOM_GAMES)),
    **dict.fromkeys(
        [(player, other) for player in (SIMPLE, NO_HIT) for other in ("random", RANDOM)],
        (published.SIMPLE_WON, published.SIMPLE_GAMES),
    ),
}


def all_tables(found: Measured) -> dict[str, list[Table]]:
    """By the section that they stand in."""
    return {
        BASELINE_SECTION: [baseline_table(found), left_table(found)],
        NETWORK_SECTION: [check_table(), fit_table(found), mean_table(found), final_table(found)],
        CHANGES_SECTION: [mirror_table(found), start_table(found)],
        PRINTED_SECTION: [printed_table(found)],
        **debate_tables(found),
    }


def percent(share: float, digits: int = 2) -> str:
    return f"{100 * share:.{digits}f}%"


def of_games(won: int) -> Interval:
    """A published share of its 10,000 games, with the interval that so many games give."""
    return rate_interval(np.repeat([1.0, 0.0], [won, published.GAMES - won]))


def percentages(values: np.ndarray) -> Interval:
    """The mean of percentages over trials."""
    ours = share_interval(np.asarray(values) / 100)
    return Interval(100 * ours.value, 100 * ours.low, 100 * ours.high)


# Figures 28 and 29.


def baseline_table(found: Measured) -> Table:
    rows = []
    for pair in BASELINES:
        ours = found.baselines[pair]
        rows.append(
            [" against ".join(pair), of_games(FIGURES[pair][0]).text(2, percent=True) if pair in FIGURES else ""]
            + [ours[name].text(2, percent=True) for name in ("begins", "follows", "exchanged")]
        )
    return Table(
        "Figures 28 and 29: random and simple, games won by the first named",
        ["players", "published", "it always begins", "the other always begins", "seats exchanged"],
        rows,
        f"{found.budget.games} games in which the first named begins and as many in which the other does; every win counts "
        f"1; 95% intervals. Published: of {published.GAMES} games. {RANDOM} is the study's random player.",
    )


def left_table(found: Measured) -> Table:
    rows = []
    for pair in BASELINES:
        ours, told = found.baselines[pair], ["", ""]
        if pair in FIGURES:
            printed = np.array(published.left_behind(FIGURES[pair][1]), float)
            told = [mean_interval(printed[:, 0]).text(1), mean_interval(printed[:, 1]).text(0)]
        rows.append([" against ".join(pair), told[0], ours["left"].text(1), told[1], ours["value"].text(0)])
    return Table(
        "Figures 28 and 29: what the loser has left",
        ["players", "checkers, published", "ours", "their value, published", "ours"],
        rows,
        "Value: how far the checkers are from home, all together. Published: the 20 games that each figure prints, White's "
        "distances put right (they are counted from the wrong end). Ours: the games in which the first named begins.",
    )


# Table 12 and the appendices.


def check_table() -> Table:
    """The published curves say the same as the published figures, or not."""
    rows = []
    for network in NETWORKS:
        curve, told, again = published.AGAINST_RANDOM[network], published.FITS[network], published_fit(network)
        mean = f"{published.MEAN_RANDOM:.2f}" if network == "2-1-2" else ""
        agrees = all(round(value, _printed_digits(figure)) == figure for value, figure in zip(again, told, strict=True))
        rows.append(
            [f"{network} against random", str(len(curve)), mean, f"{np.mean(curve[: published.FITTED_CYCLES]):.2f}"]
            + [fit_text(told), fit_text(again), "agree" if agrees else "do not agree"]
        )
    mean = f"{np.mean(published.AGAINST_SIMPLE):.2f}"
    rows.append(
        [f"2-1-2 against {SIMPLE}", str(len(published.AGAINST_SIMPLE) - 1), f"{published.MEAN_SIMPLE:.2f}", mean]
        + ["", "", f"agree if cycle {published.LOST_CYCLE}, not printed, is {published.LOST}"]
    )
    return Table(
        "Table 12 and Appendices A and B: the published curves against the published figures",
        ["curve", "points", "mean, published", "of its points", "fit, published", "of its points", "they"],
        rows,
        "Fits are a, b, c and R² of y = a x² + b x + c, x = 1, 2, ... Means and fits are of the first "
        f"{published.FITTED_CYCLES} points, since Table 12's are (Appendix B prints 100).",
    )


def _printed_digits(figure: float) -> int:
    return len(f"{figure}".partition(".")[2])


def fit_text(fitted: Sequence[float]) -> str:
    return ", ".join(f"{value:.{digits}f}" for value, digits in zip(fitted, FIT_DIGITS, strict=True))


def fit_table(found: Measured) -> Table:
    rows = []
    for network in NETWORKS:
        curves = found.curve(network, RANDOM)
        mean = fit(found.cycles, curves.mean(axis=0))
        trials = np.array([fit(found.cycles, curve) for curve in curves])
        for i, name in enumerate(Fit._fields):
            low, middle, high = np.percentile(trials[:, i], [5, 50, 95])
            told, digits = published.FITS[network][i], FIT_DIGITS[i]
            rows.append(
                [network, "R²" if name == "r2" else name, f"{told:g}", f"{mean[i]:.{digits}f}"]
                + [f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"]
            )
    return Table(
        "Table 12: the quadratic fits, percentage against random by cycle",
        ["network", "", "published", "ours, mean of the trials", "ours, single trials"],
        rows,
        f"{_trials(found)} Single trials: the median, and 90% of them lie between the numbers in brackets. x counts cycles of "
        f"{published.CYCLE} challenges, up to {found.cycles[-1]:g} here and {published.FITTED_CYCLES} in the study.",
    )


def _trials(found: Measured) -> str:
    return f"{found.trials} trials of {found.budget.challenges} challenges of {published.CYCLE} games each."


def mean_table(found: Measured) -> Table:
    rows = []
    for network in NETWORKS:
        for opponent in OPPONENTS:
            curve = published_curve(network, opponent)
            told = [f"{np.mean(curve):.2f}", f"{np.mean(curve[-published.LAST :]):.2f}"] if curve else ["", ""]
            ours = found.curve(network, opponent).mean(axis=1)
            rows.append(
                [network, opponent, told[0], percentages(ours).text(2), f"{ours.min():.1f} to {ours.max():.1f}"]
                + [told[1], percentages(found.curve_end(network, opponent)).text(2)]
            )
    return Table(
        "Appendices A and B: means of the curves, percentage of games won",
        ["network", "opponent", "published", "ours", "our trials", "published, last 20 cycles", "ours, last fifth"],
        rows,
        f"{_trials(found)} 95% intervals of the mean over trials. The study's 45.47 against simple stands beside both simple and "
        "simple-no-hit, since it does not come out which of them it met.",
    )


def published_curve(network: str, opponent: str) -> tuple[int, ...]:
    """The study's curve that a curve of ours stands beside; none where it has none."""
    if opponent == RANDOM:
        return published.AGAINST_RANDOM[network][: published.FITTED_CYCLES]
    return published.AGAINST_SIMPLE if network == "2-1-2" else ()


def strength_rows(found: Measured, names: Sequence[str]) -> list[list[str]]:
    """Champions of these variants against each of the study's opponents."""
    rows = []
    for name in names:
        row = [VARIANTS[name].title, str(len(found.strengths[name][RANDOM].won))]
        for opponent in OPPONENTS:
            won = found.strengths[name][opponent].won
            row += [share_interval(won).text(1, percent=True), f"{100 * won.min():.1f} to {100 * won.max():.1f}"]
        rows.append(row)
    return rows


STRENGTH_HEADER = ["network", "trials", *(cell for name in OPPONENTS for cell in (f"against {name}", "trials"))]


def _judged(found: Measured) -> str:
    return (
        f"Champions over {found.budget.pairs} pairs of games each, on deals that served nothing else; 95% intervals of the mean "
        "over trials, and the worst and the best trial."
    )


def final_table(found: Measured) -> Table:
    zero = found.printed["all weights 0"]
    rows = [["all weights 0", ""] + [cell for name in OPPONENTS for cell in (zero[name].text(1, percent=True), "")]]
    rows += strength_rows(found, NETWORKS)
    return Table("The champions of the four networks, games won", STRENGTH_HEADER, rows, _judged(found))


def mirror_table(found: Measured) -> Table:
    return Table(
        "Points mirrored for the second player, or not",
        STRENGTH_HEADER,
        strength_rows(found, ("2-1-2", "2-1-2-unmirrored")),
        f"The study flips the inputs' signs for the second player and says nothing of the board's direction. {_judged(found)}",
    )


def start_table(found: Measured) -> Table:
    rows = strength_rows(found, STARTS)
    for row, name in zip(rows, STARTS, strict=True):
        row.append(percentages(found.curve(name, RANDOM).mean(axis=1)).text(1))
    return Table(
        "Starts: zero, random, imitated from simple",
        [*STRENGTH_HEADER, "mean of the curve against random"],
        rows,
        "Random: N(0, 0.577), as wide as the study's (-1, 1). Imitated: changes of one weight, kept if the network then chooses as "
        f"simple does no less often. {_judged(found)}",
    )


def printed_table(found: Measured) -> Table:
    last = [published.AGAINST_RANDOM["2-1-2"][-published.LAST :], *[published.AGAINST_SIMPLE[-published.LAST :]] * 2]
    rows = [["published: the last 20 cycles", *(f"{np.mean(curve):.1f}%" for curve in last)]]
    rows += [
        [name, *(found.printed[name][opponent].text(1, percent=True) for opponent in OPPONENTS)]
        for name in PRINTED
        if name != "all weights 0"
    ]
    return Table(
        "Figure 36: the study's best network, played",
        ["network", *(f"against {name}" for name in OPPONENTS)],
        rows,
        f"{found.budget.games // 2} pairs of games each. Figure 36 prints 51 of 52 weights (the missing one is taken from "
        "Appendix C), and Appendix C's last network, which should be the same, differs. From the other side: the board "
        "numbered from its other end.",
    )
