"""Conquest by NEAT: re-runs "Applications of NEAT algorithm for automatic gameplay of agents in deterministic and
non-deterministic game environments" (2021), its five training cases, and looks for what ends the cooperation in the fifth."""

from sparring.studies.conquest.cases import BUDGETS
from sparring.studies.conquest.claims import CLAIMS
from sparring.studies.conquest.figures import FIGURES
from sparring.studies.conquest.measured import Measured, measure
from sparring.studies.conquest.published import CASES, RIVALS
from sparring.studies.conquest.rival_tables import all_tables
from sparring.studies.conquest.study_runs import StudyRuns
from sparring.studies.study import Study


def extent(found: Measured) -> str:
    """What was trained."""
    generations = ", ".join(
        f"{found.budget.generations(number)} of {case.generations}" for number, case in CASES.items()
    )
    return (
        f"{found.trials} trials of each case (the study: one) in its author's reading; {generations} generations in cases 1 to 4, "
        f"and {found.budget.generations(5)} of {RIVALS['generations']} in case 5"
    )


STUDY = Study("conquest", BUDGETS, StudyRuns, measure, extent, all_tables, CLAIMS, FIGURES)
reproduce = STUDY.reproduce
