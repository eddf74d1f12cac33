"""Run by test_deep_matches.py in a process of its own: deep networks on cores or on Numba's simulated GPU."""

import json
import sys

import numpy as np

from amounts import amount
from backgammon_tables import side
from deep import deep_net
from evolved import dense_net
from sparring.arena.backends import use_backend
from sparring.arena.play import paired_jobs
from sparring.arena.players import find_players, pack_players
from sparring.games import find_game
from sparring.games.backgammon.nply import Searcher
from sparring.games.backgammon.rollout import Games, Plan
from sparring.kernel import cuda_matches

GAME = "backgammon:start=hypergammon"


def players(game: object) -> list:
    """Deep networks of several shapes, encodings and heads, and all others that sit with them."""
    nets = [
        deep_net(game, "tesauro", (6, 4), 1),
        deep_net(game, "raw", (5,), 2),
        deep_net(game, "tesauro", (4, 3), 3, 5),
    ]
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


def beside_search() -> list[list[int]]:
    """The moves of a deep network's games that are played together with games of one that searches, which stay on cores."""
    game = find_game(GAME)
    nets = [deep_net(game, "tesauro", (3,), 1), deep_net(game, "tesauro", (3,), 1, policy="net+1ply")]
    table, weights = pack_players(game, find_players(game, [*nets, "random"]))
    jobs = np.concatenate([paired_jobs(1, np.array(row), 1) for row in ((0, 2), (1, 2))])
    tallies, moves = game.launcher.play(jobs, table, weights, keep_moves=True)
    assert (tallies["turns"] > 0).all()
    return [row[row >= 0].tolist() for row in moves[:2]]


def rolled_out() -> list[list]:
    """Outcomes and luck of games from positions with contact, in a race, and at its end; without tables of endings."""
    net = deep_net(find_game("backgammon"), "tesauro", (6, 4), 1, 5)
    sides = (("24 13:4 8:4 6:4 5:2", "24:2 13:5 8:2 6:4 5:2"), ("6 5", "4:2"), ("6:4 5", "4:5"), ("1", "1"))
    boards, found = [np.array((side(a), side(b)), np.int8) for a, b in sides], []
    for lucky, truncate in ((True, 3), (False, 5)):
        searcher = Searcher(net, 1, pruned=False)
        searcher.table["tables"] = 0
        games = Games(searcher, boards, 1, Plan(5, truncate, 3, lucky=lucky))
        games.play(3)
        games.play(2)
        found += [games.results.tolist(), games.luck.tolist()]
    return found


def overflowing() -> list[bool]:
    """For each batch, whether it is valued in single precision by a network that half precision does not hold.

    First one that it never holds, then one that it holds for two batches: that is noticed at the fourth.
    """
    import torch

    from sparring.kernel.deep_matches import Network

    game = find_game(GAME)
    table, weights = pack_players(game, find_players(game, [deep_net(game, "raw", (5,), 2)]))
    rows, found = torch.rand(9, 32), []
    for held, batches in ((0, 2), (2, 5)):
        network = Network(table[0], weights)
        exact = network.single(rows)
        halves = [exact] * held + [torch.full_like(exact, float("nan"))] * batches
        network.net.value = lambda rows, outputs, halves=halves: outputs.copy_(halves.pop(0))
        for _ in range(batches):
            outputs = torch.zeros(9, 3)
            network.value(rows, outputs)
            found.append(bool(torch.equal(outputs[:, :1], exact)))
    return found


if __name__ == "__main__":
    backend, scoring, at_once = sys.argv[1:]
    cuda_matches.AT_ONCE, cuda_matches.ROLLED_OUT = int(at_once), 7
    with use_backend(backend), np.errstate(over="ignore"):
        other = {"rollout": rolled_out, "overflow": overflowing, "beside-search": beside_search}.get(scoring)
        found = {scoring: other()} if other else played(scoring, amount(1, 10))
    print(json.dumps(found))
