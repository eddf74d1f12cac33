"""The map as a picture in the study's style: title, subtitle, and each tile with its owner's colour, troops, coordinates and
encoded value. The same shapes are written as SVG directly or as PNG by matplotlib.
"""

from collections.abc import Iterable
from html import escape
from math import cos, hypot, pi, sin, sqrt
from typing import Any, NamedTuple

import numpy as np

from sparring.games.conquest.notation import Sent, at
from sparring.games.conquest.rules import FULL

RADIUS = 46  # of a tile, from its centre to a corner
WIDTH, HEIGHT = sqrt(3) * RADIUS, 1.5 * RADIUS  # between tiles, and between rows
EDGE, HEAD = 22, 84  # margins around and above the map
NARROWEST = 480
PAPER, INK, GREY, PALE = "#fdfdfb", "#1c2733", "#46515d", "#9a9c98"
NATURE, BLUE, RED = "#dfe0dc", "#8fc0ee", "#f2a19a"
STRONG = ("#1f5f9e", "#b3362c")  # colours of the marks of a side's move
UNITS = DOTS = 100  # per inch of a PNG
FAMILY = "system-ui, DejaVu Sans, sans-serif"

Place = tuple[float, float]


class Polygon(NamedTuple):
    """A filled outline."""

    corners: list[Place]
    fill: str
    stroke: str = PAPER
    width: float = 3.0

    def svg(self) -> str:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in self.corners)
        return f'<polygon points="{points}" fill="{self.fill}" stroke="{self.stroke}" stroke-width="{self.width:g}"/>'

    def draw(self, axes: Any) -> None:
        from matplotlib import patches

        style: dict[str, Any] = {"facecolor": self.fill, "edgecolor": self.stroke, "linewidth": self.width * 72 / UNITS}
        axes.add_patch(patches.Polygon(self.corners, **style))


def hexagon(middle: Place, fill: str, stroke: str = PAPER, width: float = 3.0) -> Polygon:
    """A tile, or a mark around a changed one."""
    (x, y), inside = middle, RADIUS - width / 2 + 1
    corners = [(x + inside * sin(k * pi / 3), y + inside * cos(k * pi / 3)) for k in range(6)]
    return Polygon(corners, fill, stroke, width)


def arrow(start: Place, end: Place, colour: str) -> Polygon:
    """An arrow between the centres of two tiles, drawn over their border."""
    (x, y), right, down = start, end[0] - start[0], end[1] - start[1]
    across = -down / hypot(right, down), right / hypot(right, down)
    shape = ((0.36, 4), (0.52, 4), (0.52, 11), (0.68, 0), (0.52, -11), (0.52, -4), (0.36, -4))
    corners = [(x + far * right + wide * across[0], y + far * down + wide * across[1]) for far, wide in shape]
    return Polygon(corners, colour, PAPER, 1.5)


class Words(NamedTuple):
    """A centred line of text."""

    middle: Place
    text: str
    size: float
    colour: str = INK
    bold: bool = False

    def svg(self) -> str:
        x, y = self.middle
        weight = ' font-weight="700"' if self.bold else ""
        return (
            f'<text x="{x:.1f}" y="{y + 0.36 * self.size:.1f}" font-size="{self.size:g}" fill="{self.colour}"{weight} '
            f'text-anchor="middle">{escape(self.text)}</text>'
        )

    def draw(self, axes: Any) -> None:
        weight = "bold" if self.bold else "normal"
        style = {"ha": "center", "va": "center_baseline", "fontsize": self.size * 72 / UNITS, "color": self.colour}
        axes.text(*self.middle, self.text, weight=weight, parse_math=False, **style)


Shape = Polygon | Words


class Layout(NamedTuple):
    """The positions of the tiles of a map of this size."""

    rows: int
    columns: int

    @classmethod
    def of(cls, s: Any) -> "Layout":
        return cls(int(s["rules"]["rows"]), int(s["rules"]["columns"]))

    @property
    def size(self) -> tuple[int, int]:
        width = round((self.columns + 0.5 * (self.rows > 1)) * WIDTH + 2 * EDGE)
        return max(width, NARROWEST), round(HEAD + (self.rows - 1) * HEIGHT + 2 * RADIUS + EDGE)

    def middle(self, tile: int) -> Place:
        row, column = divmod(tile, self.columns)
        board = (self.columns + 0.5 * (self.rows > 1)) * WIDTH
        return (self.size[0] - board) / 2 + (column + 0.5 + 0.5 * (row % 2)) * WIDTH, HEAD + RADIUS + row * HEIGHT


