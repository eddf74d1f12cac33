"""Luck-adjusted results: control variates from a network's values of chance events.

A chance event (a roll, a card) is worth the judge's value of what happened minus its mean over what could have happened. The mean
of this luck is 0 whatever the judge, so that scores may be adjusted by it without bias; the better the judge, the less they then
vary. A coefficient turns a judge's unit into points. It is fitted to the other half of the deals, which keeps results unbiased.
Burch et al. (2018), "AIVAT: a new variance reduction technique for agent evaluation in imperfect information games".
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.play import Keep, by_contestant
from sparring.arena.players import Entrant, find_player, pack_players
from sparring.arena.statistics import Interval, mean_interval
from sparring.errors import UserError
from sparring.games import Game, Played
from sparring.kernel.launch import Job


@dataclass(frozen=True)
class Adjusted:
    """A match's scores without the luck that the judge sees."""

    judge: str
    difference: Interval  # as in the match, adjusted
    luck: Interval  # the first player's luck in that difference, in the judge's unit; 0 in expectation
    coefficient: float  # points for a unit of luck
    ratio: float  # the variance of the difference over its variance when adjusted

    def json(self) -> dict[str, Any]:
        """The adjustment as part of a match's JSON."""
        facts = {"judge": self.judge, "score_difference": self.difference.json(), "luck": self.luck.json()}
        return facts | {"coefficient": round(self.coefficient, 6), "variance_ratio": round(self.ratio, 4)}


class LuckMeter:
    """Collects the games of a match, in order, and their luck."""

    def __init__(self, game: Game, judge: Entrant, then: Keep | None = None, threads: int | None = None) -> None:
        found = find_player(game, judge)
        if game.luck_runner is None:
            raise UserError(f"{game.name}: its luck cannot be judged")
        if found.net is None:
            raise UserError(f"adjust: {found.name} is no network, whose values judge luck")
        self.game, self.name, self.then, self.threads = game, found.name, then, threads
        self.judge = pack_players(game, [found])
        self.scores: list[np.ndarray] = []
        self.lucks: list[np.ndarray] = []

    def keep(self, games: list[Played]) -> None:
        """Judge some games, and hand them on to whoever else keeps them."""
        if self.then:
            self.then(games)
        assert self.game.luck_runner is not None
        jobs = np.zeros(len(games), Job)
        moves = np.full((len(games), max(len(each.moves) for each in games) + 1), -1, np.int16)
        for i, each in enumerate(games):
            jobs[i]["seed"], jobs[i]["deal"], jobs[i]["luck"] = each.seed, each.deal, each.luck
            jobs[i]["seats"] = each.seats
            moves[i, : len(each.moves)] = each.moves
        scores, lucks = self.game.luck_runner.replay(jobs, moves, self.judge, self.threads)
        if not np.isfinite(lucks).all():
            raise UserError(f"{self.game.name}: luck cannot be judged under these rules by {self.name}")
        self.scores.append(scores)
        self.lucks.append(lucks)

    def adjusted(self, seats: int, seating: str) -> Adjusted:
        """The scores of the games so far, adjusted; contestants as in the match."""
        scores, lucks = (by_contestant(np.concatenate(part), seats, seating) for part in (self.scores, self.lucks))
        plain, luck = (_difference(each, seating) for each in (scores, lucks))
        even = np.arange(len(plain)) % 2 == 0
        coefficients = np.where(even, _slope(plain[~even], luck[~even]), _slope(plain[even], luck[even]))
        kept = plain - coefficients * luck
        ratio = float(np.var(plain) / np.var(kept)) if np.ptp(kept) > 0 else float("inf")
        return Adjusted(self.name, mean_interval(kept), mean_interval(luck), float(coefficients.mean()), ratio)


def _slope(values: np.ndarray, luck: np.ndarray) -> float:
    """How much values rise with luck, by least squares; 0 where nothing can be fitted."""
    if len(luck) < 2 or np.ptp(luck) == 0:
        return 0.0
    return float(np.cov(values, luck)[0, 1] / np.var(luck, ddof=1))


def _difference(values: np.ndarray, seating: str) -> np.ndarray:
    """The first player's values minus the second's, or minus the others' mean, deal by deal."""
    others = values[:, :, 1:].mean(axis=2) if seating == "rotated" else values[:, :, 1]
    found: np.ndarray = (values[:, :, 0] - others).mean(axis=1)
    return found
