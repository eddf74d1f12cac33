"""The paper's claims about exclusive or, two poles and the components of NEAT."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.studies.verdicts import UNKNOWN, Claim, Judged, Test, above, below, contains, difference, near
from sparring.studies.xor import published
from sparring.studies.xor.measured import HIDDEN_POLES, PROGRAM, XOR, Measured
from sparring.studies.xor.published import ABLATIONS, sample

Measure = Callable[[Measured], Interval]
OFTEN = 0.95
COMPARED = ("no mating", "random starts", "no speciation", "no growth")


def whole(found: Measured) -> bool:
    """Whether runs were as long as the paper's."""
    return bool(found.budget.generations >= published.LONGEST)


def beside(ours: np.ndarray, theirs: np.ndarray) -> Interval:
    """Our mean, with an interval that includes the noise of the published mean."""
    apart, mean = difference(ours, theirs), float(theirs.mean())
    return Interval(apart.value + mean, apart.low + mean, apart.high + mean)


def mean(name: str, measure: str = "evaluations", theirs: np.ndarray | None = None) -> Measure:
    """The mean of a measure over solved runs, beside published ones if they are given."""

    def measured(found: Measured) -> Interval:
        values = found.runs[name].of_solved(measure)
        if not len(values):
            return UNKNOWN
        return mean_interval(values) if theirs is None else beside(values, theirs)

    return measured


def solves(name: str, text: str, place: str, shown: str) -> Claim:
    return Claim(
        f"{text} (in more than {OFTEN:.0%} of runs)", shown,
        lambda found: rate_interval(found.runs[name].solved.astype(float)), above(OFTEN), "{:.1%}", place=place,
    )  # fmt: skip


def fewer(name: str, place: str, method: published.Method) -> Claim:
    text, most = f"NEAT takes fewer evaluations than {method.name}", method.evaluations
    return Claim(text, f"{most:,}", mean(name), below(most), WHOLE, whole, place)


def slowdown(name: str, full: str = "full", comparisons: int = 1) -> Measure:
    """The share by which a variant takes more evaluations than another; a failed run counts those that it made."""

    def measured(found: Measured) -> Interval:
        ours, others = (found.runs[kind].evaluations.astype(float) for kind in (name, full))
        return difference(ours / others.mean(), others / others.mean(), comparisons)

    return measured


def slower(name: str) -> Claim:
    shown = f"{ABLATIONS[name].evaluations:,} against {ABLATIONS['full'].evaluations:,}"
    return Claim(
        f"{name}: more evaluations than full NEAT", shown, slowdown(name, comparisons=len(COMPARED) - 1), above(0.0),
        "{:.0%} more", whole, "Table 3", trials=lambda found: len(found.runs[name]),
    )  # fmt: skip


def fails(name: str, **more: Any) -> Claim:
    theirs = published.failed(ABLATIONS[name])
    return Claim(
        f"{name}: fails as often as published", f"{theirs.mean():.0%} of {len(theirs)} runs",
        lambda found: beside(1.0 - found.runs[name].solved, theirs), contains(theirs.mean()), "{:.1%}", whole, "Table 3",
        trials=lambda found: len(found.runs[name]), **more,
    )  # fmt: skip


def fifth(value: float) -> Test:
    """The test of a mean without a published standard deviation: within a fifth of it."""
    return near(value, 0.2 * value)


XOR_SAMPLE = sample(published.EVALUATIONS, published.EVALUATIONS_SD, published.RUNS)
SEEN_SAMPLE = sample(published.SEEN[-1].evaluations, published.SEEN_SD, published.SEEN_RUNS)
ESP_SAMPLE = sample(published.SEEN[-2].evaluations, published.SEEN_SD, 50)  # as the paper assumes its spread
HIDDEN_SAMPLE = sample(published.HIDDEN_POLES[-1].evaluations, published.HIDDEN_SD, published.HIDDEN_RUNS)
WHOLE, PLACE = "{:.0f}", "section 4.1"

CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    solves(XOR, "NEAT finds a network for exclusive or in every run", PLACE, "100 of 100"),
    Claim("Exclusive or takes 4,755 evaluations on average", "4,755 (sd 2,553)", mean(XOR, theirs=XOR_SAMPLE),
          contains(4755.0), WHOLE, place=PLACE),
    Claim("Its networks have 2.35 hidden nodes", "2.35", mean(XOR, "hidden"), fifth(2.35), "{:.2f}", place=PLACE),
    Claim("and 7.48 enabled connections", "7.48", mean(XOR, "connections"), fifth(7.48), "{:.2f}", place=PLACE),
    solves("full", "NEAT balances two poles with velocities in every run", "Table 3", "120 of 120"),
    Claim("Two poles with velocities take 3,600 evaluations on average", "3,600 (sd 2,704)",
          mean("full", theirs=SEEN_SAMPLE), contains(3600.0), WHOLE, place="Table 1",
          reading="the start of the authors' program", other=mean(PROGRAM, theirs=SEEN_SAMPLE)),
    *(fewer("full", "Table 1", method) for method in published.SEEN[:3]),
    Claim("as many as ESP (the paper finds no significant difference)", "3,600 and 3,800", mean("full", theirs=ESP_SAMPLE),
          contains(3800.0), WHOLE, place="Table 1"),
    Claim("Two poles without velocities take 33,184 evaluations on average", "33,184 (sd 21,790)",
          mean(HIDDEN_POLES, theirs=HIDDEN_SAMPLE), contains(33_184.0), WHOLE, whole, "Table 2"),
    *(fewer(HIDDEN_POLES, "Table 2", method) for method in published.HIDDEN_POLES[:2]),
    Claim("The solution balances from 286 of 625 starting states", "286", mean(HIDDEN_POLES, "general"), fifth(286.0),
          WHOLE, place="Table 2"),
    *(slower(name) for name in COMPARED[1:]),
    Claim("no mating: 54% more evaluations", "5,557 against 3,600, p = 0.001", slowdown("no mating"), contains(0.54),
          "{:.0%} more", place="Table 3", reading="weights mutate rarely (0.1 each), so that children resemble their parents",
          other=slowdown("no mating, rare mutation", "full, rare mutation")),
    *(fails(name) for name in COMPARED[:-1]),
    fails("no growth", cause="how inputs reach the output decides: through the hidden layer alone all runs fail, with direct "
          "connections none (Table 3)"),
)  # fmt: skip
