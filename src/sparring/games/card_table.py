"""What the card games' tables have in common: who looks at a state, and the layout of the picture that can be clicked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sparring.games import card_svg

WIDTH, MARGIN, PAD = 400, 8, 8  # of an interactive table
WIDE = 760  # of one for a wide window


def sees(s: Any, seat: int | None, whose: int) -> bool:
    """Whether a seat may see a hand: its own, and all once the game or a round is over (`turn` is -1).

    None sees everything, -1 (a spectator) nothing.
    """
    return bool(seat is None or seat == whose or s["over"] or s["turn"] < 0)


def points_text(names: Sequence[str], points: Sequence[int]) -> str:
    """Everyone's points: `ann 0, bob 13`."""
    return ", ".join(f"{name} {each}" for name, each in zip(names, points, strict=True))


@dataclass(frozen=True)
class Viewpoint:
    """A state as a seat, a spectator (-1) or someone who sees all cards (None) looks at it."""

    s: Any
    seat: int | None
    names: Sequence[str]
    width: int = WIDTH  # of the picture

    @property
    def wide(self) -> bool:
        return self.width > WIDTH

    @property
    def seated(self) -> bool:
        """Whether a seat looks, which can click parts of the table."""
        return self.seat is not None and self.seat >= 0

    @property
    def below(self) -> int:
        """The seat at the bottom of the picture."""
        return max(self.seat or 0, 0)

    @property
    def turn(self) -> int:
        """The seat to move, or -1."""
        return -1 if self.s["over"] else int(self.s["turn"])

    @property
    def between(self) -> bool:
        """Whether a round is over and the game is not: nobody is to move."""
        return bool(self.s["turn"] < 0 and not self.s["over"])

    def sees(self, whose: int) -> bool:
        return sees(self.s, self.seat, whose)

    def name(self, seat: int, limit: int = 16) -> str:
        return card_svg.short(self.names[seat], limit)

    def part(self, name: str, label: str, drawn: str) -> str:
        """A drawing that a seat can click."""
        return card_svg.part(name, label, drawn) if self.seated else drawn

    def panel(self, seat: int, upper: int, height: int, limit: int, said: str, cards: str) -> str:
        """A seat's place, as wide as the table: its name, what is said of it, and its cards."""
        marked, width = seat == self.turn, self.width - 2 * MARGIN
        name = card_svg.name_label(self.names[seat], PAD, 20, marked, limit)
        right = card_svg.words(said, width - PAD, 20, "end")
        return card_svg.panel(MARGIN, upper, width, height, marked, name + right + cards)

    def svg(self, height: int, label: str, drawn: Sequence[str]) -> str:
        """The whole table; `label` describes it to screen readers."""
        return card_svg.svg(self.width, height, label, "".join(drawn), "group" if self.seated else "img")


def heading(left: str, right: str, width: int = WIDTH) -> str:
    """The line above a table: where the game stands, and whose turn it is."""
    return card_svg.words(left, MARGIN + 4, 19) + (
        card_svg.words(right, width - MARGIN - 4, 19, "end") if right else ""
    )
