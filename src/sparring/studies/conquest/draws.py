"""One published draw among many of ours: quantiles, medians with intervals, ranks. Nothing is assumed of the shape."""

from typing import NamedTuple

import numpy as np
from scipy.special import bdtr

from sparring.arena.statistics import LEVEL, Interval
from sparring.studies.verdicts import NOT_SUPPORTED, OPEN, SUPPORTED, one_of

ENOUGH = 20  # trials whose range one more trial leaves less than one time in ten


class Quantiles(NamedTuple):
    """The least, the quartiles, the greatest."""

    low: float
    lower: float
    median: float
    upper: float
    high: float


def quantiles(trials: np.ndarray) -> Quantiles:
    return Quantiles(*np.quantile(trials, [0, 0.25, 0.5, 0.75, 1]).tolist())


def median_interval(trials: np.ndarray) -> Interval:
    """The median between the two trials, counted from either end, that enclose the true one at least 95 times in 100."""
    ordered, n = np.sort(np.asarray(trials, float)), len(trials)
    value = float(np.median(ordered))
    outside = [k for k in range(n // 2) if bdtr(k, n, 0.5) <= 1 - LEVEL]
    if not outside:
        return Interval(value, -np.inf, np.inf)
    return Interval(value, float(ordered[outside[-1]]), float(ordered[n - 1 - outside[-1]]))


def below(trials: np.ndarray, draw: float) -> int:
    """How many trials are below a draw."""
    return int((trials < draw).sum())


def place_words(trials: np.ndarray, draw: float) -> str:
    """Where a draw lies among ours, in words."""
    told = quantiles(trials)
    if told.lower <= draw <= told.upper:
        return "between the quartiles"
    if told.low <= draw <= told.high:
        return "in the lower quarter" if draw < told.lower else "in the upper quarter"
    return "below all" if draw < told.low else "above all"


def could_be_ours(trials: np.ndarray, draw: float) -> str:
    """Whether a draw may be one of ours: inside their range it may; far outside it may not."""
    if len(trials) < ENOUGH:
        return OPEN
    if trials.min() <= draw <= trials.max():
        return SUPPORTED
    return NOT_SUPPORTED if one_of(trials, draw) == NOT_SUPPORTED else OPEN


def spread_words(values: np.ndarray, digits: int = 0) -> str:
    """Median and range of what is told of some trials; nothing of none."""
    known = values[np.isfinite(values)]
    if not len(known):
        return ""
    return f"{np.median(known):,.{digits}f} ({known.min():,.{digits}f} to {known.max():,.{digits}f})"
