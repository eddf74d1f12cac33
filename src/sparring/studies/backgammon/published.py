"""The published figures of the backgammon study and of the debate it joins, from `published.toml`."""

from typing import NamedTuple

import numpy as np

from sparring.studies import read_data

_DATA = read_data("backgammon", "published")

NETWORKS: tuple[str, ...] = tuple(_DATA["networks"])
CYCLE: int = _DATA["cycle"]
LAST: int = _DATA["last"]
GAMES: int = _DATA["players"]["games"]
RANDOM_WON: int = _DATA["players"]["random_won"]
SIMPLE_WON: int = _DATA["players"]["simple_won"]
RANDOM_GAMES: list[tuple[str, int, int]] = _DATA["players"]["random_games"]
SIMPLE_GAMES: list[tuple[str, int, int]] = _DATA["players"]["simple_games"]
AGAINST_RANDOM: dict[str, list[int]] = _DATA["against_random"]
LOST_CYCLE, LOST = _DATA["against_simple"]["lost_cycle"], _DATA["against_simple"]["lost"]
AGAINST_SIMPLE: list[int] = _DATA["against_simple"]["2-1-2"]
FITTED_CYCLES = len(AGAINST_SIMPLE)
MEAN_RANDOM: float = _DATA["means"]["random"]
MEAN_SIMPLE: float = _DATA["means"]["simple"]
FITS: dict[str, list[float]] = _DATA["fits"]
FIGURE_36, APPENDIX_C = (
    (*_DATA["weights"]["first_unit"], *_DATA["weights"][name]) for name in ("figure_36", "appendix_c")
)
TESAURO: dict[int, list[float]] = {int(hidden): shares for hidden, shares in _DATA["tesauro"].items()}
CLIMBING_WON: float = _DATA["hill_climbing"]["won"]
GENERATIONS: int = _DATA["hill_climbing"]["generations"]
FROZEN: tuple[int, ...] = tuple(_DATA["hill_climbing"]["frozen"])
FARTHEST = 25


def left_behind(games: list[tuple[str, int, int]]) -> np.ndarray:
    """The loser's stones and their value in each printed game, as rows.

    Where Black won, two stones have the value 48 and six 132: White's distances are counted from the wrong end of the
    board, so a distance d is printed as 25 - d. This function corrects them.
    """
    return np.array([(n, FARTHEST * n - value if winner == "BLACK" else value) for winner, n, value in games], float)


def published_curve(network: str, against_random: bool) -> np.ndarray:
    """A curve as shares of games over the 99 cycles that Table 12 fits; empty if the study has none."""
    curve = AGAINST_RANDOM[network][:FITTED_CYCLES] if against_random else AGAINST_SIMPLE if network == "2-1-2" else []
    return np.array(curve, float) / 100


class Fit(NamedTuple):
    """A fitted curve, y = a x² + b x + c over the cycles."""

    a: float
    b: float
    c: float
    r2: float


def fit(x: np.ndarray, y: np.ndarray) -> Fit:
    """The least-squares parabola; R² is 0 for a constant curve."""
    a, b, c = np.polyfit(x, y, 2)
    left, whole = float(np.sum((y - np.polyval((a, b, c), x)) ** 2)), float(np.sum((y - y.mean()) ** 2))
    return Fit(float(a), float(b), float(c), 1 - left / whole if whole else 0.0)


def published_fit(network: str, cycles: int = FITTED_CYCLES) -> Fit:
    """The fit of Table 12, recomputed from the appendices."""
    curve = np.array(AGAINST_RANDOM[network][:cycles], float)
    return fit(np.arange(1.0, len(curve) + 1), curve)
