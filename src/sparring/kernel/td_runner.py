"""Runs TD jobs: games that are learned from during play."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sparring.kernel.backend import backend_for
from sparring.kernel.compiler import announced
from sparring.kernel.launch import SEATS, Launcher, share_out, threads_available
from sparring.kernel.records import call_kernel
from sparring.kernel.temporal import Memory, Nets, TDJob


class TDRunner:
    """Runs the TD jobs of one game. Made once per process and game; compiles on first use."""

    def __init__(self, launcher: Launcher, learn: Callable[..., None]) -> None:
        self.launcher, self.learn, self.ready = launcher, learn, False

    def run(
        self,
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        target: np.ndarray,
        flip: np.ndarray,
        threads: int | None = None,
    ) -> None:
        """Run every job. Jobs that change the weights they play by must be of different networks."""
        acting = weights.copy() if jobs["noise"].any() else weights
        backend_for("learn", "TD(lambda)").learn(self, jobs, Nets(players, weights, acting, target, flip), threads)

    def run_here(self, jobs: np.ndarray, nets: Nets, threads: int | None) -> None:
        """The same on this machine's cores."""
        if not self.ready:
            with announced(f"{self.launcher.name}-td"):
                call_kernel(self.learn, np.zeros(1, TDJob), 0, 0, nets, *self._scratch(nets.players, jobs))
            self.ready = True

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            scratch = self._scratch(nets.players, jobs)
            for first, last in chunks:
                call_kernel(self.learn, jobs, first, last, nets, *scratch)

        share_out(len(jobs), 1, min(threads or threads_available(), len(jobs)), work)

    def _scratch(self, players: np.ndarray, jobs: np.ndarray) -> tuple[Any, ...]:
        """One thread's own state and scratch arrays."""
        hidden, inputs, outputs = (int(players[name].max()) for name in ("hidden", "inputs", "outputs"))
        size = hidden * (inputs + 1) + outputs * (hidden + 1) if jobs["trace"].any() else 1
        slots = SEATS + 1
        memory = Memory(
            inputs=np.zeros((slots, inputs), np.int64),
            amounts=np.zeros((slots, inputs), np.float32),
            counts=np.zeros((slots, 2), np.int64),
            hidden=np.zeros((slots, hidden), np.float32),
            outputs=np.zeros((slots, outputs), np.float32),
            values=np.zeros((slots, outputs), np.float32),
            slopes=np.zeros(hidden, np.float32),
            traces=np.zeros((SEATS, outputs, size), np.float32),
            begun=np.zeros(SEATS, np.int64),
            won=np.zeros(2, np.int64),
        )
        return *self.launcher.scratch(players), memory
