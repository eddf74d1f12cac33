"""Matches and tournaments as tables of text, for the terminal, for pages and for notebooks."""

import math
from typing import NamedTuple

from sparring.arena.match import Match
from sparring.arena.statistics import Interval, score_digits
from sparring.arena.tournament import Tournament
from sparring.games import find_game

SEATED = {
    "every": "in every seating",
    "given": "as the players are named",
    "rotated": "with the players moved round the table",
}


class Sheet(NamedTuple):
    """A table."""

    title: str
    header: list[str]
    rows: list[list[str]]
    caption: str = ""


def measure_text(interval: Interval, share: bool) -> str:
    """A measure with half its interval's width, if known; shares as percentages."""
    scale, sign = (100, "%") if share else (1, "")
    value, unknown = f"{interval.value * scale:.2f}{sign}", interval.half_width >= (0.5 if share else math.inf)
    return value if unknown else f"{value} ± {interval.half_width * scale:.2f}"


def score_text(score: Interval) -> str:
    """A score with as many digits as matter."""
    return score.text(max(2, score_digits(score.value)))


def match_sheets(result: Match, fitness: str = "") -> list[Sheet]:
    """A match with a column per player, then each profile, such as the cards of final hands."""
    game = find_game(result.game)
    first, second = (p.name for p in result.players[:2])
    others = "the others' mean" if result.seating == "rotated" else f"{second}'s"
    rows = [
        ["games won", *(f"{p.win_rate.text(1, percent=True)}" for p in result.players)],
        ["score", *(score_text(p.score) for p in result.players)],
    ]
    if fitness:
        rows.append([f"fitness: {fitness}", *(p.fitness[fitness].text(2) for p in result.players)])
    for name in result.players[0].measures:
        cells = [measure_text(p.measures[name], name in game.rules.shares) for p in result.players]
        rows.append([name.replace("_", " "), *cells])
    header = ["", *(p.name for p in result.players)]
    deals = f"{result.pairs} deals, each {SEATED[result.seating]}"
    played = f"{result.games} games in {deals}; {result.draws} drawn; seed {result.seed}; 95% intervals"
    if result.certain:
        played = f"{result.games} different games, {result.draws} drawn: nothing is left to chance, and more deals repeat them"
    sheet = Sheet(
        f"{result.game}: {' against '.join(p.name for p in result.players)}",
        header,
        rows,
        f"{played}. {first}'s score minus {others}: {result.difference.text(2)}.",
    )
    sheets = [sheet]
    for profile, labels in game.rules.labels.items():
        shares = [[f"{100 * x:.1f}%" for x in p.profiles[profile]] for p in result.players]
        sheets.append(Sheet(profile, header, [list(row) for row in zip(labels, *shares, strict=True)]))
    return sheets


def tournament_sheets(result: Tournament) -> list[Sheet]:
    """Ranking, win table, score table."""
    names = [p.name for p in result.players]
    rest = result.seats - 1
    alone = f"; each plays alone against {rest} of the other in every seat" if rest > 1 else ""
    lot = f" against {rest} of the column" if rest > 1 else ""
    ranking = Sheet(
        f"{result.game}: ranking",
        ["player", "games won", "mean score", "rating"],
        [[p.name, p.win_rate.text(1, percent=True), score_text(p.score), p.rating.text(0)] for p in result.players],
        f"{result.games} games, {result.pairs} {'deals' if alone else 'pairs'} for each two players{alone}, "
        f"{result.draws} drawn; seed {result.seed}; "
        "95% intervals; ties in games won are broken by score.",
    )
    tables = (
        (f"games won by the row{lot}", result.win_table, "{:.0%}"),
        (f"mean score of the row{lot}", result.score_table, "{:.2f}"),
    )
    sheets = [ranking]
    for title, values, form in tables:
        cells = [["" if i == j else form.format(x) for j, x in enumerate(row)] for i, row in enumerate(values)]
        sheets.append(Sheet(title, ["", *names], [[name, *row] for name, row in zip(names, cells, strict=True)]))
    return sheets
