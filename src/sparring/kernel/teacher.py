"""The launcher of lessons: games that are learned from while they are played, on every core."""

from collections.abc import Callable, Iterator

import numpy as np

from sparring.kernel.backend import IN_USE
from sparring.kernel.compiler import announced
from sparring.kernel.launch import SEATS, share_out, threads_available
from sparring.kernel.records import records
from sparring.kernel.temporal import Lesson


class Teacher:
    """Gives lessons in one game on every core. Made once per process and game; compiles on first use."""

    def __init__(
        self,
        name: str,
        rules: str,
        learn: Callable[..., None],
        template: np.ndarray,
        floats: Callable[[int], int],
        integers: int,
    ) -> None:
        self.name, self.rules, self.learn, self.template = name, rules, learn, template
        self.floats, self.integers = floats, integers
        self.ready = False

    def teach(
        self,
        lessons: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        target: np.ndarray,
        mirror: np.ndarray,
        threads: int | None = None,
    ) -> None:
        """Give every lesson. Lessons that change the weights they play by must be of different nets."""
        if backend := IN_USE.get():
            backend.teach(self, lessons, players, weights, target, mirror, threads)
        else:
            self.teach_here(lessons, players, weights, target, mirror, threads)

    def teach_here(
        self,
        lessons: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        target: np.ndarray,
        mirror: np.ndarray,
        threads: int | None,
    ) -> None:
        """As `teach`, on this machine's cores."""
        acting = weights.copy() if lessons["noise"].any() else weights
        if not self.ready:
            with announced(f"{self.name}-td"):
                none = np.zeros(1, Lesson)
                self._call(none, 0, 0, players, weights, acting, target, mirror, self._room(players, lessons))
            self.ready = True

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            room = self._room(players, lessons)
            for first, last in chunks:
                self._call(lessons, first, last, players, weights, acting, target, mirror, room)

        share_out(len(lessons), 1, min(threads or threads_available(), len(lessons)), work)

    def _room(self, players: np.ndarray, lessons: np.ndarray) -> tuple[np.ndarray, ...]:
        """One thread's own state and working room."""
        hidden, inputs, outputs = (int(players[name].max()) for name in ("hidden", "inputs", "outputs"))
        size = hidden * (inputs + 1) + outputs * (hidden + 1) if lessons["trace"].any() else 1
        slots = SEATS + 1
        return (
            self.template.copy(),
            np.zeros(self.floats(hidden), np.float32),
            np.zeros(self.integers, np.int64),
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

    def _call(self, lessons, first, last, players, weights, acting, target, mirror, room) -> None:  # type: ignore[no-untyped-def]
        state, *rest = room
        with np.errstate(over="ignore"):
            self.learn(
                records(lessons), first, last, records(players), weights, acting, target, mirror, records(state), *rest
            )
