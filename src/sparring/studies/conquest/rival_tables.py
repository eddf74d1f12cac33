"""The tables of case 5: two populations that feed each other, how that is measured, and what ends it."""

import numpy as np

from sparring.studies import Table, columns
from sparring.studies.conquest import published
from sparring.studies.conquest.cases import STUDY
from sparring.studies.conquest.collusion import HIGH, SETTLED, SIDES, index_interval
from sparring.studies.conquest.draws import count_below, place_text, quantiles, spread_text
from sparring.studies.conquest.measured import Measured, Rivals
from sparring.studies.conquest.published import KINDS
from sparring.studies.conquest.study_runs import FIXED_PLAYERS
from sparring.studies.conquest.tables import QUANTILES
from sparring.studies.formats import mean_text, rate_text, share_text
from sparring.studies.study import Sections

NO_STRANGERS = "no strangers"  # a single trial
RIVALS_SECTION, COLLUSION_SECTION, CURE_SECTION = "Case 5: two populations", "The collusion index", "What ends it"


def rival_tables(found: Measured) -> Sections:
    """The tables by section."""
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
    for mark, (theirs, ours) in marks.items():
        sides = [*zip(SIDES, theirs, ours, strict=True), ("together", sum(theirs), ours[0] + ours[1])]
        rows += [
            [mark, side, f"{value:,.0f}", *(f"{quantile:.0f}" for quantile in quantiles(fitness))]
            + [f"{count_below(fitness, value)} of {len(fitness)}", place_text(fitness, value)]
            for side, value, fitness in sides
        ]
    return Table(
        "Best fitness of blue and red",
        columns(f"| side | published | {QUANTILES}"),
        rows,
        f"{found.trials} trials of {found.budget.generations(5)} generations (the study: one of {published.GENERATIONS}, with "
        f"the spike in generation {published.SPIKE_GENERATION}). Our spike: the generation of the greatest joint fitness.",
    )


def moves_table(found: Measured) -> Table:
    study, rows = found.rivals[STUDY], []
    marks = {
        "spike": (published.SPIKE_MOVES, (published.ROUNDS,) * 2, study.at_peak),
        "last generation": (published.END_MOVES, published.END_ROUNDS, study.last.of_best),
    }
    for mark, (moves, played, measure) in marks.items():
        rounds = measure("rounds")
        for side, name in enumerate(SIDES):
            for kind, count in zip(KINDS, moves[side], strict=True):
                ours = measure(kind)[:, side]
                rows.append(
                    [mark, name, kind, f"{count:,}", f"{100 * count / played[side]:.0f}%", spread_text(ours)]
                    + [share_text(ours / np.maximum(rounds[:, side], 1))]
                )
    return Table(
        "Moves of best blue and best red",
        columns("| side | moves | published | share | ours | share"),
        rows,
        "In the games that made them the best; median and range over trials, mean share of rounds with its 95% interval. "
        "Published: by the author's results.",
    )


def size_table(found: Measured) -> Table:
    rows = []
    for side, name in enumerate(SIDES):
        theirs, ours = published.SIZES[side], found.rivals[STUDY].sizes[:, side].T
        rows.append([name, *(cell for a, b in zip(theirs, ours, strict=True) for cell in (str(a), spread_text(b)))])
    return Table(
        "Sizes of the last generation's best networks",
        columns("side | hidden nodes, published | ours | connections, published | ours, enabled"),
        rows,
        "Median and range over trials.",
    )


def spike_table(found: Measured) -> Table:
    spikes, rows = found.rivals[STUDY].spikes, []
    for words, lengths in (
        (f"together above {HIGH:.0f}", spikes.high),
        ("together above twice the median of the earlier generations", spikes.doubled),
    ):
        seen = lengths > 0
        rows.append([words, f"{int(seen.sum())} of {len(seen)}", spread_text(np.where(seen, lengths, np.nan))])
    peak = quantiles(spikes.height)
    rows.append(["greatest, together", f"{peak.median:.0f} ({peak.low:.0f} to {peak.high:.0f})", ""])
    rows.append(["its generation", spread_text(spikes.generation.astype(float)), ""])
    return Table(
        "Spikes",
        columns("| trials | generations in a row"),
        rows,
        f"The sum of best blue and best red: the study's spike has {sum(published.SPIKE):.0f} for one generation, its end "
        f"{sum(published.END)}. Twice the median counts from generation {SETTLED} on. Medians and ranges over trials.",
    )


