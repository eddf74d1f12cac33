"""Gin rummy observations. Only the seat that drew a card from the stock sees it."""

from typing import Any

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.gin.rules import KNOCK, LONGEST_HAND, STOCK, THROW
from sparring.games.observation import Observation, one_hot, round_from

PHASES = THROW + 1
SEATS = 2
FULL_SCORE = 100.0


def now(s: Any, seat: int) -> np.ndarray:
    """The phase, the upcard, the card drawn, whether it is the seat's turn, the stock, the hand's age, and both scores."""
    hidden = s["turn"] != seat and s["source"] == STOCK
    age = min(int(s["hand_turns"]) / LONGEST_HAND, 1.0)
    return np.concatenate(
        [
            one_hot(int(s["phase"]), PHASES),
            one_hot(int(s["upcard"]), CARDS),
            one_hot(-1 if hidden else int(s["drawn"]), CARDS),
            [s["turn"] == seat, s["stock_size"] / CARDS, age],
            s["tally"]["score"][round_from(seat, SEATS)] / FULL_SCORE,
        ]
    ).astype(np.float32)


# Moves: the ways to draw; every card to throw, then every card to throw and knock. Both use the numbers from 0.
OBSERVATION = Observation(lambda s: np.arange(KNOCK + CARDS), now)
