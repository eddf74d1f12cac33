"""The games of a generation: the table of players, the jobs, and the genome whose fitness each seat counts for."""

from dataclasses import dataclass, field

import numpy as np

from sparring.arena.players import fill_builtin
from sparring.games import Game
from sparring.kernel.launch import Player


class PlayerTable:
    """The players of one generation: all genomes of all populations, and their opponents.

    `pattern` is a row with the fields that all evolved networks share.
    """

    def __init__(self, game: Game, pattern: np.ndarray, threads: int | None) -> None:
        self.game, self.pattern, self.threads = game, pattern, threads
        self.weights: list[np.ndarray] = []
        self.rows: list[np.ndarray] = []
        self.length = self.count = 0

    def add_nets(self, weights: np.ndarray, units: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Add evolved networks; returns their rows in the table."""
        rows = np.repeat(self.pattern, len(units))
        rows["hidden"], rows["offset"] = units, offsets + self.length
        self.weights.append(weights)
        self.length += len(weights)
        return self._add(rows)

    def add_builtin(self, name: str) -> int:
        """Add a built-in player; returns its row in the table."""
        row = np.zeros(1, Player)
        fill_builtin(row, self.game, name)
        return int(self._add(row)[0])

    def _add(self, rows: np.ndarray) -> np.ndarray:
        self.rows.append(rows)
        self.count += len(rows)
        return np.arange(self.count - len(rows), self.count)

    def play(self, jobs: np.ndarray) -> np.ndarray:
        """The tallies of some games."""
        table, weights = np.concatenate(self.rows), np.concatenate([*self.weights, np.zeros(1, np.float32)])
        return self.game.launcher.play(jobs, table, weights, self.threads)[0]


@dataclass
class Schedule:
    """Games to play, and the genomes judged by them: `members[k]` sits in `seats[k]` of game `games[k]`."""

    jobs: list[np.ndarray] = field(default_factory=list)
    members: list[np.ndarray] = field(default_factory=list)
    seats: list[np.ndarray] = field(default_factory=list)
    games: list[np.ndarray] = field(default_factory=list)
    count: int = 0

    def add(self, jobs: np.ndarray, *seats: int) -> None:
        """Add games in which the players of some seats are judged."""
        self.jobs.append(jobs)
        for seat in seats:
            self.members.append(jobs["player"][:, seat])
            self.seats.append(np.full(len(jobs), seat))
            self.games.append(np.arange(len(jobs)) + self.count)
        self.count += len(jobs)

    def means(self, per_seat: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The means over each member's games of a number per game and seat."""
        members = np.concatenate(self.members)
        values = per_seat[np.concatenate(self.games), np.concatenate(self.seats)]
        length = int(members.max()) + 1
        totals: np.ndarray = np.bincount(members, values, length)
        counts: np.ndarray = np.bincount(members, minlength=length)
        return np.asarray(totals[rows] / counts[rows])
