"""One published value among many of ours: quantiles, medians with intervals, ranks; no assumption about the distribution."""

from typing import NamedTuple

import numpy as np
from scipy.special import bdtr

from sparring.arena.statistics import LEVEL, Interval


class Quantiles(NamedTuple):
    """Minimum, quartiles and maximum."""

    low: float
    lower: float
    median: float
    upper: float
    high: float


def quantiles(trials: np.ndarray) -> Quantiles:
    return Quantiles(*np.quantile(trials, [0, 0.25, 0.5, 0.75, 1]).tolist())


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


def count_below(trials: np.ndarray, draw: float) -> int:
    """How many trials lie below a value."""
    return int((trials < draw).sum())


def place_text(trials: np.ndarray, draw: float) -> str:
    """Where a value lies among ours."""
    ours = quantiles(trials)
    if ours.lower <= draw <= ours.upper:
        return "between the quartiles"
    if ours.low <= draw <= ours.high:
        return "in the lower quarter" if draw < ours.lower else "in the upper quarter"
    return "below all" if draw < ours.low else "above all"


def spread_text(values: np.ndarray, digits: int = 0) -> str:
    """Median and range of the known values; empty if there are none."""
    known = values[np.isfinite(values)]
    if not len(known):
        return ""
    return f"{np.median(known):,.{digits}f} ({known.min():,.{digits}f} to {known.max():,.{digits}f})"
