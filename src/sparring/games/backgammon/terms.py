"""What a game is played for: the scoring, the cube, the match, and how these stand at the start."""

import re
from dataclasses import dataclass
from typing import Any

from sparring.errors import UserError
from sparring.games.backgammon.cube_value import LONGEST
from sparring.games.backgammon.rules import LARGEST, NOBODY, NOW, OVER, TO_COME

WORDS = ("single", "cube", "jacoby", "beavers", "resign")
CRAWFORD = ("", "crawford", "post-crawford")
PATTERN = re.compile(
    rf"((?: (?:{'|'.join(WORDS)}))*)(?: match ([0-9]{{1,3}}))?(?: at ([0-9]{{1,4}})([+-]?) ([0-9]{{1,3}}) ([0-9]{{1,3}})"
    rf"( crawford| post-crawford)?)?"
)


@dataclass(frozen=True)
class Terms:
    """The rules beside the board. The last four describe the start: cube, its owner, the points of the seats, the Crawford game."""

    single: bool = False
    cube: bool = False
    jacoby: bool = False
    beavers: bool = False
    resign: bool = False
    length: int = 0  # of a match; 0 for money
    value: int = 1
    owner: int = NOBODY
    points: tuple[int, int] = (0, 0)
    crawford: int = TO_COME

    def __post_init__(self) -> None:
        if self.length > LONGEST:
            raise UserError(f"match {self.length}: must be from 1 to {LONGEST} points, or 0 for money")
        if self.length and max(self.points) >= self.length:
            raise UserError(f"the score is {self.points[0]} to {self.points[1]} in a match to {self.length}")
        if self.value > LARGEST or self.value & (self.value - 1) or self.value < 1:
            raise UserError(f"a cube of {self.value}; must be a power of two up to {LARGEST}")
        if (self.value == 1) != (self.owner == NOBODY):
            raise UserError(f"a cube of {self.value} {'has no owner' if self.value == 1 else 'needs an owner'}")

    @classmethod
    def of(cls, setup: Any) -> "Terms":
        """Back from the rules of a state."""
        words = ("single", "doubling", "jacoby", "beavers", "resign")
        points = (int(setup["points"][0]), int(setup["points"][1]))
        value = max(1, int(setup["cube"]))
        owner = int(setup["owner"]) if value > 1 else NOBODY
        single, cube, jacoby, beavers, resign = (bool(setup[word]) for word in words)
        start = (int(setup["length"]), value, owner, points, int(setup["crawford"]))
        return cls(single, cube, jacoby, beavers, resign, *start)

    def write(self, setup: Any) -> None:
        """Write the terms into the rules of a state."""
        setup["single"], setup["doubling"], setup["length"] = self.single, self.cube, self.length
        setup["jacoby"], setup["beavers"], setup["resign"] = self.jacoby, self.beavers, self.resign
        setup["cube"], setup["owner"], setup["points"], setup["crawford"] = (
            self.value,
            self.owner,
            self.points,
            self.crawford,
        )

    def text(self) -> str:
        """The terms as the end of a record's first line: ` cube match 7 at 2+ 3 0`; the sign is the owner's, + for seat 0."""
        chosen = (self.single, self.cube, self.jacoby, self.beavers, self.resign)
        parts = [word for word, yes in zip(WORDS, chosen, strict=True) if yes]
        parts += [f"match {self.length}"] * bool(self.length)
        if (self.value, self.points, self.crawford) != (1, (0, 0), TO_COME):
            sign = {NOBODY: "", 0: "+", 1: "-"}[self.owner]
            parts += [f"at {self.value}{sign} {self.points[0]} {self.points[1]} {CRAWFORD[self.crawford]}".rstrip()]
        return "".join(f" {part}" for part in parts)


def read_terms(text: str) -> Terms | None:
    """Back from the text; None where it is not understood."""
    match = PATTERN.fullmatch(text)
    if match is None:
        return None
    words, (length, value, sign, mine, theirs, game) = match[1].split(), match.groups()[1:]
    single, cube, jacoby, beavers, resign = (word in words for word in WORDS)
    owner, points = {"": NOBODY, "+": 0, "-": 1}[sign or ""], (int(mine or 0), int(theirs or 0))
    crawford = {"crawford": NOW, "post-crawford": OVER}.get((game or "").strip(), TO_COME)
    start = (int(length or 0), int(value or 1), owner, points, crawford)
    return Terms(single, cube, jacoby, beavers, resign, *start)
