"""Golf observations. Nobody sees face-down cards; only the seat that drew a card from the stock sees it."""

from typing import Any

import numpy as np

from sparring.games.golf.encodings import FACE_DOWN, KINDS
from sparring.games.golf.rules import CARDS, DISCARD, KIND, PLACE, PLACES, ROUNDS, THROW, VALUES
from sparring.games.observation import Observation, one_hot, round_from

FULL_SCORE = 540.0  # points of nine rounds of six tens


def now(s: Any, seat: int) -> np.ndarray:
    """The phase, kinds of the card drawn and the upcard, whether a seat has all cards up, stock, round, scores, other hands."""
    seats = round_from(seat, int(s["seats"]))
    pile, sees_drawn = int(s["discard_size"]), s["turn"] == seat or s["source"] == DISCARD
    drawn = s["drawn"] if sees_drawn else -1
    return np.concatenate(
        [
            [s["phase"] == PLACE],
            _kind(drawn),
            _kind(s["discard"][pile - 1] if pile else -1),
            [s["ender"] >= 0, s["stock_size"] / CARDS, s["round_number"] / ROUNDS],
            s["tally"]["score"][seats] / FULL_SCORE,
            *(_hand(s, other) for other in seats[1:]),
        ]
    ).astype(np.float32)


def _kind(card: int) -> np.ndarray:
    return one_hot(int(KIND[card]) if card >= 0 else -1, VALUES)


def _hand(s: Any, seat: int) -> np.ndarray:
    """The kind at each place or "face down", as in the encoding `hand`."""
    shown = [int(KIND[s["hand"][seat, n]]) if s["up"][seat, n] else FACE_DOWN for n in range(PLACES)]
    return np.concatenate([one_hot(kind, KINDS) for kind in shown])


# Moves: two ways to draw; six places and throwing. Both use the numbers from 0.
OBSERVATION = Observation(lambda s: np.arange(THROW + 1), now)
