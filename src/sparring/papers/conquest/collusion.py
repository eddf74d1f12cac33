"""Who feeds whom: what two networks get out of a game when they were bred together, and what they get among strangers.

The index is told in docs/conquest-study.md. The yardstick is always the study's payoff for moves, whatever the networks
strove for, so that trainings with different aims can be compared.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.play import play
from sparring.arena.players import Contestant
from sparring.games import Game, Played
from sparring.games.conquest.notation import sent
from sparring.games.conquest.record import apply
from sparring.games.game import start_game
from sparring.kernel.launch import Job

SIDES = ("blue", "red")
COUNTED = ("production", "attack", "transport", "kills")
HIGH = 600.0  # a spike: blue's and red's best fitness together; the study's spike has 826, its last generation 422
TWICE, SETTLED = 2.0, 5  # or twice the median of the generations before, from the fifth on

Told = dict[str, np.ndarray]


@dataclass(frozen=True)
class Meeting:
    """The best blue and red of one generation in every trial: in their own pair, and among strangers.

    By measure, (trials, sides). Strangers are the best of other trials; where there are none, not a number.
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
        return collusion_index(self.own["payoff"].sum(axis=1), self.strangers["payoff"].sum(axis=1))

    @property
    def gap(self) -> np.ndarray:
        """How much more a side has of what it strove for, in its own pair: every trial's mean over both sides."""
        return np.asarray((self.own["fitness"] - self.strangers["fitness"]).mean(axis=1))

    def rate(self, kind: str) -> np.ndarray:
        """Payoff of both sides a round."""
        told = self.own if kind == "own" else self.strangers
        return np.asarray(told["payoff"].sum(axis=1) / np.maximum(told["rounds"].mean(axis=1), 1))


def collusion_index(own: np.ndarray, strangers: np.ndarray) -> np.ndarray:
    """1 - strangers / own where a pair has more of each other; below 0, as much the other way, where strangers have more."""
    most = np.maximum(own, strangers)
    return np.asarray((own - strangers) / np.where(most > 0, most, 1))


def meet(
    game: Game, fitness: str, blues: list[Contestant], reds: list[Contestant], partners: int, threads: int | None
) -> Meeting:
    """Let every trial's blue meet its own red, and the reds of so many trials that follow."""
    trials = len(blues)
    others = min(partners, trials - 1)
    first = np.repeat(np.arange(trials), 1 + others)
    second = (first + np.tile(np.arange(1 + others), trials)) % trials
    jobs = np.zeros(len(first), Job)
    jobs["seats"] = 2
    jobs["player"][:, 0], jobs["player"][:, 1] = first, trials + second
    told = measured_sides(game, fitness, play(game, jobs, [*blues, *reds], threads))
    own = {name: values[first == second] for name, values in told.items()}
    return Meeting(own, {name: among_strangers(values, first, second, trials) for name, values in told.items()})


def measured_sides(game: Game, fitness: str, tallies: np.ndarray) -> Told:
    """What is told of a game, for blue and red."""
    both = np.ones((len(tallies), 2))
    return {
        "payoff": tallies["payoff"][:, :2] / 100,
        "fitness": game.fitness[fitness](tallies)[:, :2],
        "rounds": tallies["rounds"][:, None] * both,
        "decided": tallies["score"].max(axis=1)[:, None] * both,
        **{name: tallies[name][:, :2].astype(float) for name in COUNTED},
    }


def among_strangers(values: np.ndarray, first: np.ndarray, second: np.ndarray, trials: int) -> np.ndarray:
    """The mean over games with strangers, of each trial's blue and of its red."""
    strange = first != second
    means = []
    for side, whose in enumerate((first, second)):
        count = np.bincount(whose[strange], minlength=trials)
        total = np.bincount(whose[strange], values[strange, side], trials)
        means.append(np.divide(total, count, out=np.full(trials, np.nan), where=count > 0))
    return np.array(means).T


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
