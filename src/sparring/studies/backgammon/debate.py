"""The tables of the debate: hill-climbing's generations, Tesauro's nets, and every method by games and by seconds."""

from collections.abc import Callable

import numpy as np

from sparring.arena.statistics import mean_interval, share_interval
from sparring.studies import Table
from sparring.studies.backgammon import published
from sparring.studies.backgammon.measured import CLIMBING, COEVOLUTION, HIDDEN, Measured, Method, td_title

CLIMBING_SECTION, TD_SECTION, DEBATE_SECTION = "Hill-climbing", "Temporal differences", "The debate"
PLACES = (1_000, 10_000, 100_000, 1_000_000)  # games
MOMENTS = (1, 10, 100, 1000)  # seconds


def debate_tables(found: Measured) -> dict[str, list[Table]]:
    return {
        CLIMBING_SECTION: [climbing_table(found, title) for title in found.climbs],
        TD_SECTION: [tesauro_table(found)],
        DEBATE_SECTION: [debate_table(found), by_games_table(found), by_seconds_table(found)],
    }


def climbing_table(found: Measured, title: str) -> Table:
    """Figures 7 and 8, which print no numbers; the text has one."""
    climb, rows = found.climbs[title], []
    for i, generation in enumerate(climb.generations):
        told = (
            f"about {published.CLIMBING_WON:.0%}" if generation == published.GENERATIONS and title == CLIMBING else ""
        )
        rows.append(
            [f"{generation:,}", told, share_interval(climb.pubeval[i]).text(1, percent=True)]
            + [mean_interval(climb.score[i]).text(3)]
            + [share_interval(won[i]).text(1, percent=True) for won in climb.frozen.values()]
        )
    wins = found.methods[title].run.experiment.options.wins
    return Table(
        f"Figures 7 and 8: {title}, by generation",
        ["generation", "against pubeval, published", "ours", "points a game"]
        + [f"against generation {mark:,}" for mark in climb.frozen],
        rows,
        f"Games won, {found.budget.pairs} pairs of each trial's champion of that generation; means over "
        f"{found.budget.climbs} trials, 95% intervals. Frozen generations are the trial's own. A challenger must win {wins}.",
    )


def tesauro_table(found: Measured) -> Table:
    rows = []
    for hidden in HIDDEN:
        method = found.methods[td_title(hidden)]
        told = [f"{share:.3f}" for share in published.TESAURO.get(hidden, ())] or ["", "", ""]
        won = method.strength.won
        rows.append(
            [str(hidden), *told, share_interval(won).text(3), f"{won.min():.3f} to {won.max():.3f}"]
            + [mean_interval(method.strength.score).text(3)]
        )
    return Table(
        "Figures 9 and 18: temporal differences by hidden units",
        ["hidden units", "Gammontool", "Pub-1", "Pub-2", "ours against pubeval", "our trials", "points a game"],
        rows,
        f"Tesauro's shares of games (1998) beside ours after {found.budget.td_games:,} games of self-play, "
        f"{found.budget.lessons} trials, {found.budget.pairs} pairs each. We have no Gammontool; what sets Pub-1 and Pub-2 "
        "apart is not said.",
    )


def debate_table(found: Measured) -> Table:
    told = {CLIMBING: f"about {published.CLIMBING_WON:.0%}"} | {
        td_title(hidden): f"{100 * shares[1]:.1f}%, {100 * shares[2]:.1f}%"
        for hidden, shares in published.TESAURO.items()
    }
    rows = []
    for title, method in found.methods.items():
        seconds = "" if method.seconds is None else f"{method.seconds:,.1f}"
        rows.append(
            [title, str(len(method.strength.won)), f"{method.played:,}", seconds, told.get(title, "")]
            + [share_interval(method.strength.won).text(1, percent=True), mean_interval(method.strength.score).text(3)]
        )
    return Table(
        "The debate: every method against pubeval",
        ["method", "trials", "games a trial", "seconds a trial", "published", "games won", "points a game"],
        rows,
        f"All rules, {found.budget.pairs} pairs of each champion on deals that served nothing else; 95% intervals of the "
        "mean over trials. Seconds of one core, those for the curves included. Linear nets that move checker by checker "
        "play several times as many games a second as the others.",
    )


def by_games_table(found: Measured) -> Table:
    return _by(found, PLACES, lambda method: method.games, "games", "games")


def by_seconds_table(found: Measured) -> Table:
    return _by(found, MOMENTS, lambda method: None if method.seconds is None else method.time, "seconds", "s")


def _by(
    found: Measured, places: tuple[int, ...], axis: Callable[[Method], np.ndarray | None], words: str, unit: str
) -> Table:
    rows = [
        [title, *(_standing(method, axis(method), place) for place in places)]
        for title, method in found.methods.items()
    ]
    return Table(
        f"The debate: games won against pubeval after so many {words} of training",
        ["method", *(f"{place:,} {unit}" for place in places)],
        rows,
        "At the last point of the curve up to there, mean over trials with 95% interval; empty where there is no such "
        f"point or the training was over. In its curve {COEVOLUTION} meets pubeval with the first seat beginning.",
    )


def _standing(method: Method, axis: np.ndarray | None, place: int) -> str:
    if axis is None or not axis[0] <= place <= axis[-1]:
        return ""
    point = int(np.searchsorted(axis, place, side="right")) - 1
    return share_interval(method.won[:, point]).text(1, percent=True)
