"""The registry of studies: each re-runs a published experiment and sets its figures beside ours."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from sparring.arena.play import Progress
from sparring.errors import UserError
from sparring.games import unknown
from sparring.lab.person_record import Record
from sparring.lab.run import Report

if TYPE_CHECKING:
    from sparring.report.page import Page

STUDIES = {
    "golf": "sparring.studies.golf",
    "backgammon": "sparring.studies.backgammon",
    "conquest": "sparring.studies.conquest",
    "gin": "sparring.studies.gin",
    "hearts": "sparring.studies.hearts",
    "xor": "sparring.studies.xor",
}
Budget = TypeVar("Budget")


@dataclass(frozen=True)
class Table:
    """A table of a study with ours beside; `verdicts` says per row whether a claim is supported."""

    title: str
    header: list[str]
    rows: list[list[str]]
    caption: str = ""
    verdicts: list[str] = field(default_factory=list)

    def add_to(self, page: "Page") -> None:
        """Put the table on a report's page."""
        page.table(self.header, self.rows, f"{self.title}. {self.caption}".strip(), self.verdicts)


@dataclass(frozen=True)
class Reproduction:
    """What a re-run found: its tables, and where the report is."""

    tables: list[Table]
    report: Path


class Watch(Protocol):
    """Who shows progress: the command line's bars, or nothing."""

    def training_bar(self, what: str) -> AbstractContextManager[Report]: ...

    def games_bar(self, what: str, unit: str = "games") -> AbstractContextManager[Progress]: ...


Reproduce = Callable[[str, int, int, Path, int | None, Watch], Reproduction]


def find_study(name: str) -> Reproduce:
    """The function that re-runs a study."""
    if name not in STUDIES:
        raise unknown("study", name, list(STUDIES))
    return import_module(STUDIES[name]).reproduce  # type: ignore[no-any-return]


def people_tables(game: str, records: list[Record]) -> list[Table]:
    """What the study of a game says of people's games, with a person's own beside; nothing where it says nothing."""
    if game not in STUDIES:
        return []
    people = getattr(import_module(STUDIES[game]), "people", None)
    return [people(records)] if people else []


def find_budget(budgets: Mapping[str, Budget], name: str) -> Budget:
    """A study's budget by name."""
    if name not in budgets:
        raise UserError(f"--budget {name}: must be one of {', '.join(budgets)}")
    return budgets[name]
