"""Trainings on several cores, one process each with one thread: the games of one training depend on each other."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sparring.arena.play import Progress
from sparring.errors import Stopped
from sparring.lab.run import Report
from sparring.lab.side_by_side import side_by_side
from sparring.learn import Training
from sparring.studies.study_cache import StudyCache

Job = tuple[Path, dict[str, Any]]  # the folder of the run's folder, and the experiment


class SilentWatch:
    """Shows nothing, and stops the training if the parent process ends."""

    def __init__(self, parent: int) -> None:
        self.parent = parent

    @contextmanager
    def training_bar(self, what: str) -> Iterator[Report]:
        def report(training: Training, games: int) -> None:
            if os.getppid() != self.parent:
                raise Stopped("stopped: the parent process has ended")

        yield report

    @contextmanager
    def games_bar(self, what: str, unit: str = "games") -> Iterator[Progress]:
        yield lambda done, total: None


def train_one(parent: int, folder: Path, table: dict[str, Any]) -> None:
    """Run one training in this process, which ends with its parent."""
    try:
        StudyCache(0, folder, 1, SilentWatch(parent), None).trained_run(table)
    finally:
        if os.getppid() != parent:
            os._exit(1)


def train_side_by_side(jobs: Sequence[Job], workers: int, progress: Progress) -> None:
    """Train every experiment, at most `workers` at a time, in the given order; stopped processes save their work."""
    calls = [(os.getpid(), folder, table) for folder, table in jobs]
    for done, _ in enumerate(side_by_side(train_one, calls, workers), 1):
        progress(done, len(jobs))
