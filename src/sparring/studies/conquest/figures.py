"""The figures of the conquest study's report, with bands over trials, maps and networks."""

import numpy as np

from sparring.report import plots
from sparring.report.network import connections, draw_net, net_labels
from sparring.report.page import Page
from sparring.report.plots import Tracks
from sparring.studies.conquest.bands import SIDES
from sparring.studies.conquest.cases import STUDY
from sparring.studies.conquest.measured import Measured, Rivals
from sparring.studies.conquest.pictures import best_trial, case_pictures, rivals_pictures
from sparring.studies.conquest.published import CASES
from sparring.studies.conquest.rival_tables import COLLUSION_SECTION, CURE_SECTION, RIVALS_SECTION
from sparring.studies.conquest.tables import BANDS_SECTION, BETTER_SECTION, CASES_SECTION, UNSEEN_SECTION

UNIT = "generation"
WORDS = {
    "best": "best fitness",
    "mean": "mean fitness",
    "median": "median fitness",
    "guided": "share of guided moves",
    "wins": "share of games won",
}
Lines = dict[str, tuple[np.ndarray, np.ndarray]]


def add_bands(page: Page, found: Measured) -> None:
    """The author's curves among ours; also Figures 6.2, 6.6, 6.11, 6.16 and 6.19."""
    for name, words in WORDS.items():
        items: list[Tracks] = []
        for case, bands in found.bands.items():
            for side in SIDES:
                if (side, name) in bands:
                    band = bands[side, name]
                    lines = {
                        "ours": band.ours,
                        "our lowest": band.ours.min(axis=0),
                        "our highest": band.ours.max(axis=0),
                    }
                    panel = {
                        label: (band.generations, trials)
                        for label, trials in {"published": band.theirs, **lines}.items()
                    }
                    items.append((f"case {case}, {side}", UNIT, panel))
        caption = (
            f"{words.capitalize()} by generation: the author's results, and ours with the mean's 95% band over {found.trials} "
            "trials, their lowest and their highest. Best and mean are as in Figures 6.2, 6.6, 6.11, 6.16 and 6.19."
        )
        page.tracks(words.capitalize(), items, words, caption, shares=name in ("guided", "wins"))


def add_draws(page: Page, found: Measured) -> None:
    """The published value among ours."""
    items: list[Tracks] = []
    for number, case in CASES.items():
        study = found.of(number)
        lines = {kind: _ordered(found.of(number, kind).fitness) for kind in ("study", "text")}
        lines["our own settings"] = _ordered(found.of(number, "better").judged)
        if study.unseen:
            lines["study, other deals"] = _ordered(study.judged)
        lines["published"] = (np.array([0.0, 100.0]), np.full(2, case.exact))
        items.append((case.title, "percentile of trials", lines))
    caption = (
        "Every trial's best network, from the worst trial to the best, and the study's one. In case 4 our own settings are judged "
        "on other deals than those of training."
    )
    page.tracks("Fitness of the best networks", items, "fitness", caption)


def _ordered(trials: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Trials from the worst to the best, each at its percentile."""
    return 100 * (np.arange(len(trials)) + 0.5) / len(trials), np.sort(trials)


def add_other_deals(page: Page, found: Measured) -> None:
    """Whether success on one deal carries over to others."""
    generations, curves = found.of(4).curves
    lines = {
        "on the deal of training": (generations, curves["population.best.score"]),
        "on other deals": (generations, curves["benchmark.player.won"]),
    }
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


# Case 5.


def add_rivals(page: Page, found: Measured) -> None:
    """Every trial's joint fitness, and Figures 6.20 and 6.21."""
    study = found.rivals[STUDY]
    generations = np.arange(1.0, study.joint.shape[1] + 1)
    strands: list[plots.Panel] = [("", generations, {"a trial": study.joint})]
    page.figure(
        plots.strands("Best blue plus best red, every trial", strands, "fitness", UNIT),
        "Spikes come and go: the sum of the two best, a line for each trial.",
        {UNIT: generations} | {f"trial {n:03d}": row for n, row in enumerate(study.joint)},
    )
    caption = "As Figures 6.20 and 6.21: the game with the highest joint fitness of best blue and red"
    page.frames(caption, rivals_pictures(study))


def _by_generation(found: Measured, measure: str, own: bool = True) -> Lines:
    """A measure of the matchups by generation for every fitness, where it is known."""
    lines = {}
    for fitness, rivals in found.rivals.items():
        values = np.array([_measured(rivals, g, measure, own) for g in range(len(rivals.matchups))]).T
        if np.isfinite(values).all():
            lines[fitness] = (np.arange(1.0, values.shape[1] + 1), values)
    return lines


def _measured(rivals: Rivals, generation: int, measure: str, own: bool) -> np.ndarray:
    matchup = rivals.matchups[generation]
    return matchup.index if measure == "index" else matchup.mean(measure, own)


def add_collusion(page: Page, found: Measured) -> None:
    """The index, and both sides' payoff, by generation."""
    lines = _by_generation(found, "index")
    if lines:
        caption = "The collusion index in every generation, by fitness; means over trials with 95% bands."
        page.tracks("The collusion index", [("", UNIT, lines)], "index", caption)
    kinds = {
        "evolved together": _by_generation(found, "mutual"),
        "strangers": _by_generation(found, "mutual", own=False),
    }
    caption = (
        "The lesser of the two sides' payoffs, by the study's payoff for moves whatever the fitness: in the games that made a "
        "generation's best, and of the same networks against strangers. Means over trials with 95% bands."
    )
    items = [(words, UNIT, lines) for words, lines in kinds.items() if lines]
    page.tracks("What both sides get", items, "payoff", caption)


def add_decided(page: Page, found: Measured) -> None:
    """Whether games are fought to the end."""
    caption = "Share of decided games among those that made a generation's best; means over trials with 95% bands."
    items: list[Tracks] = [("", UNIT, _by_generation(found, "decided"))]
    page.tracks("Games decided", items, "decided", caption, shares=True)


FIGURES = {
    CASES_SECTION: (add_networks,),
    BANDS_SECTION: (add_bands,),
    UNSEEN_SECTION: (add_other_deals,),
    BETTER_SECTION: (add_draws,),
    RIVALS_SECTION: (add_rivals,),
    COLLUSION_SECTION: (add_collusion,),
    CURE_SECTION: (add_decided,),
}
