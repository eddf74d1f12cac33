"""The figures of the hearts study's report: learning curves with bands over trials, and a replayed round."""

import numpy as np

from sparring.arena.match import match
from sparring.arena.players import Contestant
from sparring.games import Played, find_game
from sparring.kernel.random import derive
from sparring.report.page import Page
from sparring.report.plots import Tracks
from sparring.studies.hearts import report_tables, settings
from sparring.studies.hearts.measured import Measured
from sparring.studies.hearts.settings import EVEN, FIGURES, PUBLISHED, RULE_BASED

MEASURES: tuple[tuple[str, str, dict[str, float]], ...] = (
    ("Games won", "games won", {"even": EVEN}),
    ("Points per round", "points per round", {"even": PUBLISHED["even_points"]}),
    ("Moons", "moons in 1,000 rounds", {}),
)


def add_curves(page: Page, found: Measured) -> None:
    """Figures 5.1 to 5.13: a figure per measure, with a panel per stage."""
    for k, (measure, words, level) in enumerate(MEASURES):
        items: list[Tracks] = []
        for stage, (numbers, *_) in FIGURES.items():
            curves = {
                each: report_tables.stage_curves(found, stage, each)[k] for each in settings.curve_opponents(stage)
            }
            lines = {opponent: (curve.games, curve.values) for opponent, curve in curves.items()}
            items.append((f"{' and '.join(numbers)}: {stage}", "games of the stage", lines))
        caption = (
            f"As Figures 5.1 to 5.13: {measure.lower()} of one agent against three others during each stage, with 95% bands if "
            "there are several trainings; in Figure 5.13 the moons are the opponents'."
        )
        page.tracks(measure, items, words, caption, level, shares=k == 0)


def add_sweep(page: Page, found: Measured) -> None:
    """Games won by the strength of Monte Carlo players."""
    lines = {}
    for agent in settings.SWEPT:
        swept = found.swept(agent)
        rates = np.array([counts.by_trial("won", "games") for counts in swept.values()]).T
        lines[settings.AGENTS[agent][0]] = (np.array(list(swept), float), rates)
    caption = "Games won against three Monte Carlo players by their simulations per card; dotted: equal strength."
    items: list[Tracks] = [("", "simulations per card", lines)]
    page.tracks("Against three Monte Carlo players", items, "games won", caption, {"even": EVEN}, True, True)


def add_round(page: Page, found: Measured) -> None:
    """The first trial's agent against three rule-based players."""
    game = find_game("hearts:rounds=1")
    played: list[Played] = []
    names = ["the agent", *(f"{RULE_BASED} {n}" for n in (1, 2, 3))]
    player = Contestant(names[0], settings.ON, found.run.champions()[0].net)
    match(game, player, RULE_BASED, pairs=1, seed=derive(found.seed, "replay"), keep=played.extend)
    frames = game.view.frames(game.view.game_text(played[0]), "replay", names, played[0])
    page.frames("The whole agent in the first seat against three rule-based players, card by card", frames)


ADDED = {
    report_tables.CURVES_SECTION: (add_curves,),
    report_tables.AGENTS_SECTION: (add_sweep,),
    report_tables.REPLAY_SECTION: (add_round,),
}
