"""How a game is played, for newcomers: one text per game, shown on the page, in the terminal and in the documentation."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sparring.errors import UserError
from sparring.reading import read_text

FILE = "how_to_play.toml"


@dataclass(frozen=True)
class Guide:
    """The rules in a few sentences, what counts, and what each control of the table does."""

    rules: tuple[str, ...]
    scores: str
    controls: Mapping[str, str]

    def json(self) -> dict[str, Any]:
        """For the page."""
        return {"rules": list(self.rules), "scores": self.scores, "controls": list(self.controls.items())}

    def lines(self) -> list[str]:
        """For a terminal: each line is a paragraph."""
        return [*self.rules, f"What counts: {self.scores}"]

    def markdown(self) -> str:
        """For the documentation."""
        controls = "".join(f"| {part} | {what} |\n" for part, what in self.controls.items())
        return f"{' '.join(self.rules)}\n\n{self.scores}\n\n| click | to |\n|---|---|\n{controls}"


def read_guide(folder: Path) -> Guide:
    """The guide of the game in a folder."""
    found = tomllib.loads(read_text(folder / FILE, "a guide"))
    if set(found) != {"rules", "scores", "controls"}:
        raise UserError(f"{folder / FILE}: must have rules, scores and controls")
    return Guide(tuple(found["rules"]), found["scores"], dict(found["controls"]))
