"""SVG as pixels, painted by matplotlib: the part of SVG that the tables and diagrams of games are drawn with."""

import re
from collections.abc import Iterator
from functools import lru_cache
from math import atan2, ceil, cos, degrees, hypot, pi, radians, sin, sqrt, tan
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.path import Path as Curve
    from matplotlib.transforms import Affine2D, Transform
    from PIL.Image import Image

PAPER = "#ffffff"
INHERITED = ("fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "font-size",
             "font-weight", "font-family", "text-anchor", "letter-spacing")  # fmt: skip
USUAL = {"fill": "#000", "stroke": "none", "stroke-width": "1", "font-size": "16", "text-anchor": "start"}
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}
Point = tuple[float, float]
Style = dict[str, str]


def paint(svg: str, width: int) -> "Image":
    """An SVG picture so many pixels wide, on white."""
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.transforms import Affine2D
    from PIL import Image

    root = ElementTree.fromstring(svg)
    left, upper, wide, high = map(float, root.get("viewBox", "0 0 100 100").split())
    scale = width / wide
    tall = ceil(high * scale)
    painter = Painter(RendererAgg(width, tall, 72), {part.get("id", ""): part for part in root.iter()})  # type: ignore[no-untyped-call]
    place = Affine2D().translate(-left, -upper).scale(scale, -scale).translate(0, tall)
    painter.draw(root, place, USUAL)
    found = Image.frombuffer("RGBA", (width, tall), bytes(painter.agg.buffer_rgba()), "raw", "RGBA", 0, 1)  # type: ignore[no-untyped-call]
    paper = Image.new("RGBA", found.size, PAPER)
    return Image.alpha_composite(paper, found).convert("RGB")


class Painter:
    """Draws the elements of one picture."""

    def __init__(self, agg: Any, named: dict[str, ElementTree.Element]) -> None:
        self.agg, self.named = agg, named

    def draw(self, element: ElementTree.Element, place: "Transform", inherited: Style) -> None:
        """Draw an element and what is in it; `place` leads from its coordinates to pixels."""
        kind = element.tag.rpartition("}")[2]
        style = inherited | {key: value for key in INHERITED if (value := element.get(key)) is not None}
        place = _transform(element.get("transform", "")) + place
        if kind in ("svg", "g"):
            for part in element:
                self.draw(part, place, style)
        elif kind == "use":
            from matplotlib.transforms import Affine2D

            moved = Affine2D().translate(_number(element, "x"), _number(element, "y")) + place
            self.draw(self.named[element.get("href", "")[1:]], moved, style)
        elif kind == "text":
            self.write(element, place, style)
        elif kind in SHAPES:
            self.fill(SHAPES[kind](element), place, style)

    def write(self, element: ElementTree.Element, place: "Transform", style: Style) -> None:
        """Draw a line of text."""
        from matplotlib.transforms import Affine2D

        words = "".join(element.itertext())
        bold = style.get("font-weight", "400") in ("600", "700", "bold")
        family = style.get("font-family", "")
        face = (
            "DejaVu Sans Mono"
            if "monospace" in family
            else "DejaVu Serif"
            if family.startswith("Georgia")
            else "DejaVu Sans"
        )
        glyphs, natural = _letters(words, face, bold)
        size = float(style["font-size"])
        wanted = size * natural + float(style.get("letter-spacing", 0)) * (len(words) - 1)
        wanted = float(element.get("textLength", wanted))
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[style["text-anchor"]] * wanted
        across = wanted / natural if natural else size
        at = Affine2D().scale(across, -size).translate(_number(element, "x") - back, _number(element, "y"))
        self.fill(glyphs, at + place, style)

    def fill(self, curve: "Curve", place: "Transform", style: Style) -> None:
        """Paint a curve inside and along its line."""
        from matplotlib.colors import to_rgba

        (a, c, _), (b, d, _), _ = place.get_matrix().tolist()
        scale = sqrt(abs(a * d - b * c))
        gc = self.agg.new_gc()
        colours = {}
        for what in ("fill", "stroke"):
            colour = {"currentColor": "#000"}.get(style[what], style[what])
            colours[what] = (
                None if colour in ("none", "transparent") else to_rgba(colour, float(style.get(f"{what}-opacity", 1)))
            )
        if colours["stroke"]:
            gc.set_linewidth(float(style["stroke-width"]) * scale)
            gc.set_foreground(colours["stroke"], isRGBA=True)
            if style.get("stroke-dasharray"):
                gc.set_dashes(0, [float(each) * scale for each in style["stroke-dasharray"].replace(",", " ").split()])
        else:
            gc.set_linewidth(0)
            gc.set_foreground((0, 0, 0, 0), isRGBA=True)
        self.agg.draw_path(gc, curve, place, colours["fill"])
        gc.restore()


def _number(element: ElementTree.Element, key: str) -> float:
    return float(element.get(key, 0))


def _transform(words: str) -> "Affine2D":
    """A transformation as SVG writes it: the last one is applied first."""
    from matplotlib.transforms import Affine2D

    whole = Affine2D()
    for kind, inside in reversed(re.findall(r"(\w+)\(([^)]*)\)", words)):
        given = [float(each) for each in re.findall(NUMBER, inside)]
        if kind == "translate":
            whole.translate(given[0], given[1] if len(given) > 1 else 0)
        elif kind == "scale":
            whole.scale(given[0], given[-1])
        elif kind == "rotate":
            x, y = given[1:] or (0.0, 0.0)
            whole.rotate_deg_around(x, y, given[0])
    return whole


