"""The golf study's claims, and whether our intervals support them."""

from collections.abc import Callable

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.papers import Table
from sparring.papers.golf import published
from sparring.papers.golf.measured import Measured, first_matches, measures_of
from sparring.papers.golf.published import INPUTS, MEASURES
from sparring.papers.golf.tables import tens_of
from sparring.papers.verdicts import NOT_SUPPORTED, SUPPORTED, Judged, difference, judged_table, together, verdict

LOW_CARDS, HIGH_CARDS = (0, 1, 12, 13), (9, 10, 11)  # aces, twos, kings, jokers; tens, jacks, queens


def claims_table(found: Measured) -> Table:
    """Every claim with its verdict."""
    return judged_table([claim(found) for claim in CLAIMS], f"{found.trials} trials of {found.budget.epochs} epochs")


def column(found: Measured, name: str, measure: str) -> np.ndarray:
    values: np.ndarray = found.against_random[name][:, MEASURES.index(measure)]
    return values


def learned(found: Measured) -> Judged:
    means = {name: mean_interval(column(found, name, "score")) for name in INPUTS}
    random = found.random.players[0].score.value
    return (
        "Players of every input score fewer points than random",
        "140.72, 189.85, 224.05 against 278.80",
        ", ".join(m.text(1) for m in means.values()) + f" against {random:.1f}",
        together(*(verdict(m, below=random) for m in means.values())),
    )


def hand_score(found: Measured) -> Judged:
    ours, told = mean_interval(column(found, "hand", "score")), average("hand")
    return (
        f"Hand players average {told:.2f} or less against random",
        f"{told:.2f}",
        _reached(ours, told),
        verdict(ours, below=told),
    )


def hand_best(found: Measured) -> Judged:
    """The run's champion, chosen on other deals than those it is judged on here."""
    told = min(row[0] for row in published.AGAINST_RANDOM["hand"])
    judged = found.runs["hand"].evaluation()
    ours = Interval.from_json(judged["trials"][judged["champion"]]["matches"][0]["players"][0]["score"])
    return (
        f"The best hand player (of 5; ours of {found.trials}) scores {told:.2f} or less against random",
        f"{told:.2f}",
        _reached(ours, told),
        verdict(ours, below=told),
    )


def average(name: str, measure: str = "score") -> float:
    """The published mean over an input's five players."""
    return float(np.mean(published.AGAINST_RANDOM[name], axis=0)[MEASURES.index(measure)])


def _reached(ours: Interval, told: float) -> str:
    return ours.text(2) + (", reaches it" if ours.low <= told <= ours.high else "")


def every_input(found: Measured, judge: Callable[[str], str]) -> str:
    """A claim about each input by itself."""
    return together(*(judge(name) for name in INPUTS))


def wins_most(found: Measured) -> Judged:
    rates = {name: share_interval(column(found, name, "won")) for name in INPUTS}
    return (
        "Players of every input win most games against random",
        ", ".join(f"{100 * average(name, 'won'):.2f}%" for name in INPUTS),
        ", ".join(r.text(2, percent=True) for r in rates.values()),
        every_input(found, lambda name: verdict(rates[name], above=0.5)),
    )


def easier_opponent(found: Measured) -> Judged:
    """The same champions against both opponents: a paired difference."""
    gaps = {name: mean_interval(found.against_training[name][:, 0] - column(found, name, "score")) for name in INPUTS}
    return (
        "Players of every input score less against random than against their training opponents",
        "140.72 and 152.49, 189.85 and 203.16, 224.05 and 233.00",
        "less by " + ", ".join(g.text(1) for g in gaps.values()),
        every_input(found, lambda name: verdict(gaps[name], above=0.0)),
    )


def ordering(measure: str, words: str, told: str, rising: bool) -> Callable[[Measured], Judged]:
    """A claim that a measure rises (or falls) from hand over state and hand to state."""

    def claim(found: Measured) -> Judged:
        values = [column(found, name, measure) for name in INPUTS]
        steps = [difference(b, a) for a, b in zip(values, values[1:], strict=False)]
        verdicts = [verdict(step, above=0.0) if rising else verdict(step, below=0.0) for step in steps]
        return words, told, " and ".join("difference " + step.text(2) for step in steps), together(*verdicts)

    return claim


def hand_wins(found: Measured) -> Judged:
    ours = share_interval(column(found, "hand", "won"))
    return (
        "Hand players win nearly every game against random",
        "99.99%",
        ours.text(2, percent=True),
        verdict(ours, above=0.99),
    )


