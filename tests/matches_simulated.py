"""Run by test_deep_matches.py in a process of its own: matches with deep networks, on cores or on Numba's simulated GPU."""

import json
import sys

import numpy as np

from amounts import amount
from deep import deep_net
from evolved import dense_net
from sparring.arena.backends import use_backend
from sparring.arena.play import paired_jobs
from sparring.arena.players import find_players, pack_players
from sparring.games import find_game
from sparring.kernel import cuda_matches

GAME = "backgammon:start=hypergammon"


def players(game: object) -> list:
    """Deep networks of several shapes, encodings and heads, and all others that sit with them."""
    nets = [deep_net(game, "tesauro", (6, 4), 1), deep_net(game, "raw", (5,), 2), deep_net(game, "tesauro", (4, 3), 3, 5)]
    return find_players(game, [*nets, dense_net(game, "tesauro", 3, 1), "random", "pubeval"])


def played(scoring: str, pairs: int) -> dict[str, list]:
    """Games of every two of them."""
    game = find_game(f"{GAME},scoring={scoring}")
    everyone = players(game)
    table, weights = pack_players(game, everyone)
    rows = [(a, b) for a in range(len(everyone)) for b in range(a)]
    jobs = np.concatenate([paired_jobs(1, np.array(row), pairs) for row in rows])
    tallies, moves = game.launcher.play(jobs, table, weights, keep_moves=True)
    alone, _ = game.launcher.play(jobs, table, weights)
    return {
        "tallies": [repr(tally) for tally in tallies],
        "alone": [repr(tally) for tally in alone],
        "moves": [row[row >= 0].tolist() for row in moves],
    }


if __name__ == "__main__":
    backend, scoring, abreast = sys.argv[1:]
    cuda_matches.ABREAST = int(abreast)
    with use_backend(backend), np.errstate(over="ignore"):
        print(json.dumps(played(scoring, amount(1, 10))))
