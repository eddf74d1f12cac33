"""The launcher of lessons: games that are learned from while they are played, on every core."""

from collections.abc import Callable, Iterator

import numpy as np

from sparring.kernel.backend import IN_USE
from sparring.kernel.compiler import announced
from sparring.kernel.launch import SEATS, share_out, threads_available
from sparring.kernel.records import call_kernel
from sparring.kernel.temporal import TDJob


class TDRunner:
    """Gives lessons in one game on every core. Made once per process and game; compiles on first use."""

    def __init__(
        self,
        name: str,
        rules: str,
        learn: Callable[..., None],
        template: np.ndarray,
        float_scratch: Callable[[int], int],
        int_scratch: int,
    ) -> None:
        self.name, self.rules, self.learn, self.template = name, rules, learn, template
        self.float_scratch, self.int_scratch = float_scratch, int_scratch
        self.ready = False

    def run(
        self,
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        target: np.ndarray,
        flip: np.ndarray,
        threads: int | None = None,
    ) -> None:
        """Give every lesson. Lessons that change the weights they play by must be of different nets."""
        if backend := IN_USE.get():
            backend.learn(self, jobs, players, weights, target, flip, threads)
        else:
            self.run_here(jobs, players, weights, target, flip, threads)

    def run_here(
        self,
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        target: np.ndarray,
        flip: np.ndarray,
        threads: int | None,
    ) -> None:
        """As `teach`, on this machine's cores."""
        acting = weights.copy() if jobs["noise"].any() else weights
        if not self.ready:
            with announced(f"{self.name}-td"):
                none = np.zeros(1, TDJob)
                call_kernel(self.learn, none, 0, 0, players, weights, acting, target, flip, *self._room(players, jobs))
            self.ready = True

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            scratch = self._room(players, jobs)
            for first, last in chunks:
                call_kernel(self.learn, jobs, first, last, players, weights, acting, target, flip, *scratch)

        share_out(len(jobs), 1, min(threads or threads_available(), len(jobs)), work)

    def _room(self, players: np.ndarray, jobs: np.ndarray) -> tuple[np.ndarray, ...]:
        """One thread's own state and working room."""
        hidden, inputs, outputs = (int(players[name].max()) for name in ("hidden", "inputs", "outputs"))
        size = hidden * (inputs + 1) + outputs * (hidden + 1) if jobs["trace"].any() else 1
        slots = SEATS + 1
        return (
            self.template.copy(),
            np.zeros(self.float_scratch(hidden), np.float32),
            np.zeros(self.int_scratch, np.int64),
            np.zeros((slots, inputs), np.int64),
            np.zeros((slots, inputs), np.float32),
            np.zeros((slots, 2), np.int64),
            np.zeros((slots, hidden), np.float32),
            np.zeros((slots, outputs), np.float32),
            np.zeros((slots, outputs), np.float32),
            np.zeros(hidden, np.float32),
            np.zeros((SEATS, outputs, size), np.float32),
            np.zeros(SEATS, np.int64),
            np.zeros(2, np.int64),
        )
