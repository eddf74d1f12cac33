"""Exclusive or by NEAT: re-runs section 4.1 of Stanley and Miikkulainen's "Evolving Neural Networks through Augmenting
Topologies" (2002), and its ablations."""

from sparring.studies.study import Study
from sparring.studies.xor.claims import CLAIMS
from sparring.studies.xor.measured import BUDGETS, Measured, StudyRuns, measure
from sparring.studies.xor.report_pages import FIGURES, SOLVED_SECTION
from sparring.studies.xor.report_tables import all_tables


def extent(found: Measured) -> str:
    """What was run."""
    return (
        f"{found.trials} runs of the experiment and of each ablation, each with a population of 150 and up to "
        f"{found.budget.generations} generations"
    )


STUDY = Study(
    "xor",
    "Exclusive or by NEAT, re-run",
    "After Stanley and Miikkulainen, “Evolving Neural Networks through Augmenting Topologies” (2002): published figures "
    "beside ours",
    BUDGETS,
    StudyRuns,
    measure,
    extent,
    lambda found: {SOLVED_SECTION: [], "Tables": all_tables(found)},
    CLAIMS,
    FIGURES,
)
reproduce = STUDY.reproduce
