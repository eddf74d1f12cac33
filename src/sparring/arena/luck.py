"""Luck-adjusted results: control variates from a fixed function's values of chance events.

A chance event (a roll, a card, a deal) is worth the judge's value of what happened minus its mean over what could have happened.
The mean of this luck is 0 whatever the judge, so that scores may be adjusted by it without bias; the better the judge, the less
they then vary. A coefficient turns a judge's unit into points. It is fitted to the other half of the deals, which adds no bias.
Burch et al. (2018), "AIVAT: a new variance reduction technique for agent evaluation in imperfect information games".
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.play import Keep, by_contestant
from sparring.arena.players import Entrant, find_player, pack_players
from sparring.arena.statistics import Interval, mean_interval
from sparring.errors import UserError, cut
from sparring.games import Game, Played
from sparring.kernel.launch import Job, Player
from sparring.kernel.luck import Judge
from sparring.nets.files import read_tensors

ROUNDING = 1e-9  # less luck than this is none


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
        if game.luck_runner is None:
            raise UserError(
                f"{game.name}: knows no chance event after the start of a game, so there is no luck to adjust for"
            )
        self.name, self.judge = find_judge(game, judge)
        self.game, self.runner, self.then, self.threads = game, game.luck_runner, then, threads
        self.scores: list[np.ndarray] = []
        self.lucks: list[np.ndarray] = []

    def keep(self, games: list[Played]) -> None:
        """Judge some games, and hand them on to whoever else keeps them."""
        if self.then:
            self.then(games)
        jobs = np.zeros(len(games), Job)
        moves = np.full((len(games), max(len(each.moves) for each in games) + 1), -1, np.int16)
        for i, each in enumerate(games):
            jobs[i]["seed"], jobs[i]["deal"], jobs[i]["luck"] = each.seed, each.deal, each.luck
            jobs[i]["seats"] = each.seats
            moves[i, : len(each.moves)] = each.moves
        scores, lucks = self.judged(jobs, moves)
        self.scores.append(scores)
        self.lucks.append(lucks)

    def judged(self, jobs: np.ndarray, moves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The scores and the luck of every seat in games that were played."""
        scores, lucks = self.runner.replay(jobs, moves, self.judge, self.threads)
        if not np.isfinite(lucks).all():
            raise UserError(f"{self.game.name}: luck cannot be judged under these rules by {self.name}")
        return scores, lucks

    def adjusted(self, seats: int, seating: str) -> Adjusted:
        """The scores of the games so far, adjusted; contestants as in the match."""
        scores, lucks = (by_contestant(np.concatenate(part), seats, seating) for part in (self.scores, self.lucks))
        plain, luck = (_difference(each, seating) for each in (scores, lucks))
        even = np.arange(len(plain)) % 2 == 0
        coefficients = np.where(even, _slope(plain[~even], luck[~even]), _slope(plain[even], luck[even]))
        kept = plain - coefficients * luck
        ratio = float(np.var(plain) / np.var(kept)) if np.ptp(kept) > 0 else float("inf")
        return Adjusted(self.name, mean_interval(kept), mean_interval(luck), float(coefficients.mean()), ratio)


def find_judge(game: Game, judge: Entrant) -> tuple[str, Judge]:
    """The name of a judge, and its numbers: values that come with the game, or else a network."""
    own = game.learning.judges
    if own:
        if not isinstance(judge, str) or judge not in own:
            raise UserError(f"adjust: {cut(judge)}: luck in {game.family} is judged by {' or '.join(own)}")
        tensors, described = read_tensors(own[judge])
        table = np.zeros(1, Player)
        table["inputs"], table["hidden"], table["outputs"] = described["inputs"], described["units"], 1
        return judge, (table, tensors["values"])
    found = find_player(game, judge)
    if found.net is None:
        raise UserError(f"adjust: {found.name} is no network, whose values judge luck")
    return found.name, pack_players(game, [found])


def _slope(values: np.ndarray, luck: np.ndarray) -> float:
    """How much values rise with luck, by least squares; 0 where nothing can be fitted."""
    if len(luck) < 2 or np.ptp(luck) < ROUNDING:
        return 0.0
    return float(np.cov(values, luck)[0, 1] / np.var(luck, ddof=1))


def _difference(values: np.ndarray, seating: str) -> np.ndarray:
    """The first player's values minus the second's, or minus the others' mean, deal by deal."""
    others = values[:, :, 1:].mean(axis=2) if seating == "rotated" else values[:, :, 1]
    found: np.ndarray = (values[:, :, 0] - others).mean(axis=1)
    return found
