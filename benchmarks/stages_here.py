"""Games of a network against itself on one core, a move of each in stages (kernel/stages.py), for benchmarks."""

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.special import expit

from sparring.arena.players import Contestant, find_player, pack_players
from sparring.errors import UserError
from sparring.games import Game, find_game
from sparring.kernel.compiler import kernel
from sparring.kernel.deep_td import layers_of_player
from sparring.kernel.stages import Candidates, Terms, valuing
from sparring.learn.deep_weights import layers_of

ROOM = 60  # candidates per game


def deep_player(name: str) -> tuple[Game, Contestant]:
    """Backgammon as a network with so many outputs plays it, and the network."""
    try:
        player = find_player(find_game("backgammon"), name)
    except UserError as error:
        sys.exit(str(error))
    if player.net is None or player.net.kind != "deep":
        sys.exit(f"player {name!r}: must be a deep network")
    return find_game("backgammon:scoring=single" if player.net.shape[-1] == 1 else "backgammon"), player


@cache
def kernels_of(start: Any, moves: Any, apply: Any, inputs: Any, outcome: Any, equity: Any) -> tuple[Any, Any]:
    """List and encode the moves of all games; and play the best of each."""
    after, best_of = valuing(apply, inputs, outcome, equity)

    @kernel
    def expand(states, candidates, terms, offered, copies, index, value):
        at = np.int64(0)
        for i in range(len(states)):
            count = moves(states[i], offered)
            if at + count > len(candidates.move):
                return np.int64(-1)
            candidates.first[i], candidates.count[i] = at, count
            for k in range(count):
                copies[0], candidates.move[at + k] = states[i], offered[k]
                after(at + k, copies[0], candidates, terms, index, value)
            at += count
        return at

    @kernel
    def choose(candidates, head, best):
        for i in range(len(best)):
            best[i] = best_of(i, candidates, head)

    @kernel
    def play(states, deals, candidates, terms, best):
        for i in range(len(states)):
            apply(states[i], np.int64(candidates.move[best[i]]))
            if states[i].over != 0:
                deals[i] += terms[0].games
                start(states[i], terms[0].seed, deals[i], deals[i], terms[0].seats)

    @kernel
    def begin(states, deals, terms):
        for i in range(len(states)):
            start(states[i], terms[0].seed, deals[i], deals[i], terms[0].seats)

    return (expand, choose, play, begin), best_of


class StagesHere:
    """Games that are played side by side."""

    def __init__(self, game: Game, player: Contestant, games: int, seed: int) -> None:
        rules, learns = game.rules, game.learning
        kernels = rules.start, rules.moves, rules.apply, learns.inputs, learns.outcome, learns.equity
        (self.expand, self.choose, self.play_kernel, begin), _ = kernels_of(*kernels)
        self.table, self.weights = pack_players(game, [player])
        self.shape = layers_of_player(self.table)
        self.layers = layers_of(self.weights, self.shape)
        heads = [len(flip[0]) for flip in learns.heads.values()]
        self.head, room = heads.index(self.shape[-1]), games * ROOM
        self.terms = np.zeros(1, Terms)
        self.terms["seed"], self.terms["seats"], self.terms["games"] = seed, 2, games
        self.terms["head"], self.terms["encoding"] = self.head, self.table["encoding"][0]
        self.states, self.deals = np.repeat(game.template, games), np.arange(games)
        lists = [np.zeros(n, np.int32) for n in (games, games, 1, room)]
        values = [np.zeros((room, n), np.float32) for n in (self.shape[-1], self.shape[0], self.shape[-1])]
        self.found = Candidates(np.zeros(1, np.int64), *lists, np.zeros(room, np.int8), *values)
        self.scratch = (
            np.zeros(rules.branching, np.int64), game.template.copy(), np.zeros(self.shape[0], np.int64),
            np.zeros(self.shape[0], np.float32),
        )  # fmt: skip
        self.best = np.zeros(games, np.int64)
        begin(self.states, self.deals, self.terms)

    def list_moves(self) -> int:
        """Expand and encode; returns the number of candidates."""
        self.found.rows[:] = 0
        count = int(self.expand(self.states, self.found, self.terms, *self.scratch))
        if count < 0:
            sys.exit(f"more than {ROOM} moves per game on average")
        return count

    def best_by(self, outputs: np.ndarray) -> np.ndarray:
        """The best candidate of each game by these outputs."""
        self.found.outputs[: len(outputs)] = outputs
        self.choose(self.found, self.head, self.best)
        return self.best.copy()

    def play(self, best: np.ndarray) -> None:
        """Play these candidates."""
        self.play_kernel(self.states, self.deals, self.found, self.terms, best)


def single_values(
    layers: list[Any], rows: np.ndarray, half: Callable[[np.ndarray], np.ndarray] | None = None
) -> np.ndarray:
    """The outputs by NumPy. With `half`, numbers are rounded by it as TorchNet does: all but sums and the last layer."""
    rounded = half or (lambda numbers: numbers)
    *hidden, (matrix, biases) = layers
    units = rounded(rows)
    for m, b in hidden:
        units = rounded(np.maximum(units @ rounded(m) + rounded(b), 0))
    return np.asarray(expit(units @ matrix + biases))
