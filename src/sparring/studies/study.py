"""The form that all studies share: measure within a budget, judge the claims, store the results, write a report."""

import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Generic, TypeVar

from sparring.errors import UserError
from sparring.report.page import Page
from sparring.report.runs import footer
from sparring.studies import Reproduction, Table, Watch, find_budget, read_data
from sparring.studies.study_cache import StudyCache, read_json, write_json
from sparring.studies.verdicts import THIRDS, VERDICTS, Judged, counts, judge_all, judged_table, with_thirds

Sections = dict[str, list[Table]]
Key = TypeVar("Key")
Value = TypeVar("Value")
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

    def prepare(self) -> None:
        """Compute everything now, where it is not computed already."""


class OnDemand(Mapping[Key, Value], Generic[Key, Value]):
    """Measurements by name that are made when they are first asked for."""

    def __init__(self, names: Iterable[Key], make: Callable[[Key], Value]) -> None:
        self._names, self._make, self._made = tuple(names), make, dict[Key, Value]()

    def __getitem__(self, name: Key) -> Value:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


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
    parts: Mapping[str, Callable[[Any], Sections]] = field(
        default_factory=dict
    )  # groups of claims to measure alone, and tables
    without: Callable[[Any, int], Any] | None = None  # the same without a third of the trials, by its number from 0

    def reproduce(
        self,
        budget: str,
        trials: int,
        seed: int,
        runs: Path,
        threads: int | None,
        watch: Watch,
        results: Path | None,
        only: str = "",
    ) -> Reproduction:
        """Re-run the study within a budget, or `only` one of its parts; a second call resumes where the first stopped."""
        chosen = find_budget(self.budgets, budget)
        stored = self._stored(results, only, budget) if only else {}
        folder = runs / f"{self.name}-{budget}-seed{seed}"
        found = self.measure(self.runs(seed, folder, threads, watch, chosen), trials or chosen.trials)
        if only:
            return self._reproduce_part(found, only, stored, results)
        found.prepare()
        sections, judged, report = self.sections(found), self._judged(self.claims, found), found.folder / "report.html"
        claims = judged_table(judged, self.extent(found))
        stored = {
            "study": self.name, "title": read_data(self.name, "readings")["report"]["title"], "commit": source_commit(),
            "version": version("sparring"), "budget": budget, "seed": seed, "trials": found.trials, "extent": self.extent(found),
            "counts": counts(judged), "claims": [each.json() for each in judged], "tables": listed(sections),
        }  # fmt: skip
        for path in (found.folder / "results.json", *([results / f"{self.name}.json"] if results else [])):
            write_json(path, stored, indent=1)
        self._write_report(found, sections, claims, counts(judged), report)
        tables = [*(table for each in sections.values() for table in each), claims]
        return Reproduction(self.name, tables, counts(judged), report)

    def _judged(self, claims: Sequence[Callable[[Any], Judged]], found: Any) -> list[Judged]:
        """All claims and, where the study can leave out trials, whether their verdicts hold without a third of them."""
        judged = judge_all(claims, found)
        if self.without is None:
            return judged
        return with_thirds(judged, [judge_all(claims, self.without(found, third)) for third in range(len(THIRDS))])

    def _stored(self, results: Path | None, part: str, budget: str) -> dict[str, Any]:
        """The stored result that a part is added to."""
        if part not in self.parts:
            raise UserError(
                f"{part}: not a part of this study that can be measured alone: {', '.join(self.parts) or 'it has none'}"
            )
        path = results / f"{self.name}.json" if results else None
        if path is None or not path.exists():
            raise UserError(f"--only {part} adds to a stored result: name its folder with --results")
        stored: dict[str, Any] = read_json(path)
        if stored["budget"] != budget:
            raise UserError(f"{path}: its budget is {stored['budget']}, not {budget}")
        return stored

    def _reproduce_part(self, found: Any, part: str, stored: dict[str, Any], results: Path | None) -> Reproduction:
        """Judge the claims of one group anew and put them, with the tables of the group, into the stored result."""
        rows = read_data(self.name, "claims")["claim"]
        chosen = [claim for claim, row in zip(self.claims, rows, strict=True) if row.get("group") == part]
        sections, judged = self.parts[part](found), self._judged(chosen, found)
        stored["claims"] = replaced(stored["claims"], [each.json() for each in judged], "claim")
        stored["tables"] = replaced(stored["tables"], listed(sections), "title")
        stored["counts"] = {"claims": len(stored["claims"])} | {
            word: sum(each["verdict"] == word for each in stored["claims"]) for word in VERDICTS
        }
        stored["parts"] = stored.get("parts", {}) | {part: source_commit()}
        assert results
        write_json(results / f"{self.name}.json", stored, indent=1)
        tables = [*(table for each in sections.values() for table in each), judged_table(judged, self.extent(found))]
        return Reproduction(self.name, tables, stored["counts"], results / f"{self.name}.json")

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


def listed(sections: Sections) -> list[dict[str, Any]]:
    """Tables as the stored results have them."""
    return [asdict(table) | {"section": name} for name, tables in sections.items() for table in tables]


def replaced(rows: list[dict[str, Any]], new: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Rows with some of them replaced by new ones of the same key; a new one without an old one comes last."""
    by_key = {row[key]: row for row in new}
    kept = [by_key.pop(row[key], row) for row in rows]
    return [*kept, *by_key.values()]


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
