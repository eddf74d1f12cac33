"""The paper's claims about exclusive or and about what NEAT is made of, each judged by an interval of ours."""

from sparring.arena.statistics import mean_interval, rate_interval
from sparring.studies import Table
from sparring.studies.verdicts import OPEN, Judged, about, judged_table, verdict
from sparring.studies.xor import published
from sparring.studies.xor.measured import Measured
from sparring.studies.xor.report_tables import more_than_full

OFTEN = 0.95
MARGINS = {"generations": 10.0, "hidden": 0.5, "connections": 1.0}  # what still counts as about the same
COMPARED = ("no growth", "random starts", "no speciation", "no mating")


def claims_table(found: Measured) -> Table:
    """Every claim with its verdict."""
    judged = [always_solves(found), *(about_as(found, name) for name in MARGINS)]
    judged += [slower_without(found, name) for name in COMPARED]
    return judged_table(judged, f"{found.runs} runs of each kind, up to {found.budget.generations} generations")


def always_solves(found: Measured) -> Judged:
    rate = rate_interval(found.full.solved.astype(float))
    return (
        f"NEAT finds a network for exclusive or in every run (in more than {OFTEN:.0%})",
        f"{published.SOLVED} of {published.RUNS}",
        f"{found.full.solved.sum()} of {len(found.full)}: {rate.text(1, True)}",
        verdict(rate, above=OFTEN),
    )


def about_as(found: Measured, name: str) -> Judged:
    told = {
        "generations": published.GENERATIONS,
        "hidden": published.HIDDEN,
        "connections": published.CONNECTIONS,
    }[name]
    words = {"generations": "generations", "hidden": "hidden nodes", "connections": "enabled connections"}[name]
    values = getattr(found.full, name)[found.full.solved]
    ours = mean_interval(values) if len(values) else None
    return (
        f"on average with {told:g} {words} (within {MARGINS[name]:g})",
        f"{told:g}",
        ours.text(2) if ours else "none solved",
        about(ours, told, MARGINS[name]) if ours else OPEN,
    )


def slower_without(found: Measured, name: str) -> Judged:
    more = more_than_full(found, found.variants[name], len(COMPARED))
    evaluations, failures = published.ABLATIONS[name]
    return (
        f"{name}: slower than full NEAT, on exclusive or too",
        f"{evaluations:,} evaluations for {published.ABLATIONS['full'][0]:,}, {failures:.0%} failures (two poles)",
        f"{more.text(1)} generations more",
        verdict(more, above=0.0),
    )
