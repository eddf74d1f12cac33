"""The author's curves among ours: the band of our trials, and the generations in which a curve lies in it.

The band of a generation is the range of all trials. One more trial like ours lies in it in about 94 of 100 generations (30 trials),
and how much that varies from trial to trial is measured by leaving each of ours out in turn.
"""

from dataclasses import dataclass

import numpy as np

from sparring.arena.statistics import Interval
from sparring.studies.conquest.published import FIRST_ROW, MEASURES, curves
from sparring.studies.verdicts import UNKNOWN

ROUNDED = 1e-3  # published numbers have four digits
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
        return within(self.ours, self.theirs)

    @property
    def share(self) -> Interval:
        """The share of generations in which a further trial of ours lies in the band: its mean, and from the least on."""
        if len(self.ours) < 2:
            return UNKNOWN
        shares = [within(np.delete(self.ours, t, axis=0), one).mean() for t, one in enumerate(self.ours)]
        return Interval(float(np.mean(shares)), float(np.min(shares)), 1.0)


def within(ours: np.ndarray, curve: np.ndarray) -> np.ndarray:
    margin = ROUNDED * np.maximum(np.abs(curve), 1)
    return np.asarray((ours.min(axis=0) - margin <= curve) & (curve <= ours.max(axis=0) + margin))


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
