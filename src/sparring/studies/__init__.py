"""Studies: each one re-runs a published experiment and reports the published figures beside ours."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sparring.arena.play import Progress
from sparring.errors import UserError
from sparring.games import unknown
from sparring.lab.person_record import Record
from sparring.lab.run import Report

if TYPE_CHECKING:
    from sparring.report.page import Page

STUDIES = {
    name: f"sparring.studies.{name}" for name in ("golf", "backgammon", "conquest", "gin", "hearts", "xor", "debate")
}
Budget = TypeVar("Budget")


@dataclass(frozen=True)
class Table:
    """A table of a study, published figures beside ours; `verdicts` has one verdict per row, or none."""

    title: str
    header: list[str]
    rows: list[list[str]]
    caption: str = ""
    verdicts: list[str] = field(default_factory=list)

    def add_to(self, page: "Page") -> None:
        """Add the table to a report."""
        page.table(self.header, self.rows, f"{self.title}. {self.caption}".strip(), self.verdicts)


def read_data(study: str, name: str) -> dict[str, Any]:
    """A study's data file NAME.toml."""
    return tomllib.loads((Path(__file__).parent / study / f"{name}.toml").read_text())


def columns(names: str) -> list[str]:
    """A table's header, written as `player | published | ours`."""
    return [name.strip() for name in names.split("|")]


def make_table(study: str, name: str, rows: list[list[str]], more: Iterable[str] = (), **fields: Any) -> Table:
    """A table with the texts of a study's tables.toml, in which these fields are filled in; `more` are further columns."""
    texts = read_data(study, "tables")[name]
    title, caption = (texts[key].format(**fields) for key in ("title", "caption"))
    return Table(title, [*columns(texts["header"]), *more], rows, caption)


@dataclass(frozen=True)
class Reproduction:
    """The result of a re-run: its tables, the number of claims by verdict, and the path of its report."""

    study: str
    tables: list[Table]
    counts: dict[str, int]
    report: Path


class Watch(Protocol):
    """Shows progress: the command line's bars, or nothing."""

    def training_bar(self, what: str) -> AbstractContextManager[Report]: ...

    def games_bar(self, what: str, unit: str = "games") -> AbstractContextManager[Progress]: ...


Reproduce = Callable[[str, int, int, Path, int | None, Watch, Path | None, str], Reproduction]


def find_study(name: str) -> Reproduce:
    """Return the function that re-runs a study."""
    if name not in STUDIES:
        raise unknown("study", name, list(STUDIES))
    return import_module(STUDIES[name]).reproduce  # type: ignore[no-any-return]


def people_tables(game: str, records: list[Record]) -> list[Table]:
    """Return what the study of a game reports about human players, with a person's own record; may be empty."""
    if game not in STUDIES:
        return []
    people = getattr(import_module(STUDIES[game]), "people", None)
    return [people(records)] if people else []


def find_budget(budgets: Mapping[str, Budget], name: str) -> Budget:
    """Return a study's budget by name."""
    if name not in budgets:
        raise UserError(f"--budget {name}: must be one of {', '.join(budgets)}")
    return budgets[name]
