"""Matches of large networks in stages: what a game gives for them, and which jobs can be played so.

In every turn of thousands of games the legal moves are listed, the positions after them encoded, the network of the seat to move
values its positions in matrix products, and the best move of each game is made (kernel/deep_matches.py). That is right where a
network's policy takes the move after which `equity` is highest.
"""

from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.launch import DEEP


class MatchStages(NamedTuple):
    """A game's kernels and numbers for the stages."""

    moves: Any
    inputs: Any
    outcome: Any
    equity: Any
    branching: int  # no position has more moves
    heads: tuple[int, ...]  # outputs of each head
    policy: int  # the number of the policy that takes the move of the highest equity

    def head(self, outputs: int) -> int:
        """The head that a network with so many outputs predicts."""
        return self.heads.index(outputs)


class Shares(NamedTuple):
    """Which jobs are played where, as masks."""

    staged: np.ndarray  # in stages
    threads: np.ndarray  # by a thread or a subwarp for each game
    cores: np.ndarray


def is_staged(stages: MatchStages | None, players: np.ndarray) -> np.ndarray:
    """For each row of a table of players: whether stages can play it."""
    if stages is None:
        return np.zeros(len(players), bool)
    plain = (players["policy"] == stages.policy) & (players["playouts"] == 0)
    return np.asarray((players["kind"] == DEEP) & plain & np.isin(players["outputs"], stages.heads))


def shares_of(stages: MatchStages | None, jobs: np.ndarray, players: np.ndarray) -> Shares:
    """Stages play the jobs in which a network that they can play has a seat; cores those of other deep networks."""
    staged = is_staged(stages, players)
    seated = np.arange(jobs["player"].shape[1]) < jobs["seats"][:, None]
    here = (seated & ((players["kind"] == DEEP) & ~staged)[jobs["player"]]).any(axis=1)
    there = (seated & staged[jobs["player"]]).any(axis=1) & ~here
    return Shares(there, ~(here | there), here)
