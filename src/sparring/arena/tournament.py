"""Tournaments: every pair of players on the same deals; win table, score table, ranking and ratings."""

import time
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.match import Contest, Entrant, check_size, winners
from sparring.arena.play import Progress, by_contestant, paired_jobs, play
from sparring.arena.players import find_players
from sparring.arena.ratings import ratings
from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.errors import UserError
from sparring.games import Game, find_game


@dataclass(frozen=True)
class Rank:
    """One player's place."""

    name: str
    rating: Interval
    win_rate: Interval
    score: Interval


@dataclass(frozen=True)
class Tournament(Contest):
    """A round robin: players stand in order of rank, and rows and columns of the tables in that order too."""

    players: tuple[Rank, ...]
    win_table: np.ndarray  # share of games that the row won against the column
    score_table: np.ndarray  # the row's mean score against the column

    def json(self) -> dict[str, Any]:
        """The tournament in the shape that every game shares; the tables have null on the diagonal."""
        return self.head() | {
            "players": [
                {"name": p.name, "rating": p.rating.json(2), "win_rate": p.win_rate.json(), "score": p.score.json()}
                for p in self.players
            ],
            "table": _with_nulls(self.win_table),
            "score_table": _with_nulls(self.score_table),
        }


def _with_nulls(table: np.ndarray) -> list[list[float | None]]:
    return [[None if i == j else round(float(x), 6) for j, x in enumerate(row)] for i, row in enumerate(table)]


def tournament(
    game: str | Game,
    *players: Entrant,
    pairs: int = 50,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
    journal: Path | None = None,
) -> Tournament:
    """Every pair of players over `pairs` deals, seats exchanged: the study's 100 games by default.

    `journal` is as in a match.

    >>> [p.name for p in tournament("golf", "random", "greedier", pairs=20).players]
    ['greedier', 'random']
    """
    the_game = find_game(game) if isinstance(game, str) else game
    contestants = find_players(the_game, list(players))
    check_size(pairs, seed)
    if 2 not in the_game.seats:
        raise UserError(f"a tournament is of games for two, and {the_game.name} has {the_game.seats} seats")
    if len(contestants) < 2:
        raise UserError("a tournament needs two players or more")
    began = time.perf_counter()
    meetings = list(combinations(range(len(contestants)), 2))
    jobs = np.concatenate([paired_jobs(seed, np.array(meeting), pairs) for meeting in meetings])
    tallies = play(the_game, jobs, contestants, threads, progress, None, journal)
    return _rank(the_game, [c.name for c in contestants], meetings, tallies, seed, pairs, time.perf_counter() - began)


def _rank(
    game: Game,
    names: list[str],
    meetings: list[tuple[int, int]],
    tallies: np.ndarray,
    seed: int,
    pairs: int,
    seconds: float,
) -> Tournament:
    n = len(names)
    won = np.zeros((pairs, n, n))  # per deal: the share of its two games that i won against j
    drawn = np.zeros((pairs, n, n))
    score = np.zeros((pairs, n, n))
    for (i, j), part in zip(meetings, np.split(tallies, len(meetings)), strict=True):
        scores = by_contestant(part["score"], 2)
        wins, draws = winners(scores, game.low_wins)
        won[:, i, j], won[:, j, i] = wins[:, :, 0].mean(axis=1), wins[:, :, 1].mean(axis=1)
        drawn[:, i, j] = drawn[:, j, i] = draws.mean(axis=1)
        score[:, i, j], score[:, j, i] = scores[:, :, 0].mean(axis=1), scores[:, :, 1].mean(axis=1)
    rates, means = won.sum(axis=2) / (n - 1), score.sum(axis=2) / (n - 1)
    sign = 1 if game.low_wins else -1
    order = sorted(range(n), key=lambda i: (-round(rates[:, i].mean(), 12), sign * means[:, i].mean()))
    rating = ratings(2 * won + drawn, seed)
    ranks = tuple(Rank(names[i], rating[i], rate_interval(rates[:, i]), mean_interval(means[:, i])) for i in order)
    grid = np.ix_(order, order)
    draws_in_all = int(round(drawn.sum()))  # each pair of players stands twice, each deal's share is of two games
    return Tournament(
        game.name,
        game.rules,
        seed,
        pairs,
        len(tallies),
        draws_in_all,
        seconds,
        ranks,
        won.mean(axis=0)[grid],
        score.mean(axis=0)[grid],
    )
