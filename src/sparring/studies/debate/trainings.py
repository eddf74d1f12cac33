"""The debate's trainings: networks at marks of games played, and the processor time that led to each."""

import math
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sparring.errors import Stopped
from sparring.kernel.backend import CPU, IN_USE
from sparring.lab.experiment import Experiment, build_experiment
from sparring.lab.run import Run, create_run, open_run, train
from sparring.lab.side_by_side import Orphaned, check_parent
from sparring.learn import Training, find_learner
from sparring.nets.dense import Net
from sparring.nets.files import SUFFIX, load_net, save_net
from sparring.studies.study_cache import damaged, read_json, write_json

WRITE_SECONDS = 1.0
RECORDED = 500  # steps of a training whose games and seconds are written down, roughly


class Point(NamedTuple):
    """A place in a training: steps, games of each trial, and processor seconds of each trial."""

    step: int
    games: float
    seconds: float


def point_of(step: Any, games: Any, seconds: Any) -> Point:
    """A point that was written down; ValueError where no training can be."""
    point = Point(step, float(games), float(seconds))
    if type(step) is not int or step < 1 or not (0 <= point.games < math.inf and 0 <= point.seconds < math.inf):
        raise ValueError("a number out of its range")
    return point


@dataclass(frozen=True)
class Stage:
    """A training of some trials: its folder, its experiment, and the games after which its networks are kept."""

    name: str
    folder: Path  # of the run's folder
    table: dict[str, Any]
    games: int
    marks: tuple[int, ...]

    @property
    def run_folder(self) -> Path:
        return self.folder / self.name

    @property
    def log(self) -> Path:
        """What was played and how long it took."""
        return self.folder / f"{self.name}-points.json"

    @property
    def kept(self) -> Path:
        """The folder of the networks that are kept, one folder for each mark."""
        return self.folder / f"{self.name}-networks"

    @property
    def finished(self) -> bool:
        return (self.run_folder / "evaluation.json").exists()

    def experiment(self) -> Experiment:
        """The experiment, whose length follows from the number of games."""
        made = build_experiment(self.table)
        if made.learner in ("td", "td-batch"):  # which have it in their options
            return made
        lasting = find_learner(made.learner)[1].lasting(made.options, self.games)
        return Experiment(**vars(made) | {"options": lasting})

    def points(self) -> list[Point]:
        """The marks that the training has reached, and its end."""
        return self.recorded()["marks"]

    def recorded(self) -> dict[str, list[Point]]:
        """The points that are written down: steps, and marks that the training has reached."""
        stored = read_json(self.log)
        try:
            return {name: [point_of(*each) for each in stored[name]] for name in ("steps", "marks")}
        except (KeyError, TypeError, ValueError, OverflowError):
            raise damaged(self.log) from None

    def networks(self, mark: int, run: Run) -> list[Net]:
        """The networks of all trials at a mark, by its number."""
        trials = range(run.experiment.trials)
        return [load_net(self.kept / f"{mark:02d}" / f"{trial:03d}{SUFFIX}", run.game) for trial in trials]


class TimedRun(Run):
    """A run that counts the processor seconds of its steps, and nothing else: other load and saving do not matter."""

    spent = 0.0

    def training(self, threads: int | None = None) -> Training:
        training = super().training(threads)
        advance = training.advance

        def timed() -> int:
            began = time.process_time()
            games = advance()
            self.spent += time.process_time() - began
            return games

        training.advance = timed  # type: ignore[method-assign]
        return training


class Recorder:
    """Counts games and processor time of a training step by step, and keeps networks at marks.

    A stopped training goes on from its last checkpoint; what came after that is forgotten here too.
    """

    def __init__(self, stage: Stage, run: TimedRun, parent: int) -> None:
        self.stage, self.run, self.parent = stage, run, parent
        stored = stage.recorded() if stage.log.exists() else {"steps": [], "marks": []}
        self.steps, self.marks = stored["steps"], stored["marks"]
        self.at: Point | None = None
        self.written = time.monotonic()

    def report(self, training: Training, games: int) -> None:
        """After a step; `games` are those of all trials."""
        seconds, self.run.spent = self.run.spent, 0.0
        if self.at is None:
            self.at = self._resumed(training.step)
        trials = training.trials
        self.at = Point(training.step, self.at.games + games / trials, self.at.seconds + seconds / trials)
        if training.step % -(-training.steps // RECORDED) == 0:
            self.steps.append(self.at)
        self._keep(training)
        if time.monotonic() - self.written > WRITE_SECONDS or training.step == training.steps:
            self.write()
        try:
            check_parent(self.parent)
        except Orphaned:
            raise Stopped("stopped: the parent process has ended") from None

    def _resumed(self, step: int) -> Point:
        """Where the training was before this step: written down or, if it was killed before that, in proportion."""
        self.steps = [point for point in self.steps if point.step < step]
        self.marks = [point for point in self.marks if point.step < step]
        if not self.steps:
            return Point(0, 0.0, 0.0)
        last, share = self.steps[-1], (step - 1) / self.steps[-1].step
        return Point(step - 1, last.games * share, last.seconds * share)

    def _keep(self, training: Training) -> None:
        assert self.at is not None
        ended = training.step == training.steps
        while len(self.marks) < len(self.stage.marks):
            if self.at.games < self.stage.marks[len(self.marks)] and not ended:
                return
            for trial, net in enumerate(training.champions()):
                save_net(self.stage.kept / f"{len(self.marks):02d}" / f"{trial:03d}{SUFFIX}", net)
            self.marks.append(self.at)

    def write(self) -> None:
        """Store what was counted."""
        write_json(self.stage.log, {"steps": self.steps, "marks": self.marks})
        self.written = time.monotonic()


def train_stages(parent: int, stages: list[Stage]) -> None:
    """Train one learner, stage by stage, on one core; in a process of its own it ends with its parent."""
    token = IN_USE.set(CPU)  # equal seconds are those of one core
    try:
        for stage in stages:
            if not stage.finished:
                train_stage(stage, parent)
    finally:
        IN_USE.reset(token)
        if os.getpid() != parent and os.getppid() != parent:
            os._exit(1)


def train_stage(stage: Stage, parent: int) -> None:
    """Train to the end from the last checkpoint, and keep networks on the way."""
    begun = (stage.run_folder / "experiment.toml").exists()
    found = open_run(stage.run_folder) if begun else create_run(stage.experiment(), stage.folder)
    run, experiment = TimedRun(found.folder, found.experiment), found.experiment
    kind = find_learner(experiment.learner)[1]
    kind(
        found.game, experiment.options, experiment.seed, experiment.trials, 1
    ).advance()  # compiles, which is not timed
    recorder = Recorder(stage, run, parent)
    try:
        train(run, 1, recorder.report)
    finally:
        recorder.write()
