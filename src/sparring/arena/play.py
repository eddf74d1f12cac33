"""The jobs of a match, each deal in every seating, and playing them in slices with progress and a log."""

import time
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Protocol

import numpy as np

from sparring.arena.players import Contestant, pack_players, searched
from sparring.games import Game, Played
from sparring.kernel.backend import IN_USE
from sparring.kernel.launch import Job

Progress = Callable[[int, int], None]  # games done, games in total
Keep = Callable[[list[Played]], None]  # receives the games played
SLICE_SECONDS = (
    0.1  # slices that end sooner grow, because each has a fixed cost; not where moves are kept, which take memory
)
SEATINGS = ("every", "given", "rotated")  # of each deal: all orders of players, the given order, or its rotations


class Stopping(Protocol):
    """Ends a series of jobs early: after every `every` jobs it is asked whether they are enough."""

    every: int

    def enough(self, tallies: np.ndarray) -> bool:
        """Whether to stop, given the tallies since it was last asked."""


def seatings(seats: int, seating: str = "every") -> np.ndarray:
    """The orders in which contestants sit: row k has the contestant in each seat."""
    if seating == "rotated":
        return np.array([np.roll(np.arange(seats), k) for k in range(seats)])
    orders = np.array(list(permutations(range(seats))))
    return orders[:1] if seating == "given" else orders


def paired_jobs(seed: int, contestants: np.ndarray, deals: int, seating: str = "every") -> np.ndarray:
    """The jobs of `deals` deals, each in every seating, deal by deal. Each game has its own luck."""
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
    """Values per job and seat, rearranged as (deal, seating, contestant)."""
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
    stopping: Stopping | None = None,
) -> np.ndarray:
    """Play every job, slice by slice, and return the tallies. Jobs refer to contestants by their index in the list.

    With `stopping`, only as many of the jobs as it wants; their tallies are returned.

    Games with external programs are played one by one. `journal` is a folder that keeps finished games until all are done, so
    that a stopped match can be resumed.
    """
    if any(contestant.external for contestant in contestants):
        from sparring.arena.external import play_outside  # imports this module

        return play_outside(game, jobs, contestants, progress, keep, journal, stopping)
    game = searched(game, contestants)
    table, weights = pack_players(game, contestants)
    launch = game.launcher.play_here if game.policies.searches else game.launcher.play  # other backends do not search
    if progress is None and keep is None and stopping is None:
        return launch(jobs, table, weights, threads, False)[0]
    parts, first, size = [], 0, stopping.every if stopping else IN_USE.get().slice
    while first < len(jobs):
        part, began = jobs[first : first + size], time.perf_counter()
        tallies, moves = launch(part, table, weights, threads, keep is not None)
        parts.append(tallies)
        first += len(part)
        if keep:
            keep([played(job, row) for job, row in zip(part, moves, strict=True)])
        if progress:
            progress(first, len(jobs))
        if stopping and stopping.enough(tallies):
            break
        if not keep and not stopping and time.perf_counter() - began < SLICE_SECONDS:
            size *= 2
    return np.concatenate(parts) if parts else np.zeros(0, game.rules.tally)


def played(job: np.void, moves: np.ndarray) -> Played:
    """The game of a job and its row of moves."""
    seed, deal, luck, seats = (int(job[name]) for name in ("seed", "deal", "luck", "seats"))
    return Played(seed, deal, luck, seats, tuple(moves[: int(np.argmax(moves < 0))].tolist()))
