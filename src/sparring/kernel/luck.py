"""Replays finished games and adds up each seat's luck: what its chance events were worth, by a judge's values."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sparring.kernel.compiler import announced, kernel
from sparring.kernel.launch import SEATS, Job, Launcher, chunk_size, share_out, threads_available
from sparring.kernel.records import call_kernel

Judge = tuple[np.ndarray, np.ndarray]  # a table of one player, and its weights


def luck_batch(start: Any, apply: Any, luck: Any) -> Callable[..., None]:
    """The loop over games, made of one game's kernels."""

    @kernel
    def run(jobs, first, last, moves, judges, weights, states, float_scratch, int_scratch, out):
        s = states[0]
        for i in range(first, last):
            job = jobs[i]
            start(s, job.seed, job.deal, job.luck, job.seats)
            n = 0
            while s.over == 0 and moves[i, n] >= 0:
                luck(s, moves[i, n], judges[0], weights, float_scratch, int_scratch, out, i)
                apply(s, moves[i, n])
                n += 1
            for seat in range(SEATS):
                out[i, SEATS + seat] = s.tally.score[seat]

    return run


class LuckRunner:
    """Replays games of one kind. Made once per process and game; compiles on first use."""

    def __init__(self, launcher: Launcher, run: Callable[..., None]) -> None:
        self.launcher, self.run, self.ready = launcher, run, False

    def replay(
        self, jobs: np.ndarray, moves: np.ndarray, judge: Judge, threads: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The scores and the luck of every seat; a row of moves ends with -1."""
        out = np.zeros((len(jobs), 2 * SEATS))
        if not self.ready:
            with announced(f"{self.launcher.name}-luck"):
                self._call(np.zeros(1, Job), 0, 0, np.full((1, 1), -1, np.int16), judge, out)
            self.ready = True
        cores = min(threads or threads_available(), len(jobs))

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            for first, last in chunks:
                self._call(jobs, first, last, moves, judge, out)

        share_out(len(jobs), chunk_size(len(jobs), cores), cores, work)
        return out[:, SEATS:], out[:, :SEATS]

    def _call(self, jobs: np.ndarray, first: int, last: int, moves: np.ndarray, judge: Judge, out: np.ndarray) -> None:
        players, weights = judge
        call_kernel(self.run, jobs, first, last, moves, players, weights, *self.launcher.scratch(players), out)
