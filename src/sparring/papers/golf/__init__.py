"""The golf study: re-runs "Playing a Game of Cards using Neuroevolution" (2019), both its algorithms."""

from pathlib import Path

from sparring.papers import Reproduction, Watch, find_budget
from sparring.papers.golf.claims import claims_table
from sparring.papers.golf.measured import BUDGETS, measure
from sparring.papers.golf.pages import write_page
from sparring.papers.golf.tables import all_tables


def reproduce(budget: str, trials: int, seed: int, runs: Path, threads: int | None, watch: Watch) -> Reproduction:
    """Re-run the study within a budget. Work done is kept: a second call goes on where the first was stopped."""
    chosen = find_budget(BUDGETS, budget)
    found = measure(chosen, trials or chosen.trials, seed, runs / f"golf-{budget}-seed{seed}", threads, watch)
    tables = [*all_tables(found), claims_table(found)]
    report = found.folder / "report.html"
    write_page(found, tables, report)
    return Reproduction(tables, report)
