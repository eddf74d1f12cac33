"""A canvas of lines, pills, dots and text, written as SVG, or as PNG by matplotlib."""

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sparring.report.plots import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = "#fdfdfb"
CHARACTER = 0.58  # a character's approximate width over its size
SCALE, DOTS = 100, 200  # units and dots to the inch of a PNG


class Line(NamedTuple):
    """A curve from one point to another that starts and ends horizontally, with a tooltip."""

    start: tuple[float, float]
    end: tuple[float, float]
    colour: str = INK
    width: float = 1.0
    opacity: float = 1.0
    dotted: bool = False
    tooltip: str = ""

    def bends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The control points of the cubic curve."""
        reach = max(30.0, abs(self.end[0] - self.start[0]) / 2) if self.start[1] != self.end[1] else 0.0
        return (self.start[0] + reach, self.start[1]), (self.end[0] - reach, self.end[1])

    def height(self, x: float) -> float:
        """The y value at x."""
        t = np.linspace(0, 1, 65)
        xs, ys = (
            (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d
            for a, b, c, d in zip(self.start, *self.bends(), self.end, strict=True)
        )
        return float(np.interp(x, xs, ys))

    def svg(self) -> str:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*self.bends(), self.end))
        dots = ' stroke-dasharray="1.5 4"' if self.dotted else ""
        return (
            f'<path d="M{self.start[0]:.1f},{self.start[1]:.1f} C{points}" fill="none" stroke="{self.colour}" '
            f'stroke-width="{self.width:.2f}" stroke-opacity="{self.opacity:g}"{dots}>{_title(self.tooltip)}</path>'
        )


class Pill(NamedTuple):
    """A rounded box with text; a dot if it is as wide as high and empty."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    words: str = ""
    tooltip: str = ""
    ink: str = "#fff"

    def svg(self) -> str:
        left, upper = self.x - self.width / 2, self.y - self.height / 2
        box = f'<rect x="{left:.1f}" y="{upper:.1f}" width="{self.width:.1f}" height="{self.height:.1f}"'
        size = self.height * 0.62
        words = Words(self.x, self.y, self.words, size, "middle", self.ink).svg() if self.words else ""
        return f'{box} rx="{self.height / 2:.1f}" fill="{self.colour}">{_title(self.tooltip)}</rect>{words}'


class Words(NamedTuple):
    """A line of text, vertically centred; the anchor is its start, middle or end."""

    x: float
    y: float
    words: str
    size: float = 11.0
    anchor: str = "start"
    colour: str = INK
    bold: bool = False

    def svg(self) -> str:
        weight = ' font-weight="600"' if self.bold else ""
        return (
            f'<text x="{self.x:.1f}" y="{self.y + self.size * 0.35:.1f}" font-size="{self.size:g}" '
            f'text-anchor="{self.anchor}" fill="{self.colour}"{weight} pointer-events="none">{escape(self.words)}</text>'
        )


def text_width(words: str, size: float) -> float:
    """The approximate width of a text."""
    return CHARACTER * size * len(words)


class Canvas:
    """Items in drawing order."""

    def __init__(self, width: float, height: float, about: str, paper: bool = False) -> None:
        """`paper` adds a background, for pages of any colour and pages that forbid styles."""
        self.width, self.height, self.about, self.paper = width, height, about, paper
        self.items: list[Line | Pill | Words] = []

    def add(self, *items: Line | Pill | Words) -> None:
        self.items += items

    def svg(self) -> str:
        """The canvas as SVG with real text; what must contrast with the page is in INK."""
        box = f'width="{self.width:.0f}" height="{self.height:.0f}" rx="8" fill="{PAPER}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.0f} {self.height:.0f}" role="img" '
            f'aria-label="{escape(self.about)}" font-family="system-ui, sans-serif" style="background: {PAPER}">\n'
            + (f"<rect {box}/>\n" if self.paper else "")
            + "\n".join(item.svg() for item in self.items)
            + "\n</svg>\n"
        )

    def write_png(self, path: Path) -> None:
        """Write the canvas as PNG."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(self.width / SCALE, self.height / SCALE), facecolor=PAPER)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, self.width)
        axes.set_ylim(self.height, 0)
        for order, item in enumerate(self.items):
            _put(axes, item, order)
        figure.savefig(path, format="png", dpi=DOTS)


def _title(words: str) -> str:
    return f"<title>{escape(words)}</title>" if words else ""


def _put(axes: "Axes", item: Line | Pill | Words, order: int) -> None:
    """Draw an item on matplotlib's axes, above the earlier ones; matplotlib measures in points."""
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.path import Path as Curve

    points = 72 / SCALE
    if isinstance(item, Line):
        curve = Curve([item.start, *item.bends(), item.end], [Curve.MOVETO, *[Curve.CURVE4] * 3])
        style = (0, (1.5, 4)) if item.dotted else "-"
        line = {"edgecolor": item.colour, "linewidth": item.width * points, "alpha": item.opacity, "linestyle": style}
        axes.add_patch(PathPatch(curve, fill=False, zorder=order, **line))
        return
    if isinstance(item, Pill):
        half = item.height / 2
        box = (item.x - item.width / 2 + half, item.y), max(item.width - item.height, 1e-3), 1e-3
        axes.add_patch(FancyBboxPatch(*box, f"round,pad={half}", facecolor=item.colour, edgecolor="none", zorder=order))
        item = Words(item.x, item.y, item.words, item.height * 0.62, "middle", item.ink)
    side = {"start": "left", "middle": "center", "end": "right"}[item.anchor]
    weight = "bold" if item.bold else "normal"
    axes.text(
        item.x, item.y, item.words, color=item.colour, fontsize=item.size * points, ha=side, va="center_baseline",
        weight=weight, zorder=order, parse_math=False,
    )  # fmt: skip
