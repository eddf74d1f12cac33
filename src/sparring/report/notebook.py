"""How results are shown: matches and tournaments print as short tables; in notebooks nets and states are drawings, runs curves.

These classes do not import reports, so they get their methods here, when the API is imported.
"""

import re
from collections.abc import Callable

from sparring.arena.match import Match, Standing
from sparring.arena.position import State
from sparring.arena.statistics import score_digits
from sparring.arena.tournament import Rank, Tournament
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.comparison import Comparison
from sparring.lab.run import Run
from sparring.nets.dense import Net
from sparring.report.network import Labels, draw_net, net_labels
from sparring.report.page import Page
from sparring.report.results import Sheet, comparison_sheets, match_sheets, tournament_sheets
from sparring.report.runs import add_measure, add_panels, add_results

WIDTH = "60rem"  # of what is shown, at most
PRINTED = "__repr__", "__str__"
PICTURE = 640, 480  # pixels: the largest width and height of a picture that has no size of its own


def sized(svg: str) -> str:
    """A picture with a width that suits a page: it fits into PICTURE, and is never enlarged."""
    head, rest = svg[: svg.index(">")], svg[svg.index(">") :]
    box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', head)
    if box is None or " width=" in head:
        return svg
    width, height = map(float, box.groups())
    scale = min(1.0, PICTURE[0] / width, PICTURE[1] / height)
    return f'{head} width="{width * scale:.0f}"{rest}'


def net_html(net: Net) -> str:
    """The net's description and drawing; of a team, those of each role."""
    page = Page("")
    for role, part in net.parts.items() if net.parts else [("", net)]:
        layers = "-".join(map(str, part.shape))
        title = ": ".join(filter(None, [role, f"{part.game}, {part.encoding}, {layers} ({part.kind})"]))
        page.figure(draw_net(part, _labels(part)), "; ".join(filter(None, [title, part.learner, *part.ancestry])))
    return _framed(page)


def match_text(result: Match) -> str:
    """The match in a few lines."""
    names = " against ".join(p.name for p in result.players)
    title = f"{result.game}: {names}, {result.games} games in {result.pairs} deals, {result.draws} drawn, seed {result.seed}"
    if result.certain:
        title = f"{result.game}: {names}, {result.games} different games, {result.draws} drawn, nothing left to chance"
    return text_table(title, ["", "games won", "score"], [_cells(p) for p in result.players])


def tournament_text(result: Tournament) -> str:
    """The ranking in a few lines."""
    title = f"{result.game}: {result.games} games, {result.pairs} pairs for each two players, seed {result.seed}"
    rows = [[*_cells(p), p.rating.text(0)] for p in result.players]
    return text_table(title, ["", "games won", "score", "rating"], rows)


def comparison_text(found: Comparison) -> str:
    """The tables of a comparison, one under the other."""
    return "\n\n".join(text_table(sheet.title, sheet.header, sheet.rows) for sheet in comparison_sheets(found))


def _cells(player: Standing | Rank) -> list[str]:
    digits = max(2, score_digits(player.score.value))
    return [player.name, player.win_rate.text(1, percent=True), player.score.text(digits)]


def text_table(title: str, header: list[str], rows: list[list[str]]) -> str:
    """Columns as wide as their longest cell."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in [header, *rows]]
    return "\n".join([title, *lines, "95% intervals"])


def run_html(run: Run) -> str:
    """The run's learning curves and, once it is finished, the results of its champions."""
    page = Page("")
    page.heading(f"{run.folder.name}: {run.game.name}, {run.experiment.learner}")
    if run.finished:
        add_results(page, run)
    try:
        training, (steps, curves) = run.training(), run.curves()
    except UserError as error:
        page.note(str(error))
        return _framed(page)
    page.text(f"{training.step} of {training.steps} {training.unit}s. {training.headline()}")
    add_panels(page, run, training, steps, curves)
    for measure in ("score", "won"):
        add_measure(page, run, training, steps, curves, measure)
    return _framed(page)


def _labels(net: Net) -> Labels | None:
    """The names of inputs and outputs, if the net's game is known."""
    try:
        return net_labels(net, find_game(net.game))
    except UserError:
        return None


def _sheets(sheets: list[Sheet]) -> str:
    page = Page("")
    for sheet in sheets:
        page.table(sheet.header, sheet.rows, ". ".join(filter(None, (sheet.title, sheet.caption))))
    return _framed(page)


def _framed(page: Page) -> str:
    return f'<div class="sparring" style="max-width: {WIDTH}">\n{page.fragment()}\n</div>'


Shown = Callable[..., str | None]
SHOWN: dict[type, dict[str, Shown]] = {  # a team has several drawings
    Net: {"_repr_html_": net_html, "_repr_svg_": lambda net: None if net.parts else sized(draw_net(net, _labels(net)))},
    State: {"_repr_svg_": lambda state: sized(state.svg())},
    Match: {"_repr_html_": lambda match: _sheets(match_sheets(match)[:1]), **dict.fromkeys(PRINTED, match_text)},
    Tournament: {"_repr_html_": lambda it: _sheets(tournament_sheets(it)), **dict.fromkeys(PRINTED, tournament_text)},
    Comparison: {"_repr_html_": lambda it: _sheets(comparison_sheets(it)), **dict.fromkeys(PRINTED, comparison_text)},
    Run: {"_repr_html_": run_html},
}


def attach() -> None:
    """Give the classes their methods, under the names that Python and notebooks ask for."""
    for kind, ways in SHOWN.items():
        for name, way in ways.items():
            setattr(kind, name, way)
