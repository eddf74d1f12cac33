"""Intervals of matches between trials of two kinds; the independent observations are trials, not games.

Cells are (trials, rotations): in rotation k trial t plays trial t + k of the other kind. A trial occurs in several cells on
both sides, so cells are not independent: variances are clustered by both sides (Cameron, Gelbach and Miller, 2011).
"""

import math

import numpy as np
from scipy.special import stdtrit

from sparring.arena.statistics import LEVEL, Interval


def rotated(trials: int, rotations: int) -> list[tuple[int, int]]:
    """The matchups, cell by cell: a trial of the first kind and one of the second."""
    return [(t, (t + k) % trials) for t in range(trials) for k in range(min(rotations, trials))]


def mean_variance(cells: np.ndarray) -> float:
    """The variance of the cells' mean."""
    trials, rotations = cells.shape
    by_second = np.stack([np.roll(cells[:, k], k) for k in range(rotations)], axis=1)
    first, second, single = (
        float(means.var(ddof=1)) / means.size for means in (cells.mean(axis=1), by_second.mean(axis=1), cells.ravel())
    )
    return max(first, second, first + second - single)


def quantile(trials: int, comparisons: int) -> float:
    """Student's t, larger if several comparisons share the 5%."""
    return float(stdtrit(trials - 1, 1 - (1 - LEVEL) / comparisons))


def mean_of(cells: np.ndarray, comparisons: int = 1) -> Interval:
    """The mean of all cells."""
    value, trials = float(cells.mean()), len(cells)
    if trials < 2:
        return Interval(value, -math.inf, math.inf)
    half = quantile(trials, comparisons) * math.sqrt(mean_variance(cells))
    return Interval(value, value - half, value + half)


def share_of(cells: np.ndarray, comparisons: int = 1) -> Interval:
    """The mean of shares of games: Wilson's interval with the effective number of games.

    If all cells are equal their spread says nothing, and each trial counts as one game.
    """
    p, trials = float(cells.mean()), len(cells)
    if trials < 2:
        return Interval(p, 0.0, 1.0)
    games = float(trials) if np.ptp(cells) < 1e-9 else p * (1 - p) / mean_variance(cells)
    z2 = quantile(trials, comparisons) ** 2
    centre = (p + z2 / (2 * games)) / (1 + z2 / games)
    half = math.sqrt(z2) / (1 + z2 / games) * math.sqrt(p * (1 - p) / games + z2 / (4 * games**2))
    return Interval(p, min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half)))


def lead_of(won: np.ndarray, lost: np.ndarray, comparisons: int = 1) -> Interval:
    """The share of games won minus the share lost, from -1 to 1."""
    share = share_of((1 + won - lost) / 2, comparisons)
    return Interval(*(2 * end - 1 for end in (share.value, share.low, share.high)))
