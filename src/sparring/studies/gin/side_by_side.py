"""Trainings on several cores, one process each with one thread: the games of one training depend on each other."""

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from sparring.arena.play import Progress
from sparring.errors import Stopped
from sparring.lab.run import Report
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
    ignored = (signal.SIGINT, signal.SIG_IGN)  # between two trainings; a training stops after its step
    with ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ignored) as pool:
        futures = [pool.submit(train_one, os.getpid(), folder, table) for folder, table in jobs]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                progress(done, len(jobs))
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
