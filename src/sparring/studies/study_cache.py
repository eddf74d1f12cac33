"""The cache of a study: every finished training and match is stored in a folder, so that a stopped re-run resumes."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import numpy as np

from sparring.errors import UserError
from sparring.kernel.backend import CPU, IN_USE
from sparring.kernel.random import derive
from sparring.lab.experiment import build_experiment
from sparring.lab.locks import locked
from sparring.lab.run import Report, Run, create_run, open_run, train
from sparring.learn import Training
from sparring.learn.distributed import joined
from sparring.nets.files import replace_file
from sparring.reading import read_bytes
from sparring.studies import Watch

WRITE_SECONDS = 1.0
MOST_FILE = 1 << 30  # bytes of a JSON file of a study
Budget = TypeVar("Budget")
Kind = TypeVar("Kind", bound=Training)


def write_json(path: Path, content: Any, indent: int | None = None) -> None:
    """Write a JSON file in one step."""
    replace_file(path, (json.dumps(content, indent=indent) + "\n").encode())


def read_json(path: Path) -> Any:
    """What a study stored in a JSON file."""
    try:
        return json.loads(read_bytes(path, MOST_FILE))
    except (ValueError, RecursionError):
        raise damaged(path) from None


def damaged(path: Path) -> UserError:
    """The error for a file that a study cannot have written."""
    return UserError(f"{path}: damaged, or not of this study; delete it to measure it again")


@dataclass(frozen=True)
class StudyCache(Generic[Budget]):
    """A folder of results, and what is needed to compute the missing ones."""

    seed: int
    folder: Path
    threads: int | None
    watch: Watch
    budget: Budget

    def within(self, name: str) -> Self:
        """The same cache in a subfolder."""
        return replace(self, folder=self.folder / name)

    def cached(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what `make` returns, read from NAME.json if that exists."""
        path = self.folder / f"{name}.json"
        if not path.exists():
            write_json(path, make(), indent=1)
        return read_json(path)

    def cached_arrays(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, np.ndarray]:
        """Return cached lists of numbers as arrays; null becomes NaN."""
        return {key: np.array(values, float) for key, values in self.cached(name, make).items()}

    def seed_of(self, purpose: str) -> int:
        """The seed of an experiment, derived from the study's."""
        return derive(self.seed, purpose) % 2**63

    def share(self, jobs: Sequence[Callable[[], Any]]) -> None:
        """Do all jobs. Processes started with the same command divide them: each takes jobs that no other is at.

        A process on another backend than the cores begins with the last job.
        """
        left = list(enumerate(jobs)) if IN_USE.get() is CPU else list(enumerate(jobs))[::-1]
        self.folder.mkdir(parents=True, exist_ok=True)
        while left:
            for number, job in list(left):
                with open(self.folder / f"job-{number}.lock", "w") as file:
                    if not locked(file):
                        continue
                    job()
                    left.remove((number, job))
            if left:
                time.sleep(1)

    def trained_run(self, table: dict[str, Any]) -> Run:
        """Return the run of an experiment, trained to its end; NAME-seconds.json records how long the training took."""
        folder = self.folder / table["name"]
        if (folder / "experiment.toml").exists():
            run = open_run(folder)
        else:
            run = create_run(build_experiment(table), self.folder)
        if not run.finished:
            stopwatch, earlier = Stopwatch(folder), None if run.checkpoint.exists() else self.with_fewer_trials(run)
            with (
                self.watch.training_bar(f"{table['name']}, {table['trials']} trials") as report,
                self.watch.games_bar(f"{table['name']}: evaluation") as progress,
            ):
                try:
                    if earlier:
                        extend(run, earlier, self.threads, report)
                        stopwatch.continue_from(earlier, run.experiment.trials)
                    train(run, self.threads, stopwatch.timing(report), progress)
                finally:
                    stopwatch.write()
        return run

    def with_fewer_trials(self, run: Run) -> Run | None:
        """The finished run of the same training with most trials, but no more than this one; of folders named `N-trials`."""
        own = next((each for each in (self.folder, *self.folder.parents) if each.name.endswith("-trials")), None)
        if own is None:
            return None
        others = [other / run.folder.relative_to(own) for other in own.parent.glob("*-trials") if other != own]
        found = [each for each in map(open_run, filter(is_run, others)) if each.finished]
        fit = [each for each in found if each.experiment.trials <= run.experiment.trials and same_but_trials(each, run)]
        return max(fit, key=lambda each: each.experiment.trials, default=None)

    def trained(self, name: str, trials: int, table: dict[str, Any]) -> Run:
        """Train an experiment under this name, with a seed of its own."""
        return self.trained_run(table | {"name": name, "trials": trials, "seed": self.seed_of(name)})


