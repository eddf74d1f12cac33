"""Fitness functions of the study's cases: a number per game and seat, higher is better.

t is the fraction of all tiles held; r is the fraction of rounds left if the seat won, else 0. The weights are the study's.
"""

from collections.abc import Callable, Mapping

import numpy as np

PLAYERS = 2


def _of_two(tallies: np.ndarray, field: str) -> np.ndarray:
    return tallies[field][:, :PLAYERS].astype(float)


def _filled(values: np.ndarray, tallies: np.ndarray) -> np.ndarray:
    """Values padded with 0 for the unused seats."""
    filled = np.zeros(tallies["score"].shape)
    filled[:, :PLAYERS] = values
    return filled


def _won(tallies: np.ndarray) -> np.ndarray:
    return _of_two(tallies, "score") > 0


def _rounds_left(tallies: np.ndarray) -> np.ndarray:
    """The fraction of rounds left, 0 if not won."""
    left = 1 - tallies["rounds"] / np.maximum(tallies["limit"], 1)
    return np.asarray(_won(tallies) * left[:, None])


def _tiles(tallies: np.ndarray) -> np.ndarray:
    """The fraction of all tiles."""
    return np.asarray(_of_two(tallies, "tiles") / np.maximum(tallies["size"], 1)[:, None])


def _taken(tallies: np.ndarray, field: str) -> np.ndarray:
    """The fraction that the opponent lost of what it had at the start; 0 if it had nothing."""
    first, now = (_of_two(tallies, name)[:, ::-1] for name in (f"first_{field}", field))
    return np.asarray(np.clip((first - now) / np.maximum(first, 1), 0, 1))


def expansion(tallies: np.ndarray) -> np.ndarray:
    """Case 1: 50 t^2 + 50 r^2."""
    return _filled(50 * _tiles(tallies) ** 2 + 50 * _rounds_left(tallies) ** 2, tallies)


def elimination(tallies: np.ndarray) -> np.ndarray:
    """Cases 2 and 3: 30 for the enemy's tiles, 20 for its troops, 20 for a win, 30 r."""
    taken = 30 * _taken(tallies, "tiles") + 20 * _taken(tallies, "troops")
    return _filled(taken + 20 * _won(tallies) + 30 * _rounds_left(tallies), tallies)


def elimination_squared(tallies: np.ndarray) -> np.ndarray:
    """As printed in two figures of case 2: squared fractions of tiles and troops, and 50 r^2."""
    taken = 30 * _taken(tallies, "tiles") ** 2 + 20 * _taken(tallies, "troops") ** 2
    return _filled(taken + 50 * _rounds_left(tallies) ** 2, tallies)


def conquest(tallies: np.ndarray) -> np.ndarray:
    """Case 4: 50 t + 50 r."""
    return _filled(50 * _tiles(tallies) + 50 * _rounds_left(tallies), tallies)


def moves_sum(tallies: np.ndarray) -> np.ndarray:
    """Case 5 as computed: the sum of the moves' outcomes, each from 0.00 to 0.99."""
    return np.asarray(tallies["payoff"] / 100)


def moves_mean(tallies: np.ndarray) -> np.ndarray:
    """Case 5 as described: the mean of the moves' outcomes."""
    return np.asarray(moves_sum(tallies) / np.maximum(tallies["moves"], 1))


def moves_lead(tallies: np.ndarray) -> np.ndarray:
    """The lead of a seat's sum over the opponent's (zero-sum)."""
    sums = moves_sum(tallies)[:, :PLAYERS]
    return _filled(sums - sums[:, ::-1], tallies)


def outcome(tallies: np.ndarray) -> np.ndarray:
    """1 for a win, 0 for a loss, 0.5 otherwise."""
    score = _of_two(tallies, "score")
    return _filled(0.5 + 0.5 * (score - score[:, ::-1]), tallies)


def supremacy(tallies: np.ndarray) -> np.ndarray:
    """The lead in 100 t + 100 for a win + 100 r (zero-sum), from the end of the game alone."""
    values = 100 * _tiles(tallies) + _won(tallies) * 100 + 100 * _rounds_left(tallies)
    return _filled(values - values[:, ::-1], tallies)


FITNESS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "expansion": expansion,
    "elimination": elimination,
    "elimination-squared": elimination_squared,
    "conquest": conquest,
    "moves-sum": moves_sum,
    "moves-mean": moves_mean,
    "moves-lead": moves_lead,
    "outcome": outcome,
    "supremacy": supremacy,
}
