"""Information-set tree search with a single observer (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
2012): each playout is made in a new world and goes down one tree, whose nodes are the moves made.

A node's children are compared by UCB1 among the moves that are legal in this world; how often a move was legal takes the place of
its parent's visits. At a node without children the player's own move comes first. Rewards are measured in their standard deviation.
"""

import math
from typing import Any

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import below, key
from sparring.search.memory import (
    CHILD,
    COUNT,
    DEEPEST,
    DONE,
    FIELDS,
    FIRST,
    MOVE,
    MOVER,
    NODES,
    NUMBERS,
    OFFERED,
    SIBLING,
    SQUARES,
    STREAM,
    SUM,
    VISITS,
    WORLD,
    add_node,
    add_reward,
)

EXPLORE = 0.5  # how much uncertain moves are preferred
# Standard deviations by which a move never tried differs from the mean of the others, after the first move.
URGENCY = -1.0
DOUBT = 2.0  # standard errors by which another move has to be better than the player's own
TRIES = np.uint64(2)  # a playout's stream for moves never tried; worlds use others


@inline_kernel
def spread(memory):
    """The standard deviation of the rewards of all playouts."""
    visits = max(memory.nodes[VISITS], 1)
    mean = memory.numbers[SUM] / visits
    return math.sqrt(max(memory.numbers[SQUARES] / visits - mean * mean, 1e-12))


@inline_kernel
def mean_of(memory, node):
    return memory.numbers[node * NUMBERS + SUM] / max(memory.nodes[node * FIELDS + VISITS], 1)


@inline_kernel
def index_children(memory, node, known):
    """Note which moves lead to children, or with `known` 0 forget it."""
    child = memory.nodes[node * FIELDS + CHILD]
    while child:
        memory.node_of[memory.nodes[child * FIELDS + MOVE]] = child * known
        child = memory.nodes[child * FIELDS + SIBLING]


@kernel
def select(memory, node, seat, count, stream):
    """The child to visit, or -1 for a move never tried, and the move."""
    index_children(memory, node, 1)
    scale, best, top, untried = EXPLORE * spread(memory), np.int64(-1), -1e30, 0
    chosen, total, visits = np.int64(-1), 0.0, 0
    for k in range(count):
        move = memory.moves[k]
        child = memory.node_of[move]
        if child == 0:
            untried += 1
            if below(key(stream, untried), untried) == 0:
                chosen = move
            continue
        at = child * FIELDS
        memory.nodes[at + OFFERED] += 1
        tried = memory.nodes[at + VISITS]
        total, visits = total + memory.numbers[child * NUMBERS + SUM], visits + tried
        value = mean_of(memory, child) + scale * math.sqrt(2.0 * math.log(memory.nodes[at + OFFERED] + 1.0) / tried)
        if value > top:
            best, top = child, value
    index_children(memory, node, 0)
    # A move never tried counts as one that was tried once, with the mean reward of the others or, later in the line, with less: the
    # policy's move comes first there, and most others are worse.
    usual = total / max(visits, 1) + (URGENCY * spread(memory) if node else 0.0)
    if untried and usual + scale * math.sqrt(2.0 * math.log(visits + 1.0)) >= top:
        return np.int64(-1), chosen
    return best, memory.nodes[best * FIELDS + MOVE]


@inline_kernel
def add_child(memory, node, move, seat):
    child = add_node(memory, move, seat)
    memory.nodes[child * FIELDS + SIBLING] = memory.nodes[node * FIELDS + CHILD]
    memory.nodes[node * FIELDS + CHILD] = child
    memory.nodes[child * FIELDS + OFFERED] = 1
    return child


@kernel
def decide(memory):
    """The move visited most, unless the player's own is hardly worse."""
    own, best, child = np.int64(0), np.int64(0), memory.nodes[CHILD]
    while child:
        if memory.nodes[child * FIELDS + MOVE] == memory.head[FIRST]:
            own = child
        if best == 0 or memory.nodes[child * FIELDS + VISITS] > memory.nodes[best * FIELDS + VISITS]:
            best = child
        child = memory.nodes[child * FIELDS + SIBLING]
    if best == 0 or own == 0:
        return memory.head[FIRST]
    error = math.sqrt(1.0 / memory.nodes[best * FIELDS + VISITS] + 1.0 / memory.nodes[own * FIELDS + VISITS])
    better = mean_of(memory, best) - mean_of(memory, own) > DOUBT * spread(memory) * error
    return memory.nodes[best * FIELDS + MOVE] if better else memory.head[FIRST]


def tree(
    moves: Any, choose: Any, apply: Any, make_world: Any, goes_on: Any, play_out: Any, reward: Any
) -> tuple[Any, Any]:
    """Kernels that plant the tree and that let it grow until so many playouts are done."""

    @kernel
    def plant(memory, s):
        add_node(memory, -1, s.turn)

    @kernel
    def descend(memory, mover, stream):
        """Go down the tree to a new node, or to a leaf; returns the number of nodes on the path."""
        world, node, depth = memory.states[WORLD], np.int64(0), 0
        while goes_on(memory, world) and depth < DEEPEST:
            seat = world.turn
            if node == 0 and memory.nodes[CHILD] == 0:
                child, move = np.int64(-1), memory.head[FIRST]
            elif memory.nodes[node * FIELDS + CHILD] == 0:
                move = choose(world, mover.player, mover.weights, mover.floats, mover.ints)
                child = np.int64(-1)
            else:
                child, move = select(memory, node, seat, moves(world, memory.moves), key(stream, depth))
            new = child < 0
            if new:
                if memory.head[COUNT] == NODES:
                    break
                child = add_child(memory, node, move, seat)
            apply(world, move)
            memory.path[depth], node = child, child
            depth += 1
            if new:
                break
        return depth

    @kernel
    def grow(memory, mover, until):
        world = memory.states[WORLD]
        while memory.head[DONE] < until:
            make_world(memory, mover.ints)
            stream = key(key(np.uint64(memory.head[STREAM]), memory.head[DONE]), TRIES)
            depth = descend(memory, mover, stream)
            play_out(memory, world, mover)
            for k in range(depth):
                node = memory.path[k]
                add_reward(memory, node, reward(memory, world, memory.nodes[node * FIELDS + MOVER], mover))
            add_reward(memory, 0, reward(memory, world, memory.nodes[MOVER], mover))

    return plant, grow
