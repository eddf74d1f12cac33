"""Deals in every seating: the jobs of a match, and playing them in slices with progress and a log."""

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np

from sparring.arena.players import Contestant, pack_players
from sparring.games import Game, Played
from sparring.kernel.backend import IN_USE
from sparring.kernel.launch import Job

Progress = Callable[[int, int], None]  # games done, games in all
Keep = Callable[[list[Played]], None]  # takes games as they were played
SEATINGS = (
    "every",
    "given",
    "rotated",
)  # each deal in every seating, only as the players are named, or moved round the table


def seatings(seats: int, seating: str = "every") -> np.ndarray:
    """Every order in which contestants can sit, the given one alone, or that moved round: row k says who sits in each seat."""
    if seating == "rotated":
        return np.array([np.roll(np.arange(seats), k) for k in range(seats)])
    orders = np.array(list(permutations(range(seats))))
    return orders[:1] if seating == "given" else orders


def paired_jobs(seed: int, contestants: np.ndarray, deals: int, seating: str = "every") -> np.ndarray:
    """The games of `deals` deals, each in every seating: rows deal by deal. Each game has luck of its own."""
    seats = len(contestants)
    orders = seatings(seats, seating)
    jobs = np.zeros(deals * len(orders), Job)
    numbers = np.arange(len(jobs))
    jobs["seed"] = seed
    jobs["deal"] = numbers // len(orders)
    jobs["luck"] = numbers
    jobs["seats"] = seats
    jobs["player"][:, :seats] = np.tile(np.asarray(contestants)[orders], (deals, 1))
    return jobs


def by_contestant(values: np.ndarray, seats: int, seating: str = "every") -> np.ndarray:
    """Values per job and seat, as (deal, seating, contestant): seats turned back into who sat there."""
    orders = seatings(seats, seating)
    values = values[:, :seats].reshape(-1, len(orders), seats, *values.shape[2:])
    return np.stack([values[:, k, back] for k, back in enumerate(np.argsort(orders, axis=1))], axis=1)


def play(
    game: Game,
    jobs: np.ndarray,
    contestants: list[Contestant],
    threads: int | None = None,
    progress: Progress | None = None,
    keep: Keep | None = None,
    journal: Path | None = None,
) -> np.ndarray:
    """Play every job, slice by slice; returns the tallies. In a job, contestants are named by their place in the list.

    Games with programs of others are played one by one; `journal` is a folder where those that are finished are kept
    until all are, so that what was stopped goes on where it was.
    """
    if any(contestant.external for contestant in contestants):
        from sparring.arena.external import play_outside  # which needs this module

        return play_outside(game, jobs, contestants, progress, keep, journal)
    table, weights = pack_players(game, contestants)
    if progress is None and keep is None:
        return game.launcher.play(jobs, table, weights, threads)[0]
    parts, size = [], IN_USE.get().slice
    for first in range(0, len(jobs), size):
        part = jobs[first : first + size]
        tallies, moves = game.launcher.play(part, table, weights, threads, keep_moves=keep is not None)
        parts.append(tallies)
        if keep:
            keep([played(job, row) for job, row in zip(part, moves, strict=True)])
        if progress:
            progress(min(first + size, len(jobs)), len(jobs))
    return np.concatenate(parts) if parts else np.zeros(0, game.rules.tally)


def played(job: np.void, moves: np.ndarray) -> Played:
    """A job and its row of moves as one game."""
    return Played(
        int(job["seed"]),
        int(job["deal"]),
        int(job["luck"]),
        int(job["seats"]),
        tuple(moves[: int(np.argmax(moves < 0))].tolist()),
    )
