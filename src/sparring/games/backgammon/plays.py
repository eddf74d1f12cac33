"""Plays of a roll on a board: the legal ones, making them and taking them back.

A play is everything that a seat does with a roll, as a number (places.py says how a seat numbers the points):

- two different dice: order * 676 + first * 26 + second. Order 0 plays the larger die first, order 1 the smaller; `first` and
  `second` are the starting points (0: that die is not played);
- doubles: 1352 + the rank of the four starting points in descending order (0: not played);
- PASS, when no checker can move.

Among plays that reach the same position only one is legal. They are listed without comparing positions: which plays reach the
same one follows from the sets of places.
"""

import numpy as np

from sparring.games.backgammon.places import (
    BAR,
    CHECKERS,
    HOME,
    OFF,
    PLACES,
    after_step,
    counts_after,
    counts_of,
    has,
    highest,
    leaving,
    places_of,
    up_to,
)
from sparring.kernel.bits import count_bits
from sparring.kernel.compiler import inline_kernel, kernel

__all__ = ["BAR", "CHECKERS", "HOME", "OFF", "PLACES"]  # numbers of places, for all who handle plays
PASS, SMALLER_FIRST, DOUBLES = 0, PLACES * PLACES, 2 * PLACES * PLACES
MOST_PLAYS = 3072  # at most 15 points, four steps: C(18, 4) = 3060
CODES = DOUBLES + PLACES * (PLACES + 1) * (PLACES + 2) * (PLACES + 3) // 24  # plays are numbered below this
ALL, NONE = -1, MOST_PLAYS  # plays wanted of a list
NO_STEP = 1  # the set of place 0 alone, for steps that are not played


@inline_kernel
def can_leave(board, seat, point, pips):
    """Whether a checker can move from this point by this many pips."""
    places = places_of(board, seat)
    return has(leaving(places.own, places.free, pips), point)


@inline_kernel
def can_play(board, seat, pips):
    """Whether any checker can move by this many pips."""
    places = places_of(board, seat)
    return leaving(places.own, places.free, pips) != 0


@inline_kernel
def move_checker(board, seat, point, pips):
    """Move a checker and return whether it hit."""
    target = max(point - pips, OFF)
    board[seat, point] -= 1
    board[seat, target] += 1
    if target > OFF and board[1 - seat, BAR - target] == 1:
        board[1 - seat, BAR - target] = 0
        board[1 - seat, BAR] += 1
        return True
    return False


@inline_kernel
def take_back(board, seat, point, pips, hit):
    target = max(point - pips, OFF)
    board[seat, target] -= 1
    board[seat, point] += 1
    if hit:
        board[1 - seat, BAR - target] = 1
        board[1 - seat, BAR] -= 1


@kernel
def plays(board, seat, larger, smaller, out):
    """Write the distinct plays of a roll and return their number; a pass counts as one."""
    return some_plays(board, seat, larger, smaller, ALL, out)


@kernel
def some_plays(board, seat, larger, smaller, wanted, out):
    """The number of distinct plays, and in `out` ALL of them, or NONE, or first the one with the wanted number."""
    places = places_of(board, seat)
    if larger == smaller:
        count = plays_of_doubles(places, counts_of(board, seat, places.own, places.several), larger, wanted, out)
    else:
        count = plays_of_both(places, larger, smaller, wanted, out)
        if count == 0:
            count = plays_of_one(leaving(places.own, places.free, larger), PASS, wanted, out)
        if count == 0:
            count = plays_of_one(leaving(places.own, places.free, smaller), SMALLER_FIRST, wanted, out)
    if count == 0:
        out[0] = PASS
        return 1
    return count


@inline_kernel
def add_plays(lasts, code, count, wanted, out):
    """Add the plays that differ in their last step alone, which starts from a place of a set; `code` is theirs without it."""
    if wanted == ALL:
        while lasts > 0:
            last = highest(lasts)
            lasts ^= 1 << last
            out[count] = code + last
            count += 1
        return count
    more = count_bits(lasts)
    if count <= wanted < count + more:
        for _ in range(wanted - count):
            lasts ^= 1 << highest(lasts)
        out[0] = code + highest(lasts)
    return count + more


@inline_kernel
def found(count, wanted):
    """Whether the wanted play is among those so far."""
    return wanted != ALL and wanted < count


@kernel
def plays_of_both(places, larger, smaller, wanted, out):
    """Plays that use both dice: those with the larger die first, then the positions that only the other order reaches."""
    count = np.int64(0)  # typed: a literal would be compiled separately
    larger_firsts = leaving(places.own, places.free, larger)
    firsts = larger_firsts
    while firsts > 0 and not found(count, wanted):
        first = highest(firsts)
        firsts ^= 1 << first
        seconds = after_larger(places, larger_firsts, first, larger, smaller)
        count = add_plays(seconds, first * PLACES, count, wanted, out)
    firsts = leaving(places.own, places.free, smaller)
    while firsts > 0 and not found(count, wanted):
        first = highest(firsts)
        firsts ^= 1 << first
        seconds = after_smaller(places, larger_firsts, first, larger, smaller)
        count = add_plays(seconds, SMALLER_FIRST + first * PLACES, count, wanted, out)
    return count


@inline_kernel
def seconds_of(places, first, one, other):
    """The points from which the other die can be played after a step by the one."""
    return leaving(after_step(places.own, places.several, first, one), places.free, other)


