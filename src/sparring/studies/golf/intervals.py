"""What the claims of the golf study measure: intervals by input, ours minus published, curves, samples."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, share_interval
from sparring.games.golf import WORST
from sparring.studies.golf.measured import Measured, matches_of
from sparring.studies.golf.published import MEASURES, SHARES, players
from sparring.studies.verdicts import difference

Pairs = Sequence[tuple[str, str]]


# Champions against random.


def column(found: Measured, name: str, measure: str) -> np.ndarray:
    """One of the five measures of every champion."""
    return np.asarray(found.against_random[name][:, MEASURES.index(measure)])


def each(found: Measured, names: Sequence[str], measure: str) -> list[Interval]:
    """The mean of a measure, by input."""
    mean = share_interval if measure in SHARES else mean_interval
    return [mean(column(found, name, measure)) for name in names]


def gaps(found: Measured, pairs: Pairs, measure: str) -> list[Interval]:
    """A measure of the first of each pair minus that of the second."""
    return [difference(column(found, a, measure), column(found, b, measure)) for a, b in pairs]


def rises(found: Measured, names: Sequence[str], measure: str) -> list[Interval]:
    """How much a measure rises from each input to the next."""
    return gaps(found, [(b, a) for a, b in pairwise(names)], measure)


def beside_published(found: Measured, name: str, opponent: str = "random") -> list[Interval]:
    """The five measures of our players minus those of the published ones, by Welch's interval for five comparisons."""
    ours, theirs = getattr(found, f"against_{opponent}")[name], players(name, opponent)
    return [difference(ours[:, m], theirs[:, m], comparisons=len(MEASURES)) for m in range(len(MEASURES))]


def final_cards(found: Measured, name: str, cards: Sequence[int]) -> np.ndarray:
    """How often some cards are in a final hand against random, of every champion."""
    shares = [match["players"][0]["profiles"]["cards"] for match in matches_of(found.runs[name])]
    return np.asarray(np.array(shares)[:, list(cards)].sum(axis=1))


def card_gaps(found: Measured, pairs: Pairs, cards: Sequence[int]) -> list[Interval]:
    """How much more often the champions of the first of each pair have some cards than those of the second."""
    return [difference(*(final_cards(found, name, cards) for name in pair)) for pair in pairs]


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


SUMMARIES: dict[str, Callable[[np.ndarray], np.ndarray]] = {  # of a curve, one number per trial
    "late": late,
    "fall": fall,
    "rise": lambda line: -fall(line),
    "last": lambda line: line[:, -1],
    "early quarter": lambda line: early_share(line, 0.25),
    "early half": lambda line: early_share(WORST - line, 0.5),  # of a fitness
}


def curves(found: Measured, names: Sequence[str], key: str, summary: str) -> list[Interval]:
    """The mean over trials of a curve's summary, by input."""
    return [mean_interval(SUMMARIES[summary](found.curves[name][1][key])) for name in names]


def curve_gaps(found: Measured, pairs: Pairs, key: str, summary: str, relative: bool = False) -> list[Interval]:
    """The same for the first of each pair minus the second, or as a share of the first."""
    values = [[SUMMARIES[summary](found.curves[name][1][key]) for name in pair] for pair in pairs]
    scales = [abs(float(a.mean())) if relative else 1.0 for a, _ in values]
    return [difference(a / scale, b / scale) for (a, b), scale in zip(values, scales, strict=True)]


def apart(found: Measured, names: Sequence[str], a: str, b: str, steps: int | None = None) -> list[Interval]:
    """By input: curve a minus curve b, averaged over all or the first steps."""
    lines = [found.curves[name][1] for name in names]
    return [mean_interval((line[a] - line[b])[:, :steps].mean(axis=1)) for line in lines]


# Samples and correlations.


def sampled(values: np.ndarray, size: int, statistic: Callable[..., Any]) -> Interval:
    """The mean of a statistic of samples of this size, and the ends within which 95% of them lie."""
    found = statistic(np.random.default_rng(0).choice(values, (20_000, size)), axis=1)
    low, high = np.percentile(found, [2.5, 97.5])
    return Interval(float(found.mean()), float(low), float(high))


def best_of(found: Measured, name: str) -> Interval:
    """The least score of as many of our players as the study had."""
    return sampled(column(found, name, "score"), len(players(name)), np.min)


def correlation(x: np.ndarray, y: np.ndarray) -> Interval:
    """Pearson's correlation over trials, by Fisher's interval."""
    if len(x) < 4 or not (x.std() and y.std()):
        return Interval(0.0, -np.inf, np.inf)
    r, half = float(np.corrcoef(x, y)[0, 1].clip(-0.9999, 0.9999)), 1.96 / np.sqrt(len(x) - 3)
    return Interval(r, float(np.tanh(np.arctanh(r) - half)), float(np.tanh(np.arctanh(r) + half)))
