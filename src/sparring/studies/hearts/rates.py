"""One player against three of another: counts over the same deals, and their intervals.

A figure per round, game or attempt is a ratio of two sums over deals. Each deal contributes its linearized value (the
jackknife's, to first order), whose mean is the ratio, so intervals and paired differences are those of means. The observations
are deals for one trial and trials for several.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant
from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.studies.hearts.settings import EVEN
from sparring.studies.verdicts import UNKNOWN

SEATINGS, OTHERS = 4, 3
SAMPLES = 1000  # of deals, for the interval of a crossing


@dataclass(frozen=True)
class Counts:
    """Sums over each deal's four seatings, (trials, deals)."""

    sums: dict[str, np.ndarray]

    @classmethod
    def of(cls, tallies: Sequence[np.ndarray]) -> "Counts":
        """From every trial's tallies, with the player as first contestant."""
        rows = [_sums(each) for each in tallies]
        return cls({name: np.array([row[name] for row in rows]) for name in rows[0]})

    def json(self) -> dict[str, Any]:
        return {name: values.tolist() for name, values in self.sums.items()}

    def observed(self, top: str, bottom: str, scale: float = 1.0) -> np.ndarray:
        """Observations whose mean is the ratio of two sums: one per deal or, of several trials, one per trial."""
        found = linear(self.sums[top], self.sums[bottom]) * scale
        return np.asarray(found[0] if len(found) == 1 else found.mean(axis=1)[np.isfinite(found[:, 0])])

    def by_trial(self, top: str, bottom: str) -> np.ndarray:
        """The ratio of each trial."""
        return np.asarray(self.sums[top].sum(axis=1) / self.sums[bottom].sum(axis=1))

    def share(self, top: str = "won", bottom: str = "games") -> Interval:
        """A ratio that is a share."""
        seen = self.observed(top, bottom)
        if not np.isfinite(seen).all() or not len(seen):
            return UNKNOWN
        if np.ptp(seen) < 1e-9:  # no spread: at most one observation per counted event
            seen = np.full(min(len(seen), int(self.sums[bottom].sum())), seen[0])
        return rate_interval(seen)

    def mean(self, top: str = "score", bottom: str = "rounds", scale: float = 1.0) -> Interval:
        """Any other ratio."""
        found = mean_interval(self.observed(top, bottom, scale))
        return Interval(found.value, max(0.0, found.low), found.high) if np.isfinite(found.low) else found

    def lead(self) -> Interval:
        """How many more points per round the opponents have."""
        return mean_interval(self.observed("theirs", "rounds", 1 / OTHERS) - self.observed("score", "rounds"))

    def over(self, other: "Counts", top: str, bottom: str, scale: float = 1.0) -> Interval:
        """A ratio minus another player's on the same deals."""
        return mean_interval(self.observed(top, bottom, scale) - other.observed(top, bottom, scale))

    def less(self, other: "Counts", top: str) -> Interval:
        """The share by which a sum is smaller than another player's on the same deals."""
        both = Counts({"this": self.sums[top], "that": other.sums[top]})
        seen = both.observed("this", "that")
        return mean_interval(1 - seen) if len(seen) and np.isfinite(seen).all() else UNKNOWN


def _sums(tallies: np.ndarray) -> dict[str, np.ndarray]:
    def own(values: np.ndarray) -> np.ndarray:
        return np.asarray(by_contestant(values, SEATINGS, "rotated")[:, :, 0].sum(axis=1))

    score, moons = tallies["score"], tallies["moons"]
    columns = {
        "games": np.ones_like(moons),
        "won": winners(score.astype(float), True)[0].astype(int),
        "rounds": np.repeat(tallies["rounds"][:, None], SEATINGS, axis=1),
        "score": score,
        "theirs": score.sum(axis=1, keepdims=True) - score,
        "moons": moons,
        "against": moons.sum(axis=1, keepdims=True) - moons,
        **{name: tallies[name] for name in ("tried", "made", "defended")},
    }
    return {name: own(values) for name, values in columns.items()}


def linear(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """Each deal's linearized value of a ratio of sums, (trials, deals); NaN if the bottom is 0."""
    below = bottom.sum(axis=1, keepdims=True).astype(float)
    below[below == 0] = np.nan
    ratio = top.sum(axis=1, keepdims=True) / below
    return np.asarray(ratio + (top - ratio * bottom) / (below / top.shape[1]))


def crossing(simulations: Sequence[int], rates: np.ndarray, level: float = EVEN) -> float:
    """The simulations at which a rate first falls below a level, on their log scale; 0 and inf beyond the ends."""
    below = np.flatnonzero(rates < level)
    if not len(below):
        return np.inf
    k = int(below[0])
    if k == 0:
        return 0.0
    part = (rates[k - 1] - level) / (rates[k - 1] - rates[k])
    return float(np.exp(np.interp(part, [0, 1], np.log(simulations[k - 1 : k + 1]))))


def crossing_interval(counts: dict[int, Counts], seed: int) -> Interval:
    """The crossing of the games won, with the range of 95 of 100 samples of the same deals or trials."""
    seen = np.array([each.observed("won", "games") for each in counts.values()])
    value = crossing(list(counts), seen.mean(axis=1))
    if seen.shape[1] < 2:
        return Interval(value, 0.0, np.inf)
    chosen = np.random.default_rng(seed).integers(0, seen.shape[1], (SAMPLES, seen.shape[1]))
    drawn = np.sort([crossing(list(counts), seen[:, rows].mean(axis=1)) for rows in chosen])
    low, high = (float(drawn[round(q * (SAMPLES - 1))]) for q in (0.025, 0.975))
    return Interval(value, min(low, value), max(high, value))
