"""Backgammon by coevolution: re-runs "Co-evolutionary Backgammon Player: Learning Through Self-play" (2017), and the
debate between Tesauro and Pollack and Blair that it joins."""

from pathlib import Path

from sparring.studies import Reproduction, Watch, find_budget
from sparring.studies.backgammon.claims import claims_table
from sparring.studies.backgammon.measured import measure
from sparring.studies.backgammon.report_pages import write_page
from sparring.studies.backgammon.report_tables import all_tables
from sparring.studies.backgammon.study_runs import BUDGETS


def reproduce(budget: str, trials: int, seed: int, runs: Path, threads: int | None, watch: Watch) -> Reproduction:
    """Re-run the study within a budget. Work done is kept: a second call goes on where the first was stopped."""
    chosen = find_budget(BUDGETS, budget)
    found = measure(chosen, trials or chosen.trials, seed, runs / f"backgammon-{budget}-seed{seed}", threads, watch)
    tables, claims = all_tables(found), claims_table(found)
    report = found.folder / "report.html"
    write_page(found, tables, claims, report)
    return Reproduction([table for section in tables.values() for table in section] + [claims], report)
