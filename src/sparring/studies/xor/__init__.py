"""The experiments of Stanley and Miikkulainen's "Evolving Neural Networks through Augmenting Topologies" (2002): exclusive or,
two poles with and without velocities, and the ablations of NEAT."""

from sparring.studies.study import Sections, Study
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


def sections(found: Measured) -> Sections:
    """The tables by section."""
    return {SOLVED_SECTION: [], "Tables": all_tables(found)}


STUDY = Study("xor", BUDGETS, StudyRuns, measure, extent, sections, CLAIMS, FIGURES)
reproduce = STUDY.reproduce
