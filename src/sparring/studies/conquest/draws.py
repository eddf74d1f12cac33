"""One published value among many of ours: quantiles, medians with intervals; no assumption about the distribution."""

import numpy as np
from scipy.special import bdtr

from sparring.arena.statistics import LEVEL, Interval


def median_interval(trials: np.ndarray) -> Interval:
    """The median, with the order statistics that enclose the true one at least 95 times in 100."""
    ordered, n = np.sort(np.asarray(trials, float)), len(trials)
    value = float(np.median(ordered))
    outside = [k for k in range(n // 2) if bdtr(k, n, 0.5) <= 1 - LEVEL]
    if not outside:
        return Interval(value, -np.inf, np.inf)
    return Interval(value, float(ordered[outside[-1]]), float(ordered[n - 1 - outside[-1]]))


def median_text(trials: np.ndarray) -> str:
    return median_interval(trials).text(1)


def quantile_cells(trials: np.ndarray, draw: float, digits: int = 1) -> list[str]:
    """Least, quartiles and greatest of our trials, and how many lie below a published value."""
    low, lower, _, upper, high = (f"{value:.{digits}f}" for value in np.quantile(trials, [0, 0.25, 0.5, 0.75, 1]))
    below = f"{int((trials < draw).sum())} of {len(trials)}"
    return [low, lower, median_interval(trials).text(digits), upper, high, below]


def spread_text(values: np.ndarray, digits: int = 0) -> str:
    """Median and range of the known values; empty if there are none."""
    known = values[np.isfinite(values)]
    if not len(known):
        return ""
    return f"{np.median(known):,.{digits}f} ({known.min():,.{digits}f} to {known.max():,.{digits}f})"
