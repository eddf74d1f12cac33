"""The form that all studies share: measure within a budget, judge the claims, store the results, write a report."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sparring.report.page import Page
from sparring.report.runs import footer
from sparring.studies import Reproduction, Table, Watch, find_budget, read_data
from sparring.studies.study_cache import StudyCache, write_json
from sparring.studies.verdicts import VERDICTS, Judged, counts, judge_all, judged_table

Sections = dict[str, list[Table]]
NOTES = {  # the parts of readings.toml: their titles and columns
    "reading": ("What the study leaves open", ("point", "study", "ours", "why")),
    "misprint": ("Misprints", ("place", "printed", "meant", "why")),
}


@dataclass(frozen=True)
class Measurement:
    """What the measurements of every study have in common; subclasses hold the data of tables, claims and figures."""

    budget: Any
    trials: int
    seed: int
    folder: Path


@dataclass(frozen=True)
class Study:
    """A study's parts; its readings.toml has the title and subtitle of the report.

    All callables but `measure` take what it returns, a `Measurement`.
    """

    name: str
    budgets: Mapping[str, Any]  # each has `trials`
    runs: type[StudyCache[Any]]
    measure: Callable[[Any, int], Any]  # of the runs, and the number of trials
    extent: Callable[[Any], str]  # what was trained, as text
    sections: Callable[[Any], Sections]  # the report's tables
    claims: Sequence[Callable[[Any], Judged]]
    figures: Mapping[str, Sequence[Callable[[Page, Any], None]]] = field(default_factory=dict)  # by section

    def reproduce(
        self, budget: str, trials: int, seed: int, runs: Path, threads: int | None, watch: Watch, results: Path | None
    ) -> Reproduction:
        """Re-run the study within a budget; a second call resumes where the first stopped."""
        chosen = find_budget(self.budgets, budget)
        folder = runs / f"{self.name}-{budget}-seed{seed}"
        found = self.measure(self.runs(seed, folder, threads, watch, chosen), trials or chosen.trials)
        sections, judged, report = self.sections(found), judge_all(self.claims, found), found.folder / "report.html"
        claims = judged_table(judged, self.extent(found))
        stored = {
            "study": self.name, "title": read_data(self.name, "readings")["report"]["title"], "commit": source_commit(),
            "version": version("sparring"), "budget": budget, "seed": seed, "trials": found.trials, "extent": self.extent(found),
            "counts": counts(judged), "claims": [each.json() for each in judged],
            "tables": [asdict(table) | {"section": name} for name, tables in sections.items() for table in tables],
        }  # fmt: skip
        for path in (found.folder / "results.json", *([results / f"{self.name}.json"] if results else [])):
            write_json(path, stored, indent=1)
        self._write_report(found, sections, claims, counts(judged), report)
        tables = [*(table for each in sections.values() for table in each), claims]
        return Reproduction(self.name, tables, counts(judged), report)

    def _write_report(
        self, found: Measurement, sections: Sections, claims: Table, count: dict[str, int], path: Path
    ) -> None:
        page = Page(**read_data(self.name, "readings")["report"])
        page.note(f"{counts_text(count)} {self.extent(found)}. Intervals are 95%.")
        page.contents()
        page.heading("Claims")
        claims.add_to(page)
        for table in note_tables(self.name):
            page.heading(table.title)
            table.add_to(page)
        for section, tables in sections.items():
            page.heading(section)
            for add_figure in self.figures.get(section, ()):
                add_figure(page, found)
            for table in tables:
                table.add_to(page)
        page.footer(footer(found.seed))
        page.write(path)


def note_tables(study: str) -> list[Table]:
    """The study's readings and misprints."""
    notes = read_data(study, "readings")
    return [
        Table(title, list(columns), [[str(note.get(name, "")) for name in columns] for note in notes[kind]])
        for kind, (title, columns) in NOTES.items()
        if kind in notes
    ]


def counts_text(count: Mapping[str, int]) -> str:
    """The number of claims and of each verdict, as a sentence."""
    return f"Of {count['claims']} claims: {', '.join(f'{count[word]} {word}' for word in VERDICTS)}."


def source_commit() -> str:
    """The commit of the source tree; empty outside one."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=12", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
