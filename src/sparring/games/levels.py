"""Opponents by level, from beginner to strongest: a person's names for players, and what was measured of them.

`levels.toml` names the levels of a game; `levels.json` holds what `python benchmarks/levels.py` measured. A level with
`ranked = false` is too close to another to be placed among them: it comes last, without a rating.
"""

import json
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sparring.reading import read_text

NAMES, MEASURED = "levels.toml", "levels.json"


@dataclass(frozen=True)
class Level:
    """An opponent of a certain strength."""

    name: str
    player: str  # its technical name
    about: str  # its character in a line
    rating: tuple[
        float, ...
    ] = ()  # value, low and high on the scale of the game's levels; empty if it was not measured
    seconds: float | None = None  # the median time of a decision on one core

    def json(self) -> dict[str, Any]:
        """For the page."""
        return asdict(self) | {"rating": list(self.rating) or None}


def read_levels(folder: Path) -> tuple[Level, ...]:
    """The levels of the game in a folder, the weakest first, those without a rating last."""
    named = tomllib.loads(read_text(folder / NAMES, "a list of levels"))["level"]
    path = folder / MEASURED
    measured = json.loads(read_text(path, "measured levels"))["players"] if path.exists() else {}
    levels = [
        Level(each["name"], each["player"], each["about"], tuple(rating), found.get("seconds"))
        for each in named
        for found in [measured.get(each["player"], {})]
        for rating in [found.get("rating", ()) if each.get("ranked", True) else ()]
    ]
    return tuple(sorted(levels, key=lambda level: (not level.rating, level.rating[:1])))
