"""Bradley-Terry ratings on the Elo scale: 400 points are odds of ten to one."""

from collections.abc import Callable

import numpy as np

from sparring.arena.statistics import Interval

PRIOR = 0.5  # wins added for every player against every other, so that ratings stay finite
RESAMPLES = 1000
SCALE = 400 / np.log(10)


def strengths(wins: np.ndarray, rounds: int = 100, close: float = 1e-9) -> np.ndarray:
    """Ratings with mean 0 from wins[i, j], how often i beat j (draws count half): maximum likelihood by Newton's method.

    >>> strengths(np.array([[0.0, 75.0], [25.0, 0.0]])).round().tolist()
    [95.0, -95.0]
    """
    games, r = wins + wins.T, np.zeros(len(wins))
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(r[None, :] - r[:, None]))
        weight = games * chance * chance.T
        slope = (wins * chance.T - wins.T * chance).sum(axis=1)
        step = np.linalg.solve(np.diag(weight.sum(axis=1)) - weight + 1 / len(r), slope)
        step *= min(1.0, 2.0 / max(np.abs(step).max(), 1e-300))  # far away Newton's method overshoots
        r = r + step
        if np.abs(step).max() < close:
            break
    rating: np.ndarray = SCALE * (r - r.mean())
    return rating


def rate(wins: np.ndarray, resample: Callable[[], np.ndarray], rng: np.random.Generator, times: int) -> list[Interval]:
    """Ratings from wins, with intervals from resampled wins, to which random prior wins of mean PRIOR are added."""
    others = 1 - np.eye(len(wins))
    value = strengths(wins + PRIOR * others)
    spread = [strengths(resample() + rng.gamma(PRIOR, size=wins.shape) * others, close=1e-5) for _ in range(times)]
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    return [Interval(float(v), float(min(v, a)), float(max(v, b))) for v, a, b in zip(value, low, high, strict=True)]


def ratings(points: np.ndarray, seed: int) -> list[Interval]:
    """Ratings from points[deal, i, j], the points that i won from j on each deal.

    Intervals are bootstrapped over deals; because of the random prior wins a player who never lost keeps a wide one.
    """
    rng = np.random.default_rng(seed)

    def resample() -> np.ndarray:
        return np.asarray(points[rng.integers(len(points), size=len(points))].sum(axis=0))

    return rate(points.sum(axis=0), resample, rng, RESAMPLES)
