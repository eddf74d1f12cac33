"""The collusion index: what two networks that evolved together score in a game, compared with games against strangers.

docs/conquest-study.md defines the index. The measure is always the study's payoff for moves, whatever the fitness, so that
trainings with different fitness are comparable; and the lesser of the two sides' payoffs, because only networks that feed each
other both get one.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparring.arena.play import play
from sparring.arena.players import Contestant
from sparring.arena.statistics import Interval, mean_interval
from sparring.games import Game
from sparring.kernel.launch import Job
from sparring.studies.verdicts import UNKNOWN

SIDES = ("blue", "red")
COUNTED = ("production", "attack", "transport", "kills")

Arrays = dict[str, np.ndarray]


class Bests(NamedTuple):
    """A generation's best blue and red of every trial, and their opponents in the games that made them the best."""

    blues: list[Contestant]
    reds: list[Contestant]
    met_by_blues: list[Contestant]
    met_by_reds: list[Contestant]


@dataclass(frozen=True)
class Matchup:
    """A generation's best of every trial: the games that made them the best, and games against strangers.

    By measure, (trials, best blue and best red, both seats of their games). Strangers are the best of other trials; NaN if
    there are none.
    """

    own: Arrays
    strangers: Arrays

    def json(self) -> dict[str, Any]:
        return {
            kind: {name: np.round(values, 4).tolist() for name, values in arrays.items()}
            for kind, arrays in vars(self).items()
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "Matchup":
        return cls(**{kind: {name: np.array(values) for name, values in each.items()} for kind, each in stored.items()})

    @property
    def index(self) -> np.ndarray:
        """The collusion index of every trial."""
        return collusion_index(self.mean("mutual"), self.mean("mutual", own=False))

    def mean(self, name: str, own: bool = True) -> np.ndarray:
        """A measure of every trial, over its two games (or those against strangers) and both seats."""
        return np.asarray((self.own if own else self.strangers)[name].mean(axis=(1, 2)))

    def of_best(self, name: str) -> np.ndarray:
        """A measure of the best blue and the best red themselves, (trials, sides)."""
        return np.stack([self.own[name][:, side, side] for side in range(2)], axis=1)


def collusion_index(own: np.ndarray, strangers: np.ndarray) -> np.ndarray:
    """1 - strangers / own if a pair scores more together; negative, own / strangers - 1, if strangers score more."""
    most = np.maximum(own, strangers)
    return np.asarray((own - strangers) / np.where(most > 0, most, 1))


def index_interval(index: np.ndarray) -> Interval:
    """The mean over trials, between -1 and 1; unknown for a single trial, which has no strangers to play."""
    mean = mean_interval(index)
    return Interval(mean.value, max(-1.0, mean.low), min(1.0, mean.high)) if np.isfinite(index).all() else UNKNOWN


def play_matchup(game: Game, bests: Bests, partners: int, threads: int | None) -> Matchup:
    """Replay the games that made the best, and play every trial's best blue against the best reds of the next trials."""
    trials = len(bests.blues)
    others = min(partners, trials - 1)
    first = np.repeat(np.arange(trials), others)
    second = (first + np.tile(np.arange(1, others + 1), trials)) % trials
    blue, red, met_by_blue, met_by_red = np.arange(4 * trials).reshape(4, trials)
    jobs = np.zeros(2 * trials + len(first), Job)
    jobs["seats"] = 2
    jobs["player"][:, 0] = np.concatenate([blue, met_by_red, blue[first]])
    jobs["player"][:, 1] = np.concatenate([met_by_blue, red, red[second]])
    measured = measured_sides(play(game, jobs, [player for group in bests for player in group], threads))
    own = {name: np.stack([values[:trials], values[trials : 2 * trials]], axis=1) for name, values in measured.items()}
    strangers = {name: among_strangers(values[2 * trials :], first, second) for name, values in measured.items()}
    return Matchup(own, strangers if others else {name: np.full_like(each, np.nan) for name, each in own.items()})


def measured_sides(tallies: np.ndarray) -> Arrays:
    """The measures of a game, for blue and red."""
    both, payoff = np.ones((len(tallies), 2)), tallies["payoff"][:, :2] / 100
    return {
        "payoff": payoff,
        "mutual": payoff.min(axis=1, keepdims=True) * both,
        "rounds": tallies["rounds"][:, None] * both,
        "decided": tallies["score"].max(axis=1)[:, None] * both,
        **{name: tallies[name][:, :2].astype(float) for name in COUNTED},
    }


def among_strangers(values: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The mean over games with strangers of each trial's best blue and best red: (trials, these two, seats)."""
    return np.array([[values[whose == trial].mean(axis=0) for whose in (first, second)] for trial in np.unique(first)])
