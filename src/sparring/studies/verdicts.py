"""Verdicts on a study's claims: a verdict follows from an interval, never from a value alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.special import stdtrit

from sparring.arena.statistics import LEVEL, Interval, student
from sparring.studies import Table, read_data

REPRODUCED, OTHER_READING = "reproduced", "reproduced with another reading"
NOT_REPRODUCED, UNDECIDED = "not reproduced", "undecided"
VERDICTS = (REPRODUCED, OTHER_READING, NOT_REPRODUCED, UNDECIDED)
SHORT = "shorter than the study's own training: not judged"
UNKNOWN = Interval(np.nan, -np.inf, np.inf)
HOLDS, THIRDS = "holds without a third", ("first", "second", "third")
UNSTEADY = "two thirds of the trials do not always say the same as all"


class Judged(NamedTuple):
    """A claim with its verdict; `ours` is the interval that decided, `text` all of them."""

    claim: str
    published: str
    text: str
    verdict: str
    place: str = ""  # in the study: "Table 6"
    ours: Interval = UNKNOWN
    trials: int = 0
    cause: str = ""  # of a verdict other than `reproduced`
    more: float = np.nan  # how many times as many trials would decide
    holds: str = ""  # whether the verdict is the same without a third of the trials; empty where that is not asked

    def json(self) -> dict[str, Any]:
        """The claim as the stored results have it."""
        keys = ("claim", "place", "published", "text", "trials", "verdict", "cause")
        asked = {"holds": self.holds} if self.holds else {}
        return {key: getattr(self, key) for key in keys} | {"ours": self.ours.json()} | asked


class Test(Protocol):
    """Judges an interval."""

    def __call__(self, interval: Interval) -> str: ...

    def more(self, interval: Interval) -> float:
        """How many times as many trials would decide, if the value stays; NaN if none would."""


@dataclass(frozen=True)
class Between:
    """The test that an interval lies wholly between two bounds.

    It fails if the interval lies wholly outside, or wholly below `least` or above `most`, which lie inside: see `above`.
    """

    low: float = -np.inf
    high: float = np.inf
    least: float = -np.inf
    most: float = np.inf

    def __call__(self, interval: Interval) -> str:
        if interval.low > self.low and interval.high < self.high:
            return REPRODUCED
        failed = interval.high < max(self.low, self.least) or interval.low > min(self.high, self.most)
        return NOT_REPRODUCED if failed else UNDECIDED

    def more(self, interval: Interval) -> float:
        value = interval.value
        inside = min(value - self.low, self.high - value)
        outside = max(max(self.low, self.least) - value, value - min(self.high, self.most))
        distance = max(inside, outside)  # to what would decide
        return float((interval.half_width / distance) ** 2) if distance > 0 and np.isfinite(interval.low) else np.nan


@dataclass(frozen=True)
class Contains:
    """The test that an interval contains a published value; the interval accounts for the noise of both sides."""

    value: float

    def __call__(self, interval: Interval) -> str:
        if not np.isfinite(interval.low + interval.high):
            return UNDECIDED
        return REPRODUCED if interval.low <= self.value <= interval.high else NOT_REPRODUCED

    def more(self, interval: Interval) -> float:
        return np.nan


def above(bound: float, refuted: float = -np.inf) -> Test:
    """The test that an interval lies above a bound; it fails if the interval lies wholly below `refuted`.

    For a claim of a direction that is halfway from the bound to the published value: an effect less than half as large as the
    published one is not the same effect, even if its sign is open.
    """
    return Between(low=bound, least=refuted)


def below(bound: float, refuted: float = np.inf) -> Test:
    """The test that an interval lies below a bound; it fails if the interval lies wholly above `refuted`."""
    return Between(high=bound, most=refuted)


def near(value: float, margin: float) -> Test:
    """The test that an interval lies within a margin of a value."""
    return Between(value - margin, value + margin)


contains = Contains
TESTS: dict[str, Callable[..., Test]] = {"above": above, "below": below, "contains": contains}
TESTS["near"] = lambda pair: near(*pair)


def difference(a: np.ndarray, b: np.ndarray, *, comparisons: int = 1) -> Interval:
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


def together(*verdicts: str) -> str:
    """The verdict on a claim of several parts: reproduced if all parts are, not reproduced if one is not."""
    if NOT_REPRODUCED in verdicts:
        return NOT_REPRODUCED
    return UNDECIDED if UNDECIDED in verdicts else REPRODUCED


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
    test: Test | Sequence[Test],
    ours: str = "{:.1f}",
    conclusive: bool = True,
    place: str = "",
) -> Judged:
    """Judge a claim that holds if every interval passes the test, or its own of several; `ours` formats them as in `texts`.

    The verdict stays undecided where the measurement is not `conclusive`: a shorter training than the study's.
    """
    several = Texts([intervals] if isinstance(intervals, Interval) else intervals)
    tests = list(test) if isinstance(test, Sequence) else [test] * len(several)
    verdicts = [each(interval) for each, interval in zip(tests, several, strict=True)]
    whole = together(*verdicts) if several else UNDECIDED
    deciding = verdicts.index(whole) if several else None
    interval = UNKNOWN if deciding is None else several[deciding]
    more = np.nan if deciding is None or whole != UNDECIDED else tests[deciding].more(interval)
    if not conclusive:
        return Judged(claim, published, ours.format(several), UNDECIDED, place, interval, 0, SHORT)
    return Judged(claim, published, ours.format(several), whole, place, interval, more=more)


@dataclass(frozen=True)
class Claim:
    """A claim that holds if every interval of a measurement passes a test; see `judge`.

    `other` measures it under another reading of the study, named by `reading`, which counts if the first measurement fails.
    `cause` says why a claim is not reproduced, and what showed it.
    """

    text: str
    published: str
    measure: Callable[[Any], Interval | Sequence[Interval]]
    test: Test | Sequence[Test]
    ours: str = "{:.1f}"
    conclusive: Callable[[Any], bool] = bool
    place: str = ""
    reading: str = ""
    other: Callable[[Any], Interval | Sequence[Interval]] | None = None
    cause: str = ""
    trials: Callable[[Any], int] = lambda found: found.trials

    def __call__(self, found: Any) -> Judged:
        judged = self._judge(found, self.measure)
        if judged.verdict == NOT_REPRODUCED and self.other is not None:
            other = self._judge(found, self.other)
            if other.verdict == REPRODUCED:
                judged = other._replace(verdict=OTHER_READING, cause=self.reading)
        if judged.verdict == NOT_REPRODUCED:
            judged = judged._replace(cause=self.cause)
        return judged._replace(trials=self.trials(found))

    def _judge(self, found: Any, measure: Callable[[Any], Interval | Sequence[Interval]]) -> Judged:
        conclusive = self.conclusive(found)
        return judge(self.text, self.published, measure(found), self.test, self.ours, conclusive, self.place)


def undecided(found: Any, text: str, published: str, cause: str, place: str) -> Judged:
    """The judgment of a claim that no re-run can judge."""
    return Judged(text, published, cause, UNDECIDED, place, cause=cause)


def read_tests(row: Mapping[str, Any]) -> list[Test]:
    """The tests of a claim: one for all intervals, or one for each."""
    bounds = [(name, each) for name in row if name in TESTS for each in np.atleast_1d(row[name]).tolist()]
    if "theirs" in row:
        bounds = bounds * len(row["theirs"]) if len(bounds) == 1 else bounds
        pairs = zip(bounds, row["theirs"], strict=True)
        return [TESTS[name](bound, (bound + value) / 2) for (name, bound), value in pairs]
    refuted = [row["refuted"]] if "refuted" in row else []
    return [TESTS[name](bound, *refuted) for name, bound in bounds]


def read_claims(
    study: str, measures: Mapping[str, Callable[..., Any]], groups: Mapping[str, Mapping[str, Any]]
) -> list[Callable[[Any], Judged]]:
    """The claims of a study's claims.toml; one without a measure cannot be judged, and its cause says why.

    `measure` and `other` name a function, or list its name and its arguments after what was found. `above`, `below`, `contains`
    and `near` (pairs of value and margin) are the tests, for all intervals or, as a list, one for each. `theirs`, for `above` and
    `below`, has the published value of every interval: the claim fails if ours lies wholly on the wrong side of the point halfway
    from the bound to it, or of `refuted`, where that is given instead. `cause` may be a key of [causes], and `group` names what
    claims have in common.
    """
    table = read_data(study, "claims")

    def read_measure(call: str | list[Any]) -> Callable[[Any], Any]:
        name, *arguments = [call] if isinstance(call, str) else call
        return (lambda found: measures[name](found, *arguments)) if arguments else measures[name]

    def read_claim(row: dict[str, Any]) -> Callable[[Any], Judged]:
        if "measure" not in row:
            return partial(undecided, **row)
        own = {name: row[name] for name in row if name not in (*TESTS, "theirs", "refuted", "group")}
        fields = {**groups[row.get("group", "")], **own}
        fields |= {name: read_measure(row[name]) for name in ("measure", "other") if name in row}
        cause = table.get("causes", {}).get(row.get("cause", ""), row.get("cause", ""))
        tests = read_tests(row)
        return Claim(**fields | {"cause": cause}, test=tests if len(tests) > 1 else tests[0])

    return [read_claim(row) for row in table["claim"]]


UNEXPLAINED = {  # what is said where nothing else is
    UNDECIDED: "not measured with an interval at this budget: a larger one trains longer or several times",
    NOT_REPRODUCED: "no cause has been tested yet",
}


def judge_all(claims: Sequence[Callable[[Any], Judged]], found: Any) -> list[Judged]:
    """Judge all claims; an undecided one says how many trials would decide it."""
    judged = []
    for claim in claims:
        each = Judged(*claim(found))
        each = each._replace(trials=each.trials or found.trials)
        if each.verdict == UNDECIDED and not each.cause and np.isfinite(each.more):
            each = each._replace(cause=f"{int(np.ceil(each.trials * each.more)):,} trials would decide")
        judged.append(
            each if each.cause or each.verdict not in UNEXPLAINED else each._replace(cause=UNEXPLAINED[each.verdict])
        )
    return judged


def with_thirds(judged: Sequence[Judged], without: Sequence[Sequence[Judged]]) -> list[Judged]:
    """The claims, of which one is undecided if its verdict changes when a third of the trials is left out."""
    found = []
    for claim, *others in zip(judged, *without, strict=True):
        verdicts = zip(THIRDS, (other.verdict for other in others), strict=True)
        changed = [f"{verdict} without the {third}" for third, verdict in verdicts if verdict != claim.verdict]
        holds = f"no: {claim.verdict} with all trials, {', '.join(changed)}" if changed else "yes"
        claim = claim._replace(verdict=UNDECIDED, cause=UNSTEADY) if changed else claim
        found.append(claim._replace(holds=holds))
    return found


def counts(judged: Sequence[Judged]) -> dict[str, int]:
    """The number of claims, and of each verdict."""
    return {"claims": len(judged)} | {word: sum(each.verdict == word for each in judged) for word in VERDICTS}


def judged_table(judged: Sequence[Judged], extent: str) -> Table:
    """All claims with their verdicts; `extent` says what was trained."""
    asked = any(each.holds for each in judged)
    return Table(
        "The study's claims",
        ["claim", "place", "published", "ours", "trials", "verdict", *([HOLDS] if asked else []), "why"],
        [
            [j.claim, j.place, j.published, j.text, str(j.trials), j.verdict, *([j.holds] if asked else []), j.cause]
            for j in judged
        ],
        f"At this budget: {extent}. Reproduced: our whole 95% interval lies on the claim's side, or contains the published "
        "value. Not reproduced: it lies wholly on the other side, or wholly below half of the published difference. Undecided: "
        f"neither{', or two thirds of the trials do not always say the same' if asked else ''}.",
        [each.verdict for each in judged],
    )
