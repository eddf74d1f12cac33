"""Observations and move numbers for learners of other libraries, which choose moves themselves.

A network's inputs encode the state after a move. To choose one a learner also needs the dice, the card drawn, the upcard.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Observation:
    """A game as a seat observes it; the other seats follow in turn order."""

    moves: Callable[[Any], np.ndarray]  # every move that the state's rules can offer, in ascending order
    now: Callable[[Any, int], np.ndarray]  # numbers from about 0 to 1 that a seat sees beside a network's inputs


def one_hot(number: int, size: int) -> np.ndarray:
    """A 1 at this index; all zeros for a negative number."""
    flags = np.zeros(size, np.float32)
    if number >= 0:
        flags[number] = 1
    return flags


def flags_of(cards: int, size: int) -> np.ndarray:
    """A 1 for each card of a set."""
    whole = int(cards)
    return np.array([whole >> card & 1 for card in range(size)], np.float32)


def round_from(seat: int, seats: int) -> list[int]:
    """All seats in turn order, this one first."""
    return [(seat + n) % seats for n in range(seats)]
