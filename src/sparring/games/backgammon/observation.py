"""Observations and actions of backgammon for external learners."""

from typing import Any

import numpy as np

from sparring.games.backgammon.plays import CODES
from sparring.games.backgammon.rules import ACTIONS, LARGEST, RESIGNED
from sparring.games.observation import Observation, one_hot

SIDES = 6


def moves(s: Any) -> np.ndarray:
    """All plays of two different dice, then those of doubles, then actions where the rules have any."""
    return np.arange(ACTIONS if has_actions(s) else CODES)


def has_actions(s: Any) -> bool:
    return bool(s["rules"]["doubling"] or s["rules"]["resign"])


def now(s: Any, seat: int) -> np.ndarray:
    """Whether it is the seat's turn, and the dice, the larger first; then the stakes where the rules have actions or a match."""
    dice = [one_hot(int(die) - 1, SIDES) for die in s["dice"]]
    seen: list[Any] = [[s["turn"] == seat], *dice]
    if has_actions(s) or s["rules"]["length"]:
        length = max(1, int(s["rules"]["length"]))
        owner = [s["owner"] == seat, s["owner"] == 1 - seat]
        points = [s["points"][seat] / length, s["points"][1 - seat] / length]
        seen += [one_hot(int(s["phase"]), RESIGNED + 1), owner, [np.log2(s["cube"]) / np.log2(LARGEST), *points]]
    return np.concatenate(seen).astype(np.float32)


OBSERVATION = Observation(moves, now)
