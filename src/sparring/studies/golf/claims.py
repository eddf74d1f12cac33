"""The golf study's claims, judged by our intervals."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies.golf import published
from sparring.studies.golf.by_input import (
    Claim,
    at_most,
    average,
    averages,
    cards_claim,
    column,
    gap,
    ordering,
    titled,
)
from sparring.studies.golf.final_claims import FINAL_CLAIMS
from sparring.studies.golf.measured import Measured, first_matches, measures_of
from sparring.studies.golf.neat_claims import NEAT_CLAIMS
from sparring.studies.golf.published import INPUTS, NEAT
from sparring.studies.golf.report_tables import tens_of
from sparring.studies.verdicts import NOT_SUPPORTED, SUPPORTED, Judged, above, below, difference, judge, together

LOW_CARDS, HIGH_CARDS = (0, 1, 12, 13), (9, 10, 11)  # aces, twos, kings, jokers; tens, jacks, queens
RISING_SCORES = "Scores rise from hand to state and hand to state"


def learned(found: Measured, names: Sequence[str] = INPUTS) -> Judged:
    random = found.random.players[0].score.value
    return judge(
        titled(names, "Players of every input score fewer points than random"),
        f"{averages(names)} against 278.80",
        [mean_interval(column(found, name, "score")) for name in names],
        below(random),
        f"{{:.1f}} against {random:.1f}",
    )


def hand_score(found: Measured, name: str = "hand") -> Judged:
    theirs = average(name)
    claim = titled([name], f"Hand players average {theirs:.2f} or less against random")
    return at_most(mean_interval(column(found, name, "score")), claim, theirs)


def hand_best(found: Measured, name: str = "hand") -> Judged:
    """The run's champion, chosen on other deals than these."""
    scores = [row[0] for row in published.AGAINST_RANDOM[name]]
    evaluation = found.runs[name].evaluation()
    ours = Interval.from_json(evaluation["trials"][evaluation["champion"]]["matches"][0]["players"][0]["score"])
    best = f"The best hand player (of {len(scores)}; ours of {found.trials})"
    return at_most(ours, titled([name], f"{best} scores {min(scores):.2f} or less against random"), min(scores))


def wins_most(found: Measured, names: Sequence[str] = INPUTS) -> Judged:
    return judge(
        titled(names, "Players of every input win most games against random"),
        averages(names, "won"),
        [share_interval(column(found, name, "won")) for name in names],
        above(0.5),
        "{:.2%}",
    )


def easier_opponent(found: Measured) -> Judged:
    """The same champions against both opponents: a paired difference."""
    return judge(
        "Players of every input score less against random than against their training opponents",
        "140.72 and 152.49, 189.85 and 203.16, 224.05 and 233.00",
        [mean_interval(found.against_training[name][:, 0] - column(found, name, "score")) for name in INPUTS],
        above(0.0),
        "less by {:.1f}",
    )


def hand_wins(found: Measured) -> Judged:
    claim, ours = "Hand players win nearly every game against random", share_interval(column(found, "hand", "won"))
    return judge(claim, "99.99%", ours, above(0.99), "{:.2%}")


def hand_matches(found: Measured, names: Sequence[str] = INPUTS) -> Judged:
    return judge(
        titled(names, "Hand players make far more matches than each of the others (at least 1 more per game)"),
        averages(names, "matches_per_game"),
        [gap(found, names[0], name, "matches_per_game") for name in names[1:]],
        above(1.0),
        "differences {:.2f}",
    )


def other_matches(found: Measured) -> Judged:
    return judge(
        "The other inputs hardly match more than random (1.49): below 2 per game",
        "1.74 and 1.71",
        [mean_interval(column(found, name, "matches_per_game")) for name in INPUTS[1:]],
        below(2.0),
        "{:.2f}",
    )


def early_rules(found: Measured) -> Judged:
    """Only the end counts: the scores of untrained networks are arbitrary."""
    bar = 0.9 * found.random.players[0].score.value
    means = {key: mean_interval(measures_of(first_matches(run))[:, 0]) for key, run in found.early.items()}
    return (
        f"Under the rules that count wins nobody learns: champions score more than 90% of random's score ({bar:.0f})",
        "no improvement in 1,000 epochs",
        ", ".join(f"{rule} {name} {mean.text(0)}" for (rule, name), mean in means.items()),
        together(*map(above(bar), means.values())),
    )


