"""The measurements of the hearts study: the data of its tables, claims and figures."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.kernel.random import derive
from sparring.lab.experiment import STORE
from sparring.lab.person_record import Record, own_records
from sparring.lab.run import Run
from sparring.lab.store import Store
from sparring.learn.curriculum import CurriculumTraining
from sparring.studies.hearts import settings
from sparring.studies.hearts.rates import NORMAL, Counts, crossing_interval
from sparring.studies.hearts.settings import GAME, LAST, Budget
from sparring.studies.hearts.study_runs import StudyRuns, named, training_of
from sparring.studies.study import Measurement
from sparring.studies.study_cache import core_seconds
from sparring.studies.verdicts import UNKNOWN

EXAM = "exam.player.accuracy"
Part = tuple[float, float]  # of a stage: from and to which game


@dataclass(frozen=True)
class Curve:
    """A stage's part of a curve: games of the stage, and (trials, points)."""

    games: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    budget: Budget
    run: Run
    matches: dict[str, Counts]  # by the names of MATCHES
    defence_curve: dict[int, Counts]  # by games of the stage
    exams: dict[str, dict[str, np.ndarray]]  # of special trainings: by stage, the accuracy of each trial
    seconds: dict[str, float | None]  # on one core, per trial
    people: list[Record]  # the user's own games

    @cached_property
    def training(self) -> CurriculumTraining:
        return training_of(self.run)

    @cached_property
    def _curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        return self.training.curves()

    def curve(self, stage: str, name: str) -> Curve:
        """A stage's part of one of the training's curves."""
        return stage_curve(self.training, self._curves, stage, name)

    def defending(self, top: str, bottom: str, scale: float = 1.0) -> Curve:
        """A part of Figure 5.13."""
        rows = [scale * counts.by_trial(top, bottom) for counts in self.defence_curve.values()]
        return Curve(np.array(list(self.defence_curve)), np.array(rows).T)

    def right(self, stage: str, special: str = "") -> Interval:
        """How often a decision is right at the end of its stage, with as many yes as no; UNKNOWN of one training."""
        found = self.exams[special][stage] if special else self.curve(stage, EXAM).values[:, -1]
        known = found[np.isfinite(found)]
        return (
            rate_interval(known)
            if len(known) > 1
            else Interval(float(known.mean()), *UNKNOWN[1:])
            if len(known)
            else UNKNOWN
        )

    def gained(self, stage: str, name: str, before: Part, after: Part, rounds: int = 1) -> Interval:
        """A curve of shares in one part of a stage minus another part; UNKNOWN if a part has no points.

        One training has the interval of the games of its points, or of so many rounds of each game.
        """
        curve = self.curve(stage, name)
        parts = [curve.values[:, (curve.games > low) & (curve.games <= high)] for low, high in (before, after)]
        if min(part.shape[1] for part in parts) == 0:
            return UNKNOWN
        means = [part.mean(axis=1) for part in parts]
        if self.trials > 1:
            return mean_interval(means[1] - means[0])
        value, variance = float(means[1][0] - means[0][0]), 0.0
        for part, mean in zip(parts, means, strict=True):
            share = float(np.clip(mean[0], 0.01, 0.99))
            variance += share * (1 - share) / (part.shape[1] * self.budget.point * rounds)
        half = NORMAL * float(np.sqrt(variance))
        return Interval(value, value - half, value + half)

    def swept(self, agent: str) -> dict[int, Counts]:
        """An agent's games against Monte Carlo players, by their simulations."""
        return {n: self.matches[f"{agent} monte-carlo@{n}"] for n in settings.SIMULATIONS}

    def crossing(self, agent: str) -> Interval:
        """The simulations at which an agent's win ratio falls to a quarter."""
        return crossing_interval(self.swept(agent), derive(self.seed, "crossing"))


def stage_curve(
    training: CurriculumTraining, curves: tuple[np.ndarray, dict[str, np.ndarray]], stage: str, name: str
) -> Curve:
    games, values = curves
    end, step = training.ends[stage], training.options.step_games
    first = (end - training.plan[stage]) * step
    inside = (games > first) & (games <= end * step)
    return Curve(games[inside] - first, values[name][:, inside])


def measure(shared: StudyRuns, trials: int) -> Measured:
    """Compute whatever is not cached."""
    own, budget = shared.within(f"{trials}-trials"), shared.budget
    run = own.agent(trials)
    specials = {name: own.other(name) for name in settings.SPECIALS}
    return Measured(
        budget, trials, own.seed, own.folder, run,
        matches={name: own.played(name, match, trials) for name, match in settings.MATCHES.items()},
        defence_curve={games: own.defence_point(games) for games in range(budget.every, budget.games[LAST] + 1, budget.every)},
        exams={name: exam(each) for name, each in specials.items()},
        seconds={"the study's curriculum": core_seconds(run)} | {name: core_seconds(each) for name, each in specials.items()},
        people=own_games(shared.folder.parent),
    )  # fmt: skip


def exam(run: Run) -> dict[str, np.ndarray]:
    """The accuracy of the decisions of a special training."""
    training = training_of(run)
    curves, stages = training.curves(), training.curriculum.stages
    decisions = [stage for stage in training.plan if stages[stage].decides]
    return {stage: stage_curve(training, curves, stage, EXAM).values[:, -1] for stage in decisions}


def own_games(runs: Path) -> list[Record]:
    """The record of the user at this terminal, if games are recorded; does not create a store."""
    if not (runs / STORE).exists() and not os.environ.get("SPARRING_DB"):
        return []
    return own_records(Store(runs), named(GAME))