def head(layout: Layout, title: str, subtitle: str) -> list[Shape]:
    """Title and subtitle above the map, small enough to fit."""
    width = layout.size[0]
    size = min(24.0, (width - 2 * EDGE) / (0.56 * max(len(title), 1)))
    small = min(15.0, (width - 2 * EDGE) / (0.56 * max(len(subtitle), 1)))
    return [Words((width / 2, 32), title, size, INK, True), Words((width / 2, 62), subtitle, small, GREY)]


def tile_shapes(s: Any, tile: int) -> list[Shape]:
    """A tile with its troops, coordinates and encoded value."""
    (x, y), troops = Layout.of(s).middle(tile), int(s["board"][tile])
    coordinates = f"({at(s, tile).replace(',', ', ')})"
    return [
        hexagon((x, y), NATURE if troops == 0 else BLUE if troops > 0 else RED),
        Words((x, y), str(abs(troops)), 27, INK if troops else PALE, bool(troops)),
        Words((x, y - 24), coordinates, 12, GREY),
        Words((x, y + 24), str(troops / FULL), 12, GREY),
    ]


def over_map(s: Any, title: str, subtitle: str, done: Sent | None) -> list[Shape]:
    """Words, and the opponent's move `done` that led here: a mark around its target, an arrow if troops were sent."""
    layout, colour = Layout.of(s), STRONG[1 - int(s["turn"])]
    shapes = head(layout, title, subtitle)
    if done:
        shapes.append(hexagon(layout.middle(done.target), "none", colour, 5))
    if done and done.source != done.target:
        shapes.append(arrow(layout.middle(done.source), layout.middle(done.target), colour))
    return shapes


def svg_of(layout: Layout, content: str, label: str) -> str:
    """An SVG document with this content."""
    width, height = layout.size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}" '
        f'font-family="{FAMILY}"><rect width="{width}" height="{height}" fill="{PAPER}"/>{content}</svg>'
    )


def map_svg(s: Any, title: str, subtitle: str = "", done: Sent | None = None) -> str:
    """The picture as SVG."""
    tiles = [shape for tile in range(int(s["rules"]["tiles"])) for shape in tile_shapes(s, tile)]
    content = "".join(shape.svg() for shape in [*tiles, *over_map(s, title, subtitle, done)])
    return svg_of(Layout.of(s), content, f"{title}; {described(s)}")


def described(s: Any) -> str:
    """The map in words, for screen readers."""
    sides = []
    for name, sign in (("blue", 1), ("red", -1)):
        held = [(at(s, tile), sign * int(s["board"][tile])) for tile in range(int(s["rules"]["tiles"]))]
        sides.append(
            f"{name}: " + (", ".join(f"{troops} on {place}" for place, troops in held if troops > 0) or "nothing")
        )
    return "; ".join(sides)


class Painter:
    """Paints shapes over a picture by matplotlib."""

    def __init__(self, layout: Layout) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.size = layout.size
        width, height = self.size
        figure = Figure(figsize=(width / UNITS, height / UNITS), dpi=DOTS)
        figure.patch.set_alpha(0)
        self.canvas: Any = FigureCanvasAgg(figure)
        self.axes = figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, width), ylim=(height, 0))
        self.axes.set_axis_off()

    def paper(self) -> Any:
        """An empty picture."""
        from PIL import Image  # a dependency of matplotlib

        return Image.new("RGBA", self.size, PAPER)

    def paint(self, under: Any, shapes: Iterable[Shape]) -> Any:
        """A new picture: `under` with the shapes painted over it."""
        from PIL import Image

        for old in [*self.axes.patches, *self.axes.texts]:
            old.remove()
        for shape in shapes:
            shape.draw(self.axes)
        self.canvas.draw()
        return Image.alpha_composite(under, Image.fromarray(np.asarray(self.canvas.buffer_rgba())))
