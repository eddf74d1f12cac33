"""Bradley-Terry ratings, in the points that chess players know: 400 points are odds of ten to one."""

import numpy as np

from sparring.arena.statistics import Interval

PRIOR = 0.5  # wins that everyone is granted against everyone: keeps a player who always wins from an infinite rating
RESAMPLES = 200
SCALE = 400 / np.log(10)


def strengths(wins: np.ndarray, rounds: int = 2000, close: float = 1e-9) -> np.ndarray:
    """Ratings with mean 0 from wins[i, j], how often i beat j (draws as halves): Hunter's MM iteration.

    >>> strengths(np.array([[0.0, 75.0], [25.0, 0.0]])).round().tolist()
    [95.0, -95.0]
    """
    games = wins + wins.T
    p = new = np.ones(len(wins))
    for _ in range(rounds):
        new = wins.sum(axis=1) / (games / (p[:, None] + p[None, :])).sum(axis=1)
        new /= np.exp(np.log(new).mean())
        if np.abs(new / p - 1).max() < close:
            break
        p = new
    rating: np.ndarray = SCALE * np.log(new)
    return rating


def ratings(points: np.ndarray, seed: int) -> list[Interval]:
    """Ratings from points[deal, i, j], what i won from j on each deal.

    Intervals resample the deals and draw the granted wins anew each time (their mean is PRIOR), so that never having
    lost leaves as much doubt as it should.
    """
    rng = np.random.default_rng(seed)
    n = points.shape[1]
    others = 1 - np.eye(n)
    total = strengths(points.sum(axis=0) + PRIOR * others)
    spread = np.array(
        [
            strengths(
                points[rng.integers(len(points), size=len(points))].sum(axis=0)
                + rng.gamma(PRIOR, size=(n, n)) * others,
                close=1e-5,
            )
            for _ in range(RESAMPLES)
        ]
    )
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    return [Interval(float(v), float(min(v, a)), float(max(v, b))) for v, a, b in zip(total, low, high, strict=True)]
