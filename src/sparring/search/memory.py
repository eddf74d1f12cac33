"""The memory of a search: one thread's tree, move lists and copies of the state, all in the integers that `choose` is given.

Kernels do not allocate, so the integers of a game's policies are followed by those of the search, and parts of them are read as
floats and as states.
"""

from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.compiler import INTERPRETED, inline_kernel
from sparring.kernel.launch import Player
from sparring.kernel.records import Fields

NODES = 1 << 15  # of a tree; when it is full, its leaves are played out again
DEEPEST = 256  # moves from the root to a leaf
# Of the whole search: its nodes, the playouts and worlds so far, its random stream, the seat that decides, its player's own move.
COUNT, DONE, WORLDS, STREAM, SEAT, FIRST, HEAD = range(7)
# Of a node: the move that leads to it and the seat that makes it; its first child and its next sibling; how often it was visited,
# and how often its move was legal when its parent was visited.
MOVE, MOVER, CHILD, SIBLING, VISITS, OFFERED, FIELDS = range(7)
SUM, SQUARES, NUMBERS = range(3)  # of a node: of the rewards of its mover
# States: the one to decide in, one that fits what the seat has seen, and that after some moves.
ROOT, WORLD, LINE = range(3)
STATES = 3


def _record(dtype: np.dtype) -> np.dtype:
    return np.dtype((Fields, dtype)) if INTERPRETED else dtype


PLAYER = _record(Player)


class Memory(NamedTuple):
    """The parts of a search's memory."""

    head: Any
    path: Any  # the nodes visited in this playout
    moves: Any
    node_of: Any  # per move, the child that it leads to, or 0; empty between visits
    nodes: Any
    numbers: Any
    states: Any
    players: Any  # one: the player with the policy of playouts


def memory(state: np.dtype, most_moves: int, used: int) -> tuple[Any, int]:
    """A kernel that finds the parts in the integers, after those that the policies use; and how many integers that takes."""
    record = _record(state)
    head = used
    path = head + HEAD
    moves = path + DEEPEST
    node_of = moves + most_moves
    nodes = node_of + NODES
    numbers = nodes + NODES * FIELDS
    states = numbers + NODES * NUMBERS
    players = states + STATES * state.itemsize // 8
    end = players + Player.itemsize // 8

    @inline_kernel
    def parts(ints):
        return Memory(
            ints[head:path],
            ints[path:moves],
            ints[moves:node_of],
            ints[node_of:nodes],
            ints[nodes:numbers],
            ints[numbers:states].view(np.float64),
            ints[states:players].view(record),
            ints[players:end].view(PLAYER),
        )

    return parts, end


@inline_kernel
def add_node(memory, move, mover):
    """Write a new node; returns its number."""
    node = memory.head[COUNT]
    memory.head[COUNT] += 1
    for field in range(FIELDS):
        memory.nodes[node * FIELDS + field] = 0
    for number in range(NUMBERS):
        memory.numbers[node * NUMBERS + number] = 0.0
    memory.nodes[node * FIELDS + MOVE], memory.nodes[node * FIELDS + MOVER] = move, mover
    return node


@inline_kernel
def add_reward(memory, node, reward):
    """Count a visit to a node."""
    memory.nodes[node * FIELDS + VISITS] += 1
    memory.numbers[node * NUMBERS + SUM] += reward
    memory.numbers[node * NUMBERS + SQUARES] += reward * reward