@inline_kernel
def after_larger(places, larger_firsts, first, larger, smaller):
    """The second steps after the larger die, but for a checker that ends where the first started if it alone reaches the same
    position."""
    seconds = seconds_of(places, first, larger, smaller)
    second, way = first + smaller, first + smaller - larger
    if way > OFF and has(seconds & larger_firsts, second) and not has(places.met, way):
        if has(seconds_of(places, second, larger, smaller), way):
            seconds ^= 1 << second
    return seconds


@inline_kernel
def after_smaller(places, larger_firsts, first, larger, smaller):
    """The second steps after the smaller die to positions that no play with the larger die first reaches.

    Order does not matter for two checkers, for one that hits nothing on either route, and for two that either die bears off.
    """
    here = 1 << first
    known = larger_firsts & (~here | places.several)
    if larger_firsts & here:
        others, way, stop = seconds_of(places, first, larger, smaller), first - larger, first - smaller
        if way > OFF and has(others, way) and not has(places.met, stop) and not has(places.met, way):
            known |= 1 << stop
        if first <= smaller:
            known |= others & up_to(smaller)
    return seconds_of(places, first, smaller, larger) & ~known


@kernel
def plays_of_one(firsts, order, wanted, out):
    """Plays of one die, where both cannot be played."""
    count = np.int64(0)
    while firsts > 0 and not found(count, wanted):
        first = highest(firsts)
        firsts ^= 1 << first
        count = add_plays(NO_STEP, order + first * PLACES, count, wanted, out)
    return count


@kernel
def plays_of_doubles(places, counts, pips, wanted, out):
    """Plays of four steps or, if there are none, of as many as possible."""
    for steps in range(4, 0, -1):
        count = plays_of_steps(counts, places.free, pips, steps, wanted, out)
        if count > 0:
            return count
    return np.int64(0)


@kernel
def plays_of_steps(counts, free, pips, steps, wanted, out):
    """Plays of exactly this many equal steps, starting points in descending order: other orders reach the same positions."""
    count, firsts = np.int64(0), leaving(counts.one, free, pips)
    while firsts > 0:
        a = highest(firsts)
        firsts ^= 1 << a
        after_a = counts_after(counts, a, pips)
        seconds = leaving(after_a.one, free, pips) & up_to(a) if steps > 1 else NO_STEP
        while seconds > 0:
            b = highest(seconds)
            seconds ^= 1 << b
            after_b = counts_after(after_a, b, pips)
            thirds = leaving(after_b.one, free, pips) & up_to(b) if steps > 2 else NO_STEP
            while thirds > 0:
                c = highest(thirds)
                thirds ^= 1 << c
                after_c = after_step(after_b.one, after_b.two, c, pips)
                lasts = leaving(after_c, free, pips) & up_to(c) if steps > 3 else NO_STEP
                count = add_plays(lasts, doubles_code(a, b, c, 0), count, wanted, out)
                if found(count, wanted):
                    return count
    return count


@inline_kernel
def binomial(n, k):
    """n choose k, for k from 2 to 4."""
    if k == 2:
        return n * (n - 1) // 2
    return n * (n - 1) * (n - 2) // 6 if k == 3 else n * (n - 1) * (n - 2) * (n - 3) // 24


@inline_kernel
def doubles_code(a, b, c, d):
    """The code of four points in descending order, by their rank in the combinatorial number system."""
    return DOUBLES + binomial(a + 3, 4) + binomial(b + 2, 3) + binomial(c + 1, 2) + d


@inline_kernel
def digit(rank, k):
    """The highest number n for which n + k - 1 choose k is at most the rank."""
    n, step = 0, 16
    while step > 0:
        if binomial(n + step + k - 1, k) <= rank:
            n += step
        step >>= 1
    return n


@inline_kernel
def doubles_points(move):
    """The four points of a code."""
    rank = move - DOUBLES
    a = digit(rank, 4)
    rank -= binomial(a + 3, 4)
    b = digit(rank, 3)
    rank -= binomial(b + 2, 3)
    c = digit(rank, 2)
    return a, b, c, rank - binomial(c + 1, 2)


@inline_kernel
def play_steps(move, larger, smaller):
    """The starting points of a play's steps (0 after the last), the pips of the second step and of every other step."""
    if move >= DOUBLES:
        return doubles_points(move), larger, larger
    if move >= SMALLER_FIRST:
        return ((move - SMALLER_FIRST) // PLACES, (move - SMALLER_FIRST) % PLACES, 0, 0), larger, smaller
    return (move // PLACES, move % PLACES, 0, 0), smaller, larger


@kernel
def make_play(board, seat, move, larger, smaller):
    """Move the checkers of a play and return which steps hit, as bits."""
    points, second, others = play_steps(move, larger, smaller)
    hits = 0
    for k in range(4):
        if points[k] == 0:
            break
        if move_checker(board, seat, points[k], second if k == 1 else others):
            hits |= 1 << k
    return hits


@kernel
def unmake_play(board, seat, move, larger, smaller, hits):
    """Take back a play."""
    points, second, others = play_steps(move, larger, smaller)
    for k in range(3, -1, -1):
        if points[k] > 0:
            take_back(board, seat, points[k], second if k == 1 else others, hits >> k & 1 == 1)


@inline_kernel
def borne_off(board, seat):
    for place in range(1, PLACES):
        if board[seat, place] > 0:
            return False
    return True


@kernel
def points_won(board, seat):
    """The points of a win: 2 (gammon) if the loser has borne off nothing, 3 (backgammon) if moreover one of its checkers
    is on the bar or in the winner's home."""
    other = 1 - seat
    if board[other, OFF] > 0:
        return 1
    for place in range(BAR - HOME, PLACES):
        if board[other, place] > 0:
            return 3
    return 2
