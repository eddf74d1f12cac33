"""The figures of the hearts study's report: learning curves with bands over trials, and a replayed round."""

import numpy as np

from sparring.arena.match import match
from sparring.arena.players import Contestant
from sparring.games import Played, find_game
from sparring.kernel.random import derive
from sparring.report.page import Page
from sparring.report.plots import Tracks
from sparring.studies.hearts.measured import AGENTS, SWEPT, Measured
from sparring.studies.hearts.published import EVEN, EVEN_POINTS
from sparring.studies.hearts.published import FIGURES as PUBLISHED_FIGURES
from sparring.studies.hearts.report_tables import (
    AGENTS_SECTION,
    CURVES_SECTION,
    REPLAY_SECTION,
    stage_curves,
    stage_opponents,
)
from sparring.studies.hearts.settings import RULE_BASED
from sparring.studies.hearts.study_runs import ON

MEASURES: tuple[tuple[str, str, dict[str, float]], ...] = (
    ("Games won", "games won", {"even": EVEN}),
    ("Points per round", "points per round", {"even": EVEN_POINTS}),
    ("Moons", "moons in 1,000 rounds", {}),
)


def add_curves(page: Page, found: Measured) -> None:
    """Figures 5.1 to 5.13: a figure per measure, with a panel per stage."""
    curves = {
        stage: {opponent: stage_curves(found, stage, opponent) for opponent in stage_opponents(found, stage)}
        for stage in PUBLISHED_FIGURES
    }
    for k, (measure, words, level) in enumerate(MEASURES):
        items: list[Tracks] = []
        for stage, figure in PUBLISHED_FIGURES.items():
            lines = {opponent: (each[k].games, each[k].values) for opponent, each in curves[stage].items()}
            items.append((f"{' and '.join(figure.numbers)}: {stage}", "games of the stage", lines))
        caption = (
            f"As Figures 5.1 to 5.13: {measure.lower()} of one agent against three others during each stage, with 95% bands if "
            "there are several trainings; in Figure 5.13 the moons are the opponents'."
        )
        page.tracks(measure, items, words, caption, level, shares=k == 0)


def add_sweep(page: Page, found: Measured) -> None:
    """Games won by the strength of Monte Carlo players."""
    lines = {}
    for agent in SWEPT:
        swept = found.swept[agent]
        rates = np.array([counts.by_trial("won", "games") for counts in swept.values()]).T
        lines[AGENTS[agent][0]] = (np.array(list(swept), float), rates)
    caption = "Games won against three Monte Carlo players by their simulations per card; dotted: equal strength."
    items: list[Tracks] = [("", "simulations per card", lines)]
    page.tracks("Against three Monte Carlo players", items, "games won", caption, {"even": EVEN}, True, True)


def add_round(page: Page, found: Measured) -> None:
    """The first trial's agent against three rule-based players."""
    game = find_game("hearts:rounds=1")
    played: list[Played] = []
    names = ["the agent", *(f"{RULE_BASED} {n}" for n in (1, 2, 3))]
    player = Contestant(names[0], ON, found.run.champions()[0].net)
    match(game, player, RULE_BASED, pairs=1, seed=derive(found.seed, "replay"), keep=played.extend)
    frames = game.view.frames(game.view.game_text(played[0]), "replay", names, played[0])
    page.frames("The whole agent in the first seat against three rule-based players, card by card", frames)


FIGURES = {CURVES_SECTION: (add_curves,), AGENTS_SECTION: (add_sweep,), REPLAY_SECTION: (add_round,)}
