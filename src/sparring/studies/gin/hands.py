"""Final hands: which suits and ranks a player collects, and whether evenly.

The study's chi-squared test counts cards as if each were drawn independently. Ten cards of one deck are more even than that,
so random hands pass it too often; runs bring cards of one suit together, and sets of one rank, without any preference. So we
add Hotelling's test of whole hands, which neither effect disturbs.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtrc, fdtrc

from sparring.games.deck import RANKS, SUITS
from sparring.games.gin.rules import HAND

SIGNIFICANT = 0.05
LOW = 5  # ace to five
RANDOM_PLAYERS = 1000


@dataclass(frozen=True)
class HandCounts:
    """A player's final hands by suit or by rank: sums of each hand's counts, and of their products."""

    hands: int
    sums: np.ndarray  # (labels,)
    products: np.ndarray  # (labels, labels)

    @classmethod
    def of(cls, counts: np.ndarray) -> "HandCounts":
        """From (hands, labels)."""
        return cls(len(counts), counts.sum(axis=0), counts.T @ counts)

    def json(self) -> dict[str, Any]:
        return {"hands": self.hands, "sums": self.sums.tolist(), "products": self.products.tolist()}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "HandCounts":
        return cls(stored["hands"], np.array(stored["sums"]), np.array(stored["products"]))

    @property
    def shares(self) -> np.ndarray:
        """The share of each label among all cards."""
        return np.asarray(self.sums / self.sums.sum())

    def by_cards(self) -> float:
        """The study's test: the probability of counts this uneven if every card came evenly."""
        even = self.sums.sum() / len(self.sums)
        return float(chdtrc(len(self.sums) - 1, ((self.sums - even) ** 2 / even).sum()))

    def by_hands(self) -> float:
        """The same for whole hands; 1 if there are too few."""
        n, labels = self.hands, len(self.sums) - 1  # a hand's last count follows from the others
        if n <= labels + 1:
            return 1.0
        mean = self.sums[:-1] / n
        spread = (self.products[:-1, :-1] - n * np.outer(mean, mean)) / (n - 1)
        off = mean - self.sums.sum() / n / len(self.sums)
        squared = float(n * off @ np.linalg.pinv(spread) @ off)
        return float(fdtrc(labels, n - labels, squared * (n - labels) / (labels * (n - 1))))


def random_hands(hands: int, seed: int) -> dict[str, float]:
    """The share of players with this many random hands whom the study's test finds uneven."""
    rng, found = np.random.default_rng(seed), {}
    for name, (labels, cards) in {"suits": (SUITS, RANKS), "ranks": (RANKS, SUITS)}.items():
        counts = rng.multivariate_hypergeometric([cards] * labels, HAND, (RANDOM_PLAYERS, hands))
        tested = [HandCounts.of(each).by_cards() for each in counts]
        found[name] = float(np.mean(np.array(tested) < SIGNIFICANT))
    return found
