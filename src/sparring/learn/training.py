"""What every learner provides: a training of many independent trials that can stop and go on at any step."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from sparring.games import Game
from sparring.nets.dense import Net


class Training(ABC):
    """Trials side by side. All that a training has done so far is in `arrays()`; nothing else survives a stop."""

    unit: str = "epoch"  # what curves are counted in
    step: int = 0
    steps: int

    @abstractmethod
    def __init__(self, game: Game, options: Any, seed: int, trials: int, threads: int | None = None) -> None:
        """Start every trial. A trial depends on the seed and its own number, not on how many there are."""

    @classmethod
    @abstractmethod
    def check(cls, game: Game, options: Any) -> None:
        """Refuse options that do not fit the game."""

    @abstractmethod
    def advance(self) -> int:
        """Take one step in every trial; returns the number of games played."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """Everything a stopped training needs to go on."""

    @abstractmethod
    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        """Go on from what `arrays` gave after `step` steps."""

    @abstractmethod
    def champions(self) -> list[Net]:
        """What each trial hands over."""

    @abstractmethod
    def companions(self) -> list[Net]:
        """What is kept beside each champion, such as its training opponent; may be empty."""

    @abstractmethod
    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """The steps at which learning was measured so far, and each measure as (trials, points[, labels])."""

    @abstractmethod
    def settings(self) -> dict[str, str]:
        """Whom the trials meet during training: the first word of their curves' names, and who that is."""

    @abstractmethod
    def headline(self) -> str:
        """The present state of learning in a few words, for the progress bar."""
