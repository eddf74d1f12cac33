"""The golf study: re-runs both algorithms of "Playing a Game of Cards using Neuroevolution" (2019)."""

from sparring.studies.golf.claims import CLAIMS
from sparring.studies.golf.measured import Measured, StudyRuns, measure
from sparring.studies.golf.report_pages import FIGURES
from sparring.studies.golf.report_tables import all_tables
from sparring.studies.golf.settings import BUDGETS
from sparring.studies.study import Study


def extent(found: Measured) -> str:
    """What was trained."""
    return (
        f"{found.trials} trials per input of {found.budget.epochs} epochs of coevolution (the study: 5 trials) and of "
        f"{found.budget.generations} generations of NEAT (the study: 3), {found.budget.pairs} pairs of games per champion and "
        "opponent"
    )


STUDY = Study("golf", BUDGETS, StudyRuns, measure, extent, all_tables, CLAIMS, FIGURES)
reproduce = STUDY.reproduce
