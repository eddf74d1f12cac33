"""Intervals at 95% that use the pairing: the games of one deal are one observation."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

LEVEL = 0.975


def student(degrees: float) -> float:
    """Student's t that leaves 2.5% above it. (scipy.stats would take 0.9 s to import.)"""
    return float(stdtrit(degrees, LEVEL))


@dataclass(frozen=True)
class Interval:
    """A value and the ends of its 95% interval."""

    value: float
    low: float
    high: float

    def json(self, digits: int = 6) -> list[float | None]:
        """`[value, low, high]`; an end that one observation cannot give is null."""
        return [round(x, digits) if np.isfinite(x) else None for x in (self.value, self.low, self.high)]

    @classmethod
    def from_json(cls, told: list[float | None]) -> "Interval":
        """Back from `json`."""
        value, low, high = told
        assert value is not None
        return cls(value, -math.inf if low is None else low, math.inf if high is None else high)

    def text(self, digits: int = 2, percent: bool = False) -> str:
        """`140.72 (138.10 to 143.30)`."""
        scale, sign = (100, "%") if percent else (1, "")
        if not math.isfinite(self.low + self.high):
            return f"{self.value * scale:.{digits}f}{sign}"
        return (
            f"{self.value * scale:.{digits}f}{sign} ({self.low * scale:.{digits}f} to {self.high * scale:.{digits}f})"
        )

    @property
    def half_width(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


def score_digits(score: float) -> int:
    """How many digits of a mean score mean something to a reader: more where points are few."""
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
    """The mean of shares, kept between none and all."""
    mean = mean_interval(observations)
    return Interval(mean.value, max(0.0, mean.low), min(1.0, mean.high))


def rate_interval(observations: np.ndarray) -> Interval:
    """A rate from each deal's share of games: Wilson's interval with as many games as the deals are worth.

    Deals whose games agree are worth fewer games than were played, deals whose games balance are worth more. Where
    every deal came out alike the spread says nothing, and each deal counts as one game.
    """
    n = len(observations)
    p = float(np.mean(observations))
    if n < 2:
        return Interval(p, 0.0, 1.0)
    variance = float(np.var(observations, ddof=1)) / n
    alike = np.ptp(observations) < 1e-9  # shares such as 1/3 are not exact: their rounding is no spread
    worth = float(n) if alike else p * (1 - p) / variance
    z2 = student(n - 1) ** 2
    centre = (p + z2 / (2 * worth)) / (1 + z2 / worth)
    half = math.sqrt(z2) / (1 + z2 / worth) * math.sqrt(p * (1 - p) / worth + z2 / (4 * worth**2))
    return Interval(p, min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half)))
