"""Pictures for notebooks: nets show themselves as drawings, matches and tournaments as tables, runs as curves.

None of these knows of reports, so they are given their pictures from here, when the API is imported.
"""

from collections.abc import Callable

from sparring.arena.match import Match
from sparring.arena.tournament import Tournament
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.run import Run
from sparring.nets.dense import Net
from sparring.report.network import Labels, draw_net, net_labels
from sparring.report.page import Page
from sparring.report.results import Sheet, match_sheets, tournament_sheets
from sparring.report.runs import add_measure, add_panels, add_results, curves_of

WIDTH = "60rem"  # of what is shown, at most


def net_svg(net: Net) -> str | None:
    """The net as a drawing; nothing of a team, which is several."""
    return None if net.parts else draw_net(net, _labels(net))


def net_html(net: Net) -> str:
    """What the net is, and its drawing; of a team each role's."""
    page = Page("")
    for role, part in net.parts.items() if net.parts else [("", net)]:
        layers = "-".join(map(str, part.shape))
        told = [role, f"{part.game}, {part.encoding}, {layers} ({part.kind})", part.learner, *part.ancestry]
        page.figure(
            draw_net(part, _labels(part)), ": ".join(filter(None, told[:2])) + "".join(f"; {w}" for w in told[2:] if w)
        )
    return _framed(page)


def match_html(result: Match) -> str:
    """The match with its intervals."""
    return _sheets(match_sheets(result)[:1])


def tournament_html(result: Tournament) -> str:
    """Ranking and tables."""
    return _sheets(tournament_sheets(result))


def run_html(run: Run) -> str:
    """Where the run stands: its learning curves and, once it is finished, what its champions reach."""
    page = Page("")
    page.heading(f"{run.folder.name}: {run.game.name}, {run.experiment.learner}")
    if run.finished:
        add_results(page, run)
    try:
        training, (steps, curves) = run.training(), curves_of(run)
    except UserError as error:
        page.note(str(error))
        return _framed(page)
    page.text(f"{training.step} of {training.steps} {training.unit}s. {training.headline()}")
    add_panels(page, run, training, steps, curves)
    for measure in ("score", "won"):
        add_measure(page, run, training, steps, curves, measure)
    return _framed(page)


def _labels(net: Net) -> Labels | None:
    """What inputs and outputs stand for, where the net's game is here to say it."""
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
SHOWN: dict[type, dict[str, Shown]] = {
    Net: {"_repr_html_": net_html, "_repr_svg_": net_svg},
    Match: {"_repr_html_": match_html},
    Tournament: {"_repr_html_": tournament_html},
    Run: {"_repr_html_": run_html},
}


def attach() -> None:
    """Give everything that can be shown its pictures, by the names that notebooks ask for."""
    for kind, ways in SHOWN.items():
        for name, way in ways.items():
            setattr(kind, name, way)
