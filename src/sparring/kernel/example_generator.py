"""Plays games on every core and returns the examples that networks learn from."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sparring.kernel.backend import backend_for
from sparring.kernel.compiler import announced
from sparring.kernel.examples import Example
from sparring.kernel.launch import Launcher, chunk_size, share_out, threads_available
from sparring.kernel.records import call_kernel


class ExampleGenerator:
    """Plays one game's examples, at most `most` of each game."""

    def __init__(self, launcher: Launcher, run: Callable[..., Any], most: int) -> None:
        self.launcher, self.run, self.most = launcher, run, most
        self.examples = np.zeros(0, Example)

    def play(self, jobs: np.ndarray, learners: np.ndarray, players: np.ndarray, weights: np.ndarray, terms: np.ndarray,
             threads: int | None = None) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """Play every job. Returns its examples, in an array that the next call uses again, and the tallies."""
        arguments = (jobs, learners, players, weights, terms)
        return backend_for("generate", "learning from examples").generate(self, *arguments, threads=threads)

    def play_here(
        self, jobs: np.ndarray, learners: np.ndarray, players: np.ndarray, weights: np.ndarray, terms: np.ndarray, *,
        threads: int | None,
    ) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """The same on this machine's cores."""
        size = len(jobs) * self.most
        if len(self.examples) < size:
            self.examples = np.zeros(size, Example)
        self.examples["role"] = -1
        rows = self.examples[:size].reshape(len(jobs), self.most)
        tallies = np.zeros(len(jobs), self.launcher.tally)

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            scratch = self.launcher.scratch(players)
            for first, last in chunks:
                span = slice(first, last)
                given = (players, weights, *scratch, terms)
                call_kernel(self.run, jobs[span], learners[span], *given, rows[span], tallies[span])

        with announced(f"{self.launcher.name}-examples"):
            wanted = min(threads or threads_available(), max(1, -(-len(jobs) // 2)))
            share_out(len(jobs), chunk_size(len(jobs), wanted), wanted, work)
        return self.examples[:size], tallies
