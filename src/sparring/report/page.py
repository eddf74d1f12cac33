"""A report as one self-contained HTML file: text, tables, figures and replays."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sparring.nets.files import replace_file
from sparring.report import plots
from sparring.report.plots import INK, Panel, Tracks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VERDICTS = ("reproduced", "reproduced with another reading", "not reproduced", "undecided")
PLACE = re.compile(r"(Table|Figure)s? ([A-Z]?[\d.]*\d)")  # in a study, as a caption or a claim names it
NUMBER = re.compile(r"(?=.*\d)[\d\s.,:%()\[\]/+±<>=≤≥≈~\u00d7\u2212\u2013\u2014-]*")
PROLOGUE = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)
BLANK = ("", "-", "\u2013", "\u2014")

Data = Mapping[str, Iterable[Any]] | Sequence[Sequence[Any]]


def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


DOCUMENT, STYLE, CONTROLS, SCRIPT = map(_asset, ("page.html", "page.css", "replay.html", "replay.js"))
CONTENTS = "<!-- contents -->"


class Page:
    """A report, built from top to bottom and written by `write`. All text is plain text and is escaped."""

    def __init__(self, title: str, subtitle: str = "") -> None:
        self.title, self.subtitle = title, subtitle
        self._parts: list[str] = []
        self._footer = self._script = ""
        self._pictures = 0
        self._anchors: dict[str, str] = {}  # ids of headings, tables and figures, and what they are called

    def heading(self, text: str) -> None:
        """Start a section."""
        self._parts.append(f"<h2{self._anchor('section ' + text, text)}>{escape(text)}</h2>")

    def contents(self) -> None:
        """Add a list of the sections, which may follow later."""
        self._parts.append(CONTENTS)

    def text(self, text: str) -> None:
        """Add paragraphs, separated by empty lines."""
        paragraphs = filter(None, map(str.strip, re.split(r"\n\s*\n", text)))
        self._parts.extend(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)

    def note(self, text: str) -> None:
        """Add a highlighted paragraph: a caveat, or how to read what follows."""
        self._parts.append(f'<p class="note">{escape(text)}</p>')

    def code(self, summary: str, text: str) -> None:
        """Add preformatted lines, folded under a summary."""
        self._parts.append(f"<details><summary>{escape(summary)}</summary><pre>{escape(text)}</pre></details>")

    def footer(self, text: str) -> None:
        """Set the footer: seed, versions, games."""
        self._footer = f"<footer>{escape(text)}</footer>\n"

    def table(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", verdicts: Sequence[str] = ()
    ) -> None:
        """Add a table; columns of numbers are right-aligned. Verdicts, one per row, colour the row and the verdict's cell."""
        numeric = [_is_numeric([row[column] for row in rows]) for column in range(len(header))]
        head = "".join(
            f'<th scope="col"{_align(right)}>{escape(name)}</th>' for name, right in zip(header, numeric, strict=True)
        )
        body = "\n".join(
            _row(row, numeric, verdict) for row, verdict in zip(rows, verdicts or [""] * len(rows), strict=True)
        )
        title = f"<caption>{escape(caption)}</caption>\n" if caption else ""
        self._parts.append(
            f'<div class="wide" role="region" tabindex="0" aria-label="{escape(caption or "table")}"{self._place(caption)}>\n'
            f"<table>\n{title}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>"
        )

    def figure(self, fig: "Figure | str", caption: str, data: Data | None = None) -> None:
        """Add a matplotlib figure or an SVG drawn in INK, with its data folded below: columns by name, or rows, header first."""
        svg = fig if isinstance(fig, str) else _figure_svg(fig)
        numbers = "" if data is None else f"<summary>Numbers</summary><pre>{escape(_csv(data))}</pre>"
        folded = numbers and f"<details>{numbers}</details>\n"
        self._parts.append(
            f'<figure class="plot"{self._place(caption)}>\n'
            f'<div class="wide" role="region" tabindex="0" aria-label="{escape(caption)}">\n'
            f"{self._inline(_in_ink(svg, caption))}\n</div>\n"
            f"<figcaption>{escape(caption)}</figcaption>\n{folded}</figure>"
        )

    def tracks(
        self,
        title: str,
        items: Sequence[Tracks],
        ylabel: str,
        caption: str,
        levels: Mapping[str, float] | None = None,
        log: bool = False,
        shares: bool = False,
    ) -> None:
        """Add a figure of `plots.tracks` and its numbers."""
        self.figure(plots.tracks(title, items, ylabel, levels, log, shares), caption, plots.track_numbers(items))

    def panels(self, title: str, items: Sequence[Panel], ylabel: str, caption: str, unit: str = "epoch") -> None:
        """Add a figure of `plots.panels` and its numbers."""
        self.figure(plots.panels(title, items, ylabel, unit), caption, plots.panel_numbers(items, unit))

    def frames(self, caption: str, frames: Sequence[tuple[str, str]]) -> None:
        """Add a replay: (text, SVG) per turn, with buttons, a slider and arrow keys; without scripts only the first is visible."""
        shown = "\n".join(
            f'<div class="frame"{" hidden" if number else ""}>{self._inline(svg)}<p>{escape(text)}</p></div>'
            for number, (text, svg) in enumerate(frames)
        )
        self._script = f"<script>\n{SCRIPT}</script>\n"
        self._parts.append(
            f'<figure class="replay" tabindex="0" role="group" aria-label="{escape(caption)}">\n'
            f"{CONTROLS.format(last=len(frames) - 1, count=len(frames))}"
            f'<div aria-live="polite">\n{shown}\n</div>\n<figcaption>{escape(caption)}</figcaption>\n</figure>'
        )

    def html(self) -> str:
        """The page as text."""
        subtitle = f'<p class="subtitle">{escape(self.subtitle)}</p>\n' if self.subtitle else ""
        rest = {"body": self._linked(self.fragment()), "footer": self._footer, "script": self._script}
        return DOCUMENT.format(title=escape(self.title), style=STYLE, subtitle=subtitle, **rest)

    def fragment(self) -> str:
        """The page's content without head and style, for another page such as a notebook."""
        return "\n".join(self._parts)

    def write(self, path: Path) -> None:
        """Write the page in one step."""
        replace_file(Path(path), self.html().encode())

    def _anchor(self, name: str, text: str) -> str:
        """The attribute that makes an element the target of links; empty if its name is taken."""
        target = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        if target in self._anchors:
            return ""
        self._anchors[target] = text
        return f' id="{target}"'

    def _place(self, caption: str) -> str:
        """The anchor of a table or figure whose caption names its counterpart in a study."""
        place = PLACE.search(caption)
        return self._anchor(" ".join(place.groups()), "") if place else ""

    def _linked(self, body: str) -> str:
        """The body with its contents, and with a link wherever a claim's place is in the report."""
        sections = "".join(
            f'<li><a href="#{target}">{escape(text)}</a></li>' for target, text in self._anchors.items() if text
        )

        def link(found: re.Match[str]) -> str:
            target = f"{found[2]}-{found[3].replace('.', '-')}".lower()
            words = found[0].removeprefix("<td>")
            return f'<td><a href="#{target}">{words}</a>' if target in self._anchors else found[0]

        body = re.sub(rf"(<td>){PLACE.pattern}", link, body)
        return body.replace(CONTENTS, f'<nav aria-label="Contents"><ol>{sections}</ol></nav>')

    def _inline(self, svg: str) -> str:
        """An SVG as part of the page: without prologue and metadata, with unique ids."""
        self._pictures += 1
        bare = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", PROLOGUE.sub("", svg))
        return re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>picture{self._pictures}-", bare).strip()


