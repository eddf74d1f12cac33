"""Tree search over information sets: below the moves to decide between, playouts learn which moves are good.

A position is what the seat to move sees there: a decision depends on the card drawn or the dice rolled, but on nothing that the
seat cannot know. Where all seats see the same, every seat's moves are in the tree, and each takes those that are good for itself
(Kocsis and Szepesvari, "Bandit Based Monte-Carlo Planning", 2006). Where not, the others' moves are part of the world, made by the
policy, which sees the hands that they hold there (Silver and Veness, "Monte-Carlo Planning in Large POMDPs", 2010); a tree of their
moves for all hands together (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012) makes them blind.

Moves are compared by UCB1; rewards are measured in their standard deviation. At a new position the policy's move comes first.
"""

import math
from typing import Any

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.fragments import fragment
from sparring.kernel.random import below, key
from sparring.search.memory import (
    ALL,
    CODE,
    DEEPEST,
    DONE,
    FIELDS,
    LINE,
    MADE,
    MOVER,
    NUMBERS,
    OWN,
    SEAT,
    SQUARES,
    STRAYED,
    STREAM,
    SUM,
    VISITS,
    WORLD,
    add_reward,
    child_of,
    node_in,
    slot_of,
)
from sparring.search.playouts import NOBODY

EXPLORE = 0.5  # how much uncertain moves are preferred
URGENCY = -1.0  # standard deviations by which a move never tried differs from the mean of its position
HALF = np.uint64(1)  # bits by which what is seen is shifted: codes are not negative
TRIES = np.uint64(2)  # a playout's stream for moves never tried; worlds use others


@inline_kernel
def spread(memory):
    """The standard deviation of the rewards of all playouts."""
    mean = memory.numbers[ALL + SUM] / memory.head[DONE]
    return math.sqrt(max(memory.numbers[ALL + SQUARES] / memory.head[DONE] - mean * mean, 1e-12))


@inline_kernel
def mean_of(memory, node):
    return memory.numbers[node * NUMBERS + SUM] / max(memory.nodes[node * FIELDS + VISITS], 1)


@kernel
def select(memory, place, count, stream):
    """The move to make in a position, of those listed and the policy's."""
    own, untried, chosen, width = memory.nodes[place * FIELDS + OWN], 0, np.int64(-1), spread(memory)
    wide = EXPLORE * width * math.sqrt(2.0 * math.log(memory.nodes[place * FIELDS + VISITS] + 1.0))
    best, top = own, mean_of(memory, own) + wide / math.sqrt(memory.nodes[own * FIELDS + VISITS])
    highest = mean_of(memory, own)
    for k in range(count):
        child = node_in(memory, slot_of(memory, place, memory.moves[k]))
        if child < 0:
            untried += 1
            if below(key(stream, untried), untried) == 0:
                chosen = memory.moves[k]
        elif child != own:
            mean = mean_of(memory, child)
            highest = max(highest, mean)
            value = mean + wide / math.sqrt(memory.nodes[child * FIELDS + VISITS])
            if value > top:
                best, top = child, value
    # A move never tried counts as one that was tried once and found worse than usual: the policy's move came first.
    if untried and mean_of(memory, place) + URGENCY * width + wide >= top:
        memory.head[STRAYED] = 1
        return chosen
    if mean_of(memory, best) < highest:
        memory.head[STRAYED] = 1
    return memory.nodes[best * FIELDS + CODE]


def tree(moves: Any, apply: Any, enact: Any, goes_on: Any, play_on: Any, reward: Any, seen: Any, shared: bool) -> Any:
    """A kernel that plays a move out in a world, and learns from it."""

    @kernel
    def descend(memory, s, node, mover):
        """Go down the tree to a new position or a leaf; returns the number of nodes on the path, and whether it is new."""
        depth, seat = 0, memory.head[SEAT]
        stream = key(key(np.uint64(memory.head[STREAM]), memory.head[DONE]), TRIES)
        while True:
            if not shared:
                play_on(memory, s, mover, seat)
            if not goes_on(memory, s) or depth + 2 > DEEPEST:
                return depth, False
            turn = np.int64(s.turn)
            place = child_of(memory, node, np.int64(seen(s, turn) >> HALF), turn)
            if place < 0:
                return depth, False
            memory.path[depth] = place
            depth += 1
            if memory.nodes[place * FIELDS + OWN] < 0:
                return depth, True
            move = select(memory, place, moves(s, memory.moves), key(stream, depth))
            node = child_of(memory, place, move, turn)
            apply(s, move)
            if node < 0:
                return depth, False
            memory.path[depth] = node
            depth += 1

    @fragment
    def gain(memory, root, mover, deep):
        """The reward of a move to decide between, in this world."""
        memory.states[LINE] = memory.states[WORLD]
        s, depth, new = memory.states[LINE], 0, False
        enact(s, memory.nodes[root * FIELDS + CODE])
        memory.head[DONE] += 1
        memory.head[STRAYED] = 0
        if deep:
            depth, new = descend(memory, s, root, mover)
        play_on(memory, s, mover, np.int64(NOBODY))  # typed: a literal would be compiled separately
        if new:
            place = memory.path[depth - 1]
            own = child_of(memory, place, memory.head[MADE], memory.nodes[place * FIELDS + MOVER])
            memory.nodes[place * FIELDS + OWN] = own
            if own >= 0:
                memory.path[depth] = own
                depth += 1
        gained = reward(memory, s, memory.head[SEAT], mover)
        memory.numbers[ALL + SUM] += gained
        memory.numbers[ALL + SQUARES] += gained * gained
        for k in range(depth):
            node = memory.path[k]
            own_seat = memory.nodes[node * FIELDS + MOVER] == memory.head[SEAT]
            add_reward(memory, node, gained if own_seat else -gained)
        return gained

    return gain
