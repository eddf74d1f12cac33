"""Run by test_cuda.py in a process of its own, where Numba simulates a GPU: plays or learns, and prints what came out as JSON."""

import json
import sys

import numpy as np

from sparring.arena.backends import use_backend
from sparring.arena.play import paired_jobs
from sparring.arena.players import pack_players
from sparring.games import find_game
from sparring.learn import find_learner
from sparring.testing.cast import cast

SLOW = ("1ply", "mean", "eleven", "patient")  # words of policies that take minutes as plain Python


def played(name: str) -> dict[str, list]:
    """Who can play, in one game each: what was counted, and the moves."""
    game = find_game(name)
    quick = [one for one in cast(game, 1) if not any(word in one.policy for word in SLOW)]
    everyone = [
        one for one in quick if one.policy not in game.policies.strengths and (one.net is None or game.family != "gin")
    ]
    seats, tallies, moves = game.rules.seats[0], [], []
    for k in range(0, len(everyone), seats):  # those of a game alone: a GPU compiles what the players of a batch use
        table, weights = pack_players(game, [everyone[n % len(everyone)] for n in range(k, k + seats)])
        jobs = paired_jobs(1, np.arange(seats), 1, "given")
        tally, row = game.launcher.play(jobs, table, weights, keep_moves=True)
        tallies += list(tally)
        moves += list(row)
    return {"tallies": [repr(tally) for tally in tallies], "moves": [row[row >= 0].tolist() for row in moves]}


def learned(name: str, learner: str, options: dict) -> dict[str, list]:
    """A few steps of two trials: what a checkpoint would have of the nets, and the curves."""
    kind, training_class = find_learner(learner)
    training = training_class(find_game(name), kind(**options), 3, 2)
    while training.step < training.steps:
        training.advance()
    _, curves = training.curves()
    return {
        "nets": [net.weights.tolist() for net in training.champions()],
        **{k: v.tolist() for k, v in curves.items()},
    }


if __name__ == "__main__":
    backend, what, *words = sys.argv[1:]
    with use_backend(backend), np.errstate(over="ignore"):
        found = played(*words) if what == "play" else learned(words[0], words[1], json.loads(words[2]))
    print(json.dumps(found))
