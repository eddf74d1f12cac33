"""A net drawn as a graph: inputs on the left, outputs on the right, hidden nodes between.

A line's width is the size of its weight, its colour the sign. Many inputs are drawn in several columns, each with a thin line
under its neighbours' names to where its connections begin. With values of its nodes a net is drawn at work: a node's colour
shows its value, and a line's width the weight times the value of its source.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from textwrap import wrap
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.game import Game
from sparring.kernel.network import ACTIVATIONS, SIGMOID
from sparring.nets.dense import Net
from sparring.nets.genome import AGGREGATIONS
from sparring.report.canvas import Canvas, Line, Pill, Words, text_width
from sparring.report.plots import SERIES
from sparring.report.wiring import Wiring, count, wiring, wiring_at_work

Labels = tuple[Sequence[str], Sequence[str]]  # of inputs and of outputs
Values = Mapping[int, float]  # of nodes, by their keys: `sparring.nets.evaluators.activations`
Place = tuple[float, float]

POSITIVE, NEGATIVE = SERIES[:2]
SLATE, DARK = "#616b77", "#4a545f"  # hidden nodes and outputs: white is readable on these
PALE, BLACK = "#d7dde3", "#14181c"  # an inactive node, and the text in it
LIGHT = 0.18  # the luminance above which text is black
THIN, THICK, MANY = 0.5, 4.0, 800  # lines; where there are many, all of them are thinner
USUAL = (ACTIVATIONS[SIGMOID], AGGREGATIONS[0])
ROWS = 56  # inputs in a column
WIDTH, NARROW, LEAST, MARGIN = 960, 600, 200, 16  # of most drawings, of the narrowest; the least height; around it
HEAD, LEGEND, NOTE = 70, 34, 16  # the height of the title, of the legend and of a line of notes
NEAR, FAR = 110, 230  # from layer to layer; further in a tall graph
SWEEPS = 8  # in each, hidden nodes go to the middle of their neighbours, so that fewer lines cross
CLEAR = 16  # from a line that passes to a node, if there is text_width
ROW = 15  # from input to input
APART, TIGHT, TIGHTEST = 34, 19, 13  # from node to node: where there is text_width, where not, where there are many


def draw_net(net: Net, labels: Labels | None = None, whole: bool = False, values: Values | None = None) -> str:
    """The net as SVG. `whole` adds disabled connections, dotted, and nodes that lead to no output; `values` shows it at work."""
    return net_canvas(net, labels, whole, values).svg()


def net_canvas(net: Net, labels: Labels | None = None, whole: bool = False, values: Values | None = None) -> Canvas:
    """The net's drawing, to be written as SVG or PNG."""
    if net.parts:
        raise UserError(f"a team of nets: draw its parts one by one: {', '.join(net.parts)}")
    return (_AtWork(net, values, labels) if values else _Drawing(net, wiring(net, whole), labels)).canvas()


def connections(net: Net, labels: Labels | None = None) -> list[list[Any]]:
    """The connections drawn by `draw_net` as rows, the header first."""
    drawing = _Drawing(net, wiring(net), labels)
    ends = drawing.shown.links[["source", "target", "weight"]].tolist()
    rows = [[drawing.name(source), drawing.name(target), weight] for source, target, weight in ends]
    return [["from", "to", "weight"], *rows]


def net_labels(net: Net, game: Game) -> Labels | None:
    """The names of a net's inputs and outputs, if the game names all of them."""
    labels = game.view.net_labels(net.encoding, net.policy, net.shape[-1])
    return labels if (len(labels[0]), len(labels[1])) == (net.inputs, net.shape[-1]) else None


