"""Matches and tournaments as tables of text, for the terminal, for pages and for notebooks."""

import math
from typing import NamedTuple

from sparring.arena.luck import Adjusted
from sparring.arena.match import Match
from sparring.arena.sequential import Verdict
from sparring.arena.statistics import Interval, score_digits
from sparring.arena.tournament import Tournament
from sparring.games import find_game
from sparring.lab.comparison import WON, Comparison

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
    sheets = [sheet, *([verdict_sheet(result.sequential, first)] if result.sequential else [])]
    if result.adjusted:
        sheets.append(adjusted_sheet(result.adjusted, first, others))
    for profile, labels in game.rules.labels.items():
        shares = [[f"{100 * x:.1f}%" for x in p.profiles[profile]] for p in result.players]
        sheets.append(Sheet(profile, header, [list(row) for row in zip(labels, *shares, strict=True)]))
    return sheets


def verdict_sheet(verdict: Verdict, first: str) -> Sheet:
    """How a sequential match was decided."""
    until, (low, high) = verdict.until, verdict.until.bounds
    words = {"elo1": f"elo1 = {until.elo1:g} accepted", "elo0": f"elo0 = {until.elo0:g} accepted"}
    cells = [f"{verdict.ratio:.2f}", f"{low:.2f} to {high:.2f}", f"{verdict.games:,}", f"{verdict.fixed_games:,}"]
    return Sheet(
        f"sequential test: by how much {first} is stronger",
        ["verdict", "log-likelihood ratio", "bounds", "games", "games of a match of fixed size"],
        [[words.get(verdict.accepted, verdict.accepted), *cells]],
        f"elo0 = {until.elo0:g}, elo1 = {until.elo1:g}; probability of wrongly accepting elo1 at most {until.alpha:g}, "
        f"elo0 {until.beta:g}. "
        "The intervals above do not account for the early end.",
    )


def adjusted_sheet(found: Adjusted, first: str, others: str) -> Sheet:
    """A match without the luck that a judge sees."""
    digits = max(2, score_digits(found.difference.value))
    return Sheet(
        f"without luck, as {found.judge} judges it",
        [f"{first}'s score minus {others}", f"{first}'s luck in it", "variance ratio"],
        [[found.difference.text(digits), found.luck.text(digits), f"{found.ratio:.2f}"]],
        "The mean of luck is 0 whatever the judge. Variance ratio: how many times as many games are as exact without it.",
    )


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


def comparison_sheets(found: Comparison) -> list[Sheet]:
    """Every method with its interquartile mean, every two methods, and the share of trials above some thresholds."""
    won = found.by == WON
    what, digits = ("games won", 1) if won else (found.by, score_digits(found.methods[0].middle.value))
    against = "; ".join(
        f"{game} against {', '.join(whom)}" for game, whom in zip(found.games, found.opponents, strict=True)
    )
    scale, sign = (100, "%") if won else (1, "")
    shown = slice(0, None, 4)
    return [
        Sheet(
            f"{what} by trial: {against}",
            ["run", "trials", f"interquartile mean of {what}"],
            [[m.name, str(m.trials), m.middle.text(digits, percent=won)] for m in found.methods],
        ),
        Sheet(
            "probability of improvement",
            ["run", "other run", "probability that a trial of the first is better", "p", "better"],
            [[p.first, p.second, p.probability.text(2), f"{p.p:.4f}", p.better] for p in found.pairs],
            "95% intervals by a bootstrap over trials within each game; p by permutation, with Holm's correction; "
            "inconclusive: these trials do not show which is better.",
        ),
        Sheet(
            "performance profile: share of trials above",
            ["run", *(f"{x * scale:.{digits}f}{sign}" for x in found.thresholds[shown])],
            [[m.name, *(f"{x:.0%}" for x in m.profile[shown])] for m in found.methods],
        ),
    ]
