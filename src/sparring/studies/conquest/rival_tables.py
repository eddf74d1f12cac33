"""The tables of case 5: two populations that feed each other, how that is measured, and what ends it."""

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies import Table
from sparring.studies.conquest import published
from sparring.studies.conquest.cases import STUDY
from sparring.studies.conquest.collusion import HIGH, SETTLED, SIDES, index_interval
from sparring.studies.conquest.draws import below, place_words, quantiles, spread_words
from sparring.studies.conquest.measured import Measured, Rivals
from sparring.studies.conquest.published import KINDS
from sparring.studies.conquest.report_tables import share_words
from sparring.studies.conquest.study_runs import YARDSTICKS

NO_STRANGERS = "no strangers"  # of one trial
RIVALS_SECTION, COLLUSION_SECTION, CURE_SECTION = "Case 5: two populations", "The collusion index", "What ends it"


def rival_tables(found: Measured) -> dict[str, list[Table]]:
    """By the section that they stand in."""
    return {
        RIVALS_SECTION: [fitness_table(found), moves_table(found), size_table(found), spike_table(found)],
        COLLUSION_SECTION: [collusion_table(found)],
        CURE_SECTION: [play_table(found), strength_table(found)],
    }


def fitness_table(found: Measured) -> Table:
    study, rows = found.rivals[STUDY], []
    peaks = study.spikes.generation - 1
    marks = {
        "last generation": (published.END, [curve[:, -1] for curve in (study.blue, study.red)]),
        "spike": (published.SPIKE, [curve[np.arange(len(curve)), peaks] for curve in (study.blue, study.red)]),
    }
    for mark, (told, ours) in marks.items():
        both = [*zip(SIDES, told, ours, strict=True), ("together", sum(told), ours[0] + ours[1])]
        for side, value, fitness in both:
            place = quantiles(fitness)
            rows.append(
                [mark, side, f"{value:,.0f}", f"{place.low:.0f}", f"{place.lower:.0f}", f"{place.median:.0f}"]
                + [f"{place.upper:.0f}", f"{place.high:.0f}", f"{below(fitness, value)} of {len(fitness)}"]
                + [place_words(fitness, value)]
            )
    return Table(
        "Best fitness of blue and red",
        ["", "side", "published", "least", "lower quartile", "median", "upper quartile", "greatest", "ours below it"]
        + ["the published one lies"],
        rows,
        f"{found.trials} trials of {found.budget.rival_generations} generations (the study's one: {published.GENERATIONS}; its "
        f"spike is in generation {published.SPIKE_GENERATION}). Our spike: the generation of the greatest fitness together.",
    )


def moves_table(found: Measured) -> Table:
    study, rows = found.rivals[STUDY], []
    for mark, told in (("spike", published.SPIKE_MOVES), ("last generation", published.END_MOVES)):
        for side, name in enumerate(SIDES):
            for kind, count in zip(KINDS, told[side], strict=True):
                ours = study.at_peak(kind) if mark == "spike" else study.last.of_best(kind)
                rounds = study.at_peak("rounds") if mark == "spike" else study.last.of_best("rounds")
                shares = ours[:, side] / np.maximum(rounds[:, side], 1)
                rows.append(
                    [mark, name, kind, f"{count:,}", f"{100 * count / published.ROUNDS:.0f}%"]
                    + [spread_words(ours[:, side]), share_words(share_interval(shares))]
                )
    return Table(
        "Moves of best blue and best red",
        ["", "side", "moves", "published", "share", "ours", "share"],
        rows,
        "In the games that made them the best; median and range over trials, mean share of rounds with its 95% interval. Of "
        f"{published.ROUNDS:,} rounds the study's counts leave out 8 of blue's moves at the spike and one of red's each time.",
    )


def size_table(found: Measured) -> Table:
    rows = []
    for side, name in enumerate(SIDES):
        told, ours = published.SIZES[side], found.rivals[STUDY].sizes[:, side].T
        rows.append([name, str(told[0]), spread_words(ours[0]), str(told[1]), spread_words(ours[1])])
    return Table(
        "Sizes of the last generation's best networks",
        ["side", "hidden nodes, published", "ours", "connections, published", "ours, enabled"],
        rows,
        "Median and range over trials.",
    )


