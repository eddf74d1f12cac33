"""Plays valued by a network at 0 ply: it chooses the replies of a search, and the plays of rollouts.

Where both sides bear off, tables replace the network. A deep network values only the replies that a small one prefers.
"""

from typing import Any, NamedTuple

from sparring.games.backgammon import encodings, nets
from sparring.games.backgammon.cube_play import possible
from sparring.games.backgammon.nets import SUMS, board_sums, five_outputs, make_play_with_sums
from sparring.games.backgammon.outcomes import NOTHING, flipped, has_five, known, value_of, won
from sparring.games.backgammon.plays import OFF, PLACES, borne_off, make_play, plays, points_won, unmake_play
from sparring.games.backgammon.search_tables import SMALL_UNITS, at_home, ending, pruner_at
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.dense import output_row
from sparring.kernel.launch import DEEP, LINEAR
from sparring.kernel.vectors import apply_sigmoid

WORST = -1e9
KEPT = 5  # replies that the small network leaves to a deep one
LISTED = 16  # the longest list of ranked plays
ALL = LISTED + 1  # as a player's strength: its network values all replies
RANKED = nets.INT_SCRATCH  # in the integers, after what networks use
INT_SCRATCH = RANKED + LISTED


def float_scratch(hidden: int) -> int:
    """Scratch memory for a network with this many hidden units and the small network."""
    return nets.float_scratch(hidden) + 2 * SMALL_UNITS + LISTED


class Task(NamedTuple):
    """What kernels of a search hand on: the player, all weights, scratch memory, and whether every win counts one point."""

    player: Any
    weights: Any
    scratch: Any
    ints: Any
    single: Any


@inline_kernel
def small_sums(player):
    """Where the floats of the small network begin: its sums before a play and after it, then the values of ranked plays."""
    return SUMS + 2 * player.hidden + 5


@inline_kernel
def prunes(player):
    """Whether a small network preselects replies: a deep network takes many times as long."""
    return player.kind == DEEP and player.tables > 0 and player.strength <= LISTED


@inline_kernel
def kept_replies(player):
    """How many replies the small network leaves."""
    return player.strength if player.strength > 0 else KEPT


@kernel
def prepare(board, seat, task):
    """Compute what all plays of all rolls share; returns whether the other side is home and tables are there."""
    player = task.player
    nets.prepare_plays(board, seat, player, task.weights, task.scratch, task.ints)
    if prunes(player):
        small = pruner_at(player.tables)
        board_sums(board, seat, small, task.weights, task.scratch, small_sums(player), task.ints)
    return player.tables > 0 and at_home(board, 1 - seat)


@kernel
def play_outcomes(board, seat, move, dice, home, task):
    """The outcomes of a play at 0 ply, after `prepare`, whose answer is `home`. The board is restored."""
    player, (larger, smaller) = task.player, dice
    hits = make_play(board, seat, move, larger, smaller)
    if board[seat, OFF] > 0 and borne_off(board, seat):
        found = won(board, seat, player, task.single)
    elif player.kind == LINEAR or not encodings.by_steps(player.encoding) or (home and at_home(board, seat)):
        found = static(board, seat, task)
    else:
        unmake_play(board, seat, move, larger, smaller, hits)
        at = SUMS + player.hidden
        hits = make_play_with_sums(board, seat, move, larger, smaller, player, task.weights, task.scratch, SUMS, at)
        found = possible(board, seat, nets.chances_of(player, task.weights, task.scratch, at))
    unmake_play(board, seat, move, larger, smaller, hits)
    return found


@kernel
def static(board, seat, task):
    """The outcomes at 0 ply for a side that has played, computed from scratch. The game is not over."""
    player, weights, scratch, ints, single = task
    if player.tables > 0 and at_home(board, seat) and at_home(board, 1 - seat):
        found = ending(board, 1 - seat, weights, player.tables)
        if found[0] >= 0.0:
            return known(flipped(found), player, single)
    if player.kind == LINEAR:
        return 0.5 + 0.5 * nets.net_value(board, seat, player, weights, scratch, ints), 0.0, 0.0, 0.0, 0.0
    board_sums(board, seat, player, weights, scratch, SUMS + player.hidden, ints)
    return possible(board, seat, nets.chances_of(player, weights, scratch, SUMS + player.hidden))


@inline_kernel
def insert(values, first, numbers, at, count, most, value, number):
    """Insert into a list of at most `most` numbers, highest value first; equals stay in order. Returns its length."""
    place = count
    while place > 0 and values[first + place - 1] < value:
        place -= 1
    if place == most:
        return count
    count = min(count + 1, most)
    for k in range(count - 1, place, -1):
        values[first + k], numbers[at + k] = values[first + k - 1], numbers[at + k - 1]
    values[first + place], numbers[at + place] = value, number
    return count


@kernel
def prune(board, seat, dice, count, task):
    """Move the replies that the small network values most to the front of the list; returns how many."""
    player, weights, scratch, ints, _ = task
    larger, smaller = dice
    small, base = pruner_at(player.tables), small_sums(player)
    at, ranks = base + SMALL_UNITS, base + 2 * SMALL_UNITS
    kept = 0
    for i in range(count):
        hits = make_play_with_sums(board, seat, ints[i], larger, smaller, small, weights, scratch, base, at)
        apply_sigmoid(scratch, at, SMALL_UNITS)
        value = five_outputs(weights, output_row(small, 0), scratch, at, SMALL_UNITS)
        if board[seat, OFF] > 0 and borne_off(board, seat):
            value = 1.0 * points_won(board, seat)
        unmake_play(board, seat, ints[i], larger, smaller, hits)
        kept = insert(scratch, ranks, ints, RANKED, kept, kept_replies(player), value, ints[i])
    for k in range(kept):
        ints[k] = ints[RANKED + k]
    return kept


@kernel
def best_reply(board, seat, dice, home, task):
    """The play of a roll that the network values most, and its outcomes; after `prepare`, whose answer is `home`."""
    player, ints, single = task.player, task.ints, task.single
    count = plays(board, seat, dice[0], dice[1], ints)
    if prunes(player) and count > kept_replies(player) and not (home and at_home(board, seat)):
        count = prune(board, seat, dice, count, task)
    best, top, found = ints[0], WORST, NOTHING
    for i in range(count):
        outcomes = play_outcomes(board, seat, ints[i], dice, home, task)
        value = value_of(outcomes, has_five(player), single)
        if value > top or i == 0:
            best, top, found = ints[i], value, outcomes
    return best, found


@kernel
def value_roll(board, seat, dice, home, task, ends, outcomes):
    """Value the plays of a roll, after `prepare`, whose answer is `home`; returns how many. Their numbers lead `task.ints`."""
    count = plays(board, seat, dice[0], dice[1], task.ints)
    for i in range(count):
        found = play_outcomes(board, seat, task.ints[i], dice, home, task)
        for k in range(5):
            outcomes[i, k] = found[k]
        hits = make_play(board, seat, task.ints[i], dice[0], dice[1])
        for side in range(2):
            for place in range(PLACES):
                ends[i, side, place] = board[side, place]
        unmake_play(board, seat, task.ints[i], dice[0], dice[1], hits)
    return count