def threshold(found: Measured) -> Judged:
    return judge(
        "Two equal players hardly ever differ by 15 points per game over an epoch (5% or less)",
        "never in 10 epochs",
        rate_interval((found.threshold > 15).astype(float)),
        below(0.05),
        "{:.1%}",
    )


def threshold_mean(found: Measured) -> Judged:
    tens = tens_of(found.threshold).mean(axis=1)
    (low, high), theirs = np.percentile(tens, [2.5, 97.5]), float(np.mean(published.THRESHOLD))
    return (
        f"Two random players differ by {theirs:.2f} points per game in the mean of ten epochs",
        f"{theirs:.2f} ({min(published.THRESHOLD)} to {max(published.THRESHOLD)})",
        f"{tens.mean():.2f}; 95% of tens lie in {low:.2f} to {high:.2f}, "
        f"{100 * np.mean(tens <= theirs):.1f}% at or below {theirs:.2f}",
        SUPPORTED if low <= theirs <= high else NOT_SUPPORTED,
    )


def early_gain(found: Measured) -> Judged:
    """Whether the gain up to the end of the first quarter is more than half of the total gain."""
    curve = found.curves["hand"][1]["benchmark.player.score"]
    quarter, tenth = max(1, curve.shape[1] // 4), max(1, curve.shape[1] // 10)
    whole = curve[:, 0] - curve[:, -tenth:].mean(axis=1)
    early = curve[:, 0] - curve[:, max(0, quarter - tenth) : quarter].mean(axis=1)
    return judge(
        "Improvement is fast at first: more than half of it comes in the first quarter of training",
        "Figure 6",
        mean_interval(early - 0.5 * whole),
        above(0.0),
        f"{early.mean():.0f} of {whole.mean():.0f} points; more than half by {{:.1f}}",
    )


def favoured_cards(found: Measured) -> Judged:
    return cards_claim(found, INPUTS, "aces, twos, kings and jokers", LOW_CARDS, "tens, jacks and queens", HIGH_CARDS)


def stalemates(found: Measured) -> Judged:
    shares = {name: found.curves[name][1]["training.player.stalemates"][:, -10:].mean(axis=1) for name in INPUTS}
    return judge(
        "In training, rounds of hand players end as stalemates more often than those of each of the others",
        "Figure 10",
        [difference(shares["hand"], shares[name]) for name in INPUTS[1:]],
        above(0.0),
        f"{100 * shares['hand'].mean():.1f}% of rounds; more by {{:.1%}}",
    )


def supervised_claim(found: Measured, claim: str, theirs: str, key: str, digits: int, rising: bool) -> Judged:
    """A claim that a figure of the supervised networks rises or falls from one representation to the next."""
    values = [
        np.array([fit[key] for fit in found.supervised if fit["representation"] == name])
        for name in published.SUPERVISED
    ]
    steps = [difference(b, a) if rising else difference(a, b) for a, b in pairwise(values)]
    means = ", ".join(f"{each.mean():.{digits}f}" for each in values)
    return judge(claim, theirs, steps, above(0.0), f"{means}; differences {{:.{1 if rising else 2}f}}")


CLAIMS: tuple[Claim, ...] = (
    learned,
    wins_most,
    easier_opponent,
    hand_score,
    hand_best,
    ordering("score", RISING_SCORES, True),
    hand_wins,
    hand_matches,
    other_matches,
    ordering("turns_per_round", "Rounds get shorter from hand to state and hand to state", False),
    ordering("rounds_ended", "Rounds ended rise from hand to state and hand to state", True),
    early_gain,
    favoured_cards,
    stalemates,
    early_rules,
    threshold_mean,
    threshold,
    partial(learned, names=NEAT),
    partial(wins_most, names=NEAT),
    partial(hand_score, name="neat-hand"),
    partial(hand_best, name="neat-hand"),
    ordering("score", RISING_SCORES, True, NEAT),
    partial(hand_matches, names=NEAT),
    *NEAT_CLAIMS,
    *FINAL_CLAIMS,
    partial(
        supervised_claim,
        claim="Supervised: one hot beats numerical, and one hot deck beats one hot value",
        theirs="1.773, 0.839, 0.552",
        key="mean_absolute_error",
        digits=3,
        rising=False,
    ),
    partial(
        supervised_claim,
        claim="Supervised: more inputs take longer to train (seconds)",
        theirs="209.90, 673.97, 1273.00",
        key="seconds",
        digits=0,
        rising=True,
    ),
)