def spike_table(found: Measured) -> Table:
    study = found.rivals[STUDY]
    rows = []
    for words, lengths in (
        (f"together above {HIGH:.0f}", study.spikes.high),
        ("together above twice the median of the generations before", study.spikes.doubled),
    ):
        seen = lengths > 0
        rows.append([words, f"{int(seen.sum())} of {len(seen)}", spread_words(np.where(seen, lengths, np.nan))])
    peak = quantiles(study.spikes.height)
    rows.append(["greatest, together", f"{peak.median:.0f} ({peak.low:.0f} to {peak.high:.0f})", ""])
    rows.append(["its generation", spread_words(study.spikes.generation.astype(float)), ""])
    return Table(
        "Spikes",
        ["", "trials", "generations in a row"],
        rows,
        f"Best blue and best red together: the study's spike has {sum(published.SPIKE):.0f} for one generation, its end "
        f"{sum(published.END)}. Twice the median counts from generation {SETTLED} on. Medians and ranges over trials.",
    )


def known(values: np.ndarray, digits: int) -> str:
    """A mean over trials with its interval, which is not below 0; nothing where a trial has no strangers to meet."""
    if not np.isfinite(values).all():
        return NO_STRANGERS
    told = mean_interval(values)
    return (Interval(told.value, max(0.0, told.low), told.high) if len(values) > 1 else told).text(digits)


def index_text(index: np.ndarray) -> str:
    return index_interval(index).text(2) if np.isfinite(index).all() else NO_STRANGERS


def share_text(shares: np.ndarray) -> str:
    """A rate over trials; where all are alike, each counts as one game."""
    return rate_interval(shares).text(0, percent=True) if np.isfinite(shares).all() else NO_STRANGERS


def collusion_table(found: Measured) -> Table:
    rows = []
    for fitness, rivals in found.rivals.items():
        last, first = rivals.last, rivals.meetings[0]
        rows.append(
            [fitness, index_text(first.index), index_text(rivals.peak_index), index_text(last.index)]
            + [known(last.mean("mutual"), 1), known(last.mean("mutual", own=False), 1), _pair_text(rivals)]
        )
    return Table(
        "The collusion index, by what networks strove for",
        ["fitness", "index, first generation", "greatest generation", "last generation", "lesser payoff, last"]
        + ["among strangers", "blue's and red's, median"],
        rows,
        f"{found.trials} trials; means with 95% intervals. Payoff: the study's for moves, whatever was striven for, in the games "
        "that made a generation's best the best, and of these networks among strangers. Index: 1 - strangers' / their own where "
        "that is more, below 0 where strangers' is. Greatest generation: of fitness that best blue and best red have together.",
    )


def _pair_text(rivals: Rivals) -> str:
    """What best blue and best red had."""
    return " / ".join(f"{payoff:.0f}" for payoff in np.median(rivals.last.of_best("payoff"), axis=0))


def play_table(found: Measured) -> Table:
    rows = []
    for fitness, rivals in found.rivals.items():
        last = rivals.last
        rounds = last.mean("rounds")
        rows.append(
            [fitness, share_text(last.mean("decided")), share_text(last.mean("decided", own=False))]
            + [known(rounds, 0), known(2 * last.mean("kills") / rounds, 3), _per_tile(rivals)]
            + [share_text(last.mean("attack") / rounds)]
        )
    return Table(
        "How the last generation's best play",
        ["fitness", "decided", "decided among strangers", "rounds", "kills a round", "kills a tile that changed hands"]
        + ["attacks"],
        rows,
        f"{found.trials} trials; the games that made best blue and best red the best, of {published.ROUNDS:,} rounds at most; "
        "means with 95% intervals. Kills a tile: of all these games together. Attacks: the share of moves, those on nature's tiles "
        "included.",
    )


def _per_tile(rivals: Rivals) -> str:
    kills, tiles = (float(rivals.exchanged[name].sum()) for name in ("kills", "tiles"))
    return f"{kills / tiles:.1f}" if tiles else f"none changed, {kills:,.0f} kills"


def strength_table(found: Measured) -> Table:
    rows = []
    for fitness, rivals in found.rivals.items():
        for mark, sides in rivals.strength.items():
            for side, won in sides.items():
                cells = [share_text(won[name]) for name in YARDSTICKS]
                rows.append([fitness, f"{mark} generation", side, *cells])
    return Table(
        "Games won by the generation's best against fixed players",
        ["fitness", "", "side", *YARDSTICKS],
        rows,
        f"{found.trials} trials; {found.budget.strength_deals} deals each, one against greedy, who plays the same game every time; "
        "means over trials with 95% intervals. Undecided games are not won.",
    )
