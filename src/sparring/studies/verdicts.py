"""Verdicts on a study's claims: a verdict follows from an interval, never from a value alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from sparring.arena.statistics import LEVEL, Interval, student
from sparring.studies import Table

SUPPORTED, NOT_SUPPORTED, OPEN = "supported", "not supported", "open"
Judged = tuple[str, str, str, str]  # claim, published, ours, verdict
Test = Callable[[Interval], str]


def difference(a: np.ndarray, b: np.ndarray, comparisons: int = 1) -> Interval:
    """The difference of two means by Welch's interval, wider if several comparisons share the 5%."""
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
    """The 95% prediction interval of one more trial: the measure of a study's single trial."""
    mean, n = float(trials.mean()), len(trials)
    if n < 2:
        return Interval(mean, -np.inf, np.inf)
    half = student(n - 1) * float(trials.std(ddof=1)) * np.sqrt(1 + 1 / n)
    return Interval(mean, mean - half, mean + half)


def verdict(interval: Interval, above: float | None = None, below: float | None = None) -> str:
    """Whether an interval lies wholly on the claim's side of a bound, wholly on the other, or on both."""
    if above is not None:
        return SUPPORTED if interval.low > above else NOT_SUPPORTED if interval.high < above else OPEN
    assert below is not None
    return SUPPORTED if interval.high < below else NOT_SUPPORTED if interval.low > below else OPEN


def about(interval: Interval, value: float, margin: float) -> str:
    """Whether an interval lies wholly within a margin of a value, wholly outside, or neither."""
    return together(verdict(interval, above=value - margin), verdict(interval, below=value + margin))


def above(bound: float) -> Test:
    """The test that an interval lies above a bound."""
    return lambda interval: verdict(interval, above=bound)


def below(bound: float) -> Test:
    """The test that an interval lies below a bound."""
    return lambda interval: verdict(interval, below=bound)


def near(value: float, margin: float) -> Test:
    """The test that an interval lies within a margin of a value."""
    return lambda interval: about(interval, value, margin)


def one_of(trials: np.ndarray, value: float) -> str:
    """Whether a published trial could be one of ours."""
    ours = expected(trials)
    if not np.isfinite(ours.low + ours.high):
        return OPEN
    return SUPPORTED if ours.low <= value <= ours.high else NOT_SUPPORTED


def together(*verdicts: str) -> str:
    """The verdict on a claim of several parts: supported if all parts are, not supported if one is not."""
    if NOT_SUPPORTED in verdicts:
        return NOT_SUPPORTED
    return OPEN if OPEN in verdicts else SUPPORTED


def scaled(interval: Interval, factor: float) -> Interval:
    """An interval in another unit."""
    return Interval(factor * interval.value, factor * interval.low, factor * interval.high)


def texts(intervals: Sequence[Interval], spec: str = ".1f") -> str:
    """Several intervals as text; the format is `.1f`, `.1%`, or `.1p` for hundredths. An unknown value is "none"."""
    digits, unit = int(spec[1:-1]), spec[-1]
    scale = 100 if unit == "p" else 1
    known = (None if np.isnan(each.value) else scaled(each, scale) for each in intervals)
    return ", ".join("none" if each is None else each.text(digits, percent=unit == "%") for each in known)


class Texts(list[Interval]):
    """Intervals that `str.format` writes by `texts`."""

    def __format__(self, spec: str) -> str:
        return texts(self, spec)


def judge(
    claim: str,
    published: str,
    intervals: Interval | Sequence[Interval],
    test: Test,
    ours: str = "{:.1f}",
    conclusive: bool = True,
) -> Judged:
    """Judge a claim that holds if every interval passes a test; `ours` formats the intervals as in `texts`.

    The verdict stays open where the measurement is not `conclusive`: a shorter training than the study's.
    """
    several = Texts([intervals] if isinstance(intervals, Interval) else intervals)
    return claim, published, ours.format(several), together(*map(test, several)) if conclusive and several else OPEN


@dataclass(frozen=True)
class Claim:
    """A claim that holds if every interval of a measurement passes a test; see `judge`."""

    text: str
    published: str
    measure: Callable[[Any], Interval | Sequence[Interval]]
    test: Test
    ours: str = "{:.1f}"
    conclusive: Callable[[Any], bool] = bool

    def __call__(self, found: Any) -> Judged:
        intervals, conclusive = self.measure(found), self.conclusive(found)
        return judge(self.text, self.published, intervals, self.test, self.ours, conclusive)


def undecided(claim: str, published: str, reason: str) -> Judged:
    """A claim that this re-run cannot judge."""
    return claim, published, reason, OPEN


def judged_table(judged: Sequence[Judged], extent: str) -> Table:
    """All claims with their verdicts; `extent` says what was trained."""
    return Table(
        "The study's claims",
        ["claim", "published", "ours", "verdict"],
        [list(row) for row in judged],
        f"At this budget: {extent}. Supported: our whole 95% interval lies on the claim's side. Not supported: it lies wholly "
        "on the other side. Open: it lies on both sides.",
        [row[3] for row in judged],
    )
