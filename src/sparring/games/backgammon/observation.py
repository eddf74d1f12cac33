"""What a seat of backgammon sees when it must move: nothing is hidden, and beside the board there are the dice."""

from typing import Any

import numpy as np

from sparring.games.backgammon.rules import DOUBLES, PLACES
from sparring.games.observation import Observation, one_hot

SIDES = 6
SORTED_FOURS = PLACES * (PLACES + 1) * (PLACES + 2) * (PLACES + 3) // 24  # four places, the largest first


def moves(s: Any) -> np.ndarray:
    """Whole plays of two different dice, then those of doubles."""
    return np.arange(DOUBLES + SORTED_FOURS)


def now(s: Any, seat: int) -> np.ndarray:
    """Whether it is the seat's turn, and the dice, the larger first."""
    return np.concatenate([[s["turn"] == seat], *(one_hot(int(die) - 1, SIDES) for die in s["dice"])]).astype(
        np.float32
    )


OBSERVATION = Observation(moves, now)
