"""How the paper's claims, which are in claims.toml, are measured."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.studies.verdicts import UNKNOWN, difference, read_claims
from sparring.studies.xor import published
from sparring.studies.xor.measured import Measured


def whole(found: Measured) -> bool:
    """Whether runs were as long as the paper's."""
    return bool(found.budget.generations >= published.LONGEST)


def beside(ours: np.ndarray, theirs: np.ndarray) -> Interval:
    """Our mean, with an interval that includes the noise of the published mean."""
    apart, mean = difference(ours, theirs), float(theirs.mean())
    return Interval(apart.value + mean, apart.low + mean, apart.high + mean)


def mean(found: Measured, name: str, measure: str = "evaluations") -> Interval:
    """The mean of a measure over solved runs."""
    values = found.runs[name].of_solved(measure)
    return mean_interval(values) if len(values) else UNKNOWN


def evaluations(found: Measured, name: str, mean: float, deviation: float, runs: int) -> Interval:
    """The mean evaluations of solved runs, beside those of so many published runs."""
    values = found.runs[name].of_solved("evaluations")
    return beside(values, published.sample(mean, deviation, runs)) if len(values) else UNKNOWN


def slowdown(found: Measured, name: str, full: str = "full", comparisons: int = 1) -> Interval:
    """The share by which a variant takes more evaluations than another; a failed run counts those that it made."""
    ours, others = (found.runs[kind].evaluations.astype(float) for kind in (name, full))
    return difference(ours / others.mean(), others / others.mean(), comparisons=comparisons)


MEASURES: dict[str, Callable[..., Any]] = {
    "solved": lambda found, name: rate_interval(found.runs[name].solved.astype(float)),
    "mean": mean,
    "evaluations": evaluations,
    "slowdown": slowdown,
    "failed": lambda found, name: beside(1.0 - found.runs[name].solved, published.failed(published.ABLATIONS[name])),
}


def ablation(name: str) -> dict[str, Any]:
    """What claims about an ablation have in common."""
    return {"conclusive": whole, "trials": lambda found: len(found.runs[name])}


GROUPS = {"": {}, "whole": {"conclusive": whole}, **{name: ablation(name) for name in published.ABLATIONS}}
CLAIMS = read_claims("xor", MEASURES, GROUPS)
