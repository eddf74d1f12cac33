"""The tables of the study's questions: evolution and TD at equal games and equal time, and what it suggests to try."""

from sparring.arena.statistics import rate_interval
from sparring.studies import Table
from sparring.studies.gin.clusters import lead_of, mean_of, share_of
from sparring.studies.gin.matchups import Met
from sparring.studies.gin.measured import Duel, Measured
from sparring.studies.gin.published import EVO, RANDUMB, TD
from sparring.studies.gin.settings import METHODS
from sparring.studies.gin.study_runs import SIMPLE
from sparring.studies.gin.words import lead_text, mean_text

DUEL_SECTION, VARIANTS_SECTION = "Evolution and temporal differences", "What the study suggests to try"


def comparison_tables(found: Measured) -> dict[str, list[Table]]:
    """By the section that they stand in; none where the study's own players were trained, one of a kind."""
    if found.equal_games is None:
        return {}
    return {DUEL_SECTION: [duel_table(found)], VARIANTS_SECTION: [fixed_table(found), variants_table(found)]}


def duel_table(found: Measured) -> Table:
    duels = {"equal games": found.equal_games, "equal time": found.equal_time}
    rows = [duel_row(words, duel) for words, duel in duels.items() if duel is not None]
    return Table(
        "Evolution against TD",
        ["at", "games of EVO", "of TD", "core seconds of EVO", "of TD", "EVO won", "TD won", "drawn", "EVO's lead"]
        + ["points a game of EVO", "of TD", "turns a game"],
        rows,
        f"{found.trials} trials of each; every champion of EVO meets {_rotations(found)} of TD over {found.budget.pairs} pairs of "
        "games. At equal time who took longer stands with the version that had about as much time as the other's champion, time "
        "going with the turns played. Lead: games won less games lost, of a hundred. 95% intervals over the trials of both sides.",
    )


def _rotations(found: Measured) -> int:
    assert found.equal_games is not None
    return int(found.equal_games.met.won.shape[1])


def duel_row(words: str, duel: Duel) -> list[str]:
    told = duel.met
    drawn = 1 - told.won - told.lost
    return (
        [words, *(f"{duel.games[kind]:,}" for kind in (EVO, TD)), *(f"{duel.seconds[kind]:,.1f}" for kind in (EVO, TD))]
        + [share_of(share).text(1, percent=True) for share in (told.won, told.lost, drawn)]
        + [lead_text(lead_of(told.won, told.lost)), mean_of(told.score).text(1), mean_of(told.conceded).text(1)]
        + [mean_of(told.turns).text(0)]
    )


def fixed_table(found: Measured) -> Table:
    rows = []
    for variant in found.variants.values():
        cells = []
        for opponent in (RANDUMB, SIMPLE):
            told = variant.fixed[opponent]
            cells += [rate_interval(told.won).text(1, percent=True), mean_text(told.score, 1), mean_text(told.turns)]
        rows.append([variant.title, *cells])
    header = [
        f"{what} against {name}" for name in (RANDUMB, SIMPLE) for what in ("won", "points a game", "turns a game")
    ]
    return Table(
        "Every way to train against players that do not learn",
        ["", *header],
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
    header = [
        f"{what} {whom}" for whom in ("its own method", "the other") for what in ("won against", "lost to", "lead over")
    ]
    return Table(
        "What the study suggests, against EVO and TD as the study had them",
        ["", *header],
        rows or [["none at this budget", *[""] * len(header)]],
        f"Trial by trial, {found.trials} of them, over {found.budget.pairs} pairs of games; everything else is equal, games of "
        "training too. The method of an evolution strategy is EVO. Lead: games won less games lost, of a hundred. 95% intervals "
        "over trials.",
    )


def against(told: Met | None) -> list[str]:
    assert told is not None
    won, lost = told.won[:, None], told.lost[:, None]
    shares = [share_of(share).text(1, percent=True) for share in (won, lost)]
    return [*shares, lead_text(lead_of(won, lost))]
