"""Flat Monte Carlo: every move is played out in the same worlds.

The player's own move is played unless another gains more than chance explains. A move that is clearly worse is dropped, so that
the playouts go to those in doubt.
"""

import math
from typing import Any

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.search.memory import (
    COUNT,
    DONE,
    FIELDS,
    FIRST,
    LINE,
    MOVE,
    NODES,
    NUMBERS,
    SEAT,
    SQUARES,
    SUM,
    VISITS,
    WORLD,
    add_node,
    add_reward,
)

DOUBT = 1.5  # standard errors by which another move has to be better
DESPAIR = 2.5  # standard errors by which a move that is dropped is worse
SOONEST = 4  # worlds after which a move may be dropped


@inline_kernel
def bound(memory, node, errors):
    """A move's mean gain over the player's own, plus so many standard errors, of which a single world tells little."""
    visits, at = memory.nodes[node * FIELDS + VISITS], node * NUMBERS
    mean, square = memory.numbers[at + SUM] / visits, memory.numbers[at + SQUARES] / visits
    return mean + errors * math.sqrt(max(square - mean * mean * visits / (visits + 1), 0.0) / visits)


@kernel
def drop(memory, node):
    """Put the last move in this one's place."""
    memory.head[COUNT] -= 1
    last = memory.head[COUNT]
    for field in range(FIELDS):
        memory.nodes[node * FIELDS + field] = memory.nodes[last * FIELDS + field]
    for number in range(NUMBERS):
        memory.numbers[node * NUMBERS + number] = memory.numbers[last * NUMBERS + number]


@kernel
def decide(memory):
    """The move that gains most for certain."""
    best, most = 0, 0.0
    for node in range(1, memory.head[COUNT]):
        if memory.nodes[node * FIELDS + VISITS] > 0 and bound(memory, node, -DOUBT) > most:
            best, most = node, bound(memory, node, -DOUBT)
    return memory.nodes[best * FIELDS + MOVE]


def flat(moves: Any, apply: Any, make_world: Any, play_out: Any, reward: Any) -> tuple[Any, Any]:
    """Kernels that list the moves and that play them out until so many playouts are done."""

    @kernel
    def list_moves(memory, s):
        add_node(memory, memory.head[FIRST], s.turn)
        for k in range(min(moves(s, memory.moves), NODES - 1)):
            if memory.moves[k] != memory.head[FIRST]:
                add_node(memory, memory.moves[k], s.turn)

    @kernel
    def gain(memory, node, mover):
        """The reward of a move in this world."""
        memory.states[LINE] = memory.states[WORLD]
        line = memory.states[LINE]
        apply(line, memory.nodes[node * FIELDS + MOVE])
        play_out(memory, line, mover)
        return reward(memory, line, memory.head[SEAT], mover)

    @kernel
    def grow(memory, mover, until):
        while memory.head[COUNT] > 1 and memory.head[DONE] < until:
            make_world(memory, mover.ints)
            usual, node = gain(memory, 0, mover), 1
            while node < memory.head[COUNT] and memory.head[DONE] < until:
                add_reward(memory, node, gain(memory, node, mover) - usual)
                if memory.nodes[node * FIELDS + VISITS] >= SOONEST and bound(memory, node, DESPAIR) < 0.0:
                    drop(memory, node)
                else:
                    node += 1

    return list_moves, grow
