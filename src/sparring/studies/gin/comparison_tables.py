"""The tables of the study's questions: evolution and TD at equal games and equal time, and the suggested variants."""

import numpy as np

from sparring.studies import Table, columns
from sparring.studies.formats import mean_text, rate_text
from sparring.studies.gin.clusters import lead_of, mean_of, share_of
from sparring.studies.gin.matchups import Matchups
from sparring.studies.gin.measured import Duel, Measured
from sparring.studies.gin.published import EVO, RANDUMB, TD
from sparring.studies.gin.settings import METHODS
from sparring.studies.gin.study_runs import SIMPLE
from sparring.studies.study import Sections
from sparring.studies.verdicts import texts

DUEL_SECTION, VARIANTS_SECTION = "Evolution and temporal differences", "The study's suggestions"
LEAD = "Lead: games won minus games lost, per hundred."


def comparison_tables(found: Measured) -> Sections:
    """The tables by section; none if the study's own players were trained, which are single."""
    if found.equal_games is None:
        return {}
    return {
        DUEL_SECTION: [duel_table(found, int(found.equal_games.matchups.won.shape[1]))],
        VARIANTS_SECTION: [fixed_table(found), variants_table(found)],
    }


def duel_table(found: Measured, rotations: int) -> Table:
    duels = {"equal games": found.equal_games, "equal time": found.equal_time}
    return Table(
        "Evolution against TD",
        columns("at | games of EVO | of TD | core seconds of EVO | of TD | EVO won | TD won | drawn | EVO's lead")
        + columns("points per game of EVO | of TD | turns per game"),
        [duel_row(words, duel) for words, duel in duels.items() if duel is not None],
        f"{found.trials} trials of each; every champion of EVO plays {rotations} of TD over {found.budget.pairs} pairs of games. "
        "At equal time the slower method enters the version that had about as much time as the other's champion; time is "
        f"proportional to turns played. {LEAD} 95% intervals over the trials of both sides.",
    )


def duel_row(words: str, duel: Duel) -> list[str]:
    matchups = duel.matchups
    shares = [share_of(each) for each in (matchups.won, matchups.lost, 1 - matchups.won - matchups.lost)]
    return (
        [words, *(f"{duel.games[kind]:,}" for kind in (EVO, TD)), *(f"{duel.seconds[kind]:,.1f}" for kind in (EVO, TD))]
        + [share.text(1, percent=True) for share in shares]
        + [lead_text(matchups.won, matchups.lost)]
        + [mean_of(matchups.score).text(1), mean_of(matchups.conceded).text(1), mean_of(matchups.turns).text(0)]
    )


def lead_text(won: np.ndarray, lost: np.ndarray) -> str:
    """A lead per hundred games."""
    return texts([lead_of(won, lost)], ".0p")


def fixed_table(found: Measured) -> Table:
    opponents, rows = (RANDUMB, SIMPLE), []
    for variant in found.variants.values():
        cells = []
        for results in (variant.fixed[opponent] for opponent in opponents):
            cells += [rate_text(results.won), mean_text(results.score, 1), mean_text(results.turns)]
        rows.append([variant.title, *cells])
    measures = ("won", "points per game", "turns per game")
    return Table(
        "Every method and variant against players that do not learn",
        ["", *(f"{measure} against {name}" for name in opponents for measure in measures)],
        rows,
        f"{found.trials} trials of {found.budget.games:,} games each; champions over {found.budget.pairs} pairs of games. Means "
        "over trials with 95% intervals.",
    )


def variants_table(found: Measured) -> Table:
    rows = [
        [variant.title, *against(variant.own), *against(variant.other)]
        for name, variant in found.variants.items()
        if name not in METHODS
    ]
    measures = ("won against", "lost to", "lead over")
    header = [f"{measure} {whom}" for whom in ("its own method", "the other") for measure in measures]
    return Table(
        "The study's suggestions against its EVO and TD",
        ["", *header],
        rows or [["none at this budget", *[""] * len(header)]],
        f"Trial by trial, {found.trials} of them, over {found.budget.pairs} pairs of games; everything else is equal, including "
        f"the games of training. The own method of an evolution strategy is EVO. {LEAD} 95% intervals over trials.",
    )


def against(matchups: Matchups | None) -> list[str]:
    assert matchups is not None
    won, lost = matchups.won[:, None], matchups.lost[:, None]
    return [*(share_of(share).text(1, percent=True) for share in (won, lost)), lead_text(won, lost)]
