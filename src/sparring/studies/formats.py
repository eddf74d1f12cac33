"""Numbers as the text of a table's cell."""

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage."""
    return f"{100 * share:.{digits}f}%"


def mean_text(values: np.ndarray, digits: int = 0) -> str:
    """The mean of known values with its interval, not below 0; empty if there are none."""
    known = values[np.isfinite(values)]
    if not len(known):
        return ""
    mean = mean_interval(known)
    return (Interval(mean.value, max(0.0, mean.low), mean.high) if len(known) > 1 else mean).text(digits)


def share_text(shares: np.ndarray, digits: int = 1) -> str:
    """The mean of shares over trials with its interval."""
    return share_interval(shares).text(digits, percent=True)


def rate_text(shares: np.ndarray, digits: int = 1) -> str:
    """A rate over trials or games with its interval, which is not empty if all are alike."""
    return rate_interval(shares).text(digits, percent=True)
