"""Figures for reports: learning curves, stacked shares, intervals beside published figures.

Matplotlib is imported when the first figure is drawn. Colour-blind readers can distinguish the colours. Text and axes are drawn
in INK, which a page may replace by its own colour.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1b1f24"
# Okabe and Ito; then brown and grey, for figures with more than six lines.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a4b2a", "#7f7f7f")
STROKES = ("-", "--", "-.", ":")
RAINBOW = (  # Tol's discrete rainbow
    "#d1bbd7", "#ae76a3", "#882e72", "#1965b0", "#5289c7", "#7bafde", "#4eb265", "#90c987", "#cae0ab", "#f7f056",
    "#f6c141", "#f1932d", "#e8601c", "#dc050c",
)  # fmt: skip
DARK_KINDS = ("#882e72", "#1965b0", "#dc050c")  # white is readable on these
FAINT_TRIALS = 12  # up to this many trials are drawn individually
LABELLED_SHARE = 0.055  # a narrower layer has no room for its name
WIDTH, PANEL_HEIGHT = 8.6, 3.4  # inches
LARGE, MEDIUM, SMALL = 11, 9.5, 8.5  # points

Lines = dict[str, np.ndarray]
Panel = tuple[str, np.ndarray, Lines]
Tracks = tuple[str, str, dict[str, tuple[np.ndarray, np.ndarray]]]  # subtitle, unit, each line's x values and trials


def band(trials: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean over trials (the first axis) and the ends of its 95% interval by Student's t; NaN ends for one trial."""
    from sparring.arena.statistics import student

    mean = trials.mean(axis=0)
    n = len(trials)
    if n < 2:
        return mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    half = student(n - 1) * trials.std(axis=0, ddof=1) / np.sqrt(n)
    floor = 0.0 if (trials >= 0).all() else -np.inf  # a band stays within the possible values
    ceiling = 1.0 if floor == 0 and (trials <= 1).all() else np.inf
    return mean, np.maximum(mean - half, floor), np.minimum(mean + half, ceiling)


def numbers(epochs: np.ndarray, lines: Lines, unit: str = "epoch") -> dict[str, np.ndarray]:
    """The data of a panel as columns: the epoch, and each line's mean and the ends of its band."""
    columns = {unit: np.asarray(epochs)}
    for label, trials in lines.items():
        for name, values in zip(("mean", "low", "high"), band(_trials(trials)), strict=True):
            columns[f"{label} {name}"] = values
    return columns


def panel_numbers(items: Sequence[Panel], unit: str = "epoch") -> dict[str, np.ndarray]:
    """The same for several panels, with columns named by panel and line."""
    columns: dict[str, np.ndarray] = {}
    for title, epochs, lines in items:
        columns |= numbers(epochs, {f"{title}: {label}": trials for label, trials in lines.items()}, unit)
    return columns


def panels(title: str, items: Sequence[Panel], ylabel: str, unit: str = "epoch") -> "Figure":
    """Learning curves side by side (subtitle, epochs, lines) with one y axis; a label keeps its colour."""
    figure, grid = _figure(title, [subtitle for subtitle, _, _ in items])
    labels = _labels(lines for _, _, lines in items)
    for axes, (_, epochs, lines) in zip(grid, items, strict=True):
        for label, trials in lines.items():
            _curve(axes, epochs, _trials(trials), label, labels.index(label))
        axes.set_xlim(*_ends(epochs))
    return _finished(figure, grid, ylabel, [unit] * len(grid))


def tracks(
    title: str,
    items: Sequence[Tracks],
    ylabel: str,
    levels: Mapping[str, float] | None = None,
    log: bool = False,
    shares: bool = False,
) -> "Figure":
    """Panels whose lines have x values of their own, each panel in its own unit; shares as percentages.

    A level is a dotted horizontal line in the colour of the line of that name.
    """
    figure, grid = _figure(title, [subtitle for subtitle, _, _ in items])
    labels = _labels(lines for _, _, lines in items)
    for axes, (_, _, lines) in zip(grid, items, strict=True):
        for label, (places, trials) in lines.items():
            _curve(axes, places, _trials(trials), label, labels.index(label))
        for label, level in (levels or {}).items():
            colour = SERIES[labels.index(label) % len(SERIES)] if label in labels else INK
            axes.axhline(level, color=colour, linestyle=":", linewidth=1.5, label=None if label in labels else label)
        if log:
            _log_axis(axes)
    if shares:
        _in_percent(grid)
    return _finished(figure, grid, ylabel, [unit for _, unit, _ in items])


