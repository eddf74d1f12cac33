"""Conquest by NEAT: re-runs "Applications of NEAT algorithm for automatic gameplay of agents in deterministic and
non-deterministic game environments" (2021), its five training cases, and looks for what ends the cooperation of the fifth."""

from pathlib import Path

from sparring.papers import Reproduction, Watch, find_budget
from sparring.papers.conquest.cases import BUDGETS
from sparring.papers.conquest.claims import claims_table
from sparring.papers.conquest.measured import measure
from sparring.papers.conquest.pages import write_page
from sparring.papers.conquest.rival_tables import rival_tables
from sparring.papers.conquest.tables import case_tables


def reproduce(budget: str, trials: int, seed: int, runs: Path, threads: int | None, watch: Watch) -> Reproduction:
    """Re-run the study within a budget. Work done is kept: a second call goes on where the first was stopped."""
    chosen = find_budget(BUDGETS, budget)
    found = measure(chosen, trials or chosen.trials, seed, runs / f"conquest-{budget}-seed{seed}", threads, watch)
    tables, claims = case_tables(found) | rival_tables(found), claims_table(found)
    report = found.folder / "report.html"
    write_page(found, tables, claims, report)
    return Reproduction([table for section in tables.values() for table in section] + [claims], report)
