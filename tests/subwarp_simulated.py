"""Run by test_cuda.py in a process of its own: the threads of a subwarp play games together and print their moves as JSON."""

import json
import sys
import threading
from typing import Any

import numpy as np

from sparring.arena.play import paired_jobs
from sparring.arena.players import Contestant, pack_players
from sparring.games import Game, find_game
from sparring.kernel import subwarp
from sparring.kernel.records import records
from sparring.testing.cast import cast


def dense_networks(game: Game) -> list[Contestant]:
    """Random networks with small weights: large ones saturate every unit, and then rounding alone decides."""
    return [one for one in cast(game, 1, spread=0.1) if one.net is not None and one.net.kind == "sigmoid"]


def jobs_of(players: int, games: int) -> np.ndarray:
    """Games of each player against the next one."""
    rows = [np.array([k, (k + 1) % players]) for k in range(players)]
    return np.concatenate([paired_jobs(1, row, games, "given") for row in rows])


class Subwarp:
    """Threads in step: each waits where values are exchanged."""

    def __init__(self, size: int) -> None:
        self.size, self.own = size, threading.local()
        self.barrier, self.values = threading.Barrier(size, timeout=600), [None] * size

    def rank(self) -> int:
        return self.own.rank

    def exchange(self, value: Any) -> list[Any]:
        self.values[self.own.rank] = value
        self.barrier.wait()
        found = list(self.values)
        self.barrier.wait()
        return found

    def best(self, value: Any, index: Any) -> Any:
        return max(self.exchange((value, index)), key=lambda one: (one[0], -one[1]))

    def install(self) -> None:
        """Take the place of what kernels import from kernel/subwarp.py."""
        names = {
            subwarp.subwarp_size: lambda: self.size,
            subwarp.subwarp_rank: self.rank,
            subwarp.subwarp_best: self.best,
            subwarp.subwarp_sum: lambda value: sum(self.exchange(value)),
        }
        for module in [one for name, one in sys.modules.items() if name.startswith("sparring.") and one is not subwarp]:
            for name, value in list(vars(module).items()):
                if callable(value) and getattr(value, "__module__", "") == subwarp.__name__ and value in names:
                    setattr(module, name, names[value])

    def together(self, work: Any) -> list[Any]:
        """What each thread returns."""
        found: list[Any] = [None] * self.size

        def run(rank: int) -> None:
            self.own.rank = rank
            with np.errstate(over="ignore"):
                try:
                    found[rank] = work()
                except BaseException:
                    self.barrier.abort()
                    raise

        threads = [threading.Thread(target=run, args=(rank,)) for rank in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found


def play(name: str, games: int, most: int) -> list[list[int]]:
    """The first moves of games between dense networks, each against the next, in one thread of a subwarp."""
    game = find_game(name)
    everyone = dense_networks(game)
    table, weights = pack_players(game, everyone)
    start, choose, apply = game.launcher.kernels
    table, played = records(table), []
    for job in records(jobs_of(len(everyone), games)):
        states, floats, ints = game.launcher.scratch(table)
        s, moves = records(states)[0], []
        start(s, job.seed, job.deal, job.luck, job.seats)
        while s.over == 0 and len(moves) < most:
            moves.append(int(choose(s, table[job.player[s.turn]], weights, floats, ints)))
            apply(s, moves[-1])
        played.append(moves)
    return played


if __name__ == "__main__":
    size, name, games, most = sys.argv[1:]
    threads = Subwarp(int(size))
    threads.install()
    print(json.dumps(threads.together(lambda: play(name, int(games), int(most)))))
