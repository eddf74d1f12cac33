"""The map as text: hexagons with troops and coordinates.

      / \\     / \\
    /     \\ /     \\
   |   b1  |   .   |
   |  0,0  |  0,1  |
    \\     / \\     / \\
"""

from typing import Any

from sparring.games.conquest.maps import tile_word
from sparring.games.conquest.notation import at

WIDTH = 8  # of a tile, from bar to bar
ROOF = ("   / \\  ", " /     \\")
FLOOR = (" \\     /", "   \\ /  ")


def board_text(s: Any) -> str:
    """The whole map."""
    rows, columns = int(s["rules"]["rows"]), int(s["rules"]["columns"])
    lines: list[str] = [*_edge(None, 0, columns)]
    for row in range(rows):
        tiles = range(row * columns, (row + 1) * columns)
        shift = " " * (WIDTH // 2 * (row % 2))
        lines.append(shift + "|" + "|".join(tile_word(int(s["board"][tile])).center(WIDTH - 1) for tile in tiles) + "|")
        lines.append(shift + "|" + "|".join(at(s, tile).center(WIDTH - 1) for tile in tiles) + "|")
        lines += _edge(row, row + 1 if row + 1 < rows else None, columns)
    return "\n".join(line.rstrip() for line in lines)


def _edge(above: int | None, below: int | None, columns: int) -> list[str]:
    """The two lines between rows: the lower edge of one row over the upper edge of the next."""
    lines = []
    for floor, roof in zip(FLOOR, ROOF, strict=True):
        line = [" "] * (WIDTH * columns + WIDTH // 2 + 1)
        for row, shape in ((above, floor), (below, roof)):
            first = None if row is None else WIDTH // 2 * (row % 2)
            for x in range(WIDTH * columns if first is not None else 0):
                if shape[x % WIDTH] != " ":
                    line[(first or 0) + x] = shape[x % WIDTH]
        lines.append("".join(line))
    return lines