def trials_words(found: Measured) -> str:
    return f"{found.trials} trials of {STUDY}, {min(found.trials, found.budget.others)} of the others"


def known_mean(values: np.ndarray, digits: int) -> str:
    """A mean over trials; a single trial has no strangers to play."""
    return mean_text(values, digits) if np.isfinite(values).all() else NO_STRANGERS


def known_rate(shares: np.ndarray) -> str:
    """A rate over trials; a single trial has no strangers to play."""
    return rate_text(shares, 0) if np.isfinite(shares).all() else NO_STRANGERS


def collusion_table(found: Measured) -> Table:
    rows = []
    for fitness, rivals in found.rivals.items():
        last = rivals.last
        indices = (rivals.matchups[0].index, rivals.peak_index, last.index)
        payoffs = np.median(last.of_best("payoff"), axis=0)
        rows.append(
            [fitness, *(index_interval(i).text(2) if np.isfinite(i).all() else NO_STRANGERS for i in indices)]
            + [known_mean(last.mean("mutual"), 1), known_mean(last.mean("mutual", own=False), 1)]
            + [" / ".join(f"{payoff:.0f}" for payoff in payoffs)]
        )
    return Table(
        "The collusion index, by fitness",
        columns("fitness | index, first generation | peak generation | last generation | lesser payoff, last")
        + columns("against strangers | blue's and red's, median"),
        rows,
        f"{trials_words(found)}; means with 95% intervals. Payoff: the study's for moves, whatever the fitness, in the games that "
        "made a generation's best, and of these networks against strangers. Index: 1 - strangers' payoff / their own; negative "
        "if the strangers' is greater. Peak generation: the greatest joint fitness of best blue and best red.",
    )


def play_table(found: Measured) -> Table:
    rows = []
    for fitness, rivals in found.rivals.items():
        last = rivals.last
        rounds = last.mean("rounds")
        rows.append(
            [fitness, known_rate(last.mean("decided")), known_rate(last.mean("decided", own=False))]
            + [known_mean(rounds, 0), known_mean(2 * last.mean("kills") / rounds, 3), _kills_per_tile(rivals)]
            + [known_rate(last.mean("attack") / rounds)]
        )
    return Table(
        "How the last generation's best play",
        columns(
            "fitness | decided | decided against strangers | rounds | kills per round | kills per tile exchanged | attacks"
        ),
        rows,
        f"{trials_words(found)}; the games that made best blue and best red, of at most {published.ROUNDS:,} rounds; means with "
        "95% intervals. Kills per tile: in all these games together. Attacks: the share of moves, also on nature's tiles.",
    )


def _kills_per_tile(rivals: Rivals) -> str:
    kills, tiles = (float(rivals.exchanged[name].sum()) for name in ("kills", "tiles"))
    return f"{kills / tiles:.1f}" if tiles else f"none exchanged, {kills:,.0f} kills"


def strength_table(found: Measured) -> Table:
    rows = [
        [fitness, f"{mark} generation", side, *(known_rate(won[name]) for name in FIXED_PLAYERS)]
        for fitness, rivals in found.rivals.items()
        for mark, sides in rivals.strength.items()
        for side, won in sides.items()
    ]
    return Table(
        "Games won by the generation's best against fixed players",
        ["fitness", "", "side", *FIXED_PLAYERS],
        rows,
        f"{trials_words(found)}; {found.budget.strength_deals} deals each, but one against greedy, which always plays the same "
        "game; means over trials with 95% intervals. Undecided games are not won.",
    )
