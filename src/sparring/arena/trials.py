"""Comparisons of methods from a few trials each, as Agarwal et al. (2021), "Deep reinforcement learning at the edge of the
statistical precipice" (the paper of rliable), define them: interquartile mean, performance profile, probability of improvement,
and percentile intervals of a bootstrap that resamples trials within each game.

The scores of a method are a list with one array for each game; an array's last axis is its trials.
"""

from collections.abc import Callable, Sequence

import numpy as np

from sparring.arena.statistics import Interval

RESAMPLES = 2000
PERMUTATIONS = 9999
LEVEL = 0.05
Scores = Sequence[np.ndarray]


def interquartile_mean(scores: Scores) -> np.ndarray:
    """The mean of the middle half of all trials of all games."""
    pooled = np.sort(np.concatenate(scores, axis=-1), axis=-1)
    cut = pooled.shape[-1] // 4
    middle: np.ndarray = pooled[..., cut : pooled.shape[-1] - cut].mean(axis=-1)
    return middle


def performance_profile(scores: Scores, thresholds: np.ndarray) -> np.ndarray:
    """The share of trials that score above each threshold, averaged over games."""
    shares = [(game[..., None] > thresholds).mean(axis=-2) for game in scores]
    profile: np.ndarray = np.mean(shares, axis=0)
    return profile


def probability_of_improvement(first: Scores, second: Scores) -> np.ndarray:
    """How likely a trial of the first scores more than one of the second, averaged over games; a tie is half."""
    chances = []
    for mine, theirs in zip(first, second, strict=True):
        lead = np.sign(mine[..., :, None] - theirs[..., None, :])
        chances.append(((1 + lead) / 2).mean(axis=(-2, -1)))
    chance: np.ndarray = np.mean(chances, axis=0)
    return chance


def bootstrap(statistic: Callable[..., np.ndarray], *groups: Scores, seed: int = 1) -> Interval:
    """A statistic of one or more methods with its 95% interval: percentiles over resampled trials."""
    rng = np.random.default_rng(seed)
    resampled = [[game[rng.integers(len(game), size=(RESAMPLES, len(game)))] for game in group] for group in groups]
    value = float(statistic(*groups))
    low, high = (float(end) for end in np.percentile(statistic(*resampled), [2.5, 97.5]))
    return Interval(value, min(value, low), max(value, high))


def p_value(first: Scores, second: Scores, seed: int = 1) -> float:
    """How likely trials without a difference are to give a probability of improvement as far from a half, by permutation."""
    rng = np.random.default_rng(seed)
    away = np.zeros(PERMUTATIONS + 1)  # the first is what was seen
    for mine, theirs in zip(first, second, strict=True):
        both = np.concatenate([mine, theirs])
        ranks = (np.sign(both[:, None] - both) / 2).sum(axis=1)  # mid-ranks around 0
        shuffled = rng.permuted(np.tile(ranks, (PERMUTATIONS, 1)), axis=1)
        sums = np.concatenate([ranks[None], shuffled])[:, : len(mine)].sum(axis=1)
        away += sums / (len(mine) * len(theirs))
    return float(np.mean(np.abs(away) >= abs(away[0]) - 1e-9))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: the values at which each of several comparisons may be called significant."""
    order = np.argsort(p_values, kind="stable")
    stepped = np.maximum.accumulate([(len(order) - i) * p_values[k] for i, k in enumerate(order)])
    corrected = np.zeros(len(order))
    corrected[order] = np.minimum(stepped, 1.0)
    return [float(p) for p in corrected]
