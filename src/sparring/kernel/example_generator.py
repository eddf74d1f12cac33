"""Plays games on every core and returns the examples that networks learn from."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sparring.kernel.backend import backend_for
from sparring.kernel.compiler import announced
from sparring.kernel.examples import Example
from sparring.kernel.launch import CHUNK, share_out, threads_available
from sparring.kernel.records import call_kernel


class ExampleGenerator:
    """Plays one game's examples."""

    def __init__(self, name: str, play: Callable[..., Any], template: np.ndarray, tally: np.dtype, scratch: int,
                 float_scratch: Callable[[int], int], int_scratch: int) -> None:  # fmt: skip
        self.name, self.run, self.template, self.tally, self.scratch = name, play, template, tally, scratch
        self.float_scratch, self.int_scratch = float_scratch, int_scratch
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
        size = len(jobs) * self.scratch
        if len(self.examples) < size:
            self.examples = np.zeros(size, Example)
        self.examples["role"] = -1
        rows = self.examples[:size].reshape(len(jobs), self.scratch)
        tallies = np.zeros(len(jobs), self.tally)
        hidden = int(players["hidden"].max())

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            state, scratch = self.template.copy(), np.zeros(self.float_scratch(hidden), np.float32)
            int_scratch = np.zeros(self.int_scratch, np.int64)
            for first, last in chunks:
                span = slice(first, last)
                given = (players, weights, state, scratch, int_scratch, terms)
                call_kernel(self.run, jobs[span], learners[span], *given, rows[span], tallies[span])

        with announced(f"{self.name}-examples"):
            wanted = min(threads or threads_available(), max(1, -(-len(jobs) // 2)))
            share_out(len(jobs), max(1, min(CHUNK, len(jobs) // (16 * wanted))), wanted, work)
        return self.examples[:size], tallies
