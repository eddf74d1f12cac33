"""Games in pairs between many players, and their results matchup by matchup."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import Progress, by_contestant, paired_jobs, play
from sparring.arena.players import Contestant
from sparring.games import Game
from sparring.kernel.random import derive
from sparring.studies.gin.hands import HandCounts

Pairing = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Matchups:
    """Results of two players each: the first's share of games won and lost, both players' points and the turns per game."""

    won: np.ndarray
    lost: np.ndarray
    score: np.ndarray
    conceded: np.ndarray
    turns: np.ndarray

    def json(self) -> dict[str, Any]:
        return {name: values.tolist() for name, values in vars(self).items()}

    @property
    def lead(self) -> np.ndarray:
        """Share of games won minus share lost."""
        return np.asarray(self.won - self.lost)


def play_matchups(
    game: Game,
    players: list[Contestant],
    pairing: Pairing,
    pairs: int,
    seed: int,
    threads: int | None,
    progress: Progress | None = None,
) -> np.ndarray:
    """Play every matchup on deals of its own, in both seatings; return the tallies, matchup by matchup."""
    jobs = [paired_jobs(derive(seed, n), np.array(two), pairs) for n, two in enumerate(pairing)]
    return play(game, np.concatenate(jobs), players, threads, progress)


def matchup_results(game: Game, tallies: np.ndarray, count: int) -> Matchups:
    """The results of so many matchups."""
    scores = by_contestant(tallies["score"], 2).astype(float).reshape(count, -1, 2)
    won, score = winners(scores, game.rules.lower_is_better)[0].mean(axis=1), scores.mean(axis=1)
    turns = tallies["turns"].reshape(count, -1).mean(axis=1)
    return Matchups(won[:, 0], won[:, 1], score[:, 0], score[:, 1], turns)


@dataclass(frozen=True)
class RoundRobin:
    """A tournament: tables of the row against the column, NaN on the diagonal, and every player's final hands."""

    titles: list[str]
    kinds: list[str]
    pairs: int  # of games between every two
    won: np.ndarray
    score: np.ndarray
    turns: np.ndarray
    sets: np.ndarray  # per final hand
    runs: np.ndarray
    suits: list[HandCounts]
    ranks: list[HandCounts]

    TABLES = ("won", "score", "turns", "sets", "runs")
    COUNTS = ("suits", "ranks")

    def of(self, kind: str) -> np.ndarray:
        """The indices of a kind's players."""
        return np.flatnonzero(np.array(self.kinds) == kind)

    def mean(self, name: str, kind: str = "", against: str = "") -> np.ndarray:
        """A table's mean over opponents for each player of a kind; NaN if it played none of those."""
        rows = self.of(kind) if kind else np.arange(len(self.kinds))
        columns = self.of(against) if against else np.arange(len(self.kinds))
        values = getattr(self, name)[np.ix_(rows, columns)]
        return np.asarray(np.ma.masked_invalid(values).mean(axis=1).filled(np.nan))

    @cached_property
    def drawn(self) -> np.ndarray:
        return np.asarray(1 - self.won - self.won.T)

    @property
    def draws(self) -> int:
        """The number of drawn games."""
        return round(float(np.nansum(self.drawn)) * self.pairs)

    @property
    def games_each(self) -> int:
        return 2 * self.pairs * (len(self.kinds) - 1)

    def set_shares(self, kind: str) -> np.ndarray:
        """The share of sets among each player's melds; a half without melds."""
        sets, runs = self.mean("sets", kind), self.mean("runs", kind)
        return np.where(sets + runs > 0, sets / np.maximum(sets + runs, 1e-9), 0.5)

    def json(self) -> dict[str, Any]:
        known = {name: getattr(self, name).tolist() for name in self.TABLES}
        tables = {name: [[None if np.isnan(x) else x for x in row] for row in rows] for name, rows in known.items()}
        counts = {name: [each.json() for each in getattr(self, name)] for name in self.COUNTS}
        return {"titles": self.titles, "kinds": self.kinds, "pairs": self.pairs, **tables, **counts}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "RoundRobin":
        arrays: dict[str, Any] = {name: np.array(stored[name], float) for name in cls.TABLES}
        arrays |= {name: [HandCounts.from_json(each) for each in stored[name]] for name in cls.COUNTS}
        return cls(stored["titles"], stored["kinds"], stored["pairs"], **arrays)


def round_robin(
    game: Game, titles: list[str], kinds: list[str], pairing: Pairing, pairs: int, tallies: np.ndarray
) -> RoundRobin:
    """The tournament of these tallies."""
    results, count = matchup_results(game, tallies, len(pairing)), len(titles)
    sides = {
        "won": (results.won, results.lost),
        "score": (results.score, results.conceded),
        "turns": (results.turns, results.turns),
    }
    for name in ("sets", "runs"):
        melds = by_contestant(tallies[name], 2).reshape(len(pairing), -1, 2).mean(axis=1)
        sides[name] = melds[:, 0], melds[:, 1]
    tables = {}
    row, column = np.array(pairing).T
    for name, (first, second) in sides.items():
        tables[name] = np.full((count, count), np.nan)
        tables[name][row, column], tables[name][column, row] = first, second
    suits, ranks = (hand_counts(tallies, name, pairing, count) for name in RoundRobin.COUNTS)
    return RoundRobin(titles, kinds, pairs, suits=suits, ranks=ranks, **tables)


def hand_counts(tallies: np.ndarray, name: str, pairing: Pairing, players: int) -> list[HandCounts]:
    """Every player's final hands by suit or rank."""
    counts = by_contestant(tallies[name].astype(np.int64), 2).reshape(len(pairing), -1, 2, tallies[name].shape[-1])
    held: list[list[np.ndarray]] = [[] for _ in range(players)]
    for k, two in enumerate(pairing):
        for side, player in enumerate(two):
            held[player].append(counts[k, :, side])
    return [HandCounts.of(np.concatenate(each)) for each in held]
