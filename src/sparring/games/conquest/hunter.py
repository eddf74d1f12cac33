"""The hunter: a hard opponent that searches by playouts.

It tries each of its moves, lets the greedy player play both sides for some moves, and takes the move that ends best: a rollout
policy (Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", 1996) without chance, so one playout is enough.
It leaves the greedy player's own move only for one that is better by a margin. An enemy with far fewer troops it finishes off by
greedy moves: playouts expect that enemy to grow, and would wait for ever if it does not.
"""

import numpy as np

from sparring.games.conquest.greedy import greedy_move
from sparring.games.conquest.rules import CODES, FULL, IDLE, PLACES, TILES, most_sent
from sparring.games.conquest.value_nets import ends_badly, sensible
from sparring.kernel.compiler import inline_kernel, kernel

STRENGTH = 80  # moves of a playout
WON = 1 << 20
TILE = 2  # what a tile counts beside its troops
MARGIN = 3
FAR_FEWER = 3  # times
INT_SCRATCH = TILES


@kernel
def hunter_move(s, strength, int_scratch):
    """The move whose playout ends best; IDLE if every move ends the game badly."""
    sign, seat = 1 - 2 * s.turn, s.turn
    best, top, greedy = np.int64(IDLE), np.int64(-2 * WON), greedy_move(s, int_scratch)
    ahead = s.tally.troops[seat] > FAR_FEWER * s.tally.troops[1 - seat]
    if ahead and greedy != IDLE and not ends_badly(s, greedy):
        return greedy
    for tile in range(s.rules.tiles):
        int_scratch[tile] = s.board[tile]
    for source in range(s.rules.tiles):
        here = sign * s.board[source]
        if here <= 0:
            continue
        for place in range(-1, PLACES):
            target = source if place < 0 else np.int64(s.rules.near[source, place])
            if target < 0 or (place < 0 and here == FULL):
                continue
            there = sign * s.board[target]
            for troops in range(1, 2 if place < 0 else 1 + most_sent(here, there)):
                move = source * CODES if place < 0 else source * CODES + place * FULL + troops
                if (place < 0 or sensible(troops, here, there)) and not ends_badly(s, move):
                    value = playout(s, move, strength, int_scratch) + (MARGIN if move == greedy else 0)
                    s.turn = seat
                    for tile in range(s.rules.tiles):
                        s.board[tile] = int_scratch[tile]
                    if value > top:
                        best, top = np.int64(move), value
    return best


@kernel
def playout(s, move, strength, int_scratch):
    """What a move is worth after some moves of greedy players on the bare board, which the caller restores."""
    seat = s.turn
    for number in range(strength):
        make(s, move)
        s.turn = 1 - s.turn
        value = balance(s, seat)
        if abs(value) == WON:
            return value - number if value > 0 else value + number
        move = greedy_move(s, int_scratch)
    return balance(s, seat)


@inline_kernel
def make(s, move):
    """Make a move on the board alone."""
    sign, source, k = 1 - 2 * s.turn, move // CODES, move % CODES - 1
    if move == IDLE:
        return
    if k < 0:
        s.board[source] += sign
    else:
        troops = sign * (k % FULL + 1)
        s.board[source] -= troops
        s.board[s.rules.near[source, k // FULL]] += troops


@kernel
def balance(s, seat):
    """Troops and tiles that a seat has more than the other; WON if the other has none, -WON if the seat has none."""
    sign = 1 - 2 * seat
    own = enemy = np.int64(0)
    for tile in range(s.rules.tiles):
        troops = sign * np.int64(s.board[tile])
        own += troops + TILE if troops > 0 else 0
        enemy += TILE - troops if troops < 0 else 0
    if own == 0 or enemy == 0:
        return np.int64(WON if own > 0 else -WON)
    return own - enemy