class _Drawing:
    """The layout: `begin` and `end` are where a node's connections leave and enter it."""

    def __init__(self, net: Net, shown: Wiring, labels: Labels | None) -> None:
        self.net, self.shown = net, shown
        self.strengths = shown.links["weight"] if shown.carried is None else shown.carried
        self.labels = labels or ([f"{n}" for n in range(1, net.inputs + 1)], [f"{n}" for n in range(net.shape[-1])])
        self.nodes = {int(node["key"]): node for node in shown.genome.nodes}
        self.begin: dict[int, Place] = {}
        self.end: dict[int, Place] = {}
        inputs, *hidden, outputs = shown.layers
        self.columns = max(1, -(-len(inputs) // ROWS))
        self.rows = max(1, -(-len(inputs) // self.columns))
        tallest = max([len(layer) for layer in hidden], default=0)
        pitch = TIGHT if tallest < ROWS else TIGHTEST
        self.height = max(LEAST, self.rows * ROW, tallest * pitch, len(outputs) * APART)

    def name(self, key: int) -> str:
        if key < 0:
            return self.labels[0][-1 - key]
        if key < self.shown.genome.outputs:
            return self.labels[1][key]
        return str(key if self.net.genome else key - self.shown.genome.outputs + 1)

    def canvas(self) -> Canvas:
        inputs, *hidden, outputs = self.shown.layers
        items = [*self._inputs(inputs)]
        left = self.begin[inputs[-1]][0] if inputs else MARGIN
        right = MARGIN + 24 + max(text_width(self.name(key), 12) for key in outputs)
        steps = len(hidden) + 1
        step = max(NEAR, min((WIDTH - left - right) / steps, max(FAR, self.height / 2, NARROW / steps)))
        width = max(left + steps * step + right, NARROW)
        items += self._outputs(outputs, left + steps * step)
        places = [(layer, left + number * step) for number, layer in enumerate(hidden, 1)]
        for sweep in range(1, SWEEPS + 1):
            pills = [pill for layer, x in places for pill in self._hidden(layer, x, sweep == SWEEPS)]
        notes = wrap(self._left_out(), int((width - 2 * MARGIN) / text_width(" ", 11)))
        height = HEAD + self.height + LEGEND + NOTE * len(notes) + MARGIN / 2
        canvas = Canvas(width, height, self._title(), self.shown.carried is not None)
        canvas.add(*self._head(), *self._lines(), *items, *pills, *self._legend())
        for number, note in enumerate(notes):
            canvas.add(Words(MARGIN, HEAD + self.height + LEGEND + NOTE * (number + 0.5), note, 11))
        return canvas

    def _inputs(self, keys: list[int]) -> Iterator[Line | Pill | Words]:
        """Rows and columns of names, each with a dot; several columns leave a band for lines under their names."""
        pitch = self.height / self.rows
        size = min(12.0, 0.75 * pitch) if self.columns == 1 else min(9.5, 0.62 * pitch)
        wide = max([text_width(self._label(key), size) for key in keys], default=0) + 18
        edge = MARGIN + self.columns * wide
        for number, key in enumerate(keys):
            column, row = divmod(number, self.rows)
            x, y = MARGIN + (column + 1) * wide - 5, HEAD + (row + 0.5) * pitch
            level = y if self.columns == 1 else y + pitch * (0.14 + 0.34 * (column + 0.5) / self.columns)
            self.begin[key] = (edge, level)
            yield Words(x - 6, y if self.columns == 1 else y - 0.16 * pitch, self._label(key), size, "end")
            yield self._dot(key, x, level)
            yield Line((x, level), (edge, level), SLATE, 0.5, 0.5)

    def _label(self, key: int) -> str:
        return self.name(key)

    def _dot(self, key: int, x: float, y: float) -> Pill:
        return Pill(x, y, 4, 4, SLATE, tooltip=f"input {-key}: {self.name(key)}")

    def _outputs(self, keys: list[int], x: float) -> Iterator[Pill | Words]:
        for number, key in enumerate(keys):
            pill = self._pill(key, x, HEAD + (number + 0.5) * self.height / len(keys), 18, DARK)
            yield pill
            yield Words(x + pill.width / 2 + 6, pill.y, self.name(key), 12)

    def _hidden(self, keys: list[int], x: float, clear: bool) -> Iterator[Pill]:
        """A layer's nodes, each near the middle of its neighbours and, in the last sweep, clear of passing lines."""
        gap = min(APART, self.height / len(keys))
        passing = self._passing(x) if clear else np.empty(0)
        wanted = sorted((self._middle(key), key) for key in keys)
        y = HEAD - gap / 2
        middles = _apart([middle for middle, _ in wanted], gap)
        for number, (middle, (_, key)) in enumerate(zip(middles, wanted, strict=True)):
            last = HEAD + self.height - gap * (len(keys) - number - 0.5)
            y = _clear(middle, y + gap, last, passing)
            yield self._pill(key, x, y, min(18, 0.84 * gap), SLATE)

    def _pill(self, key: int, x: float, y: float, height: float, colour: str) -> Pill:
        inside = self._inside(key)
        width = max(height, text_width(inside, 0.62 * height) + 0.6 * height)
        self.begin[key], self.end[key] = (x + width / 2, y), (x - width / 2, y)
        return Pill(x, y, width, height, colour, inside, self._tooltip(key))

    def _inside(self, key: int) -> str:
        """The text in a node."""
        words = [] if key < self.shown.genome.outputs else [self.name(key)]
        if self.net.genome:
            words += [word for word in self._formula(key) if word not in USUAL]
        return " ".join(words)

    def _formula(self, key: int) -> tuple[str, str]:
        node = self.nodes[key]
        return ACTIVATIONS[node["activation"]], AGGREGATIONS[node["aggregation"]]

    def _tooltip(self, key: int) -> str:
        node = self.nodes[key]
        text = f"{'output' if key < self.shown.genome.outputs else 'node'} {self.name(key)}: bias {node['bias']:.4g}"
        if self.net.genome:
            text += f", response {node['response']:.4g}, {' of the '.join(self._formula(key))}"
        return text

    def _middle(self, key: int) -> float:
        """The mean height of the node's placed neighbours, by weight."""
        links = self.shown.links
        near = links[(links["source"] == key) | (links["target"] == key)]
        others = np.where(near["source"] == key, near["target"], near["source"]).tolist()
        weights = (np.abs(self.strengths[(links["source"] == key) | (links["target"] == key)]) + 1e-9).tolist()
        found = [(self.begin[k][1], w) for k, w in zip(others, weights, strict=True) if k in self.begin]
        return sum(y * w for y, w in found) / sum(w for _, w in found) if found else HEAD + self.height / 2

    def _passing(self, x: float) -> np.ndarray:
        """The heights of lines that pass this x without ending there."""
        links = self.shown.links[["source", "target"]].tolist()
        ends = [(self.begin[source], self.end[target]) for source, target in links]
        beyond = [Line(*both) for both in ends if both[0][0] < x - NEAR / 3 and x + NEAR / 3 < both[1][0]]
        return np.array([line.height(x) for line in beyond])

    def _lines(self) -> Iterator[Line]:
        """The connections, the heaviest on top."""
        links, largest = self.shown.links, self._widest()
        thick = min(THICK, MANY / max(1, len(links)))
        for number in np.argsort(np.abs(self.strengths), kind="stable").tolist():
            source, target = int(links["source"][number]), int(links["target"][number])
            strength, on = float(self.strengths[number]), bool(links["enabled"][number])
            colour = POSITIVE if strength > 0 else NEGATIVE
            share = abs(strength) / largest[number] if on else 0.2
            width, opacity = THIN + (thick - THIN) * share, 0.5 + 0.4 * share
            tooltip = self._line_tooltip(links[number])
            yield Line(self.begin[source], self.end[target], colour, width, opacity, not on, tooltip)

    def _widest(self) -> np.ndarray:
        """The strength that each line's width is relative to."""
        return np.full(len(self.strengths), np.abs(self.strengths).max(initial=1e-9))

    def _line_tooltip(self, link: np.void) -> str:
        source, target = self.name(int(link["source"])), self.name(int(link["target"]))
        return f"{source} to {target}: {float(link['weight']):.4g}{'' if link['enabled'] else ', disabled'}"

    def _title(self) -> str:
        return f"{self.net.game}: a network" + (f" by {self.net.learner}" if self.net.learner else "")

    def _head(self) -> Iterator[Words]:
        genome = self.shown.genome
        disabled = int((genome.links["enabled"] == 0).sum())
        facts = [
            f"encoding {self.net.encoding}" if self.net.encoding else "",
            f"policy {self.net.policy}" if self.net.policy != "net" else "",
            count(genome.inputs, "input"),
            count(self.shown.hidden, "hidden node"),
            count(genome.outputs, "output"),
            count(self.shown.enabled, "connection") + (f" and {disabled:,} disabled" if disabled else ""),
        ]
        yield Words(MARGIN, 22, self._title(), 16, bold=True)
        yield Words(MARGIN, 44, ", ".join(filter(None, facts)), 12)

    def _legend(self) -> Iterator[Line | Words]:
        x, y = float(MARGIN), HEAD + self.height + LEGEND / 2
        for colour, words in zip((POSITIVE, NEGATIVE), self._signs(), strict=True):
            yield Line((x, y), (x + 28, y), colour, 3, 0.75)
            yield Words(x + 34, y, words, 11)
            x += 34 + text_width(words, 11) + 16

    def _signs(self) -> tuple[str, str]:
        return "positive weight", f"negative weight; the widest is {np.abs(self.strengths).max(initial=0):.3g}"

    def _left_out(self) -> str:
        sums = "The last layer's units are added up. " if self.net.kind == "linear" and self.net.shape[-1] > 1 else ""
        return sums + (f"Left out: {', '.join(self.shown.left_out)}." if self.shown.left_out else "")


class _AtWork(_Drawing):
    """A net at work."""

    def __init__(self, net: Net, values: Values, labels: Labels | None) -> None:
        super().__init__(net, wiring_at_work(net, values), labels)
        self.values = values
        self.most: dict[int, float] = {}  # the value of a node in full colour, at least 1
        for layer in self.shown.layers:
            self.most |= dict.fromkeys(layer, max([1.0, *(abs(values.get(key, 0.0)) for key in layer)]))

    def _label(self, key: int) -> str:
        value = self.values.get(key, 0.0)
        return self.name(key) if value == 1 else f"{self.name(key)} = {value:.3g}"

    def _dot(self, key: int, x: float, y: float) -> Pill:
        tooltip = f"input {-key}: {self.name(key)} = {self.values.get(key, 0.0):.4g}"
        return Pill(x, y, 6, 6, self._shade(key), tooltip=tooltip)

    def _pill(self, key: int, x: float, y: float, height: float, colour: str) -> Pill:
        shade = self._shade(key)
        return super()._pill(key, x, y, height, shade)._replace(ink=BLACK if _luminance(shade) > LIGHT else "#fff")

    def _inside(self, key: int) -> str:
        value = self.values.get(key, 0.0)
        return f"{value:.2f}" if abs(value) < 10 else f"{value:.3g}"

    def _tooltip(self, key: int) -> str:
        return f"{super()._tooltip(key)}; now {self.values.get(key, 0.0):.4g}"

    def _shade(self, key: int) -> str:
        """From pale to the colour of the value's sign."""
        value = self.values.get(key, 0.0)
        return _blend(PALE, POSITIVE if value > 0 else NEGATIVE, abs(value) / self.most[key])

    def _line_tooltip(self, link: np.void) -> str:
        weight, value = float(link["weight"]), self.values.get(int(link["source"]), 0.0)
        return f"{super()._line_tooltip(link)} times {value:.4g} = {weight * value:.4g}"

    def _signs(self) -> tuple[str, str]:
        widest = f"the widest {'is' if self.net.genome else 'of all is'} {np.abs(self.strengths).max(initial=0):.3g}"
        return "weight times value above 0", f"below 0; {widest}"

    def _widest(self) -> np.ndarray:
        """In a dense net, the strongest line into the same layer, because layers differ in scale."""
        if self.net.genome:
            return super()._widest()
        layer = {key: number for number, keys in enumerate(self.shown.layers) for key in keys}
        into = np.array([layer[key] for key in self.shown.links["target"].tolist()], int)
        most = {number: np.abs(self.strengths[into == number]).max() for number in np.unique(into).tolist()}
        return np.array([most[number] for number in into.tolist()])

    def _left_out(self) -> str:
        shown = f"Shown are {' and '.join(self.shown.left_out)}. " if self.shown.left_out else ""
        sums = "The last layer's units are added up. " if self.net.kind == "linear" and self.net.shape[-1] > 1 else ""
        return f"{shown}{sums}Nodes have their values in them: the stronger the colour, the more active."


def _luminance(colour: str) -> float:
    """The perceived brightness of a colour #rrggbb, from 0 to 1."""
    red, green, blue = (float((int(colour[at : at + 2], 16) / 255) ** 2.2) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _blend(one: str, other: str, share: float) -> str:
    """A mix of two colours, as #rrggbb."""
    parts = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def _apart(wanted: list[float], gap: float) -> list[float]:
    """The nearest positions to the wanted ones, in order and at least a gap apart: close ones move as a group."""
    groups: list[list[float]] = []
    for number, y in enumerate(wanted):
        groups.append([y - number * gap])
        while len(groups) > 1 and fmean(groups[-2]) >= fmean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    moved = [fmean(group) for group in groups for _ in group]
    return [y + number * gap for number, y in enumerate(moved)]


def _clear(wanted: float, first: float, last: float, passing: np.ndarray) -> float:
    """A height near the wanted one, from the first to the last, where few lines pass."""
    tried = np.linspace(first, max(first, last), 1 + int(max(0, last - first) / 2))
    crowd = np.maximum(0, 1 - np.abs(tried[:, None] - passing) / CLEAR).sum(axis=1)
    return float(tried[np.argmin(crowd + np.abs(tried - wanted) / (3 * CLEAR))])
