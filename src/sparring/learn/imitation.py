"""Imitation: change weights step by step so that a network chooses the moves of another player."""

from collections.abc import Iterable

import numpy as np

from sparring.arena.play import paired_jobs
from sparring.arena.players import Contestant, find_player, pack_players
from sparring.games import Game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.kernel.launch import scratch_floats
from sparring.kernel.records import records
from sparring.nets.dense import Net

STATES = 600  # examples to compare


def imitate(game: Game, net: Net, player: str, changes: Iterable[np.ndarray], seed: int) -> np.ndarray:
    """The network's weights after keeping every change that does not reduce its agreement with the player."""
    states, wanted = examples(game, player, seed)
    table, weights = pack_players(game, [Contestant("learner", net.policy, net)])
    best, most = weights.copy(), agreement(game, states, wanted, table, weights)
    for change in changes:
        trial = best + change
        agreed = agreement(game, states, wanted, table, trial)
        if agreed >= most:
            best, most = trial, agreed
    return best


def examples(game: Game, player: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """States in which the player has a choice, from its games against itself, and the moves it chose."""
    table, weights = pack_players(game, [find_player(game, player)])
    states, wanted = np.zeros(STATES, game.rules.state), np.zeros(STATES, np.int64)
    count = deal = 0
    while count < STATES:
        job = paired_jobs(seed, np.zeros(2, np.int64), 1)[:1]
        job["deal"] = job["luck"] = deal
        _, moves = game.launcher.play(job, table, weights, threads=1, keep_moves=True)
        state = start_game(game, seed, deal, deal, 2)
        for move in moves[0][: int(np.argmax(moves[0] < 0))].tolist():
            if count < STATES and len(legal_moves(game, state)) > 1:
                states[count], wanted[count] = state[0], move
                count += 1
            play_move(game, state, move)
        deal += 1
    return states, wanted


def agreement(game: Game, states: np.ndarray, wanted: np.ndarray, table: np.ndarray, weights: np.ndarray) -> int:
    """The number of states in which the first player of the table chooses the wanted move."""
    float_scratch = np.zeros(scratch_floats(game.policies.float_scratch, table), np.float32)
    int_scratch = np.zeros(game.policies.int_scratch, np.int64)
    rows, player = records(states), records(table)[0]
    with np.errstate(over="ignore"):
        chosen = [game.policies.choose(s, player, weights, float_scratch, int_scratch) for s in rows]
    return int((np.array(chosen) == wanted).sum())
