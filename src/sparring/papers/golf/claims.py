"""The golf study's claims, and whether our intervals support them."""

from collections.abc import Callable

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, student
from sparring.papers import Table
from sparring.papers.golf import published
from sparring.papers.golf.measured import Measured
from sparring.papers.golf.published import INPUTS, MEASURES
from sparring.papers.golf.tables import early_falls

SUPPORTED, NOT_SUPPORTED, OPEN = "supported", "not supported", "open"
LOW_CARDS, HIGH_CARDS = (0, 1, 12, 13), (9, 10, 11)  # aces, twos, kings, jokers; tens, jacks, queens
Judged = tuple[str, str, str, str]  # claim, published, ours, verdict


def difference(a: np.ndarray, b: np.ndarray) -> Interval:
    """The difference of two means by Welch's interval."""
    va, vb = (x.var(ddof=1) / len(x) if len(x) > 1 else np.inf for x in (a, b))
    value = float(a.mean() - b.mean())
    if not np.isfinite(va + vb):
        return Interval(value, -np.inf, np.inf)
    if va + vb == 0:
        return Interval(value, value, value)
    degrees = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    half = student(degrees) * np.sqrt(va + vb)
    return Interval(value, value - half, value + half)


def verdict(interval: Interval, above: float | None = None, below: float | None = None) -> str:
    """Whether an interval lies wholly on the claim's side, wholly on the other, or on both."""
    if above is not None:
        return SUPPORTED if interval.low > above else NOT_SUPPORTED if interval.high < above else OPEN
    assert below is not None
    return SUPPORTED if interval.high < below else NOT_SUPPORTED if interval.low > below else OPEN


def together(*verdicts: str) -> str:
    """A claim of several parts stands if all of them do and falls if one does."""
    if NOT_SUPPORTED in verdicts:
        return NOT_SUPPORTED
    return OPEN if OPEN in verdicts else SUPPORTED


def claims_table(found: Measured) -> Table:
    """Every claim with its verdict."""
    judged = [claim(found) for claim in CLAIMS]
    return Table(
        "The study's claims",
        ["claim", "published", "ours", "verdict"],
        [list(row) for row in judged],
        f"At this budget ({found.trials} trials of {found.budget.epochs} epochs). Supported: our whole 95% interval lies on the "
        "claim's side, or holds the figure claimed. Not supported: it lies wholly on the other. Open: on both.",
        [row[3] for row in judged],
    )


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
    ours = mean_interval(column(found, "hand", "score"))
    return (
        "Hand players average 140.72 against random: ours reach it or do better",
        "140.72",
        ours.text(2),
        SUPPORTED if ours.low <= 140.72 else NOT_SUPPORTED,
    )