@lru_cache(maxsize=2000)
def _letters(words: str, face: str, bold: bool) -> tuple["Curve", float]:
    """A text of size 1 as a curve, and its width."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path as Curve
    from matplotlib.textpath import TextToPath

    size = 100  # matplotlib's hinting disturbs small letters
    font = FontProperties(family=face, weight="bold" if bold else "normal", size=size)
    to_path = TextToPath()
    width = to_path.get_text_width_height_descent(words, font, ismath=False)[0]  # type: ignore[no-untyped-call]
    corners, codes = to_path.get_text_path(font, words, ismath=False)  # type: ignore[no-untyped-call]
    ratio = size / to_path.FONT_SCALE
    return Curve([(ratio * x / size, ratio * y / size) for x, y in corners] or [(0, 0)], codes or None), width / size


def _rectangle(element: ElementTree.Element) -> "Curve":
    x, y, wide, high = (_number(element, key) for key in ("x", "y", "width", "height"))
    r = min(_number(element, "rx"), wide / 2, high / 2)
    corner = f"a{r} {r} 0 0 1"
    return _curve(
        f"M{x + r} {y}h{wide - 2 * r}{corner} {r} {r}v{high - 2 * r}{corner} {-r} {r}h{2 * r - wide}{corner} {-r} {-r}"
        f"v{2 * r - high}{corner} {r} {-r}Z" if r else f"M{x} {y}h{wide}v{high}h{-wide}Z"
    )  # fmt: skip


def _circle(element: ElementTree.Element) -> "Curve":
    x, y, r = (_number(element, key) for key in ("cx", "cy", "r"))
    return _curve(f"M{x - r} {y}a{r} {r} 0 0 1 {2 * r} 0a{r} {r} 0 0 1 {-2 * r} 0Z")


def _polygon(element: ElementTree.Element) -> "Curve":
    return _curve(f"M{element.get('points', '')}Z")


def _path(element: ElementTree.Element) -> "Curve":
    return _curve(element.get("d", ""))


SHAPES = {"rect": _rectangle, "circle": _circle, "polygon": _polygon, "path": _path}


@lru_cache(maxsize=2000)
def _curve(words: str) -> "Curve":
    """A path as SVG writes it."""
    from matplotlib.path import Path as Curve

    corners: list[Point] = []
    codes: list[Any] = []
    at = start = (0.0, 0.0)
    for letter, given in _commands(words):
        kind, base = letter.upper(), at if letter.islower() else (0.0, 0.0)
        if kind == "Z":
            corners.append(start)
            codes.append(Curve.CLOSEPOLY)
            at = start
            continue
        if kind in "HV":
            given = [given[0], at[1] - base[1]] if kind == "H" else [at[0] - base[0], given[0]]
        if kind == "A":
            arc = _arc(at, given, (base[0] + given[5], base[1] + given[6]))
            corners += arc
            codes += [Curve.CURVE4] * len(arc)
        else:
            found = [(base[0] + x, base[1] + y) for x, y in zip(given[::2], given[1::2], strict=True)]
            corners += found
            codes += [{"M": Curve.MOVETO, "C": Curve.CURVE4, "Q": Curve.CURVE3}.get(kind, Curve.LINETO)] * len(found)
        at = corners[-1]
        start = at if kind == "M" else start
    return Curve(corners, codes)


def _commands(words: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its numbers; numbers that follow repeat it, and after a move are lines."""
    for letter, rest in re.findall(r"([A-Za-z])([^A-Za-z]*(?:[eE][-+]?\d[^A-Za-z]*)*)", words):
        count = ARGUMENTS[letter.upper()]
        given = [float(each) for each in re.findall(NUMBER, rest)]
        for place in range(0, max(len(given), 1), count or 1):
            yield ({"M": "L", "m": "l"}.get(letter, letter) if place else letter), given[place : place + count]


def _arc(start: Point, given: list[float], end: Point) -> list[Point]:
    """An elliptic arc as cubic curves (SVG 1.1, appendix F.6)."""
    (rx, ry, _, large, sweep), turn = given[:5], radians(given[2])
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = cos(turn) * dx + sin(turn) * dy, cos(turn) * dy - sin(turn) * dx
    grown = max(1.0, hypot(x / rx, y / ry))
    rx, ry = rx * grown, ry * grown
    left = (rx * ry) ** 2 - (rx * y) ** 2 - (ry * x) ** 2
    factor = sqrt(max(0.0, left) / ((rx * y) ** 2 + (ry * x) ** 2)) * (1 if large != sweep else -1)
    cx, cy = factor * rx * y / ry, -factor * ry * x / rx
    first = atan2((y - cy) / ry, (x - cx) / rx)
    span = atan2((-y - cy) / ry, (-x - cx) / rx) - first
    span += 2 * pi * ((sweep and span < 0) - (not sweep and span > 0))
    middle = (
        cos(turn) * cx - sin(turn) * cy + (start[0] + end[0]) / 2,
        sin(turn) * cx + cos(turn) * cy + (start[1] + end[1]) / 2,
    )
    count = max(1, ceil(abs(degrees(span)) / 90 - 1e-9))
    step = span / count
    reach = 4 / 3 * tan(step / 4)

    def out(angle: float, along: float) -> Point:
        a, b = rx * (cos(angle) - along * sin(angle)), ry * (sin(angle) + along * cos(angle))
        return middle[0] + cos(turn) * a - sin(turn) * b, middle[1] + sin(turn) * a + cos(turn) * b

    found = []
    for place in range(count):
        angle = first + place * step
        found += [out(angle, reach), out(angle + step, -reach), out(angle + step, 0)]
    return found
