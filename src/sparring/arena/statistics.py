"""95% intervals that use the pairing: the games of one deal are one observation."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

LEVEL = 0.975


def student(degrees: float) -> float:
    """The 97.5% quantile of Student's t. (Importing scipy.stats takes 0.9 s.)"""
    return float(stdtrit(degrees, LEVEL))


@dataclass(frozen=True)
class Interval:
    """A value and the ends of its 95% interval."""

    value: float
    low: float
    high: float

    def json(self, digits: int = 6) -> list[float | None]:
        """`[value, low, high]`; an infinite end is null."""
        return [round(x, digits) if np.isfinite(x) else None for x in (self.value, self.low, self.high)]

    @classmethod
    def from_json(cls, payload: list[float | None]) -> "Interval":
        """The inverse of `json`."""
        value, low, high = payload
        assert value is not None
        return cls(value, -math.inf if low is None else low, math.inf if high is None else high)

    def text(self, digits: int = 2, percent: bool = False) -> str:
        """`140.72 (138.10 to 143.30)`."""
        scale, sign = (100, "%") if percent else (1, "")
        if not math.isfinite(self.low + self.high):
            return f"{self.value * scale:.{digits}f}{sign}"
        value, low, high = (f"{x * scale:.{digits}f}" for x in (self.value, self.low, self.high))
        return f"{value}{sign} ({low} to {high})"

    @property
    def half_width(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


def score_digits(score: float) -> int:
    """The number of digits to show of a mean score: more for small scores."""
    return 3 if abs(score) < 10 else 1


def mean_interval(observations: np.ndarray) -> Interval:
    """The mean of independent observations (one per deal, or one per trial) by Student's t."""
    n = len(observations)
    mean = float(np.mean(observations))
    if n < 2:
        return Interval(mean, -np.inf, np.inf)
    half = student(n - 1) * float(np.std(observations, ddof=1)) / math.sqrt(n)
    return Interval(mean, mean - half, mean + half)


def share_interval(observations: np.ndarray) -> Interval:
    """The mean of fractions, with the interval kept within 0 and 1."""
    mean = mean_interval(observations)
    return Interval(mean.value, max(0.0, mean.low), min(1.0, mean.high))


def rate_interval(observations: np.ndarray) -> Interval:
    """A rate from each deal's fraction of games: Wilson's interval with the effective number of games.

    The effective number is smaller than the number played if the games of a deal tend to agree, and larger if they balance. If
    all deals have the same fraction, each counts as one game.
    """
    n = len(observations)
    p = float(np.mean(observations))
    if n < 2:
        return Interval(p, 0.0, 1.0)
    variance = float(np.var(observations, ddof=1)) / n
    alike = np.ptp(observations) < 1e-9  # above the rounding of fractions such as 1/3
    games = float(n) if alike else p * (1 - p) / variance
    z2 = student(n - 1) ** 2
    centre = (p + z2 / (2 * games)) / (1 + z2 / games)
    half = math.sqrt(z2) / (1 + z2 / games) * math.sqrt(p * (1 - p) / games + z2 / (4 * games**2))
    return Interval(p, min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half)))
