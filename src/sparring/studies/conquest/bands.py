"""The author's curves among ours: the band of our trials, and how far a curve lies from their mean.

The band of a generation is the range of all trials. The distance of a curve is its mean over generations in standard deviations of
our trials. A curve like ours is no farther from ours than the farthest of ours from the others, 30 times in 31 with 30 trials.
"""

from dataclasses import dataclass

import numpy as np

from sparring.arena.statistics import Interval
from sparring.studies.conquest.published import FIRST_ROW, MEASURES, curves
from sparring.studies.verdicts import UNKNOWN

ROUNDED, TINY = 1e-3, 1e-9  # published numbers have four digits
SIDES = {"blue": "population", "red": "rivals"}


@dataclass(frozen=True)
class Band:
    """A measure by generation: ours (trials, generations) and the author's."""

    ours: np.ndarray
    theirs: np.ndarray

    @property
    def generations(self) -> np.ndarray:
        """Counted from 1."""
        return np.arange(len(self.theirs)) + FIRST_ROW + 1

    @property
    def inside(self) -> np.ndarray:
        """Whether the author's curve lies in the range of ours, by generation."""
        margin = ROUNDED * np.maximum(np.abs(self.theirs), 1)
        low, high = self.ours.min(axis=0) - margin, self.ours.max(axis=0) + margin
        return np.asarray((low <= self.theirs) & (self.theirs <= high))

    @property
    def apart(self) -> float:
        """The distance of the author's curve from ours."""
        return apart(self.ours, self.theirs)

    @property
    def usual(self) -> Interval:
        """The distance of each of our trials from the others: the mean, and up to the greatest."""
        if len(self.ours) < 3:
            return UNKNOWN
        found = [apart(np.delete(self.ours, t, axis=0), one) for t, one in enumerate(self.ours)]
        return Interval(float(np.mean(found)), 0.0, float(np.max(found)))


def apart(ours: np.ndarray, curve: np.ndarray) -> float:
    """The mean distance of a curve from our mean in standard deviations, of which some are 0 in single generations."""
    deviation = ours.std(axis=0, ddof=1) if len(ours) > 1 else np.ones(ours.shape[1])
    return float(np.mean(np.abs(curve - ours.mean(axis=0)) / np.maximum(deviation, 0.1 * deviation.mean() + TINY)))


def bands(case: int, recorded: dict[str, np.ndarray]) -> dict[tuple[str, str], Band]:
    """The bands of a case by side and measure, over the generations that both have."""
    found = {}
    for side, population in SIDES.items():
        for name, ours in MEASURES.items():
            theirs = curves().get((case, side), {}).get(name, np.array([np.nan]))
            mine = recorded.get(f"{population}.{ours}")
            if mine is not None and np.isfinite(theirs).all():
                count = min(len(theirs), mine.shape[1] - FIRST_ROW)
                found[side, name] = Band(mine[:, FIRST_ROW : FIRST_ROW + count], theirs[:count])
    return found
