"""The experiments of Stanley and Miikkulainen's "Evolving Neural Networks through Augmenting Topologies" (2002): exclusive or,
two poles with and without velocities, and the ablations of NEAT."""

from sparring.studies.study import Study
from sparring.studies.xor.claims import CLAIMS
from sparring.studies.xor.measured import BUDGETS, Measured, StudyRuns, measure
from sparring.studies.xor.report_pages import FIGURES, SOLVED_SECTION
from sparring.studies.xor.report_tables import all_tables


def extent(found: Measured) -> str:
    """What was run."""
    return (
        f"{found.trials} runs of each experiment, {len(found.runs['no growth'])} of each ablation "
        f"({len(found.runs['no mating'])} without mating), up to {found.budget.generations:,} generations each"
    )


STUDY = Study(
    "xor",
    "NEAT on exclusive or and two poles, re-run",
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
