"""Search: the value of a play by the replies to it, some plies deep. Plies are counted as GNU Backgammon does.

At 0 ply the network values the position after a play. At n plies each of the 21 rolls of the other side is played by the
network's own choice, and the position after it is valued at n - 1 plies. Plays that a shallower search finds much worse than the
best are not searched further. Positions that occur twice in a search are valued once: a cache holds them until it ends.
"""

import numpy as np

from sparring.games.backgammon import replies
from sparring.games.backgammon.cube_play import by_formula, rules_for, value_after
from sparring.games.backgammon.cube_value import MOVER, worth
from sparring.games.backgammon.nets import WON
from sparring.games.backgammon.outcomes import NOTHING, UNKNOWN, add, flipped, has_five, known, value_of, won
from sparring.games.backgammon.plays import PLACES, borne_off, make_play, points_won, unmake_play
from sparring.games.backgammon.replies import (
    LISTED,
    RANKED,
    best_reply,
    insert,
    play_outcomes,
    prepare,
    small_sums,
    static,
)
from sparring.games.backgammon.rules import counted
from sparring.games.backgammon.search_tables import SMALL_UNITS, at_home, ending, is_short
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import mixed

ROLLS = 21
DEEPEST = 3
# Plays that are valued one ply deeper than 0, 1 and 2: at most so many, and at most so many points worse than the best.
FILTER_MOST = np.array([8, 5, 2])
FILTER_MARGIN = np.array([0.16, 0.08, 0.04])
HALF_BOARD = PLACES // 2

# The integers: what replies need, then the replies to all rolls by level, and the keys of the cache.
CHOSEN = replies.INT_SCRATCH
KEYS = CHOSEN + (DEEPEST - 1) * ROLLS
ENTRIES, KEY = 512, 5  # positions of the cache; integers of a key
INT_SCRATCH = KEYS + ENTRIES * KEY


def float_scratch(hidden: int) -> int:
    """Scratch memory for a network with this many hidden units that searches."""
    return replies.float_scratch(hidden) + LISTED + 5 * ENTRIES


@inline_kernel
def packed(board, seat, first):
    """Half of a side's board as one number."""
    number = np.int64(0)
    for place in range(first, first + HALF_BOARD):
        number = (number << 4) + board[seat, place]
    return number


@inline_kernel
def cache_key(board, seat, level):
    """All that a value depends on, and where the cache has it."""
    a, b = packed(board, seat, 0), packed(board, seat, HALF_BOARD)
    c, d = packed(board, 1 - seat, 0), packed(board, 1 - seat, HALF_BOARD)
    words = mixed(np.uint64(a)) ^ mixed(np.uint64(b) + np.uint64(1)) ^ mixed(np.uint64(c) + np.uint64(2))
    slot = mixed(words ^ mixed(np.uint64(d) + np.uint64(level + 3))) % np.uint64(ENTRIES)
    return a, b, c, d, 2 * level + seat, np.int64(slot)


@kernel
def forget_positions(ints):
    """Empty the cache."""
    for entry in range(ENTRIES):
        ints[KEYS + entry * KEY] = -1


@inline_kernel
def is_cached(ints, key):
    at = KEYS + key[5] * KEY
    for k in range(KEY):
        if ints[at + k] != key[k]:
            return False
    return True


@inline_kernel
def cached(scratch, at, key):
    """The outcomes that the cache has for a key."""
    at += key[5] * 5
    return 1.0 * scratch[at], 1.0 * scratch[at + 1], 1.0 * scratch[at + 2], 1.0 * scratch[at + 3], 1.0 * scratch[at + 4]


@inline_kernel
def remember(ints, scratch, at, key, outcomes):
    """Write outcomes into the cache; returns them as it has them, so that no value depends on what it holds."""
    for k in range(KEY):
        ints[KEYS + key[5] * KEY + k] = key[k]
    for k in range(5):
        scratch[at + key[5] * 5 + k] = outcomes[k]
    return cached(scratch, at, key)


@kernel
def expected_1(board, seat, task):
    """The outcomes for the side on roll: the mean over the rolls of its best plays."""
    key = cache_key(board, seat, 1)
    if is_cached(task.ints, key):
        return cached(task.scratch, cache_at(task.player), key)
    home, total = prepare(board, seat, task), NOTHING
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            found = best_reply(board, seat, (larger, smaller), home, task)[1]
            total = add(total, 1.0 if larger == smaller else 2.0, found)
    return remember(task.ints, task.scratch, cache_at(task.player), key, add(NOTHING, 1.0 / 36.0, total))


@kernel
def choose_replies(board, seat, at, task):
    """Write the best play of each roll."""
    home = prepare(board, seat, task)
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            task.ints[at] = best_reply(board, seat, (larger, smaller), home, task)[0]
            at += 1


@kernel
def decided(board, seat, task):
    """The outcomes of a side that has won, or whose position the table of two sides has; otherwise a negative chance to win."""
    player, weights, single = task.player, task.weights, task.single
    if borne_off(board, seat):
        return won(board, seat, player, single)
    if player.tables > 0 and is_short(board, seat) and is_short(board, 1 - seat):
        if at_home(board, seat) and at_home(board, 1 - seat):
            return known(flipped(ending(board, 1 - seat, weights, player.tables)), player, single)
    return UNKNOWN


