"""The paper's claims about exclusive or, two poles and the components of NEAT."""

from collections.abc import Callable
from functools import partial

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.studies.verdicts import UNKNOWN, Claim, Judged, Test, above, below, contains, difference, near
from sparring.studies.xor import published
from sparring.studies.xor.measured import PROGRAM, Measured, Runs
from sparring.studies.xor.published import ABLATIONS, sample

Of = Callable[[Measured], Runs]
OFTEN = 0.95
XOR, SEEN, HIDDEN = "section 4.1", "Table 1", "Table 2"
COMPARED = ("no mating", "random starts", "no speciation", "no growth")
DIRECT = "no growth, direct connections"


def exclusive_or(found: Measured) -> Runs:
    return found.xor


def seen(found: Measured, name: str = "full") -> Runs:
    return found.poles[name]


def hidden(found: Measured) -> Runs:
    return found.hidden


def mean(of: Of, name: str) -> Callable[[Measured], Interval]:
    """The mean of a measure over solved runs."""

    def measure(found: Measured) -> Interval:
        values = of(found).of_solved(name)
        return mean_interval(values) if len(values) else UNKNOWN

    return measure


def beside(ours: np.ndarray, theirs: np.ndarray) -> Interval:
    """Our mean, with an interval that includes the noise of the published mean."""
    apart, mean = difference(ours, theirs), float(theirs.mean())
    return Interval(apart.value + mean, apart.low + mean, apart.high + mean)


def takes(of: Of, theirs: np.ndarray) -> Callable[[Measured], Interval]:
    """Our mean evaluations beside published ones."""

    def measure(found: Measured) -> Interval:
        values = of(found).of_solved("evaluations")
        return beside(values, theirs) if len(values) else UNKNOWN

    return measure


def solves(of: Of, text: str, place: str, shown: str) -> Claim:
    return Claim(
        f"{text} (in more than {OFTEN:.0%} of runs)", shown, lambda found: rate_interval(of(found).solved.astype(float)),
        above(OFTEN), "{:.1%}", place=place,
    )  # fmt: skip


def fewer(of: Of, place: str, method: published.Method) -> Claim:
    text = f"NEAT takes fewer evaluations than {method.name}"
    return Claim(
        text, f"{method.evaluations:,}", mean(of, "evaluations"), below(method.evaluations), "{:.0f}", place=place
    )


def slowdown(name: str, full: str = "full", comparisons: int = 1) -> Callable[[Measured], Interval]:
    """The share by which a variant takes more evaluations than another; a failed run counts those that it made."""

    def measure(found: Measured) -> Interval:
        ours, others = (found.poles[kind].evaluations.astype(float) for kind in (name, full))
        return difference(ours / others.mean(), others / others.mean(), comparisons)

    return measure


def slower(name: str) -> Claim:
    shown = f"{ABLATIONS[name].evaluations:,} against {ABLATIONS['full'].evaluations:,}"
    measure = slowdown(name, comparisons=len(COMPARED) - 1)
    return Claim(f"{name}: more evaluations than full NEAT", shown, measure, above(0.0), "{:.0%} more", place="Table 3")


def fails(name: str, **more: str) -> Claim:
    theirs = published.failed(ABLATIONS[name])

    def measure(found: Measured, kind: str = name) -> Interval:
        return beside(1.0 - found.poles[kind].solved, theirs)

    other = partial(measure, kind=DIRECT) if "reading" in more else None
    return Claim(
        f"{name}: fails as often as published", f"{theirs.mean():.0%} of {len(theirs)} runs", measure,
        contains(theirs.mean()), "{:.1%}", place="Table 3", trials=lambda found: len(found.poles[name]), other=other, **more,
    )  # fmt: skip


def fifth(value: float) -> Test:
    """The test of a mean without a published standard deviation: within a fifth of it."""
    return near(value, 0.2 * value)


XOR_SAMPLE = sample(published.EVALUATIONS, published.EVALUATIONS_SD, published.RUNS)
SEEN_SAMPLE = sample(published.SEEN[-1].evaluations, published.SEEN_SD, published.SEEN_RUNS)
HIDDEN_SAMPLE = sample(published.HIDDEN_POLES[-1].evaluations, published.HIDDEN_SD, published.HIDDEN_RUNS)
WHOLE = "{:.0f}"

CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    solves(exclusive_or, "NEAT finds a network for exclusive or in every run", XOR, "100 of 100"),
    Claim("Exclusive or takes 4,755 evaluations on average", "4,755 (sd 2,553)", takes(exclusive_or, XOR_SAMPLE),
          contains(4755.0), WHOLE, place=XOR),
    Claim("Its networks have 2.35 hidden nodes", "2.35", mean(exclusive_or, "hidden"), fifth(published.HIDDEN),
          "{:.2f}", place=XOR),
    Claim("and 7.48 enabled connections", "7.48", mean(exclusive_or, "connections"),
          fifth(published.CONNECTIONS), "{:.2f}", place=XOR),
    solves(seen, "NEAT balances two poles with velocities in every run", "Table 3", "120 of 120"),
    Claim("Two poles with velocities take 3,600 evaluations on average", "3,600 (sd 2,704)", takes(seen, SEEN_SAMPLE),
          contains(3600.0), WHOLE, place=SEEN, reading="the start of the authors' program",
          other=takes(partial(seen, name=PROGRAM), SEEN_SAMPLE)),
    *(fewer(seen, SEEN, method) for method in published.SEEN[:3]),
    Claim("as many as ESP (the paper finds no significant difference)", "3,600 and 3,800",
          takes(seen, sample(published.SEEN[3].evaluations, published.SEEN_SD, 50)), contains(3800.0), WHOLE, place=SEEN),
    Claim("Two poles without velocities take 33,184 evaluations on average", "33,184 (sd 21,790)",
          takes(hidden, HIDDEN_SAMPLE), contains(33_184.0), WHOLE, place=HIDDEN),
    *(fewer(hidden, HIDDEN, method) for method in published.HIDDEN_POLES[:2]),
    Claim("The solution balances from 286 of 625 starting states", "286", mean(hidden, "general"), fifth(286.0), "{:.0f}",
          place=HIDDEN),
    *(slower(name) for name in COMPARED[1:]),
    Claim("no mating: 54% more evaluations", "5,557 against 3,600, p = 0.001", slowdown("no mating"), contains(0.54),
          "{:.0%} more", place="Table 3", reading="weights mutate rarely (0.1 each), so that children resemble their parents",
          other=slowdown("no mating, rare mutation", "full, rare mutation")),
    *(fails(name) for name in COMPARED[:-1]),
    fails("no growth", reading="direct connections beside the hidden layer",
          cause="how inputs reach the output decides: through the hidden layer alone all runs fail, with direct connections none"),
)  # fmt: skip
