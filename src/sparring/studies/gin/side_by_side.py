"""Trainings of one trial each on several cores: a process for every training, since the games of one follow each other."""

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
from sparring.studies.study_cache import Kept, Stopwatch

LOOK_SECONDS = 0.5
PATIENCE = 10.0  # seconds for a process to save its work after Ctrl-C
WHOLE = 100  # parts of a training, for the progress bar


class Unwatched:
    """Shows nothing, and ends the training when the process that wanted it is gone."""

    def __init__(self) -> None:
        self.parent = os.getppid()

    @contextmanager
    def training_bar(self, what: str) -> Iterator[Report]:
        def report(training: Training, games: int) -> None:
            if os.getppid() != self.parent:
                raise Stopped("stopped: nobody waits for it any more")

        yield report

    @contextmanager
    def games_bar(self, what: str, unit: str = "games") -> Iterator[Progress]:
        yield lambda done, total: None


def train_one(seed: int, folder: Path, table: dict[str, Any]) -> None:
    """One training in this process; why it failed is told by whoever tries it again."""
    try:
        Kept(seed, folder, 1, Unwatched()).trained(table)
    except (UserError, Failure, Stopped, KeyboardInterrupt):
        sys.exit(1)


def train_side_by_side(
    seed: int, folder: Path, tables: Sequence[dict[str, Any]], workers: int, progress: Progress
) -> None:
    """Train every experiment in a process of its own, so many at a time; stopped, they save their work."""
    waiting, running = list(tables), dict[str, SpawnProcess]()
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                table = waiting.pop(0)
                running[table["name"]] = started(seed, folder, table)
            time.sleep(LOOK_SECONDS)
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
    """Let a process that heard Ctrl-C, too, save its work."""
    process.join(PATIENCE)
    if process.is_alive():
        process.terminate()
        process.join()


def parts_done(folder: Path, table: dict[str, Any]) -> int:
    """How much of a training is done, by the steps that its stopwatch has counted."""
    learner = table["learner"]
    steps: int = learner["epochs"] if "epochs" in learner else -(-learner["games"] // learner["step_games"])
    return min(WHOLE, round(WHOLE * Stopwatch(folder / table["name"]).steps / steps))
