"""The plays of a roll as lists of bytes gave them: point by point on the board, without sets of places.

The compiled lists are compared with these, play by play and in this order, on which networks and logs depend.
"""

import numpy as np

from sparring.games.backgammon.plays import (
    BAR,
    DOUBLES,
    HOME,
    OFF,
    PASS,
    PLACES,
    SMALLER_FIRST,
    doubles_code,
    move_checker,
    take_back,
)
from sparring.kernel.compiler import inline_kernel, kernel


@inline_kernel
def can_leave(board, seat, point, pips):
    """Whether a checker can move from this point by this many pips."""
    if board[seat, point] == 0 or (point != BAR and board[seat, BAR] > 0):
        return False
    target = point - pips
    if target > 0:
        return board[1 - seat, BAR - target] < 2
    return can_bear_off(board, seat, point, target)


@inline_kernel
def can_bear_off(board, seat, point, target):
    """Whether all checkers are home and, for a die higher than the point, none is on a higher point."""
    highest = HOME if target == 0 else point
    for place in range(highest + 1, PLACES):
        if board[seat, place] > 0:
            return False
    return True


@kernel
def plays(board, seat, larger, smaller, out):
    if larger == smaller:
        count = plays_of_doubles(board, seat, larger, out)
    else:
        count = plays_of_both(board, seat, larger, smaller, out)
        if count == 0:
            count = plays_of_one(board, seat, larger, PASS, out)
        if count == 0:
            count = plays_of_one(board, seat, smaller, SMALLER_FIRST, out)
    if count == 0:
        out[0] = PASS
        return 1
    return count


@kernel
def plays_of_both(board, seat, larger, smaller, out):
    """Plays that use both dice: those with the larger die first, then the positions that only the other order reaches."""
    count = np.int64(0)  # typed: a literal would be compiled separately
    for first in range(BAR, 0, -1):
        if can_leave(board, seat, first, larger):
            hit = move_checker(board, seat, first, larger)
            for second in range(BAR, 0, -1):
                if can_leave(board, seat, second, smaller):
                    if not one_checker_does(board, seat, larger, smaller, first, second, out, count):
                        out[count] = first * PLACES + second
                        count += 1
            take_back(board, seat, first, larger, hit)
    known = count
    for first in range(BAR, 0, -1):
        if can_leave(board, seat, first, smaller):
            hit = move_checker(board, seat, first, smaller)
            for second in range(BAR, 0, -1):
                if can_leave(board, seat, second, larger):
                    if not larger_first_does(board, seat, larger, smaller, first, second, hit, out, known):
                        out[count] = SMALLER_FIRST + first * PLACES + second
                        count += 1
            take_back(board, seat, first, smaller, hit)
    return count


@inline_kernel
def one_checker_does(board, seat, larger, smaller, first, second, out, known):
    """Whether the second checker ends where the first started, and one checker alone reaches the same position."""
    way = second - larger
    if first != second - smaller or way <= OFF or board[1 - seat, BAR - way] > 0:
        return False
    return contains(out, known, second * PLACES + way)


@kernel
def larger_first_does(board, seat, larger, smaller, first, second, hit, out, known):
    """Whether one of the first `known` plays, with the larger die first, reaches the same position.

    The first checker has already moved. Order does not matter for two checkers, for one that hits nothing on either route,
    and for two that either die bears off.
    """
    if contains(out, known, second * PLACES + first):
        return True
    way = first - larger
    if second == first - smaller and way > OFF and not hit and board[1 - seat, BAR - way] == 0:
        return contains(out, known, first * PLACES + way)
    return first <= smaller and second <= smaller and contains(out, known, first * PLACES + second)


@inline_kernel
def contains(out, known, code):
    for i in range(known):
        if out[i] == code:
            return True
    return False


@kernel
def plays_of_one(board, seat, pips, order, out):
    """Plays of one die, where both cannot be played."""
    count = 0
    for point in range(BAR, 0, -1):
        if can_leave(board, seat, point, pips):
            out[count] = order + point * PLACES
            count += 1
    return count


@kernel
def plays_of_doubles(board, seat, pips, out):
    """Plays of four steps or, if there are none, of as many as possible."""
    for steps in range(4, 0, -1):
        count = plays_of_steps(board, seat, pips, steps, out)
        if count > 0:
            return count
    return 0


@kernel
def plays_of_steps(board, seat, pips, steps, out):
    """Plays of exactly this many equal steps, starting points in descending order: other orders reach the same positions."""
    count = 0
    for a in range(BAR, 0, -1):
        if not can_leave(board, seat, a, pips):
            continue
        hit_a = move_checker(board, seat, a, pips)
        if steps == 1:
            out[count] = doubles_code(a, 0, 0, 0)
            count += 1
        for b in range(a if steps > 1 else 0, 0, -1):
            if not can_leave(board, seat, b, pips):
                continue
            hit_b = move_checker(board, seat, b, pips)
            if steps == 2:
                out[count] = doubles_code(a, b, 0, 0)
                count += 1
            for c in range(b if steps > 2 else 0, 0, -1):
                if not can_leave(board, seat, c, pips):
                    continue
                if steps == 3:
                    out[count] = doubles_code(a, b, c, 0)
                    count += 1
                    continue
                hit_c = move_checker(board, seat, c, pips)
                for d in range(c, 0, -1):
                    if can_leave(board, seat, d, pips):
                        out[count] = doubles_code(a, b, c, d)
                        count += 1
                take_back(board, seat, c, pips, hit_c)
            take_back(board, seat, b, pips, hit_b)
        take_back(board, seat, a, pips, hit_a)
    return count


@inline_kernel
def binomial(n, k):
    """n choose k, for k from 2 to 4."""
    if k == 2:
        return n * (n - 1) // 2
    return n * (n - 1) * (n - 2) // 6 if k == 3 else n * (n - 1) * (n - 2) * (n - 3) // 24


@inline_kernel
def doubles_points(move):
    """The four points of a code."""
    rank, a, b, c = move - DOUBLES, 0, 0, 0
    while binomial(a + 4, 4) <= rank:
        a += 1
    rank -= binomial(a + 3, 4)
    while binomial(b + 3, 3) <= rank:
        b += 1
    rank -= binomial(b + 2, 3)
    while binomial(c + 2, 2) <= rank:
        c += 1
    return a, b, c, rank - binomial(c + 1, 2)
