"""What a learner provides: independent trials, trained step by step, that can stop and resume at any step."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from sparring.games import Game
from sparring.learn.checkpoints import Damaged, Numbers, check_numbers
from sparring.nets.dense import Net

Panel = tuple[str, dict[str, str]]  # a figure of recorded numbers: its measure, and the curve of each line by label


class Training(ABC):
    """Trials side by side. `arrays()` holds the whole state of a training; nothing else survives a stop."""

    unit: str = "epoch"  # the unit of the curves' horizontal axis
    crowded: bool = False  # whether a step of one trial has enough games to occupy a cluster
    # How arrays are laid out, so that a cluster can extract the arrays of some trials. A name that begins with a number and a
    # slash belongs to that trial. Every other array has one row per trial, except: "sides", rows of all players followed by
    # rows of all opponents; "second", trials are the second axis; "shared", one array for all trials.
    layout: ClassVar[Mapping[str, str]] = {}
    step: int = 0
    steps: int
    pause: int = 0  # a step that `advance` must not pass where it takes several at once; 0 for none
    game: Game
    options: Any
    seed: int
    trials: int
    threads: int | None

    @abstractmethod
    def __init__(
        self, game: Game, options: Any, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        """Create trials, numbered from `first`. A trial depends on the seed and its number, not on how many trials there are."""

    @classmethod
    @abstractmethod
    def check(cls, game: Game, options: Any) -> None:
        """Refuse options that do not fit the game."""

    @abstractmethod
    def advance(self) -> int:
        """Take one step in every trial, or several where that is faster; returns the number of games played."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """The state of the training, for a checkpoint."""

    @abstractmethod
    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        """Return to the state that `arrays` returned after `step` steps."""

    @abstractmethod
    def expected(self, step: int) -> dict[str, Numbers]:
        """The arrays that this training has after `step` steps."""

    def resume(self, step: Any, arrays: dict[str, np.ndarray]) -> None:
        """Call `restore` on a new training with an untrusted checkpoint; Damaged if this training cannot have written it."""
        if type(step) is not int or not 0 <= step <= self.steps:
            raise Damaged(f"step is {repr(step)[:20]}, not a whole number from 0 to {self.steps}")
        self.check_arrays(step, arrays)
        self.restore(step, arrays)

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        """Raise Damaged for arrays that this training cannot have after `step` steps."""
        check_numbers(arrays, self.expected(step))

    @abstractmethod
    def champions(self) -> list[Net]:
        """The result of each trial."""

    def auxiliary_nets(self) -> list[Net]:
        """A network that is saved beside each champion, such as its training opponent; may be empty."""
        return []

    @abstractmethod
    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """The places at which learning was measured so far, and each measure as (trials, points[, labels])."""

    @abstractmethod
    def settings(self) -> dict[str, str]:
        """The opponents during training: the first word of their curves' names, and a description."""

    def diverged(self) -> bool:
        """Whether a weight is no longer a finite number."""
        return False

    def panels(self) -> list[Panel]:
        """Figures of what the learner records beside its games."""
        return []

    @abstractmethod
    def headline(self) -> str:
        """The current state of learning in a few words, for the progress bar."""
