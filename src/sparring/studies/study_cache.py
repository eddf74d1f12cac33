"""A study's pieces of work, each kept in a folder once it is done, so that a second call goes on where the first stopped."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sparring.kernel.backend import CPU, IN_USE
from sparring.lab.experiment import build_experiment
from sparring.lab.run import Report, Run, create_run, open_run, train
from sparring.learn import Training
from sparring.nets.files import replace_file
from sparring.studies import Watch

WRITE_SECONDS = 1.0


@dataclass(frozen=True)
class Kept:
    """Where pieces of work lie and how they are done."""

    seed: int
    folder: Path
    threads: int | None
    watch: Watch

    def kept(self, name: str, make: Callable[[], Any]) -> Any:
        """What `make` returns, from a JSON file if it was made before."""
        path = self.folder / f"{name}.json"
        if not path.exists():
            replace_file(path, (json.dumps(make(), indent=1) + "\n").encode())
        return json.loads(path.read_text())

    def trained(self, table: dict[str, Any]) -> Run:
        """The run of an experiment, trained to its end; beside its folder lies how long that took."""
        folder = self.folder / table["name"]
        if (folder / "experiment.toml").exists():
            run = open_run(folder)
        else:
            run = create_run(build_experiment(table), self.folder)
        if not run.finished:
            stopwatch = Stopwatch(folder)
            with (
                self.watch.training_bar(f"{table['name']}, {table['trials']} trials") as report,
                self.watch.games_bar(f"{table['name']}: evaluation") as progress,
            ):
                try:
                    train(run, self.threads, stopwatch.hearing(report), progress)
                finally:
                    stopwatch.write()
        return run


class Stopwatch:
    """How long the steps of a training take, in `NAME-seconds.json` beside the run, which must not depend on the clock.

    Counted are seconds of processor time, of all threads together, so that other work on the machine hardly matters. The
    first step after a start is left out, since it may compile. Steps that were lost and done again count twice, and so do
    their seconds: what is told is seconds a step, for all steps.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder.with_name(f"{folder.name}-seconds.json")
        told = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.steps, self.seconds = int(told.get("steps", 0)), float(told.get("seconds", 0.0))
        self.written = time.monotonic()

    def hearing(self, report: Report) -> Report:
        """A report that measures the time between two steps, without what the other report takes."""
        mark: float | None = None

        def hear(training: Training, games: int) -> None:
            nonlocal mark
            if mark is not None and IN_USE.get() is CPU:  # elsewhere, this process's time says nothing
                self.steps += 1
                self.seconds += time.process_time() - mark
            report(training, games)
            if time.monotonic() - self.written > WRITE_SECONDS:
                self.write()
            mark = time.process_time()

        return hear

    def write(self) -> None:
        """Put what was measured so far into the file."""
        told = {"steps": self.steps, "seconds": round(self.seconds, 3)}
        replace_file(self.path, (json.dumps(told) + "\n").encode())
        self.written = time.monotonic()

    def total(self, steps: int) -> float | None:
        """What so many steps take; None if nothing was measured."""
        return self.seconds / self.steps * steps if self.steps else None


def core_seconds(run: Run) -> float | None:
    """The seconds of one core that a trial of a run took."""
    total = Stopwatch(run.folder).total(run.training().steps)
    return None if total is None else total / run.experiment.trials