def _log_axis(axes: "Axes") -> None:
    """A logarithmic x axis; one of less than two decades has labels at 2 and 5 as well."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 100 * low else (1,)))
    axes.xaxis.set_minor_formatter(NullFormatter())


def track_numbers(items: Sequence[Tracks]) -> list[list[Any]]:
    """The data of `tracks` as rows, the header first."""
    rows: list[list[Any]] = [["panel", "line", "unit", "place", "mean", "low", "high"]]
    for subtitle, unit, lines in items:
        for label, (places, trials) in lines.items():
            ends = band(_trials(trials))
            rows += [[subtitle, label, unit, *map(float, point)] for point in zip(places, *ends, strict=True)]
    return rows


def strands(title: str, items: Sequence[Panel], ylabel: str, unit: str) -> "Figure":
    """Many thin lines in panels (subtitle, places, groups of lines by label, each (lines, points)), such as weights."""
    figure, grid = _figure(title, [subtitle for subtitle, _, _ in items])
    labels = _labels(groups for _, _, groups in items)
    for axes, (_, places, groups) in zip(grid, items, strict=True):
        for label, lines in groups.items():
            colour = SERIES[labels.index(label) % len(SERIES)]
            for number, line in enumerate(_trials(lines)):
                axes.plot(places, line, color=colour, linewidth=0.9, alpha=0.8, label="" if number else label)
        axes.set_xlim(*_ends(places))
    return _finished(figure, grid, ylabel, [unit] * len(grid))


def stacked(
    title: str,
    epochs: np.ndarray,
    items: Sequence[tuple[str, np.ndarray]],
    labels: Sequence[str],
    unit: str = "epoch",
) -> "Figure":
    """Shares of several kinds during training, one panel per (subtitle, array (points, kinds)); each point sums to one."""
    figure, grid = _figure(title, [subtitle for subtitle, _ in items])
    last, kinds = len(RAINBOW) - 1, max(1, len(labels) - 1)
    colours = [RAINBOW[round(k * last / kinds) % len(RAINBOW)] for k in range(len(labels))]
    for axes, (_, amounts) in zip(grid, items, strict=True):
        shares = amounts / amounts.sum(axis=1, keepdims=True)
        _layers(axes, epochs, dict(zip(labels, shares.T, strict=True)), colours)
        _name_layers(axes, _ends(epochs)[1], shares[-1], labels, colours)
        axes.set_ylim(0, 1)
    _in_percent(grid)
    return _finished(figure, grid, "share", [unit] * len(grid), beside=True)


def dots(
    title: str, rows: Sequence[tuple[str, float, float, float]], published: dict[str, float], xlabel: str
) -> "Figure":
    """Intervals (label, value, low, high) as dots with whiskers, with a cross for the published value of that label."""
    figure, (axes,) = _figure(title, [""], height=1.3 + 0.36 * len(rows))
    for place, (label, value, low, high) in enumerate(rows):
        if np.isfinite((low, high)).all():
            axes.plot([low, high], [place, place], color=SERIES[0], linewidth=2, solid_capstyle="butt")
        axes.plot([value], [place], "o", color=SERIES[0], markersize=6, label="measured, with its 95% interval")
        if label in published:
            axes.plot([published[label]], [place + 0.22], "x", color=SERIES[1], markersize=6, mew=2, label="published")
    axes.set_yticks(range(len(rows)), [label for label, *_ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(xlabel, color=INK, fontsize=MEDIUM)
    _legend(figure, [axes])
    return figure


def _labels(groups: Iterable[Iterable[str]]) -> list[str]:
    """All labels once, in order."""
    return list(dict.fromkeys(label for group in groups for label in group))


def _figure(title: str, subtitles: Sequence[str], height: float = 0.0) -> "tuple[Figure, list[Axes]]":
    """A figure with its panels in one row, or in rows of two if there are more than three."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    count = len(subtitles)
    columns = count if count <= 3 else 2
    rows = -(-count // columns)
    size = WIDTH, height or PANEL_HEIGHT * rows + (0.6 if count == 1 else 0)
    figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(wspace=0.05))
    figure.suptitle(title, color=INK, fontsize=LARGE, fontweight="bold", x=0.01, ha="left")
    grid = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel().tolist()
    for unused in grid[count:]:
        unused.remove()
    for axes, subtitle in zip(grid, subtitles, strict=False):
        _style(axes, subtitle)
    return figure, grid[:count]


