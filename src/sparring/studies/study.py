"""The form that all studies share: measure within a budget, judge the claims, write tables and a report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sparring.report.page import Page
from sparring.report.runs import footer
from sparring.studies import Reproduction, Table, Watch, find_budget
from sparring.studies.study_cache import StudyCache
from sparring.studies.verdicts import Judged, judged_table

Sections = dict[str, list[Table]]


@dataclass(frozen=True)
class Measurement:
    """What the measurements of every study have in common; subclasses hold the data of tables, claims and figures."""

    budget: Any
    trials: int
    seed: int
    folder: Path


@dataclass(frozen=True)
class Study:
    """A study's parts. All callables but `measure` take what it returns, a `Measurement`."""

    name: str
    title: str  # of the report
    subtitle: str
    budgets: Mapping[str, Any]  # each has `trials`
    runs: type[StudyCache[Any]]
    measure: Callable[[Any, int], Any]  # of the runs, and the number of trials
    extent: Callable[[Any], str]  # what was trained, as text
    sections: Callable[[Any], Sections]  # the report's tables
    claims: Sequence[Callable[[Any], Judged]]
    figures: Mapping[str, Sequence[Callable[[Page, Any], None]]] = field(default_factory=dict)  # by section

    def reproduce(
        self, budget: str, trials: int, seed: int, runs: Path, threads: int | None, watch: Watch
    ) -> Reproduction:
        """Re-run the study within a budget; a second call resumes where the first stopped."""
        chosen = find_budget(self.budgets, budget)
        folder = runs / f"{self.name}-{budget}-seed{seed}"
        found = self.measure(self.runs(seed, folder, threads, watch, chosen), trials or chosen.trials)
        sections = self.sections(found)
        claims = judged_table([claim(found) for claim in self.claims], self.extent(found))
        report = found.folder / "report.html"
        self._write_report(found, sections, claims, report)
        return Reproduction([table for tables in sections.values() for table in tables] + [claims], report)

    def _write_report(self, found: Measurement, sections: Sections, claims: Table, path: Path) -> None:
        page = Page(self.title, self.subtitle)
        page.text(f"{self.extent(found)}. Intervals are 95%.")
        page.heading("Claims")
        claims.add_to(page)
        for section, tables in sections.items():
            page.heading(section)
            for add_figure in self.figures.get(section, ()):
                add_figure(page, found)
            for table in tables:
                table.add_to(page)
        page.footer(footer(found.seed))
        page.write(path)
