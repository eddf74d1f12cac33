"""The figures of the debate's report: learning curves by games and by core seconds, and all learners of a game."""

from collections.abc import Callable
from functools import partial

from sparring.arena.statistics import share_interval
from sparring.report import plots
from sparring.report.page import Page
from sparring.studies.debate.measured import KINDS, Measured
from sparring.studies.debate.report_tables import section, shape_title, title
from sparring.studies.debate.settings import GAMES, SHAPES

Figure = Callable[[Page, Measured], None]


def add_curves(page: Page, found: Measured, game: str, shape: str) -> None:
    """Learning curves of all learners of a game."""
    field = found.fields[game, shape]
    panels = [
        (f"by {kind}", "games" if kind == KINDS[0] else "core seconds",
         {title(name): (getattr(track, kind), track.share) for name, track in field.tracks.items()})
        for kind in KINDS
    ]  # fmt: skip
    panel = ", ".join(GAMES[game].panel)
    caption = f"{game}, {shape_title(shape)}: share of games won against {panel}, with 95% bands over trials."
    page.tracks(
        f"Learning curves: {game}, {shape_title(shape)}",
        panels,
        "games won against the panel",
        caption,
        None,
        True,
        True,
    )


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
    return [*(partial(add_curves, game=game, shape=shape) for shape in SHAPES), partial(add_ends, game=game)]


FIGURES = {section(game): figures_of(game) for game in GAMES}
