"""Gin rummy by evolution and by temporal differences: re-runs Kotnik and Kalita, "The significance of temporal-difference
learning in self-play training: TD-rummy versus EVO-rummy" (2003), and answers the questions it leaves open."""

from sparring.studies.gin.claims import CLAIMS, exploration_leads
from sparring.studies.gin.measured import Measured, measure
from sparring.studies.gin.report_pages import FIGURES
from sparring.studies.gin.report_tables import all_tables
from sparring.studies.gin.settings import BUDGETS
from sparring.studies.gin.study_runs import StudyRuns
from sparring.studies.study import Study


def extent(found: Measured) -> str:
    """What was trained."""
    part, budget = found.part, found.budget
    who = "the study's seven players" if found.of_players else f"{found.trials} trials of each method"
    texts = [f"{who}, {part.games[0]:,} games (EVO) and {part.games[1]:,} (TD) of at most {part.limit:,} turns each"]
    for name, extra in (("the factorial", budget.factorial), ("further research", budget.research)):
        if extra and budget.main:
            texts.append(f"{name}: {extra.trials} trials of {extra.games[0]:,} games of at most {extra.limit:,} turns")
    if budget.research and (explored := len(exploration_leads(found))) > budget.research.trials:
        texts.append(f"exploration: {explored} trials")
    return "; ".join(texts)


STUDY = Study("gin", BUDGETS, StudyRuns, measure, extent, all_tables, CLAIMS, FIGURES)
reproduce = STUDY.reproduce