def _style(axes: "Axes", subtitle: str) -> None:
    """A modest style: no box, faint grid lines."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
    axes.tick_params(colors=INK, labelsize=SMALL)
    axes.grid(color=INK, alpha=0.15, linewidth=0.6)
    axes.set_axisbelow(True)
    if subtitle:
        axes.set_title(subtitle, color=INK, fontsize=MEDIUM)


def _trials(values: np.ndarray) -> np.ndarray:
    return np.atleast_2d(np.asarray(values, float))


def _ends(epochs: np.ndarray) -> tuple[float, float]:
    """The range of the x axis; a single epoch has a margin on both sides."""
    low, high = float(epochs[0]), float(epochs[-1])
    return (low, high) if low < high else (low - 0.5, low + 0.5)


def _curve(axes: "Axes", epochs: np.ndarray, trials: np.ndarray, label: str, number: int) -> None:
    colour = SERIES[number % len(SERIES)]
    mean, low, high = band(trials)
    if len(trials) > 1:
        axes.fill_between(epochs, low, high, color=colour, alpha=0.25, linewidth=0)
        if len(trials) <= FAINT_TRIALS:
            axes.plot(epochs, trials.T, color=colour, alpha=0.3, linewidth=0.6)
    alone = np.ptp(epochs) == 0  # one place, which no line or band shows
    if alone and len(trials) > 1:
        axes.plot([epochs[0]] * 2, [low[0], high[0]], color=colour, linewidth=2, alpha=0.5)
    mark = "o" if alone else ""
    axes.plot(epochs, mean, STROKES[number % len(STROKES)], color=colour, linewidth=2, marker=mark, label=label)


def _layers(axes: "Axes", epochs: np.ndarray, parts: Lines, colours: Sequence[str]) -> None:
    """Stacked amounts; a single point is drawn as a block."""
    ends = _ends(epochs)
    width = 2 if len(epochs) == 1 else 1
    places = np.asarray(ends) if width == 2 else epochs
    amounts = [np.repeat(values, width) for values in parts.values()]
    look: dict[str, Any] = {"colors": list(colours[: len(parts)]), "edgecolor": "white", "linewidth": 0.5}
    axes.stackplot(places, *amounts, labels=list(parts), **look)
    axes.set_xlim(*ends)


def _name_layers(axes: "Axes", right: float, shares: np.ndarray, labels: Sequence[str], colours: Sequence[str]) -> None:
    """Write each layer's name at its right end if it fits."""
    middles = np.cumsum(shares) - shares / 2
    for middle, share, label, colour in zip(middles, shares, labels, colours, strict=True):
        if share >= LABELLED_SHARE:
            look: dict[str, Any] = {"fontsize": SMALL, "color": "white" if colour in DARK_KINDS else "black"}
            look |= {"ha": "right", "va": "center_baseline"}
            axes.annotate(label, (right, float(middle)), xytext=(-5, 0), textcoords="offset points", **look)


def _in_percent(grid: "list[Axes]") -> None:
    from matplotlib.ticker import PercentFormatter

    for axes in grid:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))


def _finished(
    figure: "Figure", grid: "list[Axes]", ylabel: str, units: Sequence[str], beside: bool = False
) -> "Figure":
    """Name the axes and add the legend."""
    for axes, unit in zip(grid, units, strict=True):
        axes.set_xlabel(unit, color=INK, fontsize=MEDIUM)
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}" if abs(x) >= 1 else f"{x:g}")
        place = axes.get_subplotspec()
        if place and place.is_first_col():
            axes.set_ylabel(ylabel, color=INK, fontsize=MEDIUM)
    _legend(figure, grid, beside)
    return figure


def _legend(figure: "Figure", grid: "list[Axes]", beside: bool = False) -> None:
    """One legend for all panels, each label once: below them, or beside them from top to bottom as layers lie."""
    handles: dict[str, Artist] = {}
    for axes in grid:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    entries = list(handles.items())[::-1] if beside else list(handles.items())
    figure.legend(
        [handle for _, handle in entries], [label for label, _ in entries], frameon=False, labelcolor=INK,
        loc="outside right center" if beside else "outside lower center", fontsize=SMALL,
        ncols=1 if beside else min(4, len(entries)),
    )  # fmt: skip
