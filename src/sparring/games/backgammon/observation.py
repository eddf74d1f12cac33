"""Observations and actions of backgammon for external learners."""

from typing import Any

import numpy as np

from sparring.games.backgammon.rules import DOUBLES, PLACES
from sparring.games.observation import Observation, one_hot

SIDES = 6
SORTED_FOURS = PLACES * (PLACES + 1) * (PLACES + 2) * (PLACES + 3) // 24  # four places in descending order


def now(s: Any, seat: int) -> np.ndarray:
    """Whether it is the seat's turn, and the dice, the larger first."""
    dice = [one_hot(int(die) - 1, SIDES) for die in s["dice"]]
    return np.concatenate([[s["turn"] == seat], *dice]).astype(np.float32)


# Moves: all plays of two different dice, then those of doubles.
OBSERVATION = Observation(lambda s: np.arange(DOUBLES + SORTED_FOURS), now)
