"""Who plays whom in a generation: the table of players, the games, and whose each seat is."""

from dataclasses import dataclass

import numpy as np

from sparring.arena.players import fill_builtin
from sparring.games import Game
from sparring.kernel.launch import Player


class Bank:
    """The table of players of one generation: every genome of every population, and whom they meet.

    `pattern` is a row that says what all evolved nets have in common.
    """

    def __init__(self, game: Game, pattern: np.ndarray, threads: int | None) -> None:
        self.game, self.pattern, self.threads = game, pattern, threads
        self.weights: list[np.ndarray] = []
        self.rows: list[np.ndarray] = []
        self.length = self.count = 0

    def add_nets(self, weights: np.ndarray, units: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Evolved nets in a row; returns their numbers in the table."""
        rows = np.repeat(self.pattern, len(units))
        rows["hidden"], rows["offset"] = units, offsets + self.length
        self.weights.append(weights)
        self.length += len(weights)
        return self._add(rows)

    def add_builtin(self, name: str) -> int:
        row = np.zeros(1, Player)
        fill_builtin(row, self.game, name)
        return int(self._add(row)[0])

    def _add(self, rows: np.ndarray) -> np.ndarray:
        self.rows.append(rows)
        self.count += len(rows)
        return np.arange(self.count - len(rows), self.count)

    def play(self, jobs: np.ndarray) -> np.ndarray:
        table, weights = np.concatenate(self.rows), np.concatenate([*self.weights, np.zeros(1, np.float32)])
        return self.game.launcher.play(jobs, table, weights, self.threads)[0]


@dataclass
class Duties:
    """Games to be played, and whose each seat is: `members[k]` sits in `seats[k]` of game `games[k]`."""

    jobs: list[np.ndarray]
    members: list[np.ndarray]
    seats: list[np.ndarray]
    games: list[np.ndarray]
    count: int = 0

    def add(self, jobs: np.ndarray, members: np.ndarray, seat: int) -> None:
        """Games in which one seat is judged."""
        self.jobs.append(jobs)
        self.judge(members, seat, np.arange(len(jobs)) + self.count)
        self.count += len(jobs)

    def judge(self, members: np.ndarray, seat: int, games: np.ndarray) -> None:
        self.members.append(members)
        self.seats.append(np.full(len(members), seat))
        self.games.append(games)

    def means(self, per_seat: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The mean over each member's games of a number per game and seat."""
        members = np.concatenate(self.members)
        values = per_seat[np.concatenate(self.games), np.concatenate(self.seats)]
        length = int(members.max()) + 1
        totals: np.ndarray = np.bincount(members, values, length)
        counts: np.ndarray = np.bincount(members, minlength=length)
        return np.asarray(totals[rows] / counts[rows])
