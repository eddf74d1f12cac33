"""The backgammon study's tables, published figures beside ours, section by section."""

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.studies import Table, columns
from sparring.studies.backgammon import published
from sparring.studies.backgammon.debate import debate_tables
from sparring.studies.backgammon.fits import Fit, published_fit
from sparring.studies.backgammon.measured import Measured, over_trials
from sparring.studies.backgammon.published import NETWORKS
from sparring.studies.backgammon.study_runs import BASELINES, EVEN, NO_HIT, PRINTED, RANDOM, SIMPLE, VARIANTS, mirrored
from sparring.studies.study import Sections

BASELINE_SECTION, NETWORK_SECTION = "Players that do not learn", "The four networks"
START_SECTION, PRINTED_SECTION, REPLAY_SECTION = "Other starts", "The printed network", "A game of a champion"
STARTS = ("2-1-2", "2-1-2-random", "2-1-2-imitated")
OPPONENT_NAMES = {RANDOM: "random", SIMPLE: "simple", NO_HIT: "simple-no-hit"}
FIT_DIGITS = (5, 4, 2, 4)
FIGURES = {  # games won and games printed, by the players that they may be
    **dict.fromkeys([("random", "random"), (RANDOM, RANDOM)], (published.RANDOM_WON, published.RANDOM_GAMES)),
    **dict.fromkeys(
        [(player, other) for player in (SIMPLE, NO_HIT) for other in ("random", RANDOM)],
        (published.SIMPLE_WON, published.SIMPLE_GAMES),
    ),
}


def all_tables(found: Measured) -> Sections:
    """The tables by section."""
    return {
        BASELINE_SECTION: [baseline_table(found), left_table(found)],
        NETWORK_SECTION: [check_table(), *fit_tables(found), mean_table(found), final_table(found)],
        START_SECTION: [start_table(found)],
        PRINTED_SECTION: [printed_table(found)],
        **debate_tables(found),
        REPLAY_SECTION: [],
    }


def percent(share: float, digits: int = 2) -> str:
    return f"{100 * share:.{digits}f}%"


def of_games(won: int) -> Interval:
    """A published share of 10,000 games, with the interval of so many games."""
    return rate_interval(np.repeat([1.0, 0.0], [won, published.GAMES - won]))


# Figures 28 and 29.


def baseline_table(found: Measured) -> Table:
    rows = []
    for pair in BASELINES:
        theirs = percent(FIGURES[pair][0] / published.GAMES) if pair in FIGURES else ""
        ours = [found.baselines[pair][name].text(1, percent=True) for name in ("begins", "follows", "exchanged")]
        rows.append([*pair, theirs, *ours])
    return Table(
        "Figures 28 and 29: random and simple, games won by the player",
        columns("player | against | published | it always begins | the other begins | seats exchanged"),
        rows,
        f"{found.budget.games} games in which the player begins and as many in which the other begins; every win counts 1; 95% "
        f"intervals. Published: of {published.GAMES} games. {RANDOM} is the study's random player.",
    )


def left_table(found: Measured) -> Table:
    rows = []
    for pair in BASELINES:
        ours, theirs = found.baselines[pair], ["", ""]
        if pair in FIGURES:
            printed = np.array(published.left_behind(FIGURES[pair][1]), float)
            theirs = [mean_interval(printed[:, 0]).text(1), mean_interval(printed[:, 1]).text(0)]
        rows.append([*pair, theirs[0], ours["left"].text(1), theirs[1], ours["value"].text(0)])
    return Table(
        "Figures 28 and 29: the loser's remaining checkers",
        columns("player | against | checkers, published | ours | their value, published | ours"),
        rows,
        "Value: the total distance of the checkers from home. Published: the 20 games that each figure prints, with White's "
        "distances corrected (they are counted from the wrong end). Ours: the games in which the player begins.",
    )


# Table 12 and the appendices.


def check_table() -> Table:
    """Whether the published curves agree with the published figures."""
    rows = []
    for network in NETWORKS:
        curve, theirs, again = published.AGAINST_RANDOM[network], published.FITS[network], published_fit(network)
        mean = f"{published.MEAN_RANDOM:.2f}" if network == "2-1-2" else ""
        agrees = all(round(a, _printed_digits(b)) == b for a, b in zip(again, theirs, strict=True))
        rows.append(
            [network, "random", str(len(curve)), mean, f"{np.mean(curve[: published.FITTED_CYCLES]):.2f}"]
            + ["agrees" if agrees else "does not agree"]
        )
    mean = f"{np.mean(published.AGAINST_SIMPLE):.2f}"
    rows.append(
        ["2-1-2", "simple", str(len(published.AGAINST_SIMPLE) - 1), f"{published.MEAN_SIMPLE:.2f}", mean]
        + [f"none; the mean agrees if cycle {published.LOST_CYCLE}, not printed, is {published.LOST}"]
    )
    return Table(
        "Appendices A and B: the published curves against the published figures",
        columns("network | against | points | mean, published | mean of the points | fit of Table 12"),
        rows,
        f"Means and fits of the first {published.FITTED_CYCLES} points; only these reproduce the fits of Table 12.",
    )


def _printed_digits(figure: float) -> int:
    return len(f"{figure}".partition(".")[2])


def fit_tables(found: Measured) -> list[Table]:
    return [
        fit_table(found, dict(zip(NETWORKS, NETWORKS, strict=True)), ""),
        fit_table(found, {network: mirrored(network) for network in NETWORKS}, ", points mirrored"),
    ]


