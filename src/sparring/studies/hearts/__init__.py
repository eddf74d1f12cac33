"""Hearts by a curriculum of seven networks: re-runs Demirdöver, "Learning a Partially-Observable Card Game Hearts Using
Reinforcement Learning" (2020)."""

from sparring.studies.hearts.claims import CLAIMS
from sparring.studies.hearts.measured import Measured, measure
from sparring.studies.hearts.report_pages import ADDED
from sparring.studies.hearts.report_tables import all_tables, people
from sparring.studies.hearts.settings import BUDGETS
from sparring.studies.hearts.study_runs import StudyRuns
from sparring.studies.study import Study

__all__ = ["people", "reproduce"]


def extent(found: Measured) -> str:
    """What was trained."""
    games = found.budget.games
    return (
        f"{found.trials} training{'s' * (found.trials > 1)} of {sum(games.values()):,} games in {len(games)} stages; claims about "
        "stages shorter than the study's are undecided"
    )


STUDY = Study("hearts", BUDGETS, StudyRuns, measure, extent, all_tables, CLAIMS, ADDED)
reproduce = STUDY.reproduce
