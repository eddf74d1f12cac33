"""The hearts study's report: the claims, every section's tables, learning curves with bands over trials, a replayed round."""

from pathlib import Path

import numpy as np

from sparring.arena.match import match
from sparring.arena.players import Contestant
from sparring.games import Played, find_game
from sparring.kernel.random import derive
from sparring.report import plots
from sparring.report.page import Page
from sparring.report.plots import Tracks
from sparring.report.runs import footer
from sparring.studies import Table
from sparring.studies.hearts.measured import AGENTS, SWEPT, Measured
from sparring.studies.hearts.published import EVEN, EVEN_POINTS, FIGURES
from sparring.studies.hearts.report_tables import AGENTS_SECTION, CURVES_SECTION, ITSELF, stage_curves
from sparring.studies.hearts.settings import RULE_BASED, opponents
from sparring.studies.hearts.study_runs import LAST, ON

TITLE = "Hearts by a curriculum of seven networks, re-run"
SUBTITLE = (
    "After Demirdöver, “Learning a Partially-Observable Card Game Hearts Using Reinforcement Learning” (2020): what it tells "
    "beside ours"
)
MEASURES: tuple[tuple[str, str, dict[str, float]], ...] = (
    ("Games won", "games won", {"even": EVEN}),
    ("Points a round", "points a round", {"even": EVEN_POINTS}),
    ("Moons", "moons in 1,000 rounds", {}),
)
REPLAYED = "hearts:rounds=1"


def write_page(found: Measured, tables: dict[str, list[Table]], claims: Table, path: Path) -> None:
    """Write the report as one HTML file."""
    page = Page(TITLE, SUBTITLE)
    total = sum(found.budget.games.values())
    page.text(
        f"{found.trials} training{'s' * (found.trials > 1)} of {total:,} games in {len(found.budget.games)} stages."
    )
    page.heading("Claims")
    claims.add_to(page)
    for section, stands in tables.items():
        page.heading(section)
        if section == CURVES_SECTION:
            add_curves(page, found)
        if section == AGENTS_SECTION:
            add_sweep(page, found)
        for table in stands:
            table.add_to(page)
    page.heading("A round of the whole agent")
    add_round(page, found)
    page.footer(footer(found.seed))
    page.write(path)


def add_curves(page: Page, found: Measured) -> None:
    """Figures 5.1 to 5.13: a figure of each measure, with a panel for each stage."""
    told = {}
    for stage in FIGURES:
        whom = [ITSELF] if stage == LAST else list(opponents(found.budget).values())
        told[stage] = {opponent: stage_curves(found, stage, opponent) for opponent in whom}
    for k, (measure, words, level) in enumerate(MEASURES):
        items: list[Tracks] = []
        for stage, figure in FIGURES.items():
            lines = {opponent: (curves[k].games, curves[k].values) for opponent, curves in told[stage].items()}
            items.append((f"{' and '.join(figure.numbers)}: {stage}", "games of the stage", lines))
        page.figure(
            plots.tracks(measure, items, words, level, shares=k == 0),
            f"As Figures 5.1 to 5.13: {measure.lower()} of one agent against three others during each stage, with 95% bands where "
            "there are several trainings; in Figure 5.13 moons are the opponents'.",
            plots.track_numbers(items),
        )


def add_sweep(page: Page, found: Measured) -> None:
    """Games won by the strength of Monte Carlo players."""
    lines = {}
    for agent in SWEPT:
        met = found.swept[agent]
        rates = np.array([each.by_trial("won", "games") for each in met.values()]).T
        lines[AGENTS[agent][0]] = (np.array(list(met), float), rates)
    items: list[Tracks] = [("", "simulations a card", lines)]
    page.figure(
        plots.tracks("Against three Monte Carlo players", items, "games won", {"even": EVEN}, log=True, shares=True),
        "Games won against three Monte Carlo players by their simulations a card; dotted: as good as they are.",
        plots.track_numbers(items),
    )


def add_round(page: Page, found: Measured) -> None:
    """The first trial's agent against three rule-based players."""
    game = find_game(REPLAYED)
    agent = found.run.champions()[0]
    kept: list[Played] = []
    names = ["the agent", *(f"{RULE_BASED} {n}" for n in (1, 2, 3))]
    player = Contestant(names[0], ON, agent.net)
    match(game, player, RULE_BASED, pairs=1, seed=derive(found.seed, "replay"), keep=kept.extend)
    frames = game.view.frames(game.view.game_text(kept[0]), "replay", names, kept[0])
    page.frames("The whole agent in the first seat against three rule-based players, card by card", frames)
