"""The figures of the conquest study's report, with bands over trials, maps and networks."""

import numpy as np

from sparring.report import plots
from sparring.report.network import connections, draw_net, net_labels
from sparring.report.page import Page
from sparring.report.plots import Tracks
from sparring.studies.conquest.bands import SIDES, Band
from sparring.studies.conquest.cases import STUDY
from sparring.studies.conquest.measured import Measured, Rivals
from sparring.studies.conquest.pictures import best_trial, case_pictures, rivals_pictures
from sparring.studies.conquest.published import CASES, MEASURES
from sparring.studies.conquest.rival_tables import CURE_SECTION, RIVALS_SECTION
from sparring.studies.conquest.tables import BANDS_SECTION, CASES_SECTION, SETTINGS_SECTION

UNIT = "generation"
WORDS = {"guided": "share of guided moves", "wins": "share of games won"}
MATCHUPS = {  # measures of best blue and red in case 5, by figure
    "The collusion index": ("index", True),
    "The lesser of the two sides' payoffs": ("mutual", True),
    "The same against strangers": ("mutual", False),
    "Share of decided games": ("decided", True),
}


def add_bands(page: Page, found: Measured) -> None:
    """The author's curves among ours."""
    for name in MEASURES:
        words = WORDS.get(name, f"{name} fitness")
        items: list[Tracks] = [
            (f"case {case}, {side}", UNIT, band_lines(bands[side, name]))
            for case, bands in found.bands.items()
            for side in SIDES
            if (side, name) in bands
        ]
        caption = (
            f"{words.capitalize()} by generation: the author's results, and ours with the mean's 95% band over {found.trials} "
            "trials, their lowest and their highest. Best and mean are as in Figures 6.2, 6.6, 6.11, 6.16 and 6.19."
        )
        page.tracks(words.capitalize(), items, words, caption, shares=name in WORDS)


def band_lines(band: Band) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    ends = {"our lowest": band.ours.min(axis=0), "our highest": band.ours.max(axis=0)}
    return {
        label: (band.generations, each) for label, each in {"published": band.theirs, "ours": band.ours, **ends}.items()
    }


def add_other_deals(page: Page, found: Measured) -> None:
    """Whether success in one game carries over to others."""
    curves = found.of(4).curves
    names = {"the game of training": "population.best.score", "other deals": "benchmark.player.won"}
    lines = {label: (np.arange(1.0, curves[name].shape[1] + 1), curves[name]) for label, name in names.items()}
    caption = "Case 4: games that each generation's best network wins; means over trials with 95% bands."
    page.tracks("Winning against the deterministic red", [("", UNIT, lines)], "games won", caption, shares=True)


def add_networks(page: Page, found: Measured) -> None:
    """The fittest trial of each case: how its games ended, and its network."""
    for number, case in CASES.items():
        trained, title = found.of(number), case.title.capitalize()
        page.frames(f"{title}: the fittest trial's best networks", case_pictures(trained, number))
        net = trained.run.champions()[best_trial(trained)].net
        assert net is not None
        labels = net_labels(net, trained.run.game)
        page.figure(draw_net(net, labels), f"{title}: the fittest trial's network.", connections(net, labels))


def add_rivals(page: Page, found: Measured) -> None:
    """Every trial's joint fitness, and Figures 6.20 and 6.21."""
    joint = found.rivals[STUDY].joint
    generations = np.arange(1.0, joint.shape[1] + 1)
    page.figure(
        plots.strands("Best blue plus best red", [("", generations, {"a trial": joint})], "fitness", UNIT),
        "Spikes come and go: the sum of the two best, a line for each trial.",
        {UNIT: generations} | {f"trial {n:03d}": row for n, row in enumerate(joint)},
    )
    caption = "As Figures 6.20 and 6.21: the game with the highest joint fitness of best blue and red"
    page.frames(caption, rivals_pictures(found.rivals[STUDY]))


def add_matchups(page: Page, found: Measured) -> None:
    """Measures of best blue and red by generation and fitness."""
    for title, (measure, own) in MATCHUPS.items():
        lines = {fitness: matchup_curve(rivals, measure, own) for fitness, rivals in found.rivals.items()}
        known = {fitness: line for fitness, line in lines.items() if np.isfinite(line[1]).all()}
        if known:
            caption = f"{title}, by the fitness of training; means over trials with 95% bands."
            page.tracks(title, [("", UNIT, known)], measure, caption, shares=measure == "decided")


def matchup_curve(rivals: Rivals, measure: str, own: bool) -> tuple[np.ndarray, np.ndarray]:
    """The generations, and a measure of the matchups by trial and generation."""
    values = [each.index if measure == "index" else each.mean(measure, own) for each in rivals.matchups]
    return np.arange(1.0, len(values) + 1), np.array(values).T


FIGURES = {
    CASES_SECTION: (add_networks,),
    BANDS_SECTION: (add_bands,),
    SETTINGS_SECTION: (add_other_deals,),
    RIVALS_SECTION: (add_rivals,),
    CURE_SECTION: (add_matchups,),
}
