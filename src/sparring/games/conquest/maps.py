"""Conquest maps as text: a line for each row of tiles, a word for each tile.

    # red stands in the middle
    b1 . . .
     . r5 r10 .
    . . . .

`.` is nature's, `b1` to `b20` are blue's troops, `r1` to `r20` red's. Every second row lies half a tile further right, which
the spaces may show. Empty lines and what follows a `#` say nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sparring.errors import UserError
from sparring.games.conquest.rules import FULL, PLACES, TILES

FOLDER = Path(__file__).parent / "maps"
NAMES = ("duel", "empty", "easy", "hard")  # that come with the game
SUFFIX = ".map"
SIGN = {"b": 1, "r": -1}
TILE = re.compile(r"([br])([0-9]+)", re.IGNORECASE)
WANTED = f"a tile is '.', b1 to b{FULL} or r1 to r{FULL}"

# Where the six neighbours lie, in rows and columns, from a tile in an even row and in an odd one.
AROUND = (((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)), ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)))


@dataclass(frozen=True)
class Map:
    """A map: its tiles row by row, troops of blue positive and of red negative."""

    rows: int
    columns: int
    board: tuple[int, ...]

    @property
    def tiles(self) -> int:
        return self.rows * self.columns

    def holds(self, seat: int) -> int:
        """How many tiles a seat holds."""
        return sum((1 - 2 * seat) * troops > 0 for troops in self.board)

    def line(self) -> str:
        """The map in one line, its rows parted by `/`; `parse_map` reads it."""
        words = [tile_word(troops) for troops in self.board]
        return " / ".join(" ".join(words[row * self.columns :][: self.columns]) for row in range(self.rows))

    def write(self, told: Any) -> None:
        """Write the map into the rules of a state."""
        told["tiles"], told["rows"], told["columns"] = self.tiles, self.rows, self.columns
        told["board"][: self.tiles] = self.board
        for tile in range(self.tiles):
            row, column = divmod(tile, self.columns)
            told["row"][tile], told["column"][tile] = row, column
            told["near"][tile] = list(self._near(row, column))

    def _near(self, row: int, column: int) -> Iterator[int]:
        for down, right in AROUND[row % 2]:
            inside = 0 <= row + down < self.rows and 0 <= column + right < self.columns
            yield (row + down) * self.columns + column + right if inside else -1


assert all(len(around) == PLACES for around in AROUND)


def tile_word(troops: int) -> str:
    """A tile as maps write it."""
    return "." if troops == 0 else f"{'b' if troops > 0 else 'r'}{abs(troops)}"


def find_map(name: str) -> Map:
    """The map of this name, or else in the file of this path."""
    path = FOLDER / f"{name}{SUFFIX}" if name in NAMES else Path(name)
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise UserError(f"{name}: not a map: it is not plain text") from None
        raise UserError(f"map {name!r}: neither one of {', '.join(NAMES)} nor a file") from None
    except OSError as error:
        raise UserError(f"{name}: cannot be read ({error.strerror})") from None
    return parse_map(text.split("\n"), name, lambda number: f"{name}, line {number}")


def parse_map(lines: list[str], place: str, where: Any) -> Map:
    """The map that these lines say; errors name the `place`, or what `where` calls the line of that number."""
    rows: list[list[int]] = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if rows and len(words) != len(rows[0]):
            raise UserError(f"{where(number)}: {len(words)} tiles; every row has {len(rows[0])}, as the first")
        rows.append([_troops(word, f"{where(number)}, tile {n}") for n, word in enumerate(words, 1)])
        if len(rows) * len(words) > TILES:
            raise UserError(f"{place}: more than {TILES} tiles; a map has at most {TILES}")
    if not rows:
        raise UserError(f"{place}: no rows; a row is written like 'b1 . . r10'")
    found = Map(len(rows), len(rows[0]), tuple(troops for row in rows for troops in row))
    if not found.holds(0):
        raise UserError(f"{place}: no blue tile; write one such as b1")
    return found


def _troops(word: str, place: str) -> int:
    if word == ".":
        return 0
    told = TILE.fullmatch(word)
    if told is None:
        owners = {letter for letter in word.lower() if letter in SIGN}
        problem = "two owners" if len(owners) > 1 else "not understood"
        raise UserError(f"{place}: {word[:20]!r}: {problem}; {WANTED}")
    troops = int(told[2]) if len(told[2]) < 9 else TILES
    if not 1 <= troops <= FULL:
        raise UserError(f"{place}: {word[:20]!r}: {told[2][:9]} troops; {WANTED}")
    return SIGN[told[1].lower()] * troops
