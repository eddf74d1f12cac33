"""Who met whom: games in pairs between many players, and what they came to meeting by meeting."""

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
from sparring.studies.gin.hands import Counted

Meetings = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Met:
    """Meetings of two players each: the first's share of games won and lost, points of both a game, turns a game."""

    won: np.ndarray
    lost: np.ndarray
    score: np.ndarray
    conceded: np.ndarray
    turns: np.ndarray

    def json(self) -> dict[str, Any]:
        return {name: values.tolist() for name, values in vars(self).items()}

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> "Met":
        return cls(*(np.array(told[name]) for name in cls.__dataclass_fields__))

    def rotations(self, trials: int) -> "Met":
        """The same as (trials, rotations)."""
        return Met(*(values.reshape(trials, -1) for values in vars(self).values()))

    @property
    def lead(self) -> np.ndarray:
        """Games won less games lost."""
        return np.asarray(self.won - self.lost)


def play_meetings(
    game: Game,
    players: list[Contestant],
    meetings: Meetings,
    pairs: int,
    seed: int,
    threads: int | None,
    progress: Progress | None = None,
) -> np.ndarray:
    """Every meeting on deals of its own, in both seatings; returns the tallies, meeting by meeting."""
    jobs = [paired_jobs(derive(seed, n), np.array(meeting), pairs) for n, meeting in enumerate(meetings)]
    return play(game, np.concatenate(jobs), players, threads, progress)


def met(game: Game, tallies: np.ndarray, meetings: int) -> Met:
    """What they came to."""
    scores = by_contestant(tallies["score"], 2).astype(float).reshape(meetings, -1, 2)
    won, score = winners(scores, game.rules.lower_is_better)[0].mean(axis=1), scores.mean(axis=1)
    turns = tallies["turns"].reshape(meetings, -1).mean(axis=1)
    return Met(won[:, 0], won[:, 1], score[:, 0], score[:, 1], turns)


@dataclass(frozen=True)
class RoundRobin:
    """A tournament: what the row did against the column, not a number on the diagonal; and every player's final hands."""

    titles: list[str]
    kinds: list[str]
    pairs: int  # of games between every two
    won: np.ndarray
    score: np.ndarray
    turns: np.ndarray
    sets: np.ndarray  # a final hand
    runs: np.ndarray
    suits: list[Counted]
    ranks: list[Counted]

    TABLES = ("won", "score", "turns", "sets", "runs")

    def of(self, kind: str) -> np.ndarray:
        """The places of a kind's players."""
        return np.flatnonzero(np.array(self.kinds) == kind)

    def mean(self, name: str, kind: str = "", against: str = "") -> np.ndarray:
        """A table's mean over opponents, for each player of a kind; nan where it met none of those."""
        rows = self.of(kind) if kind else np.arange(len(self.kinds))
        columns = self.of(against) if against else np.arange(len(self.kinds))
        values = getattr(self, name)[np.ix_(rows, columns)]
        known = np.isfinite(values)
        total = np.where(known, values, 0).sum(axis=1)
        return np.asarray(total / np.where(known.any(axis=1), known.sum(axis=1), np.nan))

    @cached_property
    def drawn(self) -> np.ndarray:
        return np.asarray(1 - self.won - self.won.T)

    @property
    def draws(self) -> int:
        """Games of all."""
        return round(float(np.nansum(self.drawn)) * self.pairs)

    @property
    def games_each(self) -> int:
        return 2 * self.pairs * (len(self.kinds) - 1)

    def set_shares(self, kind: str) -> np.ndarray:
        """Sets among the melds of each player; a half where it had none."""
        sets, runs = self.mean("sets", kind), self.mean("runs", kind)
        return np.where(sets + runs > 0, sets / np.maximum(sets + runs, 1e-9), 0.5)

    def json(self) -> dict[str, Any]:
        told = {name: [[None if i == j else x for j, x in enumerate(row)] for i, row in enumerate(values.tolist())]
                for name, values in ((name, getattr(self, name)) for name in self.TABLES)}  # fmt: skip
        counted = {name: [each.json() for each in getattr(self, name)] for name in ("suits", "ranks")}
        return {"titles": self.titles, "kinds": self.kinds, "pairs": self.pairs, **told, **counted}

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> "RoundRobin":
        tables = {name: np.array(told[name], float) for name in cls.TABLES}
        suits, ranks = ([Counted.from_json(each) for each in told[name]] for name in ("suits", "ranks"))
        return cls(told["titles"], told["kinds"], told["pairs"], suits=suits, ranks=ranks, **tables)


def round_robin(
    game: Game, titles: list[str], kinds: list[str], meetings: Meetings, pairs: int, tallies: np.ndarray
) -> RoundRobin:
    """The tournament that tallies of all meetings make."""
    n = len(titles)
    tables = {name: np.full((n, n), np.nan) for name in RoundRobin.TABLES}
    told = met(game, tallies, len(meetings))
    melds = {
        name: by_contestant(tallies[name], 2).reshape(len(meetings), -1, 2).mean(axis=1) for name in ("sets", "runs")
    }
    for k, (i, j) in enumerate(meetings):
        for name, (first, second) in {
            "won": (told.won, told.lost), "score": (told.score, told.conceded), "turns": (told.turns, told.turns),
            **{name: (values[:, 0], values[:, 1]) for name, values in melds.items()},
        }.items():  # fmt: skip
            tables[name][i, j], tables[name][j, i] = first[k], second[k]
    suits, ranks = (hands_of(tallies, name, meetings, n) for name in ("suits", "ranks"))
    return RoundRobin(titles, kinds, pairs, suits=suits, ranks=ranks, **tables)


def hands_of(tallies: np.ndarray, name: str, meetings: Meetings, players: int) -> list[Counted]:
    """Every player's final hands by suit or rank."""
    counts = by_contestant(tallies[name].astype(np.int64), 2).reshape(len(meetings), -1, 2, tallies[name].shape[-1])
    held: list[list[np.ndarray]] = [[] for _ in range(players)]
    for k, meeting in enumerate(meetings):
        for side, player in enumerate(meeting):
            held[player].append(counts[k, :, side])
    return [Counted.of(np.concatenate(each)) for each in held]
