"""Who feeds whom: what two networks that were bred together get out of a game, and what they get among strangers.

The index is told in docs/conquest-study.md. The yardstick is always the study's payoff for moves, whatever the networks
strove for, so that trainings with different aims can be compared; and of the two sides' payoffs the lesser, for only who
feeds each other has both.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparring.arena.play import play
from sparring.arena.players import Contestant
from sparring.arena.statistics import Interval, mean_interval
from sparring.games import Game, Played
from sparring.games.conquest.game_record import apply
from sparring.games.conquest.notation import sent
from sparring.games.game import start_game
from sparring.kernel.launch import Job

SIDES = ("blue", "red")
COUNTED = ("production", "attack", "transport", "kills")
HIGH = 600.0  # a spike: blue's and red's best fitness together; the study's spike has 826, its last generation 422
TWICE, SETTLED = 2.0, 5  # or twice the median of the generations before, from the fifth on

Told = dict[str, np.ndarray]


class Bests(NamedTuple):
    """A generation's best blue and red of every trial, and the red and blue that they met when they became the best."""

    blues: list[Contestant]
    reds: list[Contestant]
    met_by_blues: list[Contestant]
    met_by_reds: list[Contestant]


@dataclass(frozen=True)
class Meeting:
    """A generation's best of every trial: in the games that made them the best, and among strangers.

    By measure, (trials, best blue and best red, both seats of their games). Strangers are the best of other trials; where
    there are none, not a number.
    """

    own: Told
    strangers: Told

    def json(self) -> dict[str, Any]:
        return {
            kind: {name: np.round(values, 4).tolist() for name, values in told.items()}
            for kind, told in (("own", self.own), ("strangers", self.strangers))
        }

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> "Meeting":
        return cls(*({name: np.array(values) for name, values in told[kind].items()} for kind in ("own", "strangers")))

    @property
    def index(self) -> np.ndarray:
        """The collusion index of every trial."""
        return collusion_index(self.mean("mutual"), self.mean("mutual", own=False))

    def mean(self, name: str, own: bool = True) -> np.ndarray:
        """A measure of every trial, over its two games (or those among strangers) and both seats."""
        return np.asarray((self.own if own else self.strangers)[name].mean(axis=(1, 2)))

    def of_best(self, name: str) -> np.ndarray:
        """A measure of the best blue and the best red themselves, (trials, sides)."""
        return np.stack([self.own[name][:, side, side] for side in range(2)], axis=1)


def collusion_index(own: np.ndarray, strangers: np.ndarray) -> np.ndarray:
    """1 - strangers / own where a pair has more of each other; below 0, as much the other way, where strangers have more."""
    most = np.maximum(own, strangers)
    return np.asarray((own - strangers) / np.where(most > 0, most, 1))


def index_interval(index: np.ndarray) -> Interval:
    """The mean over trials, kept within what an index can be."""
    told = mean_interval(index)
    if not np.isfinite(told.low):
        return told
    return Interval(told.value, max(-1.0, told.low), min(1.0, told.high))


def meet(game: Game, bests: Bests, partners: int, threads: int | None) -> Meeting:
    """Play the games that made the best again; and let every trial's best blue meet the best reds of trials that follow."""
    trials = len(bests.blues)
    others = min(partners, trials - 1)
    first = np.repeat(np.arange(trials), others)
    second = (first + np.tile(np.arange(1, others + 1), trials)) % trials
    blue, red, met_by_blue, met_by_red = np.arange(4 * trials).reshape(4, trials)
    jobs = np.zeros(2 * trials + len(first), Job)
    jobs["seats"] = 2
    jobs["player"][:, 0] = np.concatenate([blue, met_by_red, blue[first]])
    jobs["player"][:, 1] = np.concatenate([met_by_blue, red, red[second]])
    players = [player for group in bests for player in group]
    told = measured_sides(play(game, jobs, players, threads))
    own = {name: np.stack([values[:trials], values[trials : 2 * trials]], axis=1) for name, values in told.items()}
    strangers = {name: among_strangers(values[2 * trials :], first, second, trials) for name, values in told.items()}
    return Meeting(own, strangers)


def measured_sides(tallies: np.ndarray) -> Told:
    """What is told of a game, for blue and red."""
    both, payoff = np.ones((len(tallies), 2)), tallies["payoff"][:, :2] / 100
    return {
        "payoff": payoff,
        "mutual": payoff.min(axis=1, keepdims=True) * both,
        "rounds": tallies["rounds"][:, None] * both,
        "decided": tallies["score"].max(axis=1)[:, None] * both,
        "stale": tallies["stale"][:, None] * both,
        **{name: tallies[name][:, :2].astype(float) for name in COUNTED},
    }


def among_strangers(values: np.ndarray, first: np.ndarray, second: np.ndarray, trials: int) -> np.ndarray:
    """The mean over games with strangers, of each trial's best blue and of its best red: (trials, these two, seats)."""
    found = np.full((trials, 2, 2), np.nan)
    for best, whose in enumerate((first, second)):
        for trial in np.unique(whose):
            found[trial, best] = values[whose == trial].mean(axis=0)
    return found


def changes_of_hands(game: Game, played: Played) -> int:
    """How often a tile passed from one side to the other in a game."""
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    s: Any = state[0]
    changes = 0
    for move in played.moves:
        done = sent(s, move)
        before = 0 if done is None else int(s["board"][done.target])
        apply(state, move)
        changes += done is not None and before * int(s["board"][done.target]) < 0
    return changes


# Spikes.


@dataclass(frozen=True)
class Spikes:
    """In every trial: the highest fitness of best blue and best red together, when, and how long it stayed high."""

    height: np.ndarray
    generation: np.ndarray
    high: np.ndarray  # generations in a row above HIGH, at most
    doubled: np.ndarray  # the same, above twice the median of the generations before


def spikes(joint: np.ndarray) -> Spikes:
    """Of joint fitness, (trials, generations)."""
    doubled = np.zeros(joint.shape, bool)
    for g in range(SETTLED - 1, joint.shape[1]):
        doubled[:, g] = joint[:, g] > TWICE * np.median(joint[:, :g], axis=1)
    longest = [np.array([longest_run(row) for row in rows]) for rows in (joint > HIGH, doubled)]
    return Spikes(joint.max(axis=1), joint.argmax(axis=1) + 1, *longest)


def longest_run(row: np.ndarray) -> int:
    """The most generations in a row for which something holds."""
    longest = run = 0
    for holds in row:
        run = run + 1 if holds else 0
        longest = max(longest, run)
    return longest
