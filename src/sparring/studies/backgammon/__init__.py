"""Backgammon by coevolution: re-runs "Co-evolutionary Backgammon Player: Learning Through Self-play" (2017), and the
debate between Tesauro and Pollack and Blair that the study joins."""

from sparring.studies.backgammon.claims import CLAIMS
from sparring.studies.backgammon.measured import Measured, measure
from sparring.studies.backgammon.report_pages import FIGURES
from sparring.studies.backgammon.report_tables import PARTS, all_tables
from sparring.studies.backgammon.study_runs import BUDGETS, StudyRuns
from sparring.studies.study import Study


def extent(found: Measured) -> str:
    """What was trained."""
    b = found.budget
    return (
        f"{found.trials} trials of {b.challenges:,} challenges per network (the study: one of about 10,000), {b.climbs} climbs of "
        f"{b.generations:,} generations, {b.lessons} TD networks of each size trained for {b.td_games:,} games, "
        f"{b.begins} first tenths of a training"
    )


STUDY = Study("backgammon", BUDGETS, StudyRuns, measure, extent, all_tables, CLAIMS, FIGURES, PARTS)
reproduce = STUDY.reproduce
