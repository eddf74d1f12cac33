"""Bradley-Terry ratings, in the points that chess players know: 400 points are odds of ten to one."""

import numpy as np

from sparring.arena.statistics import Interval

PRIOR = 0.5  # wins that everyone is granted against everyone: keeps a player who always wins from an infinite rating
RESAMPLES = 1000
SCALE = 400 / np.log(10)


def strengths(wins: np.ndarray, rounds: int = 100, close: float = 1e-9) -> np.ndarray:
    """Ratings with mean 0 from wins[i, j], how often i beat j (draws as halves): maximum likelihood by Newton's steps.

    >>> strengths(np.array([[0.0, 75.0], [25.0, 0.0]])).round().tolist()
    [95.0, -95.0]
    """
    games, r = wins + wins.T, np.zeros(len(wins))
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(r[None, :] - r[:, None]))
        weight = games * chance * chance.T
        slope = (wins * chance.T - wins.T * chance).sum(axis=1)
        step = np.linalg.solve(np.diag(weight.sum(axis=1)) - weight + 1 / len(r), slope)
        step *= min(
            1.0, 2.0 / max(np.abs(step).max(), 1e-300)
        )  # never more than e^2 at a time: far away Newton overshoots
        r = r + step
        if np.abs(step).max() < close:
            break
    rating: np.ndarray = SCALE * (r - r.mean())
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
