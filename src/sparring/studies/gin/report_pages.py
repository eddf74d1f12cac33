"""The figures of the gin rummy study's report, with bands over trials, and a replayed hand."""

import numpy as np

from sparring.arena.match import match
from sparring.games import Played, find_game
from sparring.kernel.random import derive
from sparring.report import plots
from sparring.report.page import Page
from sparring.studies.gin import published
from sparring.studies.gin.claims import lead
from sparring.studies.gin.comparison_tables import VARIANTS_SECTION
from sparring.studies.gin.measured import Measured
from sparring.studies.gin.published import EVO, KINDS, TD
from sparring.studies.gin.report_tables import (
    EVERYONE,
    HANDS_SECTION,
    RANKS,
    REGIMES_SECTION,
    REPLAY_SECTION,
    TRAINING_SECTION,
)
from sparring.studies.gin.settings import game_name
from sparring.studies.verdicts import scaled

REPLAYED = 20  # hands of which the shortest is shown


def add_turns(page: Page, found: Measured) -> None:
    """Figure 2."""
    lines = {
        kind: {player.title: (player.games, player.turns) for player in found.of(kind)}
        if found.budget.of_players
        else {kind: (found.of(kind)[0].games, found.turns[kind])}
        for kind in KINDS
    }
    page.tracks(
        "Turns per game during training",
        [(kind, "games", lines[kind]) for kind in KINDS],
        "turns per game",
        "As Figure 2: turns per game during training, means over trials with 95% bands if there are several; the study never came "
        "below the dotted line.",
        {"never below 200": published.LEAST_TURNS},
    )


def add_regimes(page: Page, found: Measured) -> None:
    """Figure 5."""
    lines = {}
    for kind, regimes in found.regimes.items():
        parts = regimes.leads.shape[1]
        lines[kind] = (regimes.games * (np.arange(parts) + 1.0), regimes.leads.sum(axis=2) / (parts - 1))
    page.tracks(
        "Versions of a player against each other",
        [("", "games", lines)],
        "lead",
        "As Figure 5: games won minus games lost of each version of a player against its other versions, means over players with "
        "95% bands.",
        shares=True,
    )


def add_ranks(page: Page, found: Measured) -> None:
    """The data of the chi-squared tests."""
    tournament, places = found.tournament, np.arange(1.0, len(RANKS) + 1)
    lines = {kind: (places, np.array([tournament.ranks[i].shares for i in tournament.of(kind)])) for kind in EVERYONE}
    page.tracks(
        "Ranks of final hands",
        [("", "rank, ace to king", lines)],
        "share of cards",
        "Share of each rank in final hands of the tournament, means over players with 95% bands.",
        {"even": 1 / len(RANKS)},
        shares=True,
    )


def add_variants(page: Page, found: Measured) -> None:
    """Every variant against its own method."""
    rows = []
    for variant in found.variants.values():
        if variant.own is not None:
            points = scaled(lead(variant.own), 100)
            rows.append((variant.title, points.value, points.low, points.high))
    if rows:
        page.figure(
            plots.dots("Lead over the study's method", rows, {}, "games won minus games lost, per 100"),
            "Every variant against its own method, trial by trial, with 95% intervals over trials.",
            [["variant", "lead", "low", "high"], *map(list, rows)],
        )


def add_hand(page: Page, found: Measured) -> None:
    """The shortest hand of the first champions of the two kinds."""
    game = find_game(game_name(found.budget))
    evolved, td = (found.of(kind)[0] for kind in (EVO, TD))
    played: list[Played] = []
    seed = derive(found.seed, "replay")
    match(game, evolved.champion, td.champion, pairs=REPLAYED, seed=seed, keep=played.extend)
    shortest = min(played[::2], key=lambda hand: len(hand.moves))
    frames = game.view.frames(game.view.game_text(shortest), "replay", [evolved.title, td.title], shortest)
    caption = f"{evolved.title} against {td.title}: the shortest hand of {REPLAYED} in which {evolved.title} begins"
    page.frames(caption, frames)


FIGURES = {
    TRAINING_SECTION: (add_turns,),
    REGIMES_SECTION: (add_regimes,),
    HANDS_SECTION: (add_ranks,),
    VARIANTS_SECTION: (add_variants,),
    REPLAY_SECTION: (add_hand,),
}
