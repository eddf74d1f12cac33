"""The map as an interactive table whose tiles can be clicked.

Sides differ by more than colour: blue's troops stand on a disc, red's on a square, and red tiles have a border.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

from sparring.games.card_svg import read_svg, safe
from sparring.games.conquest.notation import SIDES, at
from sparring.games.conquest.picture import INK, described
from sparring.games.view import plural, shorten

ACROSS, DOWN, CORNER = 80, 69, 46  # between tiles, between rows, and from a tile's centre to a corner
EDGE, STRIP = 10, 42  # the margin; the height of a line of words
BESIDE, LETTERS = 150, 14  # the width of a column of words beside the map, in units and in letters
NARROWEST, NAME_WIDTH = 480, 20  # of the map, in units; of a name, in letters
SEA, WHITE, GOLD, PALE = "#173a50", "#fff", "#ffcf4d", "#dbe6ec"
COLOURS = ("#6fb0ee", "#f08f7e")
TROOPS = f'fill="{INK}" font-family="system-ui, sans-serif" font-size="29" font-weight="700" text-anchor="middle"'
DRAWN = read_svg(__file__, "tiles.svg")  # tiles and the ground of troops, drawn once and referenced by every tile


class Shape(NamedTuple):
    """The size of the drawing of a map, with words above and below it, or beside it."""

    rows: int
    columns: int
    beside: bool = False

    @property
    def board(self) -> int:
        return self.columns * ACROSS + ACROSS // 2 * (self.rows > 1)

    @property
    def width(self) -> int:
        return (self.board + 2 * self.column if self.beside else max(self.board, NARROWEST)) + 2 * EDGE

    @property
    def larger(self) -> float:
        """The scale of words: larger on a wide map, which is shown at the same width."""
        return max(1.0, self.board / 540)

    @property
    def column(self) -> int:
        """The width of the words at each side of the map."""
        return round(BESIDE * self.larger)

    @property
    def strip(self) -> int:
        return 0 if self.beside else round(STRIP * self.larger)

    @property
    def height(self) -> int:
        return 3 * self.strip + (self.rows - 1) * DOWN + 2 * CORNER + 2 * EDGE

    def middle(self, tile: int) -> tuple[int, int]:
        row, column = divmod(tile, self.columns)
        left = (self.width - self.board) // 2 + ACROSS // 2
        return left + column * ACROSS + row % 2 * (ACROSS // 2), 2 * self.strip + EDGE + CORNER + row * DOWN


def table_svg(s: Any, near: int, names: Sequence[str], heading: str, said: str, beside: bool = False) -> str:
    """The map between the lines of both sides, that of `near` below; above them a heading and what is `said`.

    With `beside`, the words stand at the left and at the right of the map.
    """
    shape = Shape(int(s["rules"]["rows"]), int(s["rules"]["columns"]), beside)
    words = _columns if beside else _words
    tiles = range(shape.rows * shape.columns)
    places = ""
    for tile in tiles:
        (x, y), down = shape.middle(tile), 28 if s["board"][tile] else 5
        places += f'<text x="{x}" y="{y + down}">{at(s, tile)}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {shape.width} {shape.height}" role="group" '
        f'aria-label="{safe(f"{heading}: {said}; {described(s)}")}" {TROOPS}><defs>{DRAWN}</defs>'
        f'<rect width="{shape.width}" height="{shape.height}" rx="14" fill="{SEA}"/>'
        f"{''.join(words(s, shape, near, names, heading, said))}{''.join(_tile(s, shape, tile) for tile in tiles)}"
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


def _columns(s: Any, shape: Shape, near: int, names: Sequence[str], heading: str, said: str) -> Iterator[str]:
    """The words beside the map: at the left the heading and the other side, at the right what is said and the near side."""
    line, right = round(26 * shape.larger), shape.width - EDGE - shape.column + 16
    yield _text(shape, EDGE + line, heading, _fitting(heading, 18), PALE, "start", EDGE + 4)
    for n, words in enumerate(wrap(said, LETTERS)):
        yield _text(shape, EDGE + line + n * line, words, 18, GOLD, "start", right)
    for seat, x, y in ((1 - near, EDGE + 4, EDGE + 3 * line), (near, right, shape.height - EDGE - 4 * line)):
        tiles, troops = _held(s, seat)
        name = shorten(names[seat], NAME_WIDTH)
        yield _sign(shape, seat, x, y) + _called(s, shape, seat, x, y, name, _fitting(f"   ▸ {name}", 20))
        for n, words in enumerate((SIDES[seat], tiles, troops)):
            yield _text(shape, y + line + n * line, words, 18, PALE, "start", x)


def _side(s: Any, shape: Shape, seat: int, y: int, name: str) -> str:
    """A side's sign, name, tiles and troops in a line."""
    tiles, troops = _held(s, seat)
    held = _text(shape, y, f"{SIDES[seat]}: {tiles}, {troops}", 18, PALE, "end", shape.width - EDGE - 4)
    return _sign(shape, seat, EDGE + 4, y) + _called(s, shape, seat, EDGE + 4, y, name, 20) + held


def _held(s: Any, seat: int) -> tuple[str, str]:
    """A side's tiles and troops in words."""
    tiles, troops = int(s["tally"]["tiles"][seat]), int(s["tally"]["troops"][seat])
    return plural(tiles, "tile"), plural(troops, "troop")


def _sign(shape: Shape, seat: int, x: int, y: int) -> str:
    """A side's sign before its name."""
    size = round(9 * shape.larger)
    box = f'x="{x}" y="{y - round(1.75 * size)}" width="{2 * size}" height="{2 * size}" rx="{2 if seat else size}"'
    return f'<rect {box} fill="{COLOURS[seat]}"/>'


def _called(s: Any, shape: Shape, seat: int, x: int, y: int, name: str, size: int) -> str:
    """A side's name, marked if it is to move."""
    marked = bool(seat == s["turn"] and not s["over"])
    shown, colour = ("▸ " * marked) + shorten(name, NAME_WIDTH), GOLD if marked else WHITE
    return _text(shape, y, shown, size, colour, "start", x - 2 + round(27 * shape.larger))


def _fitting(words: str, size: int) -> int:
    """The largest font size, up to `size`, at which words fit into a column beside the map."""
    return min(size, int((BESIDE - 16) / (0.6 * len(words))))


def _text(shape: Shape, y: int, text: str, size: int, colour: str, anchor: str, x: int) -> str:
    light = ' font-weight="400"' if colour == PALE else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{round(size * shape.larger)}" fill="{colour}" '
        f'text-anchor="{anchor}"{light}>{safe(text)}</text>'
    )
