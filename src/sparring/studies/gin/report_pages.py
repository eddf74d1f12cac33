"""The figures of the gin rummy study's report, with bands over trials, and a replayed hand."""

from collections.abc import Mapping

import numpy as np

from sparring.arena.match import match
from sparring.arena.statistics import Interval
from sparring.games import Played, find_game
from sparring.kernel.random import derive
from sparring.report import plots
from sparring.report.page import Page
from sparring.studies.gin import comparison_tables as answers
from sparring.studies.gin import report_tables as results
from sparring.studies.gin.claims import lead
from sparring.studies.gin.measured import Measured
from sparring.studies.gin.published import EVO, KINDS, TD, TRAINING
from sparring.studies.gin.settings import FACTORS, game_name
from sparring.studies.verdicts import scaled

REPLAYED = 20  # hands of which the shortest is shown


def add_turns(page: Page, found: Measured) -> None:
    """Figure 2."""
    lines = {
        kind: {player.title: (player.games, player.turns) for player in found.of(kind)}
        if found.of_players
        else {kind: (found.of(kind)[0].games, found.turns[kind])}
        for kind in KINDS
    }
    caption = "As Figure 2: turns per game during training, with 95% bands over trials; the study never came below the dotted line."
    panels, least = [(kind, "games", lines[kind]) for kind in KINDS], {"never below 200": TRAINING["least_turns"]}
    page.tracks("Turns per game during training", panels, "turns per game", caption, least)


def add_regimes(page: Page, found: Measured) -> None:
    """Figure 5."""
    lines = {}
    for kind, regimes in found.regimes.items():
        parts = regimes.leads.shape[1]
        lines[kind] = (regimes.games * (np.arange(parts) + 1.0), regimes.leads.sum(axis=2) / (parts - 1))
    caption = "As Figure 5: games won minus games lost of each version against the others, with 95% bands over players."
    page.tracks("Versions of a player against each other", [("", "games", lines)], "lead", caption, shares=True)


def add_cells(page: Page, found: Measured) -> None:
    """The curves of the factorial's cells, those of each limit in a panel of their own."""
    panels: dict[int, dict[str, tuple[np.ndarray, np.ndarray]]] = {}
    for cell in found.factorial.values():
        assert cell.turns is not None
        shares = (np.arange(cell.turns.shape[1]) + 1) / cell.turns.shape[1]
        panels.setdefault(cell.setting.limit, {})[cell.setting.title] = (shares, cell.turns)
    titles = [
        (f"at most {limit:,} turns" if limit else "lower limit", "share of training", panels[limit]) for limit in panels
    ]
    caption = "Turns per game during the training of each cell of the factorial, with 95% bands over trials."
    page.tracks("What each cell learns", titles, "turns per game", caption)


def add_effects(page: Page, found: Measured) -> None:
    """The factorial's main effects."""
    learned = answers.effects(found)["lead over its first network"]
    rows = {factor["title"]: learned[(number,)] for number, factor in enumerate(FACTORS)}
    add_dots(page, "What the other level of each factor adds to the lead over the first network", rows)


def add_variants(page: Page, found: Measured) -> None:
    """Every variant against its own method."""
    own = {each.setting.title: each.own for each in found.research.values() if each.own}
    add_dots(page, "Lead over the method", {title: scaled(lead(each.lead), 100) for title, each in own.items()})


def add_dots(page: Page, title: str, intervals: Mapping[str, Interval]) -> None:
    rows = [(words, each.value, each.low, each.high) for words, each in intervals.items()]
    figure = plots.dots(title, rows, {}, "games won minus games lost, per 100")
    page.figure(figure, f"{title}, with 95% intervals over trials.", [["", "lead", "low", "high"], *map(list, rows)])


def add_hand(page: Page, found: Measured) -> None:
    """The shortest hand of the first champions of the two kinds."""
    game = find_game(game_name(found.part.limit))
    evolved, td = (found.of(kind)[0] for kind in (EVO, TD))
    played: list[Played] = []
    seed = derive(found.seed, "replay")
    match(game, evolved.champion, td.champion, pairs=REPLAYED, seed=seed, keep=played.extend)
    shortest = min(played[::2], key=lambda hand: len(hand.moves))
    frames = game.view.frames(game.view.game_text(shortest), "replay", [evolved.title, td.title], shortest)
    caption = f"{evolved.title} against {td.title}: the shortest hand of {REPLAYED} in which {evolved.title} begins"
    page.frames(caption, frames)


FIGURES = {
    results.TRAINING_SECTION: (add_turns,),
    results.REGIMES_SECTION: (add_regimes,),
    answers.FACTORIAL_SECTION: (add_effects, add_cells),
    answers.RESEARCH_SECTION: (add_variants,),
    results.REPLAY_SECTION: (add_hand,),
}
