"""Exclusive or by NEAT: re-runs section 4.1 of Stanley and Miikkulainen's "Evolving Neural Networks through Augmenting
Topologies" (2002), and its ablations."""

from pathlib import Path

from sparring.studies import Reproduction, Watch, find_budget
from sparring.studies.xor.claims import claims_table
from sparring.studies.xor.measured import BUDGETS, measure
from sparring.studies.xor.report_pages import write_page
from sparring.studies.xor.report_tables import all_tables


def reproduce(budget: str, trials: int, seed: int, runs: Path, threads: int | None, watch: Watch) -> Reproduction:
    """Re-run the experiment within a budget. Work done is kept: a second call goes on where the first was stopped."""
    chosen = find_budget(BUDGETS, budget)
    found = measure(chosen, trials or chosen.runs, seed, runs / f"xor-{budget}-seed{seed}", watch)
    tables = [*all_tables(found), claims_table(found)]
    report = found.folder / "report.html"
    write_page(found, tables, report)
    return Reproduction(tables, report)
