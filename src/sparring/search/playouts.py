"""Worlds and playouts: a state that the seat may be in, played to the end of the round by a policy, and what each seat gains."""

from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.random import key
from sparring.search.memory import DONE, FIRST, HEAD, ROOT, SEAT, STREAM, WORLD, WORLDS

LUCK = np.uint64(1)  # a world's stream for its players; 0 is that for what is hidden
MOVES_AT_MOST = 1 << 30


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


@inline_kernel
def seats_of_state(s):
    return s.seats


@inline_kernel
def two_seats(s):
    return 2


def worlds(determinize: Any, choose: Any) -> tuple[Any, Any]:
    """Kernels that begin a search and that make a world."""

    @kernel
    def begin(s, mover, memory):
        """Ask the player for its own move, which may change its plan, and copy the state."""
        seat, own = s.turn, choose(s, mover.player, mover.weights, mover.floats, mover.ints)
        s.luck[seat] = stream = key(s.luck[seat], 0)
        for k in range(HEAD):
            memory.head[k] = 0
        memory.head[STREAM], memory.head[SEAT] = np.int64(stream), seat
        memory.states[ROOT] = s
        memory.players[0] = mover.player
        memory.players[0].policy = mover.player.playout
        memory.head[FIRST] = own

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
    choose: Any, apply: Any, seats: Any, part: Any, balance: Any, horizon: int, sign: float
) -> tuple[Any, Any, Any]:
    """Kernels that say whether a playout goes on, that play one, and that tell a seat's reward."""
    most = horizon or MOVES_AT_MOST

    @inline_kernel
    def goes_on(memory, s):
        """Whether the round of the search goes on."""
        return s.over == 0 and part(s) == part(memory.states[ROOT])

    @kernel
    def play_out(memory, s, mover):
        """Let the policy play for all seats until the round ends or for as many moves as the horizon has."""
        memory.head[DONE] += 1
        made = 0
        while goes_on(memory, s) and made < most:
            apply(s, choose(s, mover.player, mover.weights, mover.floats, mover.ints))
            made += 1

    @kernel
    def reward(memory, s, seat, mover):
        """The points that a seat gained minus the mean of the others', and what the balance says where the round goes on."""
        before, total = memory.states[ROOT].tally.score, 0.0
        count = seats(s)
        for other in range(count):
            gained = sign * (np.float64(s.tally.score[other]) - np.float64(before[other]))
            total += gained if other == seat else -gained / (count - 1)
        if goes_on(memory, s):
            total += balance(s, seat, mover.player, mover.weights, mover.floats, mover.ints)
        return total

    return goes_on, play_out, reward