def fit_table(found: Measured, names: dict[str, str], words: str) -> Table:
    rows = []
    for network, variant in names.items():
        again, (mean, *trials) = published_fit(network), found.fits(variant)
        for i, name in enumerate(Fit._fields):
            low, middle, high = np.percentile(np.array(trials)[:, i], [5, 50, 95])
            digits = FIT_DIGITS[i]
            rows.append(
                [network, "R²" if name == "r2" else name, f"{published.FITS[network][i]:g}"]
                + [f"{again[i]:.{digits}f}", f"{mean[i]:.{digits}f}"]
                + [f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"]
            )
    return Table(
        f"Table 12: the quadratic fits y = a x² + b x + c, percentage against random by cycle{words}",
        columns("network | | published | of the published points | ours, mean curve | ours, single trials"),
        rows,
        f"{_trials(found)} Single trials: the median, and the range of 90% of them. Our x counts hundredths of the training, "
        f"{found.budget.challenges / 100:g} challenges each; the study's counts cycles of {published.CYCLE}.",
    )


def _trials(found: Measured) -> str:
    return f"{found.trials} trials of {found.budget.challenges} challenges of {published.CYCLE} games each."


def mean_table(found: Measured) -> Table:
    rows = []
    for network in NETWORKS:
        for opponent, name in OPPONENT_NAMES.items():
            curve = published_curve(network, opponent)
            theirs = [f"{np.mean(curve):.2f}%", f"{np.mean(curve[-published.LAST :]):.2f}%"] if curve else ["", ""]
            both = (network, mirrored(network))
            means = [over_trials(found.curve(variant, opponent).mean(axis=1)) for variant in both]
            ends = [over_trials(found.curve_end(variant, opponent)) for variant in both]
            rows.append([network, name, theirs[0], *means, theirs[1], *ends])
    return Table(
        "Appendices A and B: means of the curves, games won",
        columns("network | against | published | ours | mirrored | published, last 20 | ours, last fifth | mirrored"),
        rows,
        f"{_trials(found)} 95% intervals of the mean over trials. The published 45.47% against simple is shown for simple and for "
        "simple-no-hit, because the study does not say which it used.",
    )


def published_curve(network: str, opponent: str) -> tuple[int, ...]:
    """The study's curve beside ours; empty if it has none."""
    if opponent == RANDOM:
        return published.AGAINST_RANDOM[network][: published.FITTED_CYCLES]
    return published.AGAINST_SIMPLE if network == "2-1-2" else ()


def final_table(found: Measured) -> Table:
    rows = []
    for opponent, name in OPPONENT_NAMES.items():
        zero = found.printed["all weights 0"][opponent].text(1, percent=True)
        rows.append(["all weights 0", name, zero, "", "", ""])
        for network in NETWORKS:
            won = [found.strengths[variant][opponent].won for variant in (network, mirrored(network))]
            rows.append([network, name, *(cell for shares in won for cell in (over_trials(shares), _range(shares)))])
    return Table(
        "The champions of the four networks, games won",
        columns("network | against | ours | worst and best | mirrored | worst and best"),
        rows,
        f"{_champions(found)} The study flips the signs of the inputs for the second player and does not mirror the points; "
        "mirrored, points are counted from each player's own side.",
    )


def _range(won: np.ndarray) -> str:
    """The worst and the best trial."""
    return f"{100 * won.min():.1f} to {100 * won.max():.1f}"


def _champions(found: Measured) -> str:
    return (
        f"Champions over {found.budget.pairs} pairs of games each, on deals used for nothing else; 95% intervals of the mean "
        "over trials."
    )


def start_table(found: Measured) -> Table:
    rows = []
    for name in STARTS:
        won = [found.strengths[name][opponent].won for opponent in OPPONENT_NAMES]
        mean = over_trials(found.curve(name, RANDOM).mean(axis=1))
        rows.append([VARIANTS[name].title, str(len(won[0])), *map(over_trials, won), mean])
    return Table(
        "Starts: zero, random, imitated from simple",
        ["network", "trials", *(f"against {name}" for name in OPPONENT_NAMES.values()), "mean of the curve, random"],
        rows,
        f"Random: N(0, {EVEN}), as wide as the study's (-1, 1). Imitated: changes of one weight, kept if the network then agrees "
        f"with simple at least as often. {_champions(found)}",
    )


def printed_table(found: Measured) -> Table:
    last = [published.AGAINST_RANDOM["2-1-2"][-published.LAST :], *[published.AGAINST_SIMPLE[-published.LAST :]] * 2]
    rows = [["published: the last 20 cycles", *(f"{np.mean(curve):.1f}%" for curve in last)]]
    rows += [
        [name, *(found.printed[name][opponent].text(1, percent=True) for opponent in OPPONENT_NAMES)]
        for name in PRINTED
        if name != "all weights 0"
    ]
    for name in ("2-1-2", mirrored("2-1-2")):
        ours = [over_trials(found.strengths[name][opponent].won) for opponent in OPPONENT_NAMES]
        rows.append([f"our champions, {VARIANTS[name].title}", *ours])
    return Table(
        "Figure 36: the study's best network",
        ["network", *(f"against {name}" for name in OPPONENT_NAMES.values())],
        rows,
        f"{found.budget.games // 2} pairs of games each. Figure 36 prints 51 of 52 weights (the missing one is from Appendix C), "
        "and the last network of Appendix C, which should be the same, differs. From the other side: the board numbered from "
        "its other end.",
    )
