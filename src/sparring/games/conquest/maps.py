"""Conquest maps as text: one line per row of tiles, one word per tile.

    # red stands in the middle
    b1 . . .
     . r5 r10 .
    . . . .

`.` is nature's, `b1` to `b20` are blue's troops, `r1` to `r20` red's. Every second row is half a tile further right, which
spaces may show. Empty lines and text after `#` are ignored.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sparring.errors import UserError, cut
from sparring.games.conquest.random_map import LARGEST
from sparring.games.conquest.rules import AUTHOR, FULL, TEXT, TILES
from sparring.reading import read_text

FOLDER = Path(__file__).parent / "maps"
NAMES = ("duel", "empty", "easy", "hard", "hard-author")
RANDOM = "random"  # a new map for each deal: see random_map.py
SUFFIX = ".map"
MOST_BYTES = 1 << 16  # of a file
Offsets = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]  # in even rows, in odd rows
SIGN = {"b": 1, "r": -1}
TILE = re.compile(r"([br])([0-9]+)", re.IGNORECASE)
WANTED = f"a tile is '.', b1 to b{FULL} or r1 to r{FULL}"

# Offsets of the six neighbours in rows and columns, for even rows and for odd rows.
AROUND = (((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)), ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)))
CORNERS = (((-1, 1), (1, 1)), ((-1, -1), (1, -1)))  # and of the two other tiles one row and one column away


@dataclass(frozen=True)
class Map:
    """A map: its tiles row by row, blue's troops positive and red's negative."""

    rows: int
    columns: int
    board: tuple[int, ...]

    @property
    def tiles(self) -> int:
        return self.rows * self.columns

    def holds(self, seat: int) -> int:
        """The number of tiles that a seat holds."""
        return sum((1 - 2 * seat) * troops > 0 for troops in self.board)

    def line(self) -> str:
        """The map in one line, rows separated by `/`."""
        words = [tile_word(troops) for troops in self.board]
        return " / ".join(" ".join(words[row * self.columns :][: self.columns]) for row in range(self.rows))

    def write(self, rules: Any, reading: int = TEXT) -> None:
        """Write the map and the reading into the rules of a state."""
        rules["tiles"], rules["rows"], rules["columns"] = self.tiles, self.rows, self.columns
        rules["board"][: self.tiles] = self.board
        for tile in range(self.tiles):
            row, column = divmod(tile, self.columns)
            rules["row"][tile], rules["column"][tile] = row, column
            rules["near"][tile] = list(self._around(row, column, AROUND))
            rules["corner"][tile] = list(self._around(row, column, CORNERS)) if reading == AUTHOR else -1
        rules["reading"] = reading

    def _around(self, row: int, column: int, offsets: Offsets) -> Iterator[int]:
        for down, right in offsets[row % 2]:
            inside = 0 <= row + down < self.rows and 0 <= column + right < self.columns
            yield (row + down) * self.columns + column + right if inside else -1


def tile_word(troops: int) -> str:
    """A tile in map notation."""
    return "." if troops == 0 else f"{'b' if troops > 0 else 'r'}{abs(troops)}"


def find_map(name: str) -> Map:
    """The map with this name, or in the file with this path. Other files are not opened: errors show words of a map.

    Of random maps it is the largest, with a troop of each side in opposite corners.
    """
    if name == RANDOM:
        return Map(LARGEST, LARGEST, (1, *(LARGEST * LARGEST - 2) * (0,), -1))
    if name not in NAMES and not name.endswith(SUFFIX):
        known = ", ".join((*NAMES, RANDOM))
        raise UserError(f"map {cut(name)}: neither one of {known} nor a file that ends in {SUFFIX}")
    text = read_text(FOLDER / f"{name}{SUFFIX}" if name in NAMES else Path(name), "a map", most=MOST_BYTES)
    return parse_map(text.split("\n"), name, lambda number: f"{name}, line {number}")


def parse_map(lines: list[str], place: str, where: Any) -> Map:
    """Parse a map. Errors name `place`, or `where(number)` for a line."""
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
    match = TILE.fullmatch(word)
    if match is None:
        owners = {letter for letter in word.lower() if letter in SIGN}
        problem = "two owners" if len(owners) > 1 else "not understood"
        raise UserError(f"{place}: {word[:20]!r}: {problem}; {WANTED}")
    troops = int(match[2]) if len(match[2]) < 9 else TILES
    if not 1 <= troops <= FULL:
        raise UserError(f"{place}: {word[:20]!r}: {match[2][:9]} troops; {WANTED}")
    return SIGN[match[1].lower()] * troops
