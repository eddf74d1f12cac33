"""The gin rummy study's report: the claims, every section's tables, figures with bands over trials, a replayed hand."""

from pathlib import Path

import numpy as np

from sparring.arena.match import match
from sparring.games import Played, find_game
from sparring.kernel.random import derive
from sparring.report import plots
from sparring.report.page import Page
from sparring.report.plots import Tracks
from sparring.report.runs import footer
from sparring.studies import Table
from sparring.studies.gin import published
from sparring.studies.gin.clusters import lead_of
from sparring.studies.gin.comparison_tables import VARIANTS_SECTION
from sparring.studies.gin.measured import Measured
from sparring.studies.gin.published import EVO, KINDS, TD
from sparring.studies.gin.report_tables import EVERYONE, HANDS_SECTION, RANKS, REGIMES_SECTION, TRAINING_SECTION
from sparring.studies.gin.settings import game_name

TITLE = "Gin rummy by evolution and by temporal differences, re-run"
SUBTITLE = (
    "After Kotnik and Kalita, “The significance of temporal-difference learning in self-play training” (2003): what it tells "
    "beside ours"
)
REPLAYED = 20  # hands of which the shortest is shown


def write_page(found: Measured, tables: dict[str, list[Table]], claims: Table, path: Path) -> None:
    """Write the report as one HTML file."""
    page, told = Page(TITLE, SUBTITLE), found.budget
    who = "The study's seven players" if told.of_players else f"{found.trials} trials of each method, and of variants"
    games = " and ".join(f"{told.games_of(kind):,} games ({kind})" for kind in KINDS)
    page.text(f"{who}, trained by {games} each, of {told.limit:,} turns at most. Intervals are 95%.")
    page.heading("Claims")
    claims.add_to(page)
    for section, stands in tables.items():
        page.heading(section)
        for add in FIGURES.get(section, ()):
            add(page, found)
        for table in stands:
            table.add_to(page)
    page.heading("A hand of EVO against TD")
    add_hand(page, found)
    page.footer(footer(found.seed))
    page.write(path)


def add_turns(page: Page, found: Measured) -> None:
    """Figure 2."""
    lines = {
        kind: {player.title: (player.games, player.turns) for player in found.of(kind)}
        if found.budget.of_players
        else {kind: (found.of(kind)[0].games, found.turns[kind])}
        for kind in KINDS
    }
    items: list[Tracks] = [(kind, "games", lines[kind]) for kind in KINDS]
    page.figure(
        plots.tracks("Turns a game during training", items, "turns a game", {"never below 200": published.LEAST_TURNS}),
        "As Figure 2: turns a game during training, means over trials with 95% bands where there are several; dotted: below this "
        "the study never came.",
        plots.track_numbers(items),
    )


def add_regimes(page: Page, found: Measured) -> None:
    """Figure 5."""
    lines = {}
    for kind, told in found.regimes.items():
        parts = told.leads.shape[1]
        lines[kind] = (told.games * (np.arange(parts) + 1.0), told.leads.sum(axis=2) / (parts - 1))
    items: list[Tracks] = [("", "games", lines)]
    page.figure(
        plots.tracks("Versions of a player against each other", items, "lead", shares=True),
        "As Figure 5: games won less games lost of each version of a player against its other versions, means over players with "
        "95% bands.",
        plots.track_numbers(items),
    )


def add_ranks(page: Page, found: Measured) -> None:
    """What the chi-squared tests are of."""
    told, places = found.tournament, np.arange(1.0, len(RANKS) + 1)
    lines = {kind: (places, np.array([told.ranks[i].shares for i in told.of(kind)])) for kind in EVERYONE}
    items: list[Tracks] = [("", "rank, ace to king", lines)]
    page.figure(
        plots.tracks("Ranks of final hands", items, "share of cards", {"even": 1 / len(RANKS)}, shares=True),
        "Share of each rank in final hands of the tournament, means over players with 95% bands.",
        plots.track_numbers(items),
    )


def add_variants(page: Page, found: Measured) -> None:
    """Every variant beside its own method."""
    rows = []
    for variant in found.variants.values():
        if variant.own is not None:
            lead = lead_of(variant.own.won[:, None], variant.own.lost[:, None])
            rows.append((variant.title, 100 * lead.value, 100 * lead.low, 100 * lead.high))
    if rows:
        page.figure(
            plots.dots("Lead over the method as the study had it", rows, {}, "games won less games lost, of 100"),
            "Every variant against its own method, trial by trial, with 95% intervals over trials.",
            [["variant", "lead", "low", "high"], *map(list, rows)],
        )


def add_hand(page: Page, found: Measured) -> None:
    """The shortest hand of the first champions of either kind."""
    game = find_game(game_name(found.budget))
    evolved, taught = (found.of(kind)[0] for kind in (EVO, TD))
    kept: list[Played] = []
    seed = derive(found.seed, "replay")
    match(game, evolved.champion, taught.champion, pairs=REPLAYED, seed=seed, keep=kept.extend)
    shortest = min(kept[::2], key=lambda played: len(played.moves))
    frames = game.view.frames(game.view.game_text(shortest), "replay", [evolved.title, taught.title], shortest)
    words = f"{evolved.title} against {taught.title}: the shortest hand of {REPLAYED} in which {evolved.title} begins"
    page.frames(words, frames)


FIGURES = {
    TRAINING_SECTION: (add_turns,),
    REGIMES_SECTION: (add_regimes,),
    HANDS_SECTION: (add_ranks,),
    VARIANTS_SECTION: (add_variants,),
}
