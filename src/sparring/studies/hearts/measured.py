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
from sparring.studies.hearts.rates import Counts, crossing_interval
from sparring.studies.hearts.settings import GAME, Budget
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
    curves: dict[tuple[str, str], dict[int, Counts]]  # by stage and opponent, then by games of the stage
    exams: dict[
        str, dict[str, np.ndarray]
    ]  # by special training ("" for the curriculum) and stage, the accuracy of each trial
    seconds: dict[str, float | None]  # on one core, per trial
    people: list[Record]  # the user's own games

    @cached_property
    def training(self) -> CurriculumTraining:
        return training_of(self.run)

    def curve(self, stage: str, opponent: str, top: str = "won", bottom: str = "games", scale: float = 1.0) -> Curve:
        """A stage's curve against an opponent."""
        points = self.curves[stage, opponent]
        return Curve(
            np.array(list(points)), scale * np.array([each.by_trial(top, bottom) for each in points.values()]).T
        )

    def right(self, stage: str, special: str = "") -> Interval:
        """How often a decision is right at the end of its stage, with as many yes as no; UNKNOWN of one training."""
        found = self.exams[special][stage]
        known = found[np.isfinite(found)]
        if len(known) < 2:
            return Interval(float(known[0]), -np.inf, np.inf) if len(known) else UNKNOWN
        return rate_interval(known)

    def gained(
        self, stage: str, opponent: str, before: Part, after: Part, ratio: tuple[str, str] = ("won", "games")
    ) -> Interval:
        """A ratio in one part of a stage's curve minus that in another, on the same deals; UNKNOWN if a part has no points."""
        first, then = (self._part(stage, opponent, part, ratio) for part in (before, after))
        return UNKNOWN if first is None or then is None else mean_interval(then - first)

    def gained_more(self, stage: str, opponent: str, before: Part, middle: Part, after: Part) -> Interval:
        """How many more games are won from one part of a stage's curve to the next than from there to a third."""
        first, then, last = (self._part(stage, opponent, part, ("won", "games")) for part in (before, middle, after))
        return UNKNOWN if first is None or then is None or last is None else mean_interval(2 * then - first - last)

    def _part(self, stage: str, opponent: str, part: Part, ratio: tuple[str, str]) -> np.ndarray | None:
        points = self.curves[stage, opponent]
        found = [points[games].observed(*ratio) for games in points if part[0] < games <= part[1]]
        return np.mean(found, axis=0) if found else None

    def swept(self, agent: str) -> dict[int, Counts]:
        """An agent's games against Monte Carlo players, by their simulations."""
        return {n: self.matches[f"{agent} monte-carlo@{n}"] for n in settings.SIMULATIONS}

    def crossing(self, agent: str) -> Interval:
        """The simulations at which an agent's win ratio falls to a quarter."""
        return crossing_interval(self.swept(agent), derive(self.seed, "crossing"))


def measure(shared: StudyRuns, trials: int) -> Measured:
    """Compute whatever is not cached."""
    own, budget = shared.within(f"{trials}-trials"), shared.budget
    run = own.agent(trials)
    specials = {name: own.other(name) for name in settings.SPECIALS}
    return Measured(
        budget, trials, own.seed, own.folder, run,
        matches={name: own.played(name, match, trials) for name, match in settings.MATCHES.items()},
        curves={(stage, opponent): {games: own.curve_point(stage, opponent, games) for games in points}
                for stage, points in own.points.items() for opponent in settings.curve_opponents(stage)},
        exams={name: exam(each) for name, each in {"": run, **specials}.items()},
        seconds={"the study's curriculum": core_seconds(run)} | {name: core_seconds(each) for name, each in specials.items()},
        people=own_games(shared.folder.parent),
    )  # fmt: skip


def exam(run: Run) -> dict[str, np.ndarray]:
    """The accuracy of every decision at the end of its stage."""
    training = training_of(run)
    games, values = training.curves()
    decisions = [stage for stage in training.plan if training.curriculum.stages[stage].decides]
    ends = {stage: training.ends[stage] * training.options.step_games for stage in decisions}
    return {stage: values[EXAM][:, np.flatnonzero(games == end)[0]] for stage, end in ends.items()}


def own_games(runs: Path) -> list[Record]:
    """The record of the user at this terminal, if games are recorded; does not create a store."""
    if not (runs / STORE).exists() and not os.environ.get("SPARRING_DB"):
        return []
    return own_records(Store(runs), named(GAME))
