"""Run by test_deep_td.py in a process of its own, where Numba simulates a GPU: the moves that expand lists, against the rules' own.

The positions are those of games of random moves, of every game; expand lists the moves of a block of games in any order of games.
"""

import json

import numpy as np

from amounts import amount
from sparring.games import GAMES, find_game
from sparring.games.game import MOVES, Game, apply_move, legal_moves, start_game
from sparring.kernel.gpu import cuda
from sparring.kernel.gpu_stages import NARROW, stages_on_gpu
from sparring.kernel.stages import Stages

POSITIONS = amount(200, 100_000)  # of each game
TOGETHER = 2000


def positions(game: Game, count: int) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """Positions of games of random moves, and the legal moves of each."""
    rng, states, lists = np.random.default_rng(1), np.zeros(count, game.rules.state), []
    deal = 0
    while len(lists) < count:
        state = start_game(game, 1, deal, deal, game.rules.seats[deal % len(game.rules.seats)])
        deal += 1
        while len(lists) < count and (moves := legal_moves(game, state)):
            states[len(lists)] = state[0]
            lists.append(moves)
            apply_move(game.rules, state, moves[rng.integers(len(moves))])
    return states, lists


def differences(game: Game) -> tuple[int, int]:
    """The positions whose moves are listed otherwise, and the number of moves in all."""
    states, lists = positions(game, POSITIONS)
    made = Stages(None, game.rules.moves, None, None, None)
    expand, _, _ = stages_on_gpu(made, game.rules.state, game.rules.branching or MOVES, 1)
    wrong = 0
    for begin in range(0, len(states), TOGETHER):
        part, expected = states[begin : begin + TOGETHER], lists[begin : begin + TOGETHER]
        room = sum(map(len, expected))
        shapes = (1, len(part), len(part), room, room)
        sent = [cuda.to_device(np.zeros(n, np.int32 if k else np.int64)) for k, n in enumerate(shapes)]
        expand[-(-len(part) // NARROW), NARROW](cuda.to_device(part), len(part), *sent)
        cursor, first, counts, of_game, move = (array.copy_to_host() for array in sent)
        wrong += int(cursor[0] != room)
        for i, moves in enumerate(expected):
            here = slice(first[i], first[i] + counts[i])
            wrong += tuple(move[here].tolist()) != moves or (of_game[here] != i).any()
    return wrong, sum(map(len, lists))


if __name__ == "__main__":
    with np.errstate(over="ignore"):
        print(json.dumps({name: (POSITIONS, *differences(find_game(name))) for name in GAMES}, default=int))
