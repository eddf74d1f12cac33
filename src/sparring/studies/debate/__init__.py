"""The debate on self-play: temporal differences or evolution?

Tesauro (1992, 1998), Pollack and Blair (1998), Darwen (2001), Kotnik and Kalita (2003), and the golf and hearts studies, asked on
four games with the same inputs, equal games and equal core seconds.
"""

from functools import partial

from sparring.studies.debate.claims import CLAIMS
from sparring.studies.debate.measured import Measured, measure
from sparring.studies.debate.report_pages import FIGURES
from sparring.studies.debate.report_tables import all_tables, part_tables
from sparring.studies.debate.settings import BUDGETS, GAMES
from sparring.studies.debate.study_runs import StudyRuns
from sparring.studies.study import Study


def extent(found: Measured) -> str:
    """What was trained."""
    games = ", ".join(f"{found.budget.games[game]:,} ({game})" for game in GAMES)
    return f"{found.trials} trials of every learner, {games} games each; {found.budget.pairs} pairs of games per match"


PARTS = {game: partial(part_tables, game=game) for game in GAMES}
STUDY = Study(
    "debate",
    BUDGETS,
    StudyRuns,
    measure,
    extent,
    all_tables,
    CLAIMS,
    FIGURES,
    PARTS,
    lambda found, third: found.without(third),
)
reproduce = STUDY.reproduce
