"""Hearts by a curriculum of seven networks: re-runs Demirdöver, "Learning a Partially-Observable Card Game Hearts Using
Reinforcement Learning" (2020)."""

from pathlib import Path

from sparring.studies import Reproduction, Watch, find_budget
from sparring.studies.hearts.claims import claims_table
from sparring.studies.hearts.measured import measure
from sparring.studies.hearts.report_pages import write_page
from sparring.studies.hearts.report_tables import all_tables, people
from sparring.studies.hearts.settings import BUDGETS

__all__ = ["people", "reproduce"]


def reproduce(budget: str, trials: int, seed: int, runs: Path, threads: int | None, watch: Watch) -> Reproduction:
    """Re-run the study within a budget. Work done is kept: a second call goes on where the first was stopped."""
    chosen = find_budget(BUDGETS, budget)
    found = measure(chosen, trials or chosen.trials, seed, runs, f"hearts-{budget}-seed{seed}", threads, watch)
    tables, claims = all_tables(found), claims_table(found)
    report = found.folder / "report.html"
    write_page(found, tables, claims, report)
    return Reproduction([table for section in tables.values() for table in section] + [claims], report)
