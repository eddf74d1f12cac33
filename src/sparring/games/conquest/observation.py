"""What a seat of conquest sees when it must move: nothing is hidden, and beside the board there are its side and the clock."""

from typing import Any

import numpy as np

from sparring.games.conquest.rules import CODES, IDLE
from sparring.games.observation import Observation, one_hot

SIDES = 2


def moves(s: Any) -> np.ndarray:
    """What can be begun on each tile of the map, and idling."""
    return np.append(np.arange(int(s["rules"]["tiles"]) * CODES), IDLE)


def now(s: Any, seat: int) -> np.ndarray:
    """Which side the seat plays, whether it is its turn, and how much of the game is over."""
    clock = s["tally"]["rounds"] / s["rules"]["limit"]
    return np.append(one_hot(seat, SIDES), [s["turn"] == seat, clock]).astype(np.float32)


OBSERVATION = Observation(moves, now)
