"""The figures of the debate's report: learning curves by games and by core seconds, and all learners of a game."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from sparring.arena.statistics import share_interval
from sparring.report import plots
from sparring.report.page import Page
from sparring.studies.debate.measured import KINDS, Measured
from sparring.studies.debate.report_tables import section, shape_title, title
from sparring.studies.debate.settings import GAMES

DPI = 110
Figure = Callable[[Page, Measured], None]


def curves(found: Measured, game: str) -> tuple[str, list[plots.Tracks]]:
    """The title and the panels of a game's learning curves: each form of network, by games and by seconds."""
    panels = [
        (f"{shape_title(field.shape)}, by {kind}", "games" if kind == KINDS[0] else "core seconds",
         {title(name): (getattr(track, kind), track.share) for name, track in field.tracks.items()})
        for field in found.of(game)
        for kind in KINDS
    ]  # fmt: skip
    return f"Learning curves: {game}, {found.trials} trials", panels


def add_curves(page: Page, found: Measured, game: str) -> None:
    """Learning curves of all learners of a game."""
    panel = ", ".join(GAMES[game].panel)
    caption = f"{game}: share of games won against {panel}, a draw counting half, with 95% bands over trials."
    named, panels = curves(found, game)
    page.tracks(named, panels, "games won against the panel", caption, None, True, True)


def write_pictures(found: Measured, folder: Path) -> list[Path]:
    """Write the learning curves of every game as a picture; returns the files."""
    written = []
    for game in GAMES:
        figure = plots.tracks(*curves(found, game), "games won against the panel", None, True, True)
        written.append(folder / f"debate-{game}.png")
        figure.savefig(written[-1], dpi=DPI, facecolor="white")
    return written


def add_ends(page: Page, found: Measured, game: str) -> None:
    """Every learner after a whole training, with both forms of network."""
    rows = []
    for field in found.of(game):
        for name in field.tracks:
            share = share_interval(field.strength(name, KINDS[0]))
            rows.append((f"{title(name)}, {shape_title(field.shape)}", share.value, share.low, share.high))
    caption = f"{game}: share of games won against the panel after equal games, with 95% intervals over trials."
    figure = plots.dots(f"All learners: {game}", rows, {}, "share of games won against the panel")
    page.figure(figure, caption, [["", "share", "low", "high"], *map(list, rows)])


def figures_of(game: str) -> list[Figure]:
    """The figures of a game."""
    return [partial(add_curves, game=game), partial(add_ends, game=game)]


FIGURES = {section(game): figures_of(game) for game in GAMES}