def hand_best(found: Measured) -> Judged:
    """The run's champion, chosen on other deals than those it is judged on here."""
    told = found.runs["hand"].evaluation()
    score = told["trials"][told["champion"]]["matches"][0]["players"][0]["score"]
    ours = Interval.from_json(score)
    return (
        f"The best hand player scores 118.18 against random: the best of our {found.trials} reaches it or does better",
        "118.18",
        ours.text(2),
        SUPPORTED if ours.low <= 118.18 else NOT_SUPPORTED,
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
    ours = mean_interval(column(found, "hand", "won"))
    return (
        "Hand players win nearly every game against random",
        "99.99%",
        ours.text(2, percent=True),
        verdict(ours, above=0.99),
    )


def hand_matches(found: Measured) -> Judged:
    hand, others = (
        column(found, "hand", "matches_per_game"),
        np.concatenate([column(found, n, "matches_per_game") for n in INPUTS[1:]]),
    )
    ours = difference(hand, others)
    return (
        "Hand players make far more matches than the others (at least 1 a game more)",
        "4.99 against 1.74 and 1.71",
        "difference " + ours.text(2),
        verdict(ours, above=1.0),
    )


def other_matches(found: Measured) -> Judged:
    values = np.concatenate([column(found, n, "matches_per_game") for n in INPUTS[1:]])
    ours = mean_interval(values)
    return (
        "The other inputs hardly match more than random (1.49): below 2 a game",
        "1.74 and 1.71",
        ours.text(2),
        verdict(ours, below=2.0),
    )


def early_rules(found: Measured) -> Judged:
    falls = {key: mean_interval(early_falls(run)) for key, run in found.early.items()}
    return (
        "Under the rules by wins nobody learns (scores against random fall by less than a tenth)",
        "no improvement in 1,000 epochs",
        "fall: " + ", ".join(f"{rule} {name} {fall.text(0, percent=True)}" for (rule, name), fall in falls.items()),
        together(*(verdict(fall, below=0.1) for fall in falls.values())),
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
    tens = found.threshold[: len(found.threshold) // 10 * 10].reshape(-1, 10).mean(axis=1)
    low, high = np.percentile(tens, [2.5, 97.5])
    return (
        "Two random players differ by 5.91 points a game in the mean of ten epochs",
        "5.91 (0.4 to 11.5)",
        f"{tens.mean():.2f}; 95% of tens lie in {low:.2f} to {high:.2f}",
        SUPPORTED if low <= 5.91 <= high else NOT_SUPPORTED,
    )


def early_gain(found: Measured) -> Judged:
    curve = found.runs["hand"].training().curves()[1]["benchmark.player.score"]
    quarter = max(1, curve.shape[1] // 4)
    tenth = max(1, curve.shape[1] // 10)
    gain = curve[:, :1].mean(axis=1) - curve[:, -tenth:].mean(axis=1)
    early = curve[:, :1].mean(axis=1) - curve[:, quarter - 1 : quarter + tenth - 1].mean(axis=1)
    ours = (
        mean_interval(early / np.where(gain == 0, np.nan, gain))
        if (gain > 0).all()
        else Interval(float(early.sum() / gain.sum()), -np.inf, np.inf)
    )
    return (
        "Improvement is fast at first: more than half of it comes in the first quarter of training",
        "by its Figure 6",
        f"share in the first quarter {ours.text(2)}",
        verdict(ours, above=0.5),
    )


def favoured_cards(found: Measured) -> Judged:
    rows = [
        np.array([row["matches"][0]["players"][0]["profiles"]["cards"] for row in run.evaluation()["trials"]])
        for run in found.runs.values()
    ]
    random = found.random.players[0].profiles["cards"]
    low = [mean_interval(cards[:, LOW_CARDS].sum(axis=1)) for cards in rows]
    high = [mean_interval(cards[:, HIGH_CARDS].sum(axis=1)) for cards in rows]
    verdicts = [verdict(x, above=float(random[list(LOW_CARDS)].sum())) for x in low] + [
        verdict(x, below=float(random[list(HIGH_CARDS)].sum())) for x in high
    ]
    return (
        "All inputs favour aces, twos, kings and jokers and avoid tens, jacks and queens",
        "by its Figure 9",
        "low cards "
        + ", ".join(f"{100 * x.value:.0f}%" for x in low)
        + f" (random {100 * random[list(LOW_CARDS)].sum():.0f}%), high cards "
        + ", ".join(f"{100 * x.value:.0f}%" for x in high)
        + f" (random {100 * random[list(HIGH_CARDS)].sum():.0f}%)",
        together(*verdicts),
    )


def stalemates(found: Measured) -> Judged:
    shares = {
        name: run.training().curves()[1]["training.player.stalemates"][:, -10:].mean(axis=1)
        for name, run in found.runs.items()
    }
    hand, others = shares["hand"], np.concatenate([shares[name] for name in INPUTS[1:]])
    ours = difference(hand, others)
    return (
        "In training, rounds of hand players are stopped as stalemates more often than those of the others",
        "by its Figure 10",
        f"{100 * hand.mean():.1f}% against {100 * others.mean():.1f}%, difference {ours.text(3)}",
        verdict(ours, above=0.0),
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
    rating = {p.name: p.rating for p in found.final.players}
    order = ("hand", "state-hand", "state", "random")
    steps = [_gap(rating[a], rating[b]) for a, b in zip(order, order[1:], strict=False)]
    return (
        "Final round robin: hand first, then state and hand, then state, then random",
        "in that order",
        "ratings " + ", ".join(f"{name} {rating[name].text(0)}" for name in order),
        together(*(verdict(s, above=0.0) for s in steps)),
    )


def _gap(a: Interval, b: Interval) -> Interval:
    """The difference of two values, as if they were independent."""
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


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    learned,
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
)
