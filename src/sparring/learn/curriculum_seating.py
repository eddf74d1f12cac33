"""Who sits where in the games of a curriculum's stage."""

import numpy as np

from sparring.games.team import Stage
from sparring.kernel.launch import Job

DRAWS = 32  # nets drawn at once for Thompson sampling: rows of the table of players for each sitter


def seated(stage: Stage, games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Jobs of a stage, its sitters moved round the table game by game, and which seats learn, as bits."""
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


def invite(stage: Stage, jobs: np.ndarray, learners: np.ndarray, rivals: range, share: float) -> None:
    """Give the seats of the plain to rivals (rows of the table), all but the first learner's, in a share of the games."""
    rounds = np.arange(len(jobs)) // len(stage.sitters)  # of the table: whoever is chosen meets everyone in every seat
    so_far = np.floor((rounds + 1) * share).astype(int)
    chosen = so_far > np.floor(rounds * share)
    rival = rivals.start + so_far % len(rivals)
    for seat in range(len(stage.sitters)):
        sitter = jobs["player"][:, seat] // DRAWS
        plain = np.array([s.policy == "net+plain" for s in stage.sitters]) & (
            np.arange(len(stage.sitters)) != stage.learners[0]
        )
        moved = chosen & plain[sitter]
        jobs["player"][:, seat] = np.where(moved, rival, jobs["player"][:, seat])
        learners &= ~(moved.astype(np.int64) << seat)
