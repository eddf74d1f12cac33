"""The golf study's claims, and whether our intervals support them."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies import Table
from sparring.studies.golf import published
from sparring.studies.golf.by_input import Claim, average, cards_claim, column, gap, ordering, reached, titled, told
from sparring.studies.golf.final_claims import FINAL_CLAIMS
from sparring.studies.golf.measured import Measured, first_matches, measures_of
from sparring.studies.golf.neat_claims import NEAT_CLAIMS
from sparring.studies.golf.published import INPUTS, NEAT
from sparring.studies.golf.report_tables import tens_of
from sparring.studies.verdicts import NOT_SUPPORTED, SUPPORTED, Judged, difference, judged_table, together, verdict

LOW_CARDS, HIGH_CARDS = (0, 1, 12, 13), (9, 10, 11)  # aces, twos, kings, jokers; tens, jacks, queens


def claims_table(found: Measured) -> Table:
    """Every claim with its verdict."""
    budget = (
        f"{found.trials} trials of {found.budget.epochs} epochs, and of {found.budget.generations} generations of NEAT"
    )
    return judged_table([claim(found) for claim in CLAIMS], budget)


def learned(found: Measured, names: Sequence[str] = INPUTS) -> Judged:
    means = [mean_interval(column(found, name, "score")) for name in names]
    random = found.random.players[0].score.value
    return (
        titled(names, "Players of every input score fewer points than random"),
        f"{told(names)} against 278.80",
        ", ".join(m.text(1) for m in means) + f" against {random:.1f}",
        together(*(verdict(m, below=random) for m in means)),
    )


def hand_score(found: Measured, name: str = "hand") -> Judged:
    ours, theirs = mean_interval(column(found, name, "score")), average(name)
    return (
        titled([name], f"Hand players average {theirs:.2f} or less against random"),
        f"{theirs:.2f}",
        reached(ours, theirs),
        verdict(ours, below=theirs),
    )


def hand_best(found: Measured, name: str = "hand") -> Judged:
    """The run's champion, chosen on other deals than those it is judged on here."""
    players = [row[0] for row in published.AGAINST_RANDOM[name]]
    theirs = min(players)
    judged = found.runs[name].evaluation()
    ours = Interval.from_json(judged["trials"][judged["champion"]]["matches"][0]["players"][0]["score"])
    words = (
        f"The best hand player (of {len(players)}; ours of {found.trials}) scores {theirs:.2f} or less against random"
    )
    return titled([name], words), f"{theirs:.2f}", reached(ours, theirs), verdict(ours, below=theirs)


def wins_most(found: Measured, names: Sequence[str] = INPUTS) -> Judged:
    rates = [share_interval(column(found, name, "won")) for name in names]
    return (
        titled(names, "Players of every input win most games against random"),
        told(names, "won"),
        ", ".join(r.text(2, percent=True) for r in rates),
        together(*(verdict(rate, above=0.5) for rate in rates)),
    )


def easier_opponent(found: Measured) -> Judged:
    """The same champions against both opponents: a paired difference."""
    less = [mean_interval(found.against_training[name][:, 0] - column(found, name, "score")) for name in INPUTS]
    return (
        "Players of every input score less against random than against their training opponents",
        "140.72 and 152.49, 189.85 and 203.16, 224.05 and 233.00",
        "less by " + ", ".join(x.text(1) for x in less),
        together(*(verdict(x, above=0.0) for x in less)),
    )


def hand_wins(found: Measured) -> Judged:
    ours = share_interval(column(found, "hand", "won"))
    return (
        "Hand players win nearly every game against random",
        "99.99%",
        ours.text(2, percent=True),
        verdict(ours, above=0.99),
    )


def hand_matches(found: Measured, names: Sequence[str] = INPUTS) -> Judged:
    gaps = [gap(found, names[0], name, "matches_per_game") for name in names[1:]]
    return (
        titled(names, "Hand players make far more matches than each of the others (at least 1 a game more)"),
        told(names, "matches_per_game"),
        " and ".join("difference " + g.text(2) for g in gaps),
        together(*(verdict(g, above=1.0) for g in gaps)),
    )


def other_matches(found: Measured) -> Judged:
    means = [mean_interval(column(found, name, "matches_per_game")) for name in INPUTS[1:]]
    return (
        "The other inputs hardly match more than random (1.49): below 2 a game",
        "1.74 and 1.71",
        " and ".join(mean.text(2) for mean in means),
        together(*(verdict(mean, below=2.0) for mean in means)),
    )