def is_run(folder: Path) -> bool:
    return (folder / "experiment.toml").exists()


def same_but_trials(one: Run, other: Run) -> bool:
    """Whether two runs differ in nothing but the number of trials and where games are played."""
    alike = (replace(each.experiment, trials=0, backend="") for each in (one, other))
    return next(alike) == next(alike)


def extend(run: Run, earlier: Run, threads: int | None, report: Report) -> None:
    """Make the trials of an earlier run the first ones of a new run, and train the others; the result is that of all together.

    A trial depends on the seed and its own number alone.
    """
    whole, before, experiment = run.training(threads), earlier.training(threads), run.experiment
    parts, shares = [before.arrays()], [np.arange(before.trials)]
    if whole.trials > before.trials:
        count = whole.trials - before.trials
        added = type(whole)(run.game, experiment.options, experiment.seed, count, threads, before.trials)
        while added.step < added.steps:
            report(added, added.advance())
        parts, shares = [*parts, added.arrays()], [*shares, np.arange(before.trials, whole.trials)]
    whole.restore(whole.steps, joined(whole, parts, shares))
    run.save(whole)


class Stopwatch:
    """Processor time of the steps of a training, stored in `NAME-seconds.json` beside the run.

    The time is that of all threads together, so that other processes hardly matter. The first step after a start is left
    out because it may compile. Repeated steps count twice, and so do their seconds: only seconds per step are used.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder.with_name(f"{folder.name}-seconds.json")
        stored = read_json(self.path) if self.path.exists() else {}
        try:
            self.steps, self.seconds = int(stored.get("steps", 0)), float(stored.get("seconds", 0.0))
        except (TypeError, ValueError, AttributeError, OverflowError):
            raise damaged(self.path) from None
        self.written = time.monotonic()

    def continue_from(self, earlier: Run, trials: int) -> None:
        """Take the measurements of an earlier run as those of one with more trials."""
        before = Stopwatch(earlier.folder)
        self.steps, self.seconds = before.steps, before.seconds * trials / earlier.experiment.trials

    def timing(self, report: Report) -> Report:
        """Wrap a report so that the time between two steps is measured, without the report's own."""
        mark: float | None = None

        def timed_report(training: Training, games: int) -> None:
            nonlocal mark
            if mark is not None and IN_USE.get() is CPU:  # on another backend, this process's time means nothing
                self.steps += 1
                self.seconds += time.process_time() - mark
            report(training, games)
            if time.monotonic() - self.written > WRITE_SECONDS:
                self.write()
            mark = time.process_time()

        return timed_report

    def write(self) -> None:
        """Store the measurements so far."""
        write_json(self.path, {"steps": self.steps, "seconds": round(self.seconds, 3)})
        self.written = time.monotonic()

    def total(self, steps: int) -> float | None:
        """The seconds of this many steps; None if nothing was measured."""
        return self.seconds / self.steps * steps if self.steps else None


def finished_training(run: Run, kind: type[Kind]) -> Kind:
    """The training of a run that this kind of learner has finished."""
    training = run.training()
    assert isinstance(training, kind)
    return training


def core_seconds(run: Run) -> float | None:
    """The processor seconds of one trial of a run."""
    total = Stopwatch(run.folder).total(run.training().steps)
    return None if total is None else total / run.experiment.trials


def games_played(wins: list[tuple[int, int, int]], steps: int, points: np.ndarray) -> np.ndarray:
    """The games played after so many challenges, whose length changes at the steps given by `wins`."""
    ends = [since for since, _, _ in wins[1:]] + [steps]
    parts = [
        games * np.clip(points - since, 0, max(0, end - since))
        for (since, _, games), end in zip(wins, ends, strict=True)
    ]
    return np.asarray(np.sum(parts, axis=0))
