"""Tournaments: every pair of players on the same deals; win table, score table, ranking and ratings.

In a game for two, a pair exchanges seats. In a larger game each of the two plays alone against several of the other and rotates
round the table: tables and ranking count the games that a player played alone, ratings who was ahead of whom.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.match import Contest, all_certain, check_size, winners
from sparring.arena.play import Progress, by_contestant, paired_jobs, play
from sparring.arena.players import Contestant, Entrant, check_game, find_players, net_hashes
from sparring.arena.ratings import ratings
from sparring.arena.sequential import shares_beaten
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
    """A round robin. Players, and the rows and columns of the tables, are in order of rank."""

    players: tuple[Rank, ...]
    win_table: np.ndarray  # share of games that the row won against the column, or alone against columns
    score_table: np.ndarray  # the row's mean score in them
    seats: int = 2
    nets: Mapping[str, str] = field(default_factory=dict)  # hashes of networks, by the players' names

    def json(self) -> dict[str, Any]:
        """The tournament in the shape that every game shares; the tables have null on the diagonal."""
        return self.head() | {
            "players": [
                {"name": p.name, "rating": p.rating.json(2), "win_rate": p.win_rate.json(), "score": p.score.json()}
                for p in self.players
            ],
            "nets": dict(self.nets),
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
    """Play every pair of players over `pairs` deals with seats exchanged; see `sparring.tournament`."""
    the_game = find_game(game) if isinstance(game, str) else check_game(game)
    contestants = find_players(the_game, players)
    check_size(pairs, seed)
    if len(contestants) < 2:
        raise UserError("a tournament needs two players or more")
    pairs = 1 if all_certain(the_game, contestants) else pairs
    began = time.perf_counter()
    seats, meetings = min(the_game.rules.seats), list(combinations(range(len(contestants)), 2))
    jobs = np.concatenate([_meeting_jobs(seed, *meeting, pairs, seats) for meeting in meetings])
    tallies = play(the_game, jobs, contestants, threads, progress, None, journal)
    names, seconds = [c.name for c in contestants], time.perf_counter() - began
    ranked = _rank(the_game, names, meetings, tallies, seed, pairs, seconds)
    return replace(ranked, nets=net_hashes(contestants))


def meeting_points(
    game: Game, players: Sequence[Contestant], pairs: int, seed: int, threads: int | None = None
) -> np.ndarray:
    """The points that two players win from each other on each deal, as ratings count them: (deals, 2)."""
    seats = min(game.rules.seats)
    tallies = play(game, _meeting_jobs(seed, 0, 1, pairs, seats), list(players), threads)
    scores = tallies["score"][:, :seats].astype(float)
    *_, points = _meet(scores, game.rules.lower_is_better)
    return np.stack(points, axis=1)


def _meeting_jobs(seed: int, i: int, j: int, pairs: int, seats: int) -> np.ndarray:
    """The games of two players: with seats exchanged, or first one alone and then the other."""
    if seats == 2:
        return paired_jobs(seed, np.array([i, j]), pairs)
    alone = [np.array([one] + [other] * (seats - 1)) for one, other in ((i, j), (j, i))]
    return np.concatenate([paired_jobs(seed, contestants, pairs, "rotated") for contestants in alone])


def _meet(scores: np.ndarray, lower_is_better: bool) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Two players against each other, per deal: the share of games that each won, mean scores, points for ratings."""
    seats = scores.shape[1]
    if seats == 2:
        both = by_contestant(scores, 2)
        sides = both, both[:, :, ::-1]
    else:
        first, second = np.split(scores, 2)
        sides = by_contestant(first, seats, "rotated"), by_contestant(second, seats, "rotated")
    ahead, behind = (shares_beaten(side, lower_is_better).sum(axis=1) for side in sides)
    one, other = (winners(side, lower_is_better)[0][:, :, 0].mean(axis=1) for side in sides)
    yield one, other
    yield sides[0][:, :, 0].mean(axis=1), sides[1][:, :, 0].mean(axis=1)
    yield (ahead + seats - behind) / 2, (behind + seats - ahead) / 2


def _rank(
    game: Game,
    names: list[str],
    meetings: list[tuple[int, int]],
    tallies: np.ndarray,
    seed: int,
    pairs: int,
    seconds: float,
) -> Tournament:
    n, seats = len(names), min(game.rules.seats)
    scores = tallies["score"][:, :seats].astype(float)
    won, score, points = (np.zeros((pairs, n, n)) for _ in range(3))  # per deal, of i against j
    for (i, j), part in zip(meetings, np.split(scores, len(meetings)), strict=True):
        for table, (mine, theirs) in zip((won, score, points), _meet(part, game.rules.lower_is_better), strict=True):
            table[:, i, j], table[:, j, i] = mine, theirs
    rates, means = won.sum(axis=2) / (n - 1), score.sum(axis=2) / (n - 1)
    sign = 1 if game.rules.lower_is_better else -1
    order = sorted(range(n), key=lambda i: (-round(rates[:, i].mean(), 12), sign * means[:, i].mean()))
    rating = ratings(points, seed)
    ranks = tuple(Rank(names[i], rating[i], rate_interval(rates[:, i]), mean_interval(means[:, i])) for i in order)
    grid = np.ix_(order, order)
    draws = int(winners(scores, game.rules.lower_is_better)[1].sum())
    played = (game.name, game.rules.version, seed, pairs, len(tallies), draws, seconds)
    return Tournament(*played, ranks, won.mean(axis=0)[grid], score.mean(axis=0)[grid], seats)
