"""The map as an interactive table whose tiles can be clicked.

Sides differ by more than colour: blue's troops stand on a disc, red's on a square, and red tiles have a border.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sparring.games.card_svg import read_svg, safe
from sparring.games.conquest.notation import SIDES, at
from sparring.games.conquest.picture import INK, described
from sparring.games.view import plural, shorten

ACROSS, DOWN, CORNER = 80, 69, 46  # between tiles, between rows, and from a tile's centre to a corner
EDGE, STRIP = 10, 42  # the margin; the height of a line of words
NARROWEST, NAME_WIDTH = 480, 20  # of the map, in units; of a name, in letters
SEA, WHITE, GOLD, PALE = "#173a50", "#fff", "#ffcf4d", "#dbe6ec"
COLOURS = ("#6fb0ee", "#f08f7e")
TROOPS = f'fill="{INK}" font-family="system-ui, sans-serif" font-size="29" font-weight="700" text-anchor="middle"'
DRAWN = read_svg(__file__, "tiles.svg")  # tiles and the ground of troops, drawn once and referenced by every tile


class Shape(NamedTuple):
    """The size of the drawing of a map."""

    rows: int
    columns: int

    @property
    def board(self) -> int:
        return self.columns * ACROSS + ACROSS // 2 * (self.rows > 1)

    @property
    def width(self) -> int:
        return max(self.board, NARROWEST) + 2 * EDGE

    @property
    def larger(self) -> float:
        """The scale of words: larger on a wide map, which is shown at the same width."""
        return max(1.0, self.width / 560)

    @property
    def strip(self) -> int:
        return round(STRIP * self.larger)

    @property
    def height(self) -> int:
        return 3 * self.strip + (self.rows - 1) * DOWN + 2 * CORNER + 2 * EDGE

    def middle(self, tile: int) -> tuple[int, int]:
        row, column = divmod(tile, self.columns)
        left = (self.width - self.board) // 2 + ACROSS // 2
        return left + column * ACROSS + row % 2 * (ACROSS // 2), 2 * self.strip + EDGE + CORNER + row * DOWN


def table_svg(s: Any, near: int, names: Sequence[str], heading: str, said: str) -> str:
    """The map between the lines of both sides, that of `near` below; above them a heading and what is `said`."""
    shape = Shape(int(s["rules"]["rows"]), int(s["rules"]["columns"]))
    tiles = range(shape.rows * shape.columns)
    places = ""
    for tile in tiles:
        (x, y), down = shape.middle(tile), 28 if s["board"][tile] else 5
        places += f'<text x="{x}" y="{y + down}">{at(s, tile)}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {shape.width} {shape.height}" role="group" '
        f'aria-label="{safe(f"{heading}: {said}; {described(s)}")}" {TROOPS}><defs>{DRAWN}</defs>'
        f'<rect width="{shape.width}" height="{shape.height}" rx="14" fill="{SEA}"/>'
        f"{''.join(_words(s, shape, near, names, heading, said))}{''.join(_tile(s, shape, tile) for tile in tiles)}"
        f'<g font-size="15" font-weight="400" pointer-events="none">{places}</g></svg>'
    )


def _tile(s: Any, shape: Shape, tile: int) -> str:
    """A tile and its troops, which can be dragged."""
    (x, y), troops, place = shape.middle(tile), int(s["board"][tile]), at(s, tile)
    drawn, said = '<use href="#conquest-nature"/>', "nature"
    if troops:
        side, under = SIDES[troops < 0], "disc" if troops > 0 else "square"
        said = f"{side}, {plural(abs(troops), 'troop')}"
        drawn = f'<use href="#conquest-{side}"/><g data-grip=""><use href="#conquest-{under}"/><text>{abs(troops)}</text></g>'
    return f'<g data-part="{place}" aria-label="{place}: {said}" transform="translate({x} {y})">{drawn}</g>'


def _words(s: Any, shape: Shape, near: int, names: Sequence[str], heading: str, said: str) -> Iterator[str]:
    """The words above and below the map."""
    line = round(0.68 * shape.strip)
    width = shape.width / shape.larger - 2 * EDGE - 11 * len(heading) - 20
    yield _text(shape, line, heading, 18, PALE, "start", EDGE + 4)
    yield _text(shape, line, said, min(20, int(width / (0.64 * len(said)))), GOLD, "end", shape.width - EDGE - 4)
    for seat, y in ((1 - near, shape.strip + line), (near, shape.height - shape.strip + line)):
        yield _side(s, shape, seat, y, names[seat])


def _side(s: Any, shape: Shape, seat: int, y: int, name: str) -> str:
    """A side's sign, name (marked if it is to move), tiles and troops."""
    marked = bool(seat == s["turn"] and not s["over"])
    tiles, troops = int(s["tally"]["tiles"][seat]), int(s["tally"]["troops"][seat])
    size = round(9 * shape.larger)
    sign = f'<rect x="{EDGE + 4}" y="{y - round(1.75 * size)}" width="{2 * size}" height="{2 * size}" rx="{2 if seat else size}" '
    held = f"{SIDES[seat]}: {plural(tiles, 'tile')}, {plural(troops, 'troop')}"
    shown, colour = ("▸ " * marked) + shorten(name, NAME_WIDTH), GOLD if marked else WHITE
    called = _text(shape, y, shown, 20, colour, "start", EDGE + 2 + 3 * size)
    return f'{sign}fill="{COLOURS[seat]}"/>{called}{_text(shape, y, held, 18, PALE, "end", shape.width - EDGE - 4)}'


def _text(shape: Shape, y: int, text: str, size: int, colour: str, anchor: str, x: int) -> str:
    light = ' font-weight="400"' if colour == PALE else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{round(size * shape.larger)}" fill="{colour}" '
        f'text-anchor="{anchor}"{light}>{safe(text)}</text>'
    )
