"""What the claims of the golf study measure: intervals by input, ours minus published, curves, samples."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, share_interval
from sparring.studies.golf.measured import Measured, matches_of
from sparring.studies.golf.published import MEASURES, SHARES, players
from sparring.studies.verdicts import Claim, Test, difference

Measure = Callable[[Measured], list[Interval]]
Anything = Callable[[Measured], Interval | Sequence[Interval]]
Curve = Callable[[np.ndarray], np.ndarray]
EPOCHS, GENERATIONS = 1500, 50  # of the study


def full(found: Measured) -> bool:
    """Whether trainings are as long as the study's."""
    return found.budget.epochs >= EPOCHS and found.budget.generations >= GENERATIONS


def claim(
    text: str,
    place: str,
    published: str,
    measure: Anything,
    test: Test | Sequence[Test],
    ours: str = "{:.1f}",
    **more: Any,
) -> Claim:
    """A claim about trained players."""
    return Claim(text, published, measure, test, ours, more.pop("conclusive", full), place, **more)


def under(reading: str, measure: Measure) -> Measure:
    """The same measure with NEAT under another reading."""
    return lambda found: measure(replace(found, runs=found.runs | found.readings[reading]))


# Champions against random.


def column(found: Measured, name: str, measure: str) -> np.ndarray:
    """One of the five measures of every champion."""
    return np.asarray(found.against_random[name][:, MEASURES.index(measure)])


def each(names: Sequence[str], measure: str) -> Measure:
    """The mean of a measure, by input."""
    mean = share_interval if measure in SHARES else mean_interval
    return lambda found: [mean(column(found, name, measure)) for name in names]


def gaps(pairs: Sequence[tuple[str, str]], measure: str) -> Measure:
    """A measure of the first of each pair minus that of the second."""
    return lambda found: [difference(column(found, a, measure), column(found, b, measure)) for a, b in pairs]


def rises(names: Sequence[str], measure: str) -> Measure:
    """How much a measure rises from each input to the next."""
    return gaps([(b, a) for a, b in pairwise(names)], measure)


def beside_published(found: Measured, name: str, opponent: str = "random") -> list[Interval]:
    """The five measures of our players minus those of the published ones, by Welch's interval for five comparisons."""
    ours, theirs = getattr(found, f"against_{opponent}")[name], players(name, opponent)
    return [difference(ours[:, m], theirs[:, m], comparisons=len(MEASURES)) for m in range(len(MEASURES))]


def final_cards(found: Measured, name: str, cards: Sequence[int]) -> np.ndarray:
    """How often some cards are in a final hand against random, of every champion."""
    shares = [match["players"][0]["profiles"]["cards"] for match in matches_of(found.runs[name])]
    return np.asarray(np.array(shares)[:, list(cards)].sum(axis=1))


def cards_beyond_random(
    found: Measured, names: Sequence[str], low: Sequence[int], high: Sequence[int]
) -> list[Interval]:
    """How much more often than random's final hands the champions' have low cards, then how much less often high cards."""
    usual = np.asarray(found.random.players[0].profiles["cards"])
    return [
        mean_interval(sign * (final_cards(found, name, cards) - usual[list(cards)].sum()))
        for sign, cards in ((1, low), (-1, high))
        for name in names
    ]


# Curves of training.


def late(values: np.ndarray) -> np.ndarray:
    """The mean over the last tenth of a curve."""
    return np.asarray(values[:, -max(1, values.shape[1] // 10) :].mean(axis=1))


def fall(values: np.ndarray) -> np.ndarray:
    """The first point of a curve minus its last tenth."""
    return np.asarray(values[:, 0] - late(values))


def early_share(values: np.ndarray, share: float) -> np.ndarray:
    """How much more than half of the whole fall comes in the first part of a curve."""
    return fall(values[:, : max(2, round(share * values.shape[1]))]) - 0.5 * fall(values)


def curves(names: Sequence[str], key: str, of: Curve) -> Measure:
    """The mean over trials of what `of` makes of a curve, by input."""
    return lambda found: [mean_interval(of(found.curves[name][1][key])) for name in names]


def curve_gaps(pairs: Sequence[tuple[str, str]], key: str, of: Curve) -> Measure:
    """The same for the first of each pair minus the second."""
    return lambda found: [difference(*(of(found.curves[name][1][key]) for name in pair)) for pair in pairs]


def together(*measures: Measure) -> Measure:
    """The intervals of several measures, one after the other."""
    return lambda found: [interval for measure in measures for interval in measure(found)]


# Samples and correlations.


def sampled(values: np.ndarray, size: int, statistic: Callable[..., Any]) -> Interval:
    """The mean of a statistic of samples of this size, and the ends within which 95% of them lie."""
    found = statistic(np.random.default_rng(0).choice(values, (20_000, size)), axis=1)
    low, high = np.percentile(found, [2.5, 97.5])
    return Interval(float(found.mean()), float(low), float(high))


def best_of(name: str) -> Measure:
    """The least score of as many of our players as the study had."""
    return lambda found: [sampled(column(found, name, "score"), len(players(name)), np.min)]


def correlation(x: np.ndarray, y: np.ndarray) -> Interval:
    """Pearson's correlation over trials, by Fisher's interval."""
    if len(x) < 4 or not (x.std() and y.std()):
        return Interval(0.0, -np.inf, np.inf)
    r, half = float(np.corrcoef(x, y)[0, 1].clip(-0.9999, 0.9999)), 1.96 / np.sqrt(len(x) - 3)
    return Interval(r, float(np.tanh(np.arctanh(r) - half)), float(np.tanh(np.arctanh(r) + half)))
