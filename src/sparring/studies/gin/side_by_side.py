"""Trainings of one trial each on several cores, one process per training: the games of one training are sequential."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from sparring.arena.play import Progress
from sparring.errors import Failure, Stopped, UserError
from sparring.lab.run import Report
from sparring.learn import Training
from sparring.studies.study_cache import Stopwatch, StudyCache

POLL_SECONDS = 0.5
GRACE_SECONDS = 10.0  # for a process to save its work after Ctrl-C
WHOLE = 100  # parts of a training, for the progress bar


class SilentWatch:
    """Shows nothing, and stops the training if the parent process ends."""

    def __init__(self) -> None:
        self.parent = os.getppid()

    @contextmanager
    def training_bar(self, what: str) -> Iterator[Report]:
        def report(training: Training, games: int) -> None:
            if os.getppid() != self.parent:
                raise Stopped("stopped: the parent process has ended")

        yield report

    @contextmanager
    def games_bar(self, what: str, unit: str = "games") -> Iterator[Progress]:
        yield lambda done, total: None


def train_one(seed: int, folder: Path, table: dict[str, Any]) -> None:
    """Run one training in this process; the parent repeats it and reports why it failed."""
    try:
        StudyCache(seed, folder, 1, SilentWatch(), None).trained_run(table)
    except (UserError, Failure, Stopped, KeyboardInterrupt):
        sys.exit(1)


def train_side_by_side(
    seed: int, folder: Path, tables: Sequence[dict[str, Any]], workers: int, progress: Progress
) -> None:
    """Train every experiment in a process of its own, at most `workers` at a time; stopped processes save their work."""
    waiting, running = list(tables), dict[str, SpawnProcess]()
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                table = waiting.pop(0)
                running[table["name"]] = started(seed, folder, table)
            time.sleep(POLL_SECONDS)
            for name, process in [item for item in running.items() if not item[1].is_alive()]:
                del running[name]
                if process.exitcode:
                    return
            progress(sum(parts_done(folder, table) for table in tables), WHOLE * len(tables))
    finally:
        for process in running.values():
            end(process)


def started(seed: int, folder: Path, table: dict[str, Any]) -> SpawnProcess:
    process = get_context("spawn").Process(target=train_one, args=(seed, folder, table), daemon=True)
    process.start()
    return process


def end(process: SpawnProcess) -> None:
    """Let a process save its work after Ctrl-C, then end it."""
    process.join(GRACE_SECONDS)
    if process.is_alive():
        process.terminate()
        process.join()


def parts_done(folder: Path, table: dict[str, Any]) -> int:
    """How much of a training is done, by its stopwatch's steps."""
    learner = table["learner"]
    steps: int = learner["epochs"] if "epochs" in learner else -(-learner["games"] // learner["step_games"])
    return min(WHOLE, round(WHOLE * Stopwatch(folder / table["name"]).steps / steps))
