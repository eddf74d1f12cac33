"""Verdicts on a study's claims: each follows from an interval, never from a value alone."""

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from sparring.arena.statistics import LEVEL, Interval, student
from sparring.studies import Table

SUPPORTED, NOT_SUPPORTED, OPEN = "supported", "not supported", "open"
Judged = tuple[str, str, str, str]  # claim, published, ours, verdict


def difference(a: np.ndarray, b: np.ndarray, comparisons: int = 1) -> Interval:
    """The difference of two means by Welch's interval, wider where several comparisons share the 5%."""
    va, vb = (x.var(ddof=1) / len(x) if len(x) > 1 else np.inf for x in (a, b))
    value = float(a.mean() - b.mean())
    if not np.isfinite(va + vb):
        return Interval(value, -np.inf, np.inf)
    if va + vb == 0:
        return Interval(value, value, value)
    degrees = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    half = float(stdtrit(degrees, 1 - (1 - LEVEL) / comparisons)) * np.sqrt(va + vb)
    return Interval(value, value - half, value + half)


def expected(trials: np.ndarray) -> Interval:
    """Where one more trial is expected in 95 cases of 100: what a study's single trial is judged by."""
    mean, n = float(trials.mean()), len(trials)
    if n < 2:
        return Interval(mean, -np.inf, np.inf)
    half = student(n - 1) * float(trials.std(ddof=1)) * np.sqrt(1 + 1 / n)
    return Interval(mean, mean - half, mean + half)


def verdict(interval: Interval, above: float | None = None, below: float | None = None) -> str:
    """Whether an interval lies wholly on the claim's side, wholly on the other, or on both."""
    if above is not None:
        return SUPPORTED if interval.low > above else NOT_SUPPORTED if interval.high < above else OPEN
    assert below is not None
    return SUPPORTED if interval.high < below else NOT_SUPPORTED if interval.low > below else OPEN


def about(interval: Interval, value: float, margin: float) -> str:
    """Whether an interval lies wholly within a margin of a value, wholly outside, or on both sides of its ends."""
    return together(verdict(interval, above=value - margin), verdict(interval, below=value + margin))


def one_of(trials: np.ndarray, value: float) -> str:
    """Whether a published trial could be one of ours."""
    ours = expected(trials)
    if not np.isfinite(ours.low + ours.high):
        return OPEN
    return SUPPORTED if ours.low <= value <= ours.high else NOT_SUPPORTED


def together(*verdicts: str) -> str:
    """A claim of several parts stands if all of them do and falls if one does."""
    if NOT_SUPPORTED in verdicts:
        return NOT_SUPPORTED
    return OPEN if OPEN in verdicts else SUPPORTED


def judged_table(judged: Sequence[Judged], budget: str) -> Table:
    """Every claim with its verdict; `budget` says on how much they rest."""
    return Table(
        "The study's claims",
        ["claim", "published", "ours", "verdict"],
        [list(row) for row in judged],
        f"At this budget ({budget}). Supported: our whole 95% interval lies on the "
        "claim's side. Not supported: it lies wholly on the other. Open: on both.",
        [row[3] for row in judged],
    )
