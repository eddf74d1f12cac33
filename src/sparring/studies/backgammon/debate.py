"""The tables of the debate: hill-climbing by generation, Tesauro's networks, and every method by games and by seconds."""

from collections.abc import Callable

import numpy as np

from sparring.arena.statistics import mean_interval
from sparring.studies import Table, columns
from sparring.studies.backgammon import published
from sparring.studies.backgammon.measured import CLIMBING, COEVOLUTION, HIDDEN, Measured, Method, over_trials, td_title
from sparring.studies.study import Sections

CLIMBING_SECTION, TD_SECTION, DEBATE_SECTION = "Hill-climbing", "Temporal differences", "The debate"
ABOUT_40 = f"about {published.CLIMBING_WON:.0%}"


def debate_tables(found: Measured) -> Sections:
    """The tables of the debate by section."""
    by_games = _by(found, (1_000, 10_000, 100_000, 1_000_000), lambda method: method.games, "games", "games")
    by_seconds = _by(
        found, (1, 10, 100, 1000), lambda method: None if method.seconds is None else method.time, "seconds", "s"
    )
    return {
        CLIMBING_SECTION: [climbing_table(found, title) for title in found.climbs],
        TD_SECTION: [tesauro_table(found)],
        DEBATE_SECTION: [debate_table(found), by_games, by_seconds],
    }


def climbing_table(found: Measured, title: str) -> Table:
    """Figures 7 and 8 print no numbers; the text gives one."""
    climb, rows = found.climbs[title], []
    for i, generation in enumerate(climb.generations):
        theirs = ABOUT_40 if generation == published.GENERATIONS and title == CLIMBING else ""
        rows.append(
            [f"{generation:,}", theirs, over_trials(climb.pubeval[i]), mean_interval(climb.score[i]).text(3)]
            + [over_trials(won[i]) for won in climb.frozen.values()]
        )
    wins = found.methods[title].run.experiment.options.wins
    return Table(
        f"Figures 7 and 8: {title}, by generation",
        columns("generation | against pubeval, published | ours | points per game")
        + [f"against generation {mark:,}" for mark in climb.frozen],
        rows,
        f"Games won by each trial's champion of that generation over {found.budget.pairs} pairs; means over "
        f"{found.budget.climbs} trials with 95% intervals. Frozen generations belong to the same trial. A challenger must win "
        f"{wins}.",
    )


def tesauro_table(found: Measured) -> Table:
    rows = []
    for hidden in HIDDEN:
        method = found.methods[td_title(hidden)]
        theirs = [f"{share:.3f}" for share in published.TESAURO.get(hidden, ())] or ["", "", ""]
        won = method.strength.won
        rows.append(
            [str(hidden), *theirs, over_trials(won, 3, percent=False), f"{won.min():.3f} to {won.max():.3f}"]
            + [mean_interval(method.strength.score).text(3)]
        )
    return Table(
        "Figures 9 and 18: temporal differences by hidden units",
        columns("hidden units | Gammontool | Pub-1 | Pub-2 | ours against pubeval | our trials | points per game"),
        rows,
        f"Tesauro's shares of games (1998) beside ours after {found.budget.td_games:,} games of self-play, "
        f"{found.budget.lessons} trials, {found.budget.pairs} pairs each. We have no Gammontool. The study does not say how "
        "Pub-1 and Pub-2 differ.",
    )


def debate_table(found: Measured) -> Table:
    theirs = {CLIMBING: ABOUT_40} | {
        td_title(hidden): f"{100 * first:.1f}%, {100 * second:.1f}%"
        for hidden, (_, first, second) in published.TESAURO.items()
    }
    rows = []
    for title, method in found.methods.items():
        seconds = "" if method.seconds is None else f"{method.seconds:,.1f}"
        rows.append(
            [title, str(len(method.strength.won)), f"{method.played:,}", seconds, theirs.get(title, "")]
            + [over_trials(method.strength.won), mean_interval(method.strength.score).text(3)]
        )
    return Table(
        "The debate: every method against pubeval",
        columns("method | trials | games per trial | seconds per trial | published | games won | points per game"),
        rows,
        f"All rules; {found.budget.pairs} pairs of each champion on deals used for nothing else; 95% intervals of the mean over "
        "trials. Seconds on one core, including the games of the curves. Linear networks that move checker by checker play "
        "several times as many games per second as the others.",
    )


def _by(
    found: Measured, points: tuple[int, ...], axis: Callable[[Method], np.ndarray | None], words: str, unit: str
) -> Table:
    rows = [[title, *(_won_at(m, axis(m), point) for point in points)] for title, m in found.methods.items()]
    return Table(
        f"The debate: games won against pubeval by {words} of training",
        ["method", *(f"{point:,} {unit}" for point in points)],
        rows,
        "At the last point of the curve up to there, mean over trials with 95% interval; empty before the first point and after "
        f"the end of training. In its curve {COEVOLUTION} plays pubeval with the first seat always beginning.",
    )


def _won_at(method: Method, axis: np.ndarray | None, place: int) -> str:
    if axis is None or not axis[0] <= place <= axis[-1]:
        return ""
    return over_trials(method.won[:, int(np.searchsorted(axis, place, side="right")) - 1])
