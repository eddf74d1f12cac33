"""Where batches of games are played: on this machine's cores or, while a backend is in use, wherever it sends them."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from sparring.kernel.launch import Launcher
    from sparring.kernel.td_runner import TDRunner


class Backend(Protocol):
    """Plays what launchers are asked for, with the results that this machine's cores would give."""

    name: str
    slice: int  # games that it should get at once, where progress is shown or moves are kept

    def play(
        self,
        launcher: "Launcher",
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        threads: int | None,
        keep_moves: bool,
    ) -> tuple[np.ndarray, np.ndarray]:
        """As `Launcher.play`."""

    def learn(
        self,
        td_runner: "TDRunner",
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        target: np.ndarray,
        flip: np.ndarray,
        threads: int | None,
    ) -> None:
        """As `TDRunner.teach`."""


IN_USE: ContextVar[Backend | None] = ContextVar("backend", default=None)  # None: the cores of this machine
