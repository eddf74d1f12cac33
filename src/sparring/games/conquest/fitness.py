"""Fitness functions of the study's cases: a number per game and seat, higher is better.

t is the fraction of all tiles held; r is the fraction of rounds left if the seat won, else 0. The weights are the study's.
"""

from collections.abc import Callable, Mapping

import numpy as np

PLAYERS = 2
Fitness = Callable[[np.ndarray], np.ndarray]


def _of_two(tallies: np.ndarray, field: str) -> np.ndarray:
    return tallies[field][:, :PLAYERS].astype(float)


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


def _lead(values: np.ndarray) -> np.ndarray:
    """Each seat's lead over the other: a zero-sum fitness."""
    return np.asarray(values - values[:, ::-1])


FORMULAS: Mapping[str, Fitness] = {
    "expansion": lambda t: 50 * _tiles(t) ** 2 + 50 * _rounds_left(t) ** 2,  # case 1
    # Cases 2 and 3; then case 2 as printed in two figures.
    "elimination": lambda t: 30 * _taken(t, "tiles") + 20 * _taken(t, "troops") + 20 * _won(t) + 30 * _rounds_left(t),
    "elimination-squared": lambda t: (
        30 * _taken(t, "tiles") ** 2 + 20 * _taken(t, "troops") ** 2 + 50 * _rounds_left(t) ** 2
    ),
    "conquest": lambda t: 50 * _tiles(t) + 50 * _rounds_left(t),  # case 4
    "moves-sum": lambda t: _of_two(t, "payoff") / 100,  # case 5, as computed: outcomes of moves, each from 0.00 to 0.99
    "moves-mean": lambda t: _of_two(t, "payoff") / 100 / np.maximum(_of_two(t, "moves"), 1),  # case 5, as described
    "moves-lead": lambda t: _lead(_of_two(t, "payoff") / 100),
    "outcome": lambda t: 0.5 + 0.5 * _lead(_of_two(t, "score")),  # 1 for a win, 0 for a loss, 0.5 otherwise
    "supremacy": lambda t: _lead(
        100 * _tiles(t) + _won(t) * 100 + 100 * _rounds_left(t)
    ),  # from the end of the game alone
}


def _padded(formula: Fitness) -> Fitness:
    """The formula with 0 for the unused seats."""

    def fitness(tallies: np.ndarray) -> np.ndarray:
        values = np.zeros(tallies["score"].shape)
        values[:, :PLAYERS] = formula(tallies)
        return values

    return fitness


FITNESS = {name: _padded(formula) for name, formula in FORMULAS.items()}
