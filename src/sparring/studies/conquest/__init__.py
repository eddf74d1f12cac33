"""Conquest by NEAT: re-runs "Applications of NEAT algorithm for automatic gameplay of agents in deterministic and
non-deterministic game environments" (2021), its five training cases, and looks for what ends the cooperation of the fifth."""

from pathlib import Path

from sparring.studies import Reproduction, Watch, find_budget
from sparring.studies.conquest.cases import BUDGETS
from sparring.studies.conquest.claims import claims_table
from sparring.studies.conquest.measured import measure
from sparring.studies.conquest.report_pages import write_page
from sparring.studies.conquest.report_tables import case_tables
from sparring.studies.conquest.rival_tables import rival_tables


def reproduce(budget: str, trials: int, seed: int, runs: Path, threads: int | None, watch: Watch) -> Reproduction:
    """Re-run the study within a budget. Work done is kept: a second call goes on where the first was stopped."""
    chosen = find_budget(BUDGETS, budget)
    found = measure(chosen, trials or chosen.trials, seed, runs / f"conquest-{budget}-seed{seed}", threads, watch)
    tables, claims = case_tables(found) | rival_tables(found), claims_table(found)
    report = found.folder / "report.html"
    write_page(found, tables, claims, report)
    return Reproduction([table for section in tables.values() for table in section] + [claims], report)
