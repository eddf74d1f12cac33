"""The paper's claims about exclusive or and about the components of NEAT, judged by our intervals."""

from collections.abc import Callable
from functools import partial

from sparring.arena.statistics import mean_interval, rate_interval
from sparring.studies.verdicts import Judged, above, judge, near, undecided
from sparring.studies.xor import published
from sparring.studies.xor.measured import Measured
from sparring.studies.xor.report_tables import more_than_full

OFTEN = 0.95
COMPARED = ("no growth", "random starts", "no speciation", "no mating")


def always_solves(found: Measured) -> Judged:
    solved = found.full.solved
    return judge(
        f"NEAT finds a network for exclusive or in every run (in more than {OFTEN:.0%})",
        f"{published.SOLVED} of {published.RUNS}",
        rate_interval(solved.astype(float)),
        above(OFTEN),
        f"{solved.sum()} of {len(solved)}: {{:.1%}}",
    )


def mean_near(found: Measured, name: str, words: str, value: float, margin: float) -> Judged:
    """The claim that solutions have this mean; `margin` is what still counts as about the same."""
    claim = f"On average with {value:g} {words} (within {margin:g})"
    values = getattr(found.full, name)[found.full.solved]
    if not len(values):
        return undecided(claim, f"{value:g}", "none solved")
    return judge(claim, f"{value:g}", mean_interval(values), near(value, margin), "{:.2f}")


def slower_without(found: Measured, name: str) -> Judged:
    evaluations, failures = published.ABLATIONS[name]
    return judge(
        f"{name}: slower than full NEAT, on exclusive or too",
        f"{evaluations:,} evaluations against {published.ABLATIONS['full'][0]:,}, {failures:.0%} failures (two poles)",
        more_than_full(found, found.variants[name], len(COMPARED)),
        above(0.0),
        "{:.1f} more generations",
    )


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    always_solves,
    partial(mean_near, name="generations", words="generations", value=published.GENERATIONS, margin=10.0),
    partial(mean_near, name="hidden", words="hidden nodes", value=published.HIDDEN, margin=0.5),
    partial(mean_near, name="connections", words="enabled connections", value=published.CONNECTIONS, margin=1.0),
    *(partial(slower_without, name=name) for name in COMPARED),
)