def _is_numeric(cells: Sequence[str]) -> bool:
    """Whether a column holds numbers, such as `140.72 (138.10 to 143.30)`; blanks do not count."""
    filled = [cell.replace(" to ", " ") for cell in cells if cell.strip() not in BLANK]
    return bool(filled) and all(NUMBER.fullmatch(cell) for cell in filled)


def _align(right: bool) -> str:
    return ' class="number"' if right else ""


def _row(row: Sequence[str], numeric: Sequence[bool], verdict: str) -> str:
    """A table's row; its first cell is its header."""
    if verdict and verdict not in VERDICTS:
        raise ValueError(f"verdict {verdict!r}: must be one of {', '.join(VERDICTS)}")
    first, *rest = (_cell(cell, right, verdict) for cell, right in zip(row, numeric, strict=True))
    kind = f' class="{verdict.replace(" ", "-")}"' if verdict else ""
    return f'<tr{kind}><th scope="row"{first}</th>{"".join(f"<td{cell}</td>" for cell in rest)}</tr>'


def _cell(text: str, right: bool, verdict: str) -> str:
    """The rest of a cell's opening tag, and its content."""
    said = verdict and text.lower() == verdict
    return f'{_align(right)}>{f"""<span class="verdict">{escape(text)}</span>""" if said else escape(text)}'


def _csv(data: Data) -> str:
    rows = [list(data), *zip(*data.values(), strict=True)] if isinstance(data, Mapping) else data
    text = io.StringIO()
    written = ([f"{cell:.6g}" if isinstance(cell, float) else cell for cell in row] for row in rows)
    csv.writer(text, lineterminator="\n").writerows(written)
    return text.getvalue()


def _figure_svg(fig: "Figure") -> str:
    """A figure as transparent SVG with real text; the same figure gives the same bytes."""
    import matplotlib

    text = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "sparring"}):
        fig.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return text.getvalue()


def _in_ink(svg: str, caption: str) -> str:
    """The drawing of an SVG, in the page's own ink."""
    drawing = svg.partition("<svg")[2]
    attributes, _, rest = drawing.partition(">")
    box = attributes[attributes.index("viewBox=") :].split('"')[1]
    return f'<svg viewBox="{box}" role="img" aria-label="{escape(caption)}">{rest.replace(INK, "currentColor")}'
