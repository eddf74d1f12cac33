"""The study's quadratic fits: y = a x² + b x + c over the cycles, and R²."""

from typing import NamedTuple

import numpy as np

from sparring.studies.backgammon.published import AGAINST_RANDOM, FITTED_CYCLES


class Fit(NamedTuple):
    """A fitted curve."""

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
