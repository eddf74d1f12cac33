"""Flat Monte Carlo, and the first move of tree search: every move to decide between is played out in the same worlds.

The player's own move is played unless another gains more than chance explains. A move that is clearly worse is dropped, so that
the playouts go to those in doubt.
"""

import math
from typing import Any

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.fragments import fragment
from sparring.search.memory import (
    ALIVE,
    CODE,
    COUNT,
    DONE,
    FIELDS,
    LINE,
    NODES,
    NUMBERS,
    ROOT,
    ROOTS,
    SEAT,
    SQUARES,
    STRAYED,
    SUM,
    VISITS,
    add_node,
    add_reward,
)

DOUBT = 1.5  # standard errors by which another move has to be better, if it is the only one
DESPAIR = 2.5  # standard errors by which a move that is dropped is worse
SOONEST = 4  # worlds after which a move may be dropped
SHARE = 4  # in tree search, also after this part of its equal share of playouts: what follows it has to be found first


@inline_kernel
def bound(memory, node, errors, least):
    """A move's mean gain over the player's own, plus so many standard errors, of which a single world tells little.

    The variance counts as `least` or more.
    """
    visits, at = memory.nodes[node * FIELDS + VISITS], node * NUMBERS
    mean, square = memory.numbers[at + SUM] / visits, memory.numbers[at + SQUARES] / visits
    return mean + errors * math.sqrt(max(square - mean * mean * visits / (visits + 1), least) / visits)


@inline_kernel
def usual_variance(memory):
    """The variance of a move's gain from world to world, over all moves still compared."""
    visits, total = 0, 0.0
    for place in range(1, memory.head[ALIVE]):
        node = memory.alive[place]
        times, gains = memory.nodes[node * FIELDS + VISITS], memory.numbers[node * NUMBERS + SUM]
        visits += times
        total += memory.numbers[node * NUMBERS + SQUARES] - gains * gains / max(times, 1)
    return total / max(visits, 1)


@kernel
def decide(memory):
    """The move that gains most for certain. Of many moves one is often lucky: the more there are, the more it has to gain."""
    best, most, least = 0, 0.0, usual_variance(memory)
    doubt = math.sqrt(DOUBT * DOUBT + 2.0 * math.log(max(memory.head[ALIVE] - 1.0, 1.0)))
    for place in range(1, memory.head[ALIVE]):
        node = memory.alive[place]
        if memory.nodes[node * FIELDS + VISITS] > 0 and bound(memory, node, -doubt, least) > most:
            best, most = node, bound(memory, node, -doubt, least)
    return memory.nodes[best * FIELDS + CODE]


def listing(plans: int, intend: Any, planned: Any) -> Any:
    """A kernel that lists what is compared: every move with every plan that is possible. The code of one is move * plans + plan."""

    @kernel
    def list_moves(memory, own, count):
        """Write the moves to decide between, the player's own and the present plan first: of equals the first is chosen."""
        nowhere, seat = np.int64(-1), memory.head[SEAT]
        present = planned(memory.states[ROOT], seat)
        own = own * plans + present
        add_node(memory, nowhere, own, nowhere, seat)
        for other in range(plans):
            plan = (present + other) % plans
            memory.states[LINE] = memory.states[ROOT]
            possible = intend(memory.states[LINE], seat, plan)
            for k in range(min(count, NODES // plans - 1) if possible else 0):
                if memory.moves[k] * plans + plan != own:
                    add_node(memory, nowhere, memory.moves[k] * plans + plan, nowhere, seat)
        memory.head[ROOTS] = memory.head[ALIVE] = memory.head[COUNT]
        for node in range(memory.head[ROOTS]):
            memory.alive[node] = node

    return list_moves


def enacting(plans: int, intend: Any, apply: Any) -> tuple[Any, Any]:
    """Kernels that write the plan of what is compared into a state and tell its move, and that also make the move."""

    @inline_kernel
    def settle(s, code):
        intend(s, s.turn, code % plans)
        return code // plans

    @inline_kernel
    def enact(s, code):
        apply(s, settle(s, code))

    return settle, enact


def comparison(make_world: Any, gain: Any) -> Any:
    """A kernel that plays moves out until so many playouts are done."""

    @fragment
    def grow(memory, mover, until, budget, deep):
        share = budget // (SHARE * max(memory.head[ROOTS], 1))
        soonest = SOONEST + share if deep else SOONEST
        while memory.head[ALIVE] > 1 and memory.head[DONE] < until:
            make_world(memory, mover.ints)
            place, usual, node = 0, 0.0, np.int64(0)
            while place < memory.head[ALIVE] and memory.head[DONE] < until:
                node = memory.alive[place]
                gained = gain(memory, node, mover, deep)
                if memory.head[STRAYED]:  # the tree learns from it, and the decision does not
                    if place == 0:
                        break
                    place += 1
                    continue
                usual = gained if place == 0 else usual
                add_reward(memory, node, gained - usual)
                if memory.nodes[node * FIELDS + VISITS] >= soonest and bound(memory, node, DESPAIR, 0.0) < 0.0:
                    memory.head[ALIVE] -= 1
                    memory.alive[place] = memory.alive[memory.head[ALIVE]]
                else:
                    place += 1

    return grow
