"""What a seat sees when it must move, as numbers, and every move there is: for learners of others, which choose moves themselves.

A net's inputs tell of a state after a move. Who chooses one has to know more: the dice, the card in hand, what lies on top.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Observation:
    """A game as it is seen from a seat: the others come in the order in which they follow it."""

    moves: Callable[[Any], np.ndarray]  # every move that a state's rules can offer, in rising order
    now: Callable[
        [Any, int], np.ndarray
    ]  # what a seat sees beside a net's inputs: always as many numbers, about 0 to 1


def one_hot(number: int, size: int) -> np.ndarray:
    """A 1 at this place; nothing for a number below 0."""
    flags = np.zeros(size, np.float32)
    if number >= 0:
        flags[number] = 1
    return flags


def flags_of(cards: int, size: int) -> np.ndarray:
    """A 1 for each card of a set, which is kept as the bits of a number."""
    whole = int(cards)
    return np.array([whole >> card & 1 for card in range(size)], np.float32)


def round_from(seat: int, seats: int) -> list[int]:
    """All seats, this one first."""
    return [(seat + n) % seats for n in range(seats)]