@kernel
def expected_2(board, seat, task):
    """The same, each position after a roll valued one ply deep."""
    key, ints = cache_key(board, seat, 2), task.ints
    if is_cached(ints, key):
        return cached(task.scratch, cache_at(task.player), key)
    choose_replies(board, seat, CHOSEN, task)
    total, roll = NOTHING, CHOSEN
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            hits = make_play(board, seat, ints[roll], larger, smaller)
            found = decided(board, seat, task)
            if found[0] < 0.0:
                found = flipped(expected_1(board, 1 - seat, task))
            unmake_play(board, seat, ints[roll], larger, smaller, hits)
            total = add(total, 1.0 if larger == smaller else 2.0, found)
            roll += 1
    return remember(task.ints, task.scratch, cache_at(task.player), key, add(NOTHING, 1.0 / 36.0, total))


@kernel
def expected_3(board, seat, task):
    """The same, two plies deep."""
    choose_replies(board, seat, CHOSEN + ROLLS, task)
    total, roll, ints = NOTHING, CHOSEN + ROLLS, task.ints
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            hits = make_play(board, seat, ints[roll], larger, smaller)
            found = decided(board, seat, task)
            if found[0] < 0.0:
                found = flipped(expected_2(board, 1 - seat, task))
            unmake_play(board, seat, ints[roll], larger, smaller, hits)
            total = add(total, 1.0 if larger == smaller else 2.0, found)
            roll += 1
    return add(NOTHING, 1.0 / 36.0, total)


@kernel
def expected(board, seat, plies, task):
    """The outcomes for the side on roll."""
    found = decided(board, 1 - seat, task)
    if found[0] >= 0.0:
        return flipped(found)
    if plies == 0:
        return flipped(static(board, 1 - seat, task))
    if plies == 1:
        return expected_1(board, seat, task)
    if plies == 2:
        return expected_2(board, seat, task)
    return expected_3(board, seat, task)


# Plays.


@kernel
def play_at(board, seat, move, dice, plies, task):
    """The outcomes of a play at one ply or more. The board is restored."""
    hits = make_play(board, seat, move, dice[0], dice[1])
    found = flipped(expected(board, 1 - seat, plies, task))
    unmake_play(board, seat, move, dice[0], dice[1], hits)
    return found


@inline_kernel
def rank_at(player):
    """Where the values of the plays that are searched lie."""
    return small_sums(player) + 2 * SMALL_UNITS + LISTED


@inline_kernel
def cache_at(player):
    """Where the outcomes of the cache begin."""
    return rank_at(player) + LISTED


@inline_kernel
def scoring_for(s, player):
    """Whether every win counts one point in a search. For stakes, a network with one output says how often it wins."""
    return 1 if by_formula(s, player) and player.outputs == 1 else s.rules.single


@kernel
def value_by(s, move, outcomes, task):
    """The value of a play for the seat to move by its outcomes: with the cube and the score, where there are any."""
    if not by_formula(s, task.player):
        return value_of(outcomes, has_five(task.player), task.single)
    board, seat, larger, smaller = s.board, s.turn, s.dice[0], s.dice[1]
    hits = make_play(board, seat, move, larger, smaller)
    if borne_off(board, seat):
        value = worth(MOVER, counted(s, points_won(board, seat)) * s.cube, rules_for(s, seat))
    else:
        value = value_after(s, seat, outcomes)
    unmake_play(board, seat, move, larger, smaller, hits)
    return value


@kernel
def unit_of(s, task):
    """The value of a point: of one that the cube multiplies, where there is one."""
    if by_formula(s, task.player):
        rules = rules_for(s, s.turn)
        return 0.5 * (worth(MOVER, s.cube, rules) - worth(MOVER, -s.cube, rules))
    return 1.0 if task.single else 1.0 / WON


@kernel
def rank_plays(s, offered, count, task):
    """Move the best plays at 0 ply, at most `LISTED`, to the front of the list, with their values; returns how many."""
    ranks, listed, dice = rank_at(task.player), 0, (s.dice[0], s.dice[1])
    home = prepare(s.board, s.turn, task)
    for i in range(count):
        found = play_outcomes(s.board, s.turn, offered[i], dice, home, task)
        value = value_by(s, offered[i], found, task)
        listed = insert(task.scratch, ranks, task.ints, RANKED, listed, LISTED, value, offered[i])
    for k in range(listed):
        offered[k] = task.ints[RANKED + k]
    return listed


@inline_kernel
def passed(values, at, count, most, margin):
    """How many of the plays, best first, are searched further: at most `most`, and none worse than the best by the margin."""
    kept = 1
    while kept < min(count, most) and values[at + kept] >= values[at] - margin:
        kept += 1
    return kept


@kernel
def search_plays(s, offered, count, plies, task):
    """Move the best plays to the front of the list, searched at most this deep; returns how many were searched so deep."""
    forget_positions(task.ints)
    ranks, unit, dice = rank_at(task.player), unit_of(s, task), (s.dice[0], s.dice[1])
    count = rank_plays(s, offered, count, task)
    for stage in range(plies):
        count = passed(task.scratch, ranks, count, FILTER_MOST[stage], FILTER_MARGIN[stage] * unit)
        if count == 1:
            break
        listed = 0
        for i in range(count):
            move = offered[i]
            value = value_by(s, move, play_at(s.board, s.turn, move, dice, stage + 1, task), task)
            listed = insert(task.scratch, ranks, offered, 0, listed, count, value, move)
    return count
