"""One player against three of another: what is counted over the same deals, and intervals of it.

What is told per round, per game or per attempt is a ratio of two sums over deals. Each deal's share in it is its linearized
value (the jackknife's, to first order), whose mean is the ratio: so intervals and paired differences are those of means. With one
trial the observations are deals, with several they are trials.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant
from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.studies.hearts.published import EVEN

SEATINGS, OTHERS = 4, 3
NORMAL = 1.96
DRAWN = 1000  # samples of deals that tell how sure a crossing is
UNKNOWN = Interval(np.nan, -np.inf, np.inf)


@dataclass(frozen=True)
class Met:
    """Sums over each deal's four seatings, (trials, deals)."""

    sums: dict[str, np.ndarray]

    @classmethod
    def of(cls, tallies: Sequence[np.ndarray]) -> "Met":
        """From every trial's tallies, with the player in the first place."""
        rows = [_sums(each) for each in tallies]
        return cls({name: np.array([row[name] for row in rows]) for name in rows[0]})

    def json(self) -> dict[str, Any]:
        return {name: values.tolist() for name, values in self.sums.items()}

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> "Met":
        return cls({name: np.array(values) for name, values in told.items()})

    def observed(self, top: str, bottom: str, scale: float = 1.0) -> np.ndarray:
        """Observations whose mean is the ratio of two sums: one for each deal or, of several trials, for each trial."""
        found = linear(self.sums[top], self.sums[bottom]) * scale
        return np.asarray(found[0] if len(found) == 1 else found.mean(axis=1)[np.isfinite(found[:, 0])])

    def by_trial(self, top: str, bottom: str) -> np.ndarray:
        """A ratio, of each trial."""
        return np.asarray(self.sums[top].sum(axis=1) / self.sums[bottom].sum(axis=1))

    def share(self, top: str = "won", bottom: str = "games") -> Interval:
        """A ratio that is a share."""
        seen = self.observed(top, bottom)
        if not np.isfinite(seen).all() or not len(seen):
            return UNKNOWN
        if np.ptp(seen) < 1e-9:  # no spread: each of what is counted is one observation, if they are fewer
            seen = np.full(min(len(seen), int(self.sums[bottom].sum())), seen[0])
        return rate_interval(seen)

    def mean(self, top: str = "score", bottom: str = "rounds", scale: float = 1.0) -> Interval:
        """Any other ratio."""
        told = mean_interval(self.observed(top, bottom, scale))
        return Interval(told.value, max(0.0, told.low), told.high) if np.isfinite(told.low) else told

    def lead(self) -> Interval:
        """Points a round that the opponents have more."""
        return mean_interval(self.observed("theirs", "rounds", 1 / OTHERS) - self.observed("score", "rounds"))

    def over(self, other: "Met", top: str, bottom: str, scale: float = 1.0) -> Interval:
        """How much greater a ratio is than another player's on the same deals."""
        return mean_interval(self.observed(top, bottom, scale) - other.observed(top, bottom, scale))

    def less(self, other: "Met", top: str) -> Interval:
        """By which part a sum is smaller than another player's on the same deals."""
        both = Met({"this": self.sums[top], "that": other.sums[top]})
        seen = both.observed("this", "that")
        return mean_interval(1 - seen) if len(seen) and np.isfinite(seen).all() else UNKNOWN


def _sums(tallies: np.ndarray) -> dict[str, np.ndarray]:
    def mine(values: np.ndarray) -> np.ndarray:
        return np.asarray(by_contestant(values, SEATINGS, "rotated")[:, :, 0].sum(axis=1))

    won = winners(tallies["score"].astype(float), True)[0]
    rounds = np.repeat(tallies["rounds"][:, None], SEATINGS, axis=1)
    moons = tallies["moons"]
    return {
        "games": mine(np.ones_like(moons)),
        "won": mine(won.astype(int)),
        "rounds": mine(rounds),
        "score": mine(tallies["score"]),
        "theirs": mine(tallies["score"].sum(axis=1, keepdims=True) - tallies["score"]),
        "moons": mine(moons),
        "against": mine(moons.sum(axis=1, keepdims=True) - moons),
        "tried": mine(tallies["tried"]),
        "made": mine(tallies["made"]),
        "defended": mine(tallies["defended"]),
    }


def linear(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """Each deal's linearized value of a ratio of sums, (trials, deals); nan where there is nothing below."""
    below = bottom.sum(axis=1, keepdims=True).astype(float)
    below[below == 0] = np.nan
    ratio = top.sum(axis=1, keepdims=True) / below
    return np.asarray(ratio + (top - ratio * bottom) / (below / top.shape[1]))


def binomial(share: float, games: float) -> Interval:
    """A share of so many independent games."""
    half = NORMAL * np.sqrt(share * (1 - share) / games) if games > 0 else np.inf
    return Interval(share, share - half, share + half)


def crossing(simulations: Sequence[int], rates: np.ndarray, level: float = EVEN) -> float:
    """Where a rate first falls below a level, between numbers of simulations on their log scale; 0 and inf beyond the ends."""
    below = np.flatnonzero(rates < level)
    if not len(below):
        return np.inf
    k = int(below[0])
    if k == 0:
        return 0.0
    part = (rates[k - 1] - level) / (rates[k - 1] - rates[k])
    return float(np.exp(np.interp(part, [0, 1], np.log(simulations[k - 1 : k + 1]))))


def crossing_interval(met: dict[int, Met], seed: int) -> Interval:
    """The crossing of the games won, and where it lies in 95 of 100 samples of the same deals or trials."""
    seen = np.array([each.observed("won", "games") for each in met.values()])
    value = crossing(list(met), seen.mean(axis=1))
    if seen.shape[1] < 2:
        return Interval(value, 0.0, np.inf)
    chosen = np.random.default_rng(seed).integers(0, seen.shape[1], (DRAWN, seen.shape[1]))
    drawn = np.sort([crossing(list(met), seen[:, rows].mean(axis=1)) for rows in chosen])
    low, high = (float(drawn[round(q * (DRAWN - 1))]) for q in (0.025, 0.975))
    return Interval(value, min(low, value), max(high, value))
