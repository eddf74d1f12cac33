"""The paper's claims about exclusive or, two poles and the components of NEAT."""

from collections.abc import Callable
from functools import partial

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.studies.verdicts import UNKNOWN, Claim, Judged, above, below, contains, difference, near
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


def apart(of: Of, theirs: np.ndarray) -> Callable[[Measured], Interval]:
    """Our mean evaluations minus the published mean, with the noise of both."""

    def measure(found: Measured) -> Interval:
        values = of(found).of_solved("evaluations")
        return difference(values, theirs) if len(values) else UNKNOWN

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


def slower(name: str) -> Claim:
    def measure(found: Measured) -> Interval:
        """A failed run counts the evaluations that it made."""
        values = (found.poles[kind].evaluations.astype(float) for kind in (name, "full"))
        return difference(*values, len(COMPARED))

    shown = f"{ABLATIONS[name].evaluations:,} against {ABLATIONS['full'].evaluations:,}"
    return Claim(f"{name}: more evaluations than full NEAT", shown, measure, above(0.0), "{:.0f} more", place="Table 3")


def fails(name: str, **more: str) -> Claim:
    theirs = published.failed(ABLATIONS[name])

    def measure(found: Measured, kind: str = name) -> Interval:
        return difference(1.0 - found.poles[kind].solved, theirs)

    other = partial(measure, kind=DIRECT) if "reading" in more else None
    return Claim(
        f"{name}: fails as often as published", f"{theirs.mean():.0%} of {len(theirs)} runs", measure, contains(0.0),
        "{:.1p} points more", place="Table 3", trials=lambda found: len(found.poles[name]), other=other, **more,
    )  # fmt: skip


def general(found: Measured) -> Interval:
    values = found.hidden.of_solved("general")
    return mean_interval(values) if len(values) else UNKNOWN


XOR_SAMPLE = sample(published.EVALUATIONS, published.EVALUATIONS_SD, published.RUNS)
SEEN_SAMPLE = sample(published.SEEN[-1].evaluations, published.SEEN_SD, published.SEEN_RUNS)
HIDDEN_SAMPLE = sample(published.HIDDEN_POLES[-1].evaluations, published.HIDDEN_SD, published.HIDDEN_RUNS)
MORE = "{:.0f} more"

CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    solves(exclusive_or, "NEAT finds a network for exclusive or in every run", XOR, "100 of 100"),
    Claim("Exclusive or takes 4,755 evaluations on average", "4,755 (sd 2,553)", apart(exclusive_or, XOR_SAMPLE), contains(0.0),
          MORE, place=XOR),
    Claim("Its networks have 2.35 hidden nodes (within 0.5)", "2.35", mean(exclusive_or, "hidden"), near(published.HIDDEN, 0.5),
          "{:.2f}", place=XOR),
    Claim("and 7.48 enabled connections (within 1)", "7.48", mean(exclusive_or, "connections"),
          near(published.CONNECTIONS, 1.0), "{:.2f}", place=XOR),
    solves(seen, "NEAT balances two poles with velocities in every run", "Table 3", "120 of 120"),
    Claim("Two poles with velocities take 3,600 evaluations on average", "3,600 (sd 2,704)", apart(seen, SEEN_SAMPLE),
          contains(0.0), MORE, place=SEEN, reading="the start of the authors' program",
          other=apart(partial(seen, name=PROGRAM), SEEN_SAMPLE)),
    *(fewer(seen, SEEN, method) for method in published.SEEN[:3]),
    Claim("as many as ESP (the paper finds no significant difference)", "3,600 and 3,800",
          apart(seen, sample(published.SEEN[3].evaluations, published.SEEN_SD, 50)), contains(0.0), MORE, place=SEEN),
    Claim("Two poles without velocities take 33,184 evaluations on average", "33,184 (sd 21,790)",
          apart(hidden, HIDDEN_SAMPLE), contains(0.0), MORE, place=HIDDEN),
    *(fewer(hidden, HIDDEN, method) for method in published.HIDDEN_POLES[:2]),
    Claim("The solution balances from 286 of 625 starting states (within 30)", "286", general, near(286.0, 30.0), "{:.0f}",
          place=HIDDEN),
    *(slower(name) for name in COMPARED),
    *(fails(name) for name in COMPARED[:-1]),
    fails("no growth", reading="ten hidden nodes and direct connections"),
)  # fmt: skip
