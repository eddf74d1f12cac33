"""Observations and actions of conquest for external learners."""

from typing import Any

import numpy as np

from sparring.games.conquest.rules import AUTHOR, CODES, CORNERS, FULL, IDLE
from sparring.games.observation import Observation, one_hot

SIDES = 2


def moves(s: Any) -> np.ndarray:
    """All moves from every tile of the map, IDLE, and in the author's reading transports across corners."""
    tiles = int(s["rules"]["tiles"])
    corners = tiles * CORNERS * FULL if s["rules"]["reading"] == AUTHOR else 0
    return np.append(np.arange(tiles * CODES), np.arange(IDLE, IDLE + 1 + corners))


def now(s: Any, seat: int) -> np.ndarray:
    """The seat's side, whether it is its turn, and the fraction of rounds played."""
    clock = s["tally"]["rounds"] / s["rules"]["limit"]
    return np.append(one_hot(seat, SIDES), [s["turn"] == seat, clock]).astype(np.float32)


OBSERVATION = Observation(moves, now)
