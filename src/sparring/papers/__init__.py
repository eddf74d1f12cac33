"""The registry of studies: each re-runs a published experiment and sets its figures beside ours."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol

from sparring.arena.play import Progress
from sparring.games import unknown
from sparring.lab.run import Report

STUDIES = {
    "golf": "sparring.papers.golf",
}


@dataclass(frozen=True)
class Table:
    """A table of a study with ours beside; `verdicts` says per row whether a claim is supported."""

    title: str
    header: list[str]
    rows: list[list[str]]
    caption: str = ""
    verdicts: list[str] = field(default_factory=list)


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
