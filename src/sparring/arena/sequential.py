"""Sequential matches: play until a log-likelihood ratio decides between two differences in strength.

The generalised sequential probability ratio test of Stockfish's fishtest: each deal, in all its seatings, is one observation
of a multinomial distribution (pentanomial for two players, whose pair of games yields 0 to 4 half points). The ratio compares
the likeliest distribution whose mean is that of `elo1` with the likeliest whose mean is that of `elo0`; it stops at Wald's
bounds. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution", 2020.
"""

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

from sparring.arena.play import by_contestant, seatings
from sparring.errors import UserError, cut

DEALS = 32  # between two looks at the ratio, whatever the backend
LIMIT = 100_000  # deals after which an undecided match ends, unless the user says otherwise
MOST_ELO = 1000.0
UNSEEN = 1e-3  # what an outcome that did not occur counts, as in fishtest


@dataclass(frozen=True)
class Until:
    """When a match ends: `elo1` or `elo0` accepted; `alpha` and `beta` are the chances to accept each wrongly."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= MOST_ELO:
                raise UserError(f"until: {name} = {getattr(self, name)}: must be from -{MOST_ELO:g} to {MOST_ELO:g}")
        if not self.elo0 < self.elo1:
            raise UserError(f"until: elo0 = {self.elo0:g}: must be less than elo1 = {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 1e-6 <= getattr(self, name) < 0.5:
                raise UserError(f"until: {name} = {getattr(self, name)}: must be from 1e-6 to less than 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios that accept `elo0` and `elo1`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


def read_until(text: "str | Until") -> Until:
    """`elo0=0,elo1=10`, perhaps with `alpha=` and `beta=`."""
    if isinstance(text, Until):
        return text
    names, values = [f.name for f in fields(Until)], {}
    for part in str(text).split(","):
        name, _, value = (word.strip() for word in part.partition("="))
        try:
            values[name] = float(value)
        except ValueError:
            values[name] = math.nan
        if name not in names or not math.isfinite(values[name]):
            raise UserError(f"until: {cut(part)}: write elo0=NUMBER,elo1=NUMBER, and alpha= and beta= if not 0.05")
    if not {"elo0", "elo1"} <= set(values):
        raise UserError(f"until = {cut(text)}: needs both elo0=NUMBER and elo1=NUMBER")
    return Until(**values)


@dataclass(frozen=True)
class Verdict:
    """How a sequential match ended."""

    until: Until
    accepted: str  # elo0, elo1, or inconclusive where the match reached its limit first
    ratio: float  # the log-likelihood ratio
    games: int
    fixed_games: int  # what a match of fixed size needs for the same error rates

    def json(self) -> dict[str, Any]:
        """The verdict as part of a match's JSON."""
        limits = {f.name: getattr(self.until, f.name) for f in fields(Until)}
        bounds = [round(bound, 6) for bound in self.until.bounds]
        facts = {"verdict": self.accepted, "llr": round(self.ratio, 6), "bounds": bounds, "games": self.games}
        return facts | {"fixed_games": self.fixed_games} | limits


def expected(elo: float) -> float:
    """The mean result of a player who is `elo` points stronger."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def likeliest(shares: np.ndarray, results: np.ndarray, mean: float) -> np.ndarray:
    """The distribution of greatest likelihood for these shares of results among those with this mean."""
    away = results - mean
    ends = -1 / away.max(), -1 / away.min()
    x = brentq(lambda x: float(np.sum(shares * away / (1 + x * away))), ends[0] + 1e-9, ends[1] - 1e-9)
    found: np.ndarray = shares / (1 + x * away)
    return found


def log_likelihood_ratio(counts: np.ndarray, elo0: float, elo1: float) -> float:
    """Of `elo1` against `elo0`, from how often each result occurred: results are evenly spaced from 0 to 1."""
    shares, results = _observed(counts)
    one, zero = (likeliest(shares, results, expected(elo)) for elo in (elo1, elo0))
    return float(np.sum(counts) * np.sum(shares * np.log(one / zero)))


def _observed(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The shares of all results, none of them 0, and the results."""
    seen = np.where(np.asarray(counts) == 0, UNSEEN, counts)
    return seen / seen.sum(), np.linspace(0, 1, len(seen))


def shares_beaten(scores: np.ndarray, lower_is_better: bool) -> np.ndarray:
    """Per deal and game, the share of the others that the first player is ahead of; level is half."""
    lead = np.sign(scores[:, :, :1] - scores[:, :, 1:]) * (-1 if lower_is_better else 1)
    shares: np.ndarray = ((1 + lead) / 2).mean(axis=2)
    return shares


class Sequential:
    """Counts the results of deals as they are played, and says when they suffice."""

    def __init__(self, until: Until, seats: int, seating: str, lower_is_better: bool) -> None:
        self.until, self.seats, self.seating, self.lower_is_better = until, seats, seating, lower_is_better
        self.games = len(seatings(seats, seating))
        self.every = DEALS * self.games
        self.counts = np.zeros(2 * (seats - 1) * self.games + 1)
        self.ratio = 0.0

    def enough(self, tallies: np.ndarray) -> bool:
        """Count the tallies of further whole deals; whether a bound is reached."""
        scores = by_contestant(tallies["score"], self.seats, self.seating).astype(float)
        shares = shares_beaten(scores, self.lower_is_better).mean(axis=1)
        most = len(self.counts) - 1
        self.counts += np.bincount(np.rint(shares * most).astype(int), minlength=most + 1)
        self.ratio = log_likelihood_ratio(self.counts, self.until.elo0, self.until.elo1)
        return not self.until.bounds[0] < self.ratio < self.until.bounds[1]

    def verdict(self) -> Verdict:
        """What the results so far decide."""
        low, high = self.until.bounds
        accepted = "elo1" if self.ratio >= high else "elo0" if self.ratio <= low else "inconclusive"
        deals = int(self.counts.sum())
        return Verdict(self.until, accepted, self.ratio, deals * self.games, self._fixed_deals() * self.games)

    def _fixed_deals(self) -> int:
        """Deals for which the normal approximation has the same error rates, by the variance between the two means."""
        low, high = expected(self.until.elo0), expected(self.until.elo1)
        middle = (low + high) / 2
        shares, results = _observed(self.counts)
        variance = float(np.sum(likeliest(shares, results, middle) * (results - middle) ** 2))
        errors = float(ndtri(self.until.alpha) + ndtri(self.until.beta))
        return math.ceil(variance * (errors / (high - low)) ** 2)
