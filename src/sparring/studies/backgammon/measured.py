"""The measurements of the backgammon study: the data of its tables, claims and figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from sparring.games import find_game
from sparring.lab.run import Run
from sparring.learn.hill_climbing import HillClimbing, HillClimbingTraining
from sparring.learn.option_checks import read_wins
from sparring.studies.backgammon import study_runs
from sparring.studies.backgammon.published import CYCLE, LAST, Fit, fit
from sparring.studies.backgammon.study_runs import (
    BEGINS,
    OPPONENTS,
    PRINTED,
    PUBEVAL,
    RANDOM,
    VARIANTS,
    Budget,
    Climb,
    Strength,
    StudyRuns,
)  # fmt: skip
from sparring.studies.study import Measurement, OnDemand
from sparring.studies.study_cache import core_seconds, finished_training, games_played

HIDDEN = (10, 20, 40, 80)  # the sizes of Tesauro's table, and one more
CLIMBING = "hill-climbing, 20 hidden"
FIRST_LAYER = 48  # weights of 2-1-2


def td_title(hidden: int) -> str:
    return f"TD, {hidden} hidden"


@dataclass(frozen=True)
class Method:
    """One side of the debate: its cost, its final strength and its learning curve."""

    title: str
    run: Run
    strength: Strength  # against pubeval, all rules
    seconds: float | None  # on one core, per trial
    games: np.ndarray  # played by a trial at each point of its curve
    won: np.ndarray  # the curve: share of games won against pubeval, (trials, points)

    @property
    def played(self) -> int:
        return int(self.games[-1])

    @property
    def time(self) -> np.ndarray | None:
        """The seconds at each point, if every game takes the same time; None where they were not measured."""
        return None if self.seconds is None else self.seconds * self.games / self.played


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures, computed when first asked for unless it is cached."""

    budget: Budget
    own: StudyRuns  # what depends on the number of trials
    shared: StudyRuns  # what does not

    def prepare(self) -> None:
        """Do all trainings, the longest first. No two jobs share a training."""
        lessons = [partial(self.methods.__getitem__, td_title(hidden)) for hidden in HIDDEN[::-1]]
        networks = [partial(self.strengths.__getitem__, name) for name in VARIANTS]
        begins = [partial(self.begins.__getitem__, name) for name in BEGINS]
        self.own.share([*lessons, *networks, *begins, lambda: (self.methods[CLIMBING], self.climb)])

    @cached_property
    def baselines(self) -> Mapping[tuple[str, str], dict[str, np.ndarray]]:
        """Arrays by game of players that do not learn, see `StudyRuns.games_between`."""
        return OnDemand(study_runs.BASELINES, lambda pair: self.shared.games_between(*pair, pair[0]))

    @cached_property
    def printed(self) -> Mapping[str, dict[str, np.ndarray]]:
        """By printed network and opponent, whether each game was won, seats exchanged."""
        version = find_game(study_runs.STUDY).rules.version

        def won(name: str, opponent: str) -> np.ndarray:
            games = self.shared.games_between(study_runs.printed_net(name, version), opponent, name)
            return np.asarray((games["begins"] + games["follows"]) / 2)

        return OnDemand(PRINTED, lambda name: {opponent: won(name, opponent) for opponent in OPPONENTS})

    @cached_property
    def runs(self) -> Mapping[str, Run]:
        """The coevolutions by variant."""
        return OnDemand(
            VARIANTS, lambda name: self.own.coevolved(name, VARIANTS[name].trials(self.trials, self.budget))
        )

    @cached_property
    def begins(self) -> Mapping[str, HillClimbingTraining]:
        """Trainings that end after a tenth."""
        return OnDemand(BEGINS, lambda name: finished_training(self.shared.begun(name), HillClimbingTraining))

    def begin_curve(self, name: str) -> np.ndarray:
        """The share of games won against random in the first tenth of a training, (trials, points)."""
        return self.begins[name].curves()[1][f"{RANDOM}.player.won"]

    @cached_property
    def strengths(self) -> Mapping[str, dict[str, Strength]]:
        """The champions' strengths by variant and opponent."""

        def strength(name: str, opponent: str) -> Strength:
            return self.own.strength(self.runs[name], opponent, study_runs.STUDY, self.budget.pairs)

        return OnDemand(VARIANTS, lambda name: {opponent: strength(name, opponent) for opponent in OPPONENTS})

    @cached_property
    def ages(self) -> np.ndarray:
        """Champions of 2-1-2 against their earlier selves, see `StudyRuns.round_robin`."""
        return self.own.round_robin(self.runs["2-1-2"])

    @cached_property
    def climb(self) -> Climb:
        return self.shared.climb(self.shared.climbed())

    @cached_property
    def methods(self) -> Mapping[str, Method]:
        """The sides of the debate by title."""
        coevolved = {f"coevolution, {VARIANTS[name].title}": name for name in study_runs.AGAINST_PUBEVAL}
        sizes = {td_title(hidden): hidden for hidden in HIDDEN}

        def make(title: str) -> Method:
            if title in coevolved:
                return method(self.own, title, self.runs[coevolved[title]])
            if title in sizes:
                return method(self.shared, title, self.shared.td(sizes[title]), "benchmark")
            return method(self.shared, title, self.shared.climbed())

        return OnDemand((*coevolved, CLIMBING, *sizes), make)

    @cached_property
    def trainings(self) -> dict[str, HillClimbingTraining]:
        return {name: finished_training(run, HillClimbingTraining) for name, run in self.runs.items()}

    @cached_property
    def cycles(self) -> np.ndarray:
        """The points of every variant's curves in cycles; a shorter training has part of the study's hundred."""
        return np.asarray(self.trainings["2-1-2"].curves()[0] / CYCLE)

    def curve(self, name: str, opponent: str) -> np.ndarray:
        """The share of games won against an opponent during training, (trials, points)."""
        return self.trainings[name].curves()[1][f"{opponent}.player.won"]

    def curve_end(self, name: str, opponent: str) -> np.ndarray:
        """Each trial's share over the last fifth of its curve, 20 points of 100 if it is as long as the study's."""
        curve = self.curve(name, opponent)
        return np.asarray(curve[:, -max(1, curve.shape[1] * LAST // 100) :].mean(axis=1))

    def sizes(self, name: str) -> np.ndarray:
        """The root mean square of each trial's weights of the first layer of 2-1-2 at the end."""
        return first_layer_sizes(self.trainings[name])[:, -1]

    def fits(self, network: str) -> list[Fit]:
        """The fits of Table 12 against random: of the mean curve, then of every trial's.

        Percentages over hundredths of the training, which are cycles if the training is as long as the study's.
        """
        x, curves = 100 * self.cycles / self.cycles[-1], 100 * self.curve(network, RANDOM)
        return [fit(x, curve) for curve in (curves.mean(axis=0), *curves)]


def first_layer_sizes(training: HillClimbingTraining) -> np.ndarray:
    """The root mean square of the weights of the first layer of 2-1-2, (trials, points)."""
    return np.asarray(np.sqrt((training.history[:, :, :FIRST_LAYER] ** 2).mean(axis=2)))


def measure(shared: StudyRuns, trials: int) -> Measured:
    """What to measure. Results that do not depend on the number of trials are shared."""
    own = shared.within(f"{trials}-trials")
    return Measured(shared.budget, trials, shared.seed, own.folder, own, shared)


def method(runs: StudyRuns, title: str, run: Run, setting: str = PUBEVAL) -> Method:
    """A training's champions against pubeval, and its curve; `setting` is the curve's name for pubeval."""
    (games, curves), options = run.training().curves(), run.experiment.options
    if isinstance(options, HillClimbing):
        games = games_played(read_wins(options.wins), options.challenges, games)
    strength = runs.strength(run, PUBEVAL, study_runs.FULL, runs.budget.debate_pairs)
    return Method(title, run, strength, core_seconds(run), games, curves[f"{setting}.player.won"])
