"""The seats of the players in the games of a curriculum's stage."""

import numpy as np

from sparring.games.team import Stage
from sparring.kernel.launch import Job

DRAWS = 32  # networks drawn at once for Thompson sampling: rows of the table of players for each sitter


def seat_stage(stage: Stage, games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Jobs of a stage, whose sitters rotate from game to game, and the seats that learn, as bits."""
    seats = len(stage.sitters)
    numbers = np.arange(games)
    jobs = np.zeros(games, Job)
    jobs["seed"], jobs["deal"], jobs["luck"], jobs["seats"] = seed, numbers, numbers, seats
    learners = np.zeros(games, np.int64)
    for seat in range(seats):
        sitter = (seat + numbers) % seats
        jobs["player"][:, seat] = sitter * DRAWS + (numbers + DRAWS // seats * sitter) % DRAWS
        learners |= np.isin(sitter, stage.learners).astype(np.int64) << seat
    return jobs, learners


def seat_rivals(stage: Stage, jobs: np.ndarray, learners: np.ndarray, rivals: range, share: float) -> None:
    """In a share of the games, give the seats of replaceable sitters, except the first learner's, to rivals (rows of the table)."""
    seats = len(stage.sitters)
    rounds = np.arange(len(jobs)) // seats  # of the rotation: a chosen rival meets everyone in every seat
    so_far = np.floor((rounds + 1) * share).astype(int)
    chosen = so_far > np.floor(rounds * share)
    rival = rivals.start + so_far % len(rivals)
    replaced = np.array([sitter.replaceable for sitter in stage.sitters]) & (np.arange(seats) != stage.learners[0])
    for seat in range(seats):
        moved = chosen & replaced[jobs["player"][:, seat] // DRAWS]
        jobs["player"][:, seat] = np.where(moved, rival, jobs["player"][:, seat])
        learners &= ~(moved.astype(np.int64) << seat)