def early_rules(found: Measured) -> Judged:
    """What counts is where they end: untrained nets score anything."""
    bar = 0.9 * found.random.players[0].score.value
    means = {key: mean_interval(measures_of(first_matches(run))[:, 0]) for key, run in found.early.items()}
    return (
        f"Under the rules by wins nobody learns: champions score more than nine tenths of random's ({bar:.0f})",
        "no improvement in 1,000 epochs",
        ", ".join(f"{rule} {name} {mean.text(0)}" for (rule, name), mean in means.items()),
        together(*(verdict(mean, above=bar) for mean in means.values())),
    )


def threshold(found: Measured) -> Judged:
    beyond = rate_interval((found.threshold > 15).astype(float))
    return (
        "Two equal players hardly ever differ by 15 points a game over an epoch (5% or less)",
        "never in 10 epochs",
        beyond.text(1, percent=True),
        verdict(beyond, below=0.05),
    )


def threshold_mean(found: Measured) -> Judged:
    tens = tens_of(found.threshold).mean(axis=1)
    (low, high), theirs = np.percentile(tens, [2.5, 97.5]), float(np.mean(published.THRESHOLD))
    return (
        f"Two random players differ by {theirs:.2f} points a game in the mean of ten epochs",
        f"{theirs:.2f} ({min(published.THRESHOLD)} to {max(published.THRESHOLD)})",
        f"{tens.mean():.2f}; 95% of tens lie in {low:.2f} to {high:.2f}, "
        f"{100 * np.mean(tens <= theirs):.1f}% at or below {theirs:.2f}",
        SUPPORTED if low <= theirs <= high else NOT_SUPPORTED,
    )


def early_gain(found: Measured) -> Judged:
    """Whether the gain up to the end of the first quarter is more than half of the whole gain."""
    curve = found.curves["hand"][1]["benchmark.player.score"]
    quarter, tenth = max(1, curve.shape[1] // 4), max(1, curve.shape[1] // 10)
    start = curve[:, 0]
    whole = start - curve[:, -tenth:].mean(axis=1)
    early = start - curve[:, max(0, quarter - tenth) : quarter].mean(axis=1)
    ours = mean_interval(early - 0.5 * whole)
    return (
        "Improvement is fast at first: more than half of it comes in the first quarter of training",
        "by its Figure 6",
        f"{early.mean():.0f} of {whole.mean():.0f} points; more than half by {ours.text(1)}",
        verdict(ours, above=0.0),
    )


def favoured_cards(found: Measured) -> Judged:
    return cards_claim(found, INPUTS, "aces, twos, kings and jokers", LOW_CARDS, "tens, jacks and queens", HIGH_CARDS)


def stalemates(found: Measured) -> Judged:
    shares = {name: found.curves[name][1]["training.player.stalemates"][:, -10:].mean(axis=1) for name in INPUTS}
    more = [difference(shares["hand"], shares[name]) for name in INPUTS[1:]]
    return (
        "In training, rounds of hand players are stopped as stalemates more often than those of each of the others",
        "by its Figure 10",
        f"{100 * shares['hand'].mean():.1f}% of rounds; more by " + " and ".join(x.text(1, percent=True) for x in more),
        together(*(verdict(x, above=0.0) for x in more)),
    )


def supervised_order(found: Measured) -> Judged:
    errors = {
        name: np.array([fit["mean_absolute_error"] for fit in found.supervised if fit["representation"] == name])
        for name in published.SUPERVISED
    }
    steps = [
        difference(errors["numerical"], errors["one-hot-value"]),
        difference(errors["one-hot-value"], errors["one-hot-deck"]),
    ]
    return (
        "Supervised: one hot beats numerical, and one hot deck beats one hot value",
        "1.773, 0.839, 0.552",
        ", ".join(f"{e.mean():.3f}" for e in errors.values())
        + "; differences "
        + " and ".join(s.text(2) for s in steps),
        together(*(verdict(s, above=0.0) for s in steps)),
    )


def supervised_time(found: Measured) -> Judged:
    seconds = {
        name: np.array([fit["seconds"] for fit in found.supervised if fit["representation"] == name])
        for name in published.SUPERVISED
    }
    steps = [difference(b, a) for a, b in zip(list(seconds.values()), list(seconds.values())[1:], strict=False)]
    return (
        "Supervised: more inputs take longer to train",
        "209.90, 673.97, 1273.00 seconds",
        ", ".join(f"{s.mean():.0f}" for s in seconds.values())
        + " seconds; differences "
        + " and ".join(s.text(1) for s in steps),
        together(*(verdict(s, above=0.0) for s in steps)),
    )


CLAIMS: tuple[Claim, ...] = (
    learned,
    wins_most,
    easier_opponent,
    hand_score,
    hand_best,
    ordering("score", "Scores rise from hand to state and hand to state", True),
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
    ordering("score", "Scores rise from hand to state and hand to state", True, NEAT),
    partial(hand_matches, names=NEAT),
    *NEAT_CLAIMS,
    *FINAL_CLAIMS,
    supervised_order,
    supervised_time,
)
