"""Gin rummy by evolution and by temporal differences: re-runs Kotnik and Kalita, "The significance of temporal-difference
learning in self-play training: TD-rummy versus EVO-rummy" (2003), and answers the questions it leaves."""

from pathlib import Path

from sparring.errors import UserError
from sparring.studies import Reproduction, Watch, find_budget
from sparring.studies.gin.claims import claims_table
from sparring.studies.gin.measured import measure
from sparring.studies.gin.report_pages import write_page
from sparring.studies.gin.report_tables import all_tables
from sparring.studies.gin.settings import BUDGETS


def reproduce(budget: str, trials: int, seed: int, runs: Path, threads: int | None, watch: Watch) -> Reproduction:
    """Re-run the study within a budget. Work done is kept: a second call goes on where the first was stopped."""
    chosen = find_budget(BUDGETS, budget)
    if trials and chosen.of_players:
        raise UserError(f"--trials {trials}: the study's seven players are one of a kind; trials are for other budgets")
    found = measure(chosen, trials or chosen.trials, seed, runs / f"gin-{budget}-seed{seed}", threads, watch)
    tables, claims = all_tables(found), claims_table(found)
    report = found.folder / "report.html"
    write_page(found, tables, claims, report)
    return Reproduction([table for section in tables.values() for table in section] + [claims], report)