def hand_matches(found: Measured) -> Judged:
    hand = column(found, "hand", "matches_per_game")
    gaps = [difference(hand, column(found, name, "matches_per_game")) for name in INPUTS[1:]]
    return (
        "Hand players make far more matches than each of the others (at least 1 a game more)",
        "4.99 against 1.74 and 1.71",
        " and ".join("difference " + gap.text(2) for gap in gaps),
        together(*(verdict(gap, above=1.0) for gap in gaps)),
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
    (low, high), told = np.percentile(tens, [2.5, 97.5]), float(np.mean(published.THRESHOLD))
    return (
        f"Two random players differ by {told:.2f} points a game in the mean of ten epochs",
        f"{told:.2f} ({min(published.THRESHOLD)} to {max(published.THRESHOLD)})",
        f"{tens.mean():.2f}; 95% of tens lie in {low:.2f} to {high:.2f}, {100 * np.mean(tens <= told):.1f}% at or below {told:.2f}",
        SUPPORTED if low <= told <= high else NOT_SUPPORTED,
    )


def early_gain(found: Measured) -> Judged:
    """Whether the gain up to the end of the first quarter is more than half of the whole gain."""
    curve = found.runs["hand"].training().curves()[1]["benchmark.player.score"]
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
    random = found.random.players[0].profiles["cards"]
    cards = {
        name: np.array([told["players"][0]["profiles"]["cards"] for told in first_matches(run)])
        for name, run in found.runs.items()
    }
    shares = {
        (name, kinds): share_interval(cards[name][:, list(kinds)].sum(axis=1))
        for kinds in (LOW_CARDS, HIGH_CARDS)
        for name in INPUTS
    }
    usual = {kinds: float(random[list(kinds)].sum()) for kinds in (LOW_CARDS, HIGH_CARDS)}
    said = [
        f"{words} (random {100 * usual[kinds]:.0f}%) "
        + ", ".join(shares[name, kinds].text(0, percent=True) for name in INPUTS)
        for words, kinds in (("low cards", LOW_CARDS), ("high cards", HIGH_CARDS))
    ]
    return (
        "All inputs favour aces, twos, kings and jokers and avoid tens, jacks and queens",
        "by its Figure 9",
        "; ".join(said),
        together(
            *(verdict(shares[name, LOW_CARDS], above=usual[LOW_CARDS]) for name in INPUTS),
            *(verdict(shares[name, HIGH_CARDS], below=usual[HIGH_CARDS]) for name in INPUTS),
        ),
    )


def stalemates(found: Measured) -> Judged:
    shares = {
        name: run.training().curves()[1]["training.player.stalemates"][:, -10:].mean(axis=1)
        for name, run in found.runs.items()
    }
    gaps = [difference(shares["hand"], shares[name]) for name in INPUTS[1:]]
    return (
        "In training, rounds of hand players are stopped as stalemates more often than those of each of the others",
        "by its Figure 10",
        f"{100 * shares['hand'].mean():.1f}% of rounds; more by "
        + " and ".join(gap.text(1, percent=True) for gap in gaps),
        together(*(verdict(gap, above=0.0) for gap in gaps)),
    )


def beats_greedier(found: Measured) -> Judged:
    ours = found.greedier["hand"].players[1].win_rate
    return (
        "The best hand player wins most games against greedier",
        "58% of 100 games",
        ours.text(1, percent=True),
        verdict(ours, above=0.5),
    )


def loses_to_greedier(found: Measured) -> Judged:
    rates = [found.greedier[name].players[1].win_rate for name in INPUTS[1:]]
    return (
        "The best of the other inputs lose to greedier",
        "17% and 9%",
        " and ".join(r.text(1, percent=True) for r in rates),
        together(*(verdict(r, below=0.5) for r in rates)),
    )


def round_robin(found: Measured) -> Judged:
    """By head-to-head matches of more games than the tournament has."""
    order = published.FINAL_ROWS
    rates = [found.meetings[a, b].players[0].win_rate for a, b in zip(order, order[1:], strict=False)]
    return (
        "Final round robin: hand beats state and hand, which beats state, which beats random",
        "92%, 76%, 97%",
        ", ".join(rate.text(1, percent=True) for rate in rates),
        together(*(verdict(rate, above=0.5) for rate in rates)),
    )


def _gap(a: Interval, b: Interval) -> Interval:
    """The difference of two scores as if they were independent: sharing deals makes them closer, so this is cautious."""
    value = a.value - b.value
    return Interval(
        value, value - np.hypot(a.value - a.low, b.high - b.value), value + np.hypot(a.high - a.value, b.value - b.low)
    )


def state_disturbs(found: Measured) -> Judged:
    """Scores against the state player beside scores of the same two nets against each other."""
    meet = found.meetings
    against_state = [meet["hand", "state"].players[0].score, meet["state-hand", "state"].players[0].score]
    against_each_other = [player.score for player in meet["hand", "state-hand"].players]
    rises = [_gap(a, b) for a, b in zip(against_state, against_each_other, strict=True)]
    return (
        "The other nets score more against the state player than against each other",
        "174.50 and 195.91 against 140.53 and 187.43",
        "more by " + " and ".join(r.text(1) for r in rises),
        together(*(verdict(r, above=0.0) for r in rises)),
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


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    learned,
    wins_most,
    easier_opponent,
    hand_score,
    hand_best,
    ordering("score", "Scores rise from hand to state and hand to state", "140.72, 189.85, 224.05", True),
    hand_wins,
    hand_matches,
    other_matches,
    ordering(
        "turns_per_round", "Rounds get shorter from hand to state and hand to state", "22.68, 18.53, 15.20", False
    ),
    ordering("rounds_ended", "Rounds ended rise from hand to state and hand to state", "44.43%, 67.83%, 83.37%", True),
    early_gain,
    favoured_cards,
    stalemates,
    early_rules,
    threshold_mean,
    threshold,
    round_robin,
    beats_greedier,
    loses_to_greedier,
    state_disturbs,
    supervised_order,
    supervised_time,
)
