"""Plays of a roll on a board: the legal ones, making them and taking them back.

Each seat numbers the points from its own side: it moves from 24 to 1, its bar is 25 and it bears off to 0, so no rule depends
on colour. A seat's point p is the opponent's point 25 - p. A play is everything that a seat does with a roll, as a number:

- two different dice: order * 676 + first * 26 + second. Order 0 plays the larger die first, order 1 the smaller; `first` and
  `second` are the starting points (0: that die is not played);
- doubles: 1352 + the rank of the four starting points in descending order (0: not played);
- PASS, when no checker can move.

Among plays that reach the same position only one is legal.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel

OFF, BAR, PLACES, HOME, CHECKERS = 0, 25, 26, 6, 15
PASS, SMALLER_FIRST, DOUBLES = 0, PLACES * PLACES, 2 * PLACES * PLACES
MOST_PLAYS = 3072  # at most 15 points, four steps: C(18, 4) = 3060
CODES = DOUBLES + PLACES * (PLACES + 1) * (PLACES + 2) * (PLACES + 3) // 24  # plays are numbered below this


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
def can_play(board, seat, pips):
    """Whether any checker can move by this many pips."""
    for point in range(BAR, 0, -1):
        if can_leave(board, seat, point, pips):
            return True
    return False


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
def doubles_code(a, b, c, d):
    """The code of four points in descending order, by their rank in the combinatorial number system."""
    return DOUBLES + binomial(a + 3, 4) + binomial(b + 2, 3) + binomial(c + 1, 2) + d


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
