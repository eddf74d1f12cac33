"""Numbers and verdicts as text."""

from typing import TYPE_CHECKING

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, share_interval
from sparring.studies.verdicts import OPEN

if TYPE_CHECKING:
    from sparring.studies.gin.measured import Measured


def percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}%"


def mean_text(values: np.ndarray, digits: int = 0) -> str:
    """A mean over players with its interval, not below 0; nothing of none."""
    known = values[np.isfinite(values)]
    if not len(known):
        return ""
    told = mean_interval(known)
    return (Interval(told.value, max(0.0, told.low), told.high) if len(known) > 1 else told).text(digits)


def share_text(values: np.ndarray, digits: int = 1) -> str:
    return share_interval(values).text(digits, percent=True)


def lead_text(lead: Interval, digits: int = 0) -> str:
    """A lead, games won less games lost, of a hundred games."""
    return Interval(*(100 * end for end in (lead.value, lead.low, lead.high))).text(digits)


def at_length(found: "Measured", told: str) -> str:
    """A verdict on what training leads to, open where it was shorter than one of the study's regimes."""
    return told if found.budget.whole else OPEN
