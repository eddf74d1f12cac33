"""What evolution strives for, case by case of the study: a number per game and seat, the more the better.

`r` is the share of rounds left if the seat won. Percentages are the study's; its printed figures come out.
"""

from collections.abc import Callable, Mapping

import numpy as np

PLAYERS = 2


def _of_two(tallies: np.ndarray, field: str) -> np.ndarray:
    return tallies[field][:, :PLAYERS].astype(float)


def _filled(values: np.ndarray, tallies: np.ndarray) -> np.ndarray:
    """As wide as scores are; the seats that nobody sits in have nothing."""
    filled = np.zeros(tallies["score"].shape)
    filled[:, :PLAYERS] = values
    return filled


def _won(tallies: np.ndarray) -> np.ndarray:
    return _of_two(tallies, "score") > 0


def _rounds_left(tallies: np.ndarray) -> np.ndarray:
    """The share of rounds left, if won."""
    left = 1 - tallies["rounds"] / np.maximum(tallies["limit"], 1)
    return np.asarray(_won(tallies) * left[:, None])


def _tiles(tallies: np.ndarray) -> np.ndarray:
    """The share of all tiles."""
    return np.asarray(_of_two(tallies, "tiles") / np.maximum(tallies["size"], 1)[:, None])


def _taken(tallies: np.ndarray, field: str) -> np.ndarray:
    """The share of what the other seat had at the start and has no longer; nothing of nothing."""
    first, now = (_of_two(tallies, name)[:, ::-1] for name in (f"first_{field}", field))
    return np.asarray(np.clip((first - now) / np.maximum(first, 1), 0, 1))


def expansion(tallies: np.ndarray) -> np.ndarray:
    """Case 1: 50 t^2 + 50 r^2."""
    return _filled(50 * _tiles(tallies) ** 2 + 50 * _rounds_left(tallies) ** 2, tallies)


def elimination(tallies: np.ndarray) -> np.ndarray:
    """Cases 2 and 3: 30 for the enemy's tiles, 20 for its troops, 20 for the victory, 30 r."""
    taken = 30 * _taken(tallies, "tiles") + 20 * _taken(tallies, "troops")
    return _filled(taken + 20 * _won(tallies) + 30 * _rounds_left(tallies), tallies)


def elimination_squared(tallies: np.ndarray) -> np.ndarray:
    """As two figures of case 2 print it: the shares of tiles and troops squared, and 50 r^2."""
    taken = 30 * _taken(tallies, "tiles") ** 2 + 20 * _taken(tallies, "troops") ** 2
    return _filled(taken + 50 * _rounds_left(tallies) ** 2, tallies)


def conquest(tallies: np.ndarray) -> np.ndarray:
    """Case 4: 50 t + 50 r."""
    return _filled(50 * _tiles(tallies) + 50 * _rounds_left(tallies), tallies)


def moves_sum(tallies: np.ndarray) -> np.ndarray:
    """Case 5 as it was: the moves' outcomes added up, each from 0.00 to 0.99."""
    return np.asarray(tallies["payoff"] / 100)


def moves_mean(tallies: np.ndarray) -> np.ndarray:
    """Case 5 as it is called: their average."""
    return np.asarray(moves_sum(tallies) / np.maximum(tallies["moves"], 1))


def moves_lead(tallies: np.ndarray) -> np.ndarray:
    """How far a seat's sum is ahead of the other's: what one gains the other loses."""
    sums = moves_sum(tallies)[:, :PLAYERS]
    return _filled(sums - sums[:, ::-1], tallies)


def outcome(tallies: np.ndarray) -> np.ndarray:
    """A win 1, a loss 0, anything else a half."""
    score = _of_two(tallies, "score")
    return _filled(0.5 + 0.5 * (score - score[:, ::-1]), tallies)


def supremacy(tallies: np.ndarray) -> np.ndarray:
    """The lead in tiles, from -100 to 100 of the map; a win counts the whole map and the share of rounds left besides.

    What one gains the other loses, at the end of the game alone: neither is paid for what leads nowhere.
    """
    worth = 100 * _tiles(tallies) + _won(tallies) * 100 + 100 * _rounds_left(tallies)
    return _filled(worth - worth[:, ::-1], tallies)


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
