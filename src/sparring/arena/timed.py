"""Players that search for a time. How many playouts they make, and so what they play, depends on the machine and its load."""

import time
from dataclasses import replace

import numpy as np

from sparring.arena.players import Chooser, Contestant
from sparring.games import Game
from sparring.kernel.records import call_kernel, records
from sparring.search import search_kernels
from sparring.search.budget import MOST_PLAYOUTS

SLICE = 0.02  # seconds between looks at the clock


class TimedSearch:
    """Searches for some seconds before each move."""

    def __init__(self, game: Game, contestant: Contestant) -> None:
        assert contestant.budget is not None
        self.seconds = contestant.budget.seconds
        self.chooser = Chooser(game, replace(contestant, budget=replace(contestant.budget, playouts=MOST_PLAYOUTS)))
        self.begin, self.grow, self.decide = search_kernels(game)[2:]

    def choose(self, state: np.ndarray) -> int:
        """The move of the seat whose turn it is."""
        chooser = self.chooser
        player = records(chooser.player)[0]
        handed = (player, chooser.weights, chooser.float_scratch, chooser.int_scratch)
        began = time.perf_counter()
        done, step, spent = 0, 1, 0.0
        if call_kernel(self.begin, records(state)[0], *handed) > 1:
            while done < MOST_PLAYOUTS and spent < self.seconds:
                done = min(done + step, MOST_PLAYOUTS)
                call_kernel(self.grow, *handed, done)
                spent = time.perf_counter() - began
                step = max(1, int(done * min(SLICE, self.seconds - spent) / spent))
                chooser.player[0]["playouts"] = min(
                    done * self.seconds / spent, MOST_PLAYOUTS
                )  # as far as it can be foreseen
        return int(call_kernel(self.decide, records(state)[0], player, chooser.int_scratch))

    def close(self) -> None:
        """Nothing is open."""
