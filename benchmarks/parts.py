"""The parts of a network's choice: each game's kernels up to a given part, so that a part's time is a difference of two.

Golf and backgammon follow `hand_move` and `net_play` step by step; other games have two parts, the rules and the choice.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.games import Game
from sparring.games.backgammon import nets
from sparring.games.backgammon.plays import borne_off, move_checker, play_steps, unmake_play
from sparring.games.backgammon.rules import moves
from sparring.games.golf import hand_policies
from sparring.games.golf.layers import second_layer
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import REMEMBERED, forget
from sparring.kernel.vectors import apply_sigmoid, copy

GOLF = (
    "the rules",
    "whether the hand is another",
    "the first layer's sums",
    "the value of the hand as it is",
    "the values with every kind, at six places",
    "choosing by them",
)
BACKGAMMON = (
    "the rules",
    "the legal plays",
    "the first layer's sums",
    "making plays and taking them back",
    "rows of weights added for each checker",
    "sigmoids",
    "outputs",
)
OTHERS = ("the rules", "choosing the move")


@kernel
def golf_parts(s, player, weights, scratch, int_scratch, until):  # type: ignore[no-untyped-def]
    if until < 1:
        return
    if until > 4:
        hand_policies.hand_move(s, player, weights, scratch, int_scratch)
        return
    key = hand_policies.hand_key(s, player.offset)
    if int_scratch[s.turn] == key:
        return
    int_scratch[s.turn] = key
    if until < 2:
        return
    net, inputs, work = weights[player.offset :], int_scratch[REMEMBERED:], scratch[hand_policies.FLOAT_SCRATCH :]
    hand_policies.hand_inputs(s, inputs)
    if until > 3:
        hand_policies.compute_values(player, net, work, scratch, inputs)
        return
    sums = work[hand_policies.WIDTH :]
    for h in range(player.hidden):
        sums[h] = hand_policies.sum_of_unit(net, h, player.hidden, inputs)
    if until > 2:
        second_layer(player, net, sums, work, 1)


@kernel
def backgammon_parts(s, player, weights, scratch, int_scratch, until):  # type: ignore[no-untyped-def]
    count = moves(s, int_scratch) if until > 0 else 1
    if count == 1:
        return
    if until > 1:
        nets.prepare_plays(s.board, s.turn, player, weights, scratch, int_scratch)
    for i in range(count if until > 2 else 0):
        play_parts(s, int_scratch[i], player, weights, scratch, until)


@kernel
def play_parts(s, move, player, weights, scratch, until):  # type: ignore[no-untyped-def]
    board, seat, hidden = s.board, s.turn, player.hidden
    at = nets.SUMS + hidden
    copy(scratch, at, scratch, nets.SUMS, hidden)
    points, second, others = play_steps(move, s.dice[0], s.dice[1])
    hits = 0
    for k in range(4):
        if points[k] == 0:
            break
        pips = second if k == 1 else others
        if until > 3:
            nets.add_step(board, seat, player, weights, points[k], pips, scratch, at)
        if move_checker(board, seat, points[k], pips):
            hits |= 1 << k
    if until == 5:
        apply_sigmoid(scratch, at, hidden)
    if until > 5:
        scratch[nets.VALUES] = nets.last_layer(player, weights, scratch, at)
    if board[seat, 0] > 0 and borne_off(board, seat):
        scratch[nets.VALUES] = nets.win_value(board, seat, s.rules.single)
    unmake_play(board, seat, move, s.dice[0], s.dice[1], hits)


def choosing(choose: Any) -> Any:
    @kernel
    def other_parts(s, player, weights, scratch, int_scratch, until):  # type: ignore[no-untyped-def]
        if until > 0:
            choose(s, player, weights, scratch, int_scratch)

    return other_parts


def parts_of(game: Game) -> tuple[tuple[str, ...], Any]:
    """The names of a game's parts, and a kernel that works up to a given part."""
    known = {"golf": (GOLF, golf_parts), "backgammon": (BACKGAMMON, backgammon_parts)}
    return known.get(game.family) or (OTHERS, choosing(game.policies.choose))


def replay(start: Any, work: Any, apply: Any) -> Callable[..., None]:
    """The loop of `sparring.kernel.launch.batch` over known moves, with some of the work of choosing them."""

    @kernel
    def run(jobs, players, weights, states, float_scratch, int_scratch, kept, until):  # type: ignore[no-untyped-def]
        s = states[0]
        forget(int_scratch)
        for i in range(jobs.size):
            job = jobs[i]
            start(s, job.seed, job.deal, job.luck, job.seats)
            n = 0
            while s.over == 0:
                work(s, players[job.player[s.turn]], weights, float_scratch, int_scratch, until)
                apply(s, np.int64(kept[i, n]))
                n += 1

    return run
