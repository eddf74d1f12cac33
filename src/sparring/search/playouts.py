"""Worlds and playouts: a state that the seat may be in, played on by a policy, and what the seat gains."""

from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.random import key
from sparring.search.memory import ALL, HEAD, MADE, NUMBERS, ROOT, SEAT, STREAM, WORLD, WORLDS

LUCK = np.uint64(1)  # a world's stream for its players; 0 is that for what is hidden
MOVES_AT_MOST = 1 << 30
NOBODY = -1


class Mover(NamedTuple):
    """The player whose policy plays, and what it needs."""

    player: Any
    weights: Any
    floats: Any
    ints: Any


@kernel
def one_part(s):
    """The part of a game that is not played in rounds."""
    return 0


@kernel
def no_balance(s, seat, player, weights, float_scratch, int_scratch):
    """The value of a game that is never cut off."""
    return 0.0


@kernel
def nothing_new(s, seat):
    """What a seat sees where moves tell all."""
    return np.uint64(0)


@inline_kernel
def seats_of_state(s):
    return s.seats


@inline_kernel
def two_seats(s):
    return 2


def lead(seats: Any, sign: float) -> Any:
    """A kernel that tells the points by which a seat is ahead of the mean of the others."""

    @kernel
    def ahead(s, seat):
        total, count = 0.0, seats(s)
        for other in range(count):
            points = sign * np.float64(s.tally.score[other])
            total += points if other == seat else -points / (count - 1)
        return total

    return ahead


def worlds(determinize: Any) -> tuple[Any, Any]:
    """Kernels that begin a search and that make a world."""

    @kernel
    def begin(s, mover, memory):
        """Copy the state, and make a new stream of the seat's luck."""
        seat = s.turn
        s.luck[seat] = stream = key(s.luck[seat], 0)
        for k in range(HEAD):
            memory.head[k] = 0
        for k in range(NUMBERS):
            memory.numbers[ALL + k] = 0.0
        memory.head[STREAM], memory.head[SEAT] = np.int64(stream), seat
        memory.states[ROOT] = s
        memory.players[0] = mover.player
        memory.players[0].policy = mover.player.playout

    @kernel
    def make_world(memory, ints):
        """Write the next world: what the seat knows, everything else at random."""
        stream = key(np.uint64(memory.head[STREAM]), memory.head[WORLDS])
        memory.head[WORLDS] += 1
        memory.states[WORLD] = memory.states[ROOT]
        world = memory.states[WORLD]
        determinize(world, memory.head[SEAT], key(stream, 0), ints)
        for seat in range(SEATS):
            world.luck[seat] = key(key(stream, LUCK), seat)

    return begin, make_world


def playouts(
    choose: Any, apply: Any, worth: Any, part: Any, balance: Any, value: Any, horizon: int
) -> tuple[Any, Any, Any]:
    """Kernels that say whether a playout goes on, that play on, and that tell a seat's reward."""
    longest = horizon or MOVES_AT_MOST

    @inline_kernel
    def goes_on(memory, s):
        """Whether the round of the search goes on."""
        return s.over == 0 and part(s) == part(memory.states[ROOT])

    @kernel
    def play_on(memory, s, mover, waiting):
        """Let the policy play for all seats until the round ends, until the turn of a seat, or for as many moves as a playout has.

        A playout is cut off where a turn ends. Its first move is noted.
        """
        made, turn, most = 0, np.int64(s.turn), mover.player.cut if mover.player.cut > 0 else longest
        while goes_on(memory, s) and s.turn != waiting and (made < most or s.turn == turn):
            turn = np.int64(s.turn)
            move = choose(s, mover.player, mover.weights, mover.floats, mover.ints)
            if made == 0:
                memory.head[MADE] = move
            apply(s, move)
            made += 1

    @kernel
    def reward(memory, s, seat, mover):
        """What a seat gained; where the round goes on, also what is expected of the rest.

        A network says that where playouts are cut off for it, otherwise the balance.
        """
        total = worth(s, seat) - worth(memory.states[ROOT], seat)
        if goes_on(memory, s):
            if mover.player.cut > 0 and mover.player.hidden > 0:
                total += value(s, seat, mover.player, mover.weights, mover.floats, mover.ints)
            else:
                total += balance(s, seat, mover.player, mover.weights, mover.floats, mover.ints)
        return total

    return goes_on, play_on, reward
