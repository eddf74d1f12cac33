"""Hearts observations. A seat sees the cards passed to it after all seats have chosen."""

from typing import Any

import numpy as np

from sparring.games.deck import CARDS, SUITS
from sparring.games.hearts.diagram import received
from sparring.games.hearts.plain_rules import points_taken
from sparring.games.hearts.rules import ALL_POINTS, NONE, PLAY
from sparring.games.observation import Observation, flags_of, one_hot, round_from
from sparring.kernel.launch import SEATS

FULL_SCORE = 100.0
DIRECTIONS = NONE + 1


def now(s: Any, seat: int) -> np.ndarray:
    """The phase, the passing direction, the cards passed and received, the leader, the others' cards of the trick, whether hearts
    are broken; then every seat's points of this round, score, and the suits it has shown to be out of."""
    seats = round_from(seat, SEATS)
    playing = s["phase"] == PLAY
    return np.concatenate(
        [
            [playing],
            one_hot(int(s["direction"]), DIRECTIONS),
            flags_of(s["passed"][seat], CARDS),
            flags_of(received(s, seat), CARDS),
            one_hot(seats.index(int(s["leader"])) if playing else -1, SEATS),
            *(one_hot(int(s["trick"][other]), CARDS) for other in seats[1:]),
            [s["broken"]],
            [points_taken(s["won"][other], s["rules"]) / ALL_POINTS for other in seats],
            s["tally"]["score"][seats] / FULL_SCORE,
            *(flags_of(s["voids"][other], SUITS) for other in seats),
        ]
    ).astype(np.float32)


OBSERVATION = Observation(lambda s: np.arange(CARDS), now)  # every card, passed or played
