"""The memory of a search: one thread's tree, move lists and copies of the state, all in the integers that `choose` is given.

Kernels do not allocate, so the integers of a game's policies are followed by those of the search, and parts of them are read as
floats and as states.

The first nodes are the moves to decide between. A move leads to positions, one for each thing that the seat to move may see there;
a position leads to its moves. All are found by their parent and a code in a hash table. An entry counts only if its node names the
slot, so the table is never cleared (Briggs and Torczon, "An Efficient Representation for Sparse Sets", 1993).
"""

from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.compiler import INTERPRETED, inline_kernel
from sparring.kernel.launch import Player
from sparring.kernel.random import key
from sparring.kernel.records import Fields

NODES = 1 << 15  # of a tree; when it is full, its leaves are played out again
SLOTS = 2 * NODES  # of the hash table
DEEPEST = 256  # nodes below a move to decide between, on the way to a leaf
# Of the whole search: its nodes, the moves to decide between and those still compared, the playouts and worlds so far, its random
# stream, the seat that decides; of the last playout, its first move after the tree, and whether it tried
# a move that is not known as the best.
COUNT, ROOTS, ALIVE, DONE, WORLDS, STREAM, SEAT, MADE, STRAYED, HEAD = range(10)
# Of a node: its parent, its code (a move, or what is seen), its slot, the seat that moves, its visits; of a position, the node of
# its policy's move.
PARENT, CODE, SLOT, MOVER, VISITS, OWN, FIELDS = range(7)
SUM, SQUARES, NUMBERS = range(3)  # of a node: of the rewards of its mover
ALL = NODES * NUMBERS  # where those of all playouts are, for the seat that decides
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
    alive: Any  # the moves still compared
    slots: Any
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
    alive = moves + most_moves
    slots = alive + most_moves
    nodes = slots + SLOTS
    numbers = nodes + NODES * FIELDS
    states = numbers + (NODES + 1) * NUMBERS
    players = states + STATES * state.itemsize // 8
    end = players + Player.itemsize // 8

    @inline_kernel
    def parts(ints):
        return Memory(
            ints[head:path],
            ints[path:moves],
            ints[moves:alive],
            ints[alive:slots],
            ints[slots:nodes],
            ints[nodes:numbers],
            ints[numbers:states].view(np.float64),
            ints[states:players].view(record),
            ints[players:end].view(PLAYER),
        )

    return parts, end


@inline_kernel
def add_node(memory, parent, code, slot, mover):
    """Write a new node; returns its number."""
    node = memory.head[COUNT]
    memory.head[COUNT] += 1
    at = node * FIELDS
    memory.nodes[at + PARENT], memory.nodes[at + CODE], memory.nodes[at + SLOT] = parent, code, slot
    memory.nodes[at + MOVER], memory.nodes[at + VISITS], memory.nodes[at + OWN] = mover, 0, -1
    for number in range(NUMBERS):
        memory.numbers[node * NUMBERS + number] = 0.0
    return node


@inline_kernel
def node_in(memory, slot):
    """The node in a slot of the hash table, or -1."""
    node = memory.slots[slot]
    known = 0 <= node < memory.head[COUNT] and memory.nodes[node * FIELDS + SLOT] == slot
    return node if known else np.int64(-1)


@inline_kernel
def slot_of(memory, parent, code):
    """The slot of a parent's child, or the empty one where it belongs."""
    slot = np.int64(key(parent, code) >> np.uint64(1)) & SLOTS - 1
    node = node_in(memory, slot)
    while node >= 0 and (memory.nodes[node * FIELDS + PARENT] != parent or memory.nodes[node * FIELDS + CODE] != code):
        slot = slot + 1 & SLOTS - 1
        node = node_in(memory, slot)
    return slot


@inline_kernel
def child_of(memory, parent, code, mover):
    """A node's child, which is added if it is new; -1 where there is no room."""
    slot = slot_of(memory, parent, code)
    node = node_in(memory, slot)
    if node < 0 and memory.head[COUNT] < NODES:
        node = add_node(memory, parent, code, slot, mover)
        memory.slots[slot] = node
    return node


@inline_kernel
def add_reward(memory, node, reward):
    """Count a visit to a node."""
    memory.nodes[node * FIELDS + VISITS] += 1
    memory.numbers[node * NUMBERS + SUM] += reward
    memory.numbers[node * NUMBERS + SQUARES] += reward * reward
