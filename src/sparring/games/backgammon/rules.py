"""Backgammon: state, dice, plays, score. Money play without the cube; the study is "Co-evolutionary Backgammon Player" (2017).

Each seat counts the points from its own side: it moves from 24 to 1, its bar is 25 and 0 is where it bears off, so no rule
asks for a colour; a seat's point p is the other's point 25 - p. A move is a whole play, everything a seat does with a roll:

- two different dice: order * 676 + first * 26 + second, where order 0 plays the larger die first, 1 the smaller, and
  `first` and `second` are the points left (0: that die is not played);
- doubles: 1352 + the rank of the four points left, largest first (0: not played), among all such;
- PASS, when nothing can be played.

Of plays that reach the same position one is offered, so a move stands for a position after the roll.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.random import below, key, step

VERSION = 1  # bumped when play changes
OFF, BAR, PLACES, HOME, CHECKERS = 0, 25, 26, 6, 15
TURN_LIMIT = 4000  # a game of this length is a draw; two random players need about 100 turns and never came near it
MAX_MOVES = TURN_LIMIT
PASS, SMALLER_FIRST, DOUBLES = 0, PLACES * PLACES, 2 * PLACES * PLACES
MOST_PLAYS = 3072  # four checkers' steps from 15 points at most
DICE, FIXED = range(2)  # who begins: the higher die, or always seat 0

# What a game is played by: set before it starts and never changed by play.
Rules = np.dtype(
    [("board", np.int8, (2, PLACES)), ("first", np.int64), ("single", np.int64), ("dice", np.int64, (2,))], align=True
)

Tally = np.dtype(
    [
        ("score", np.int32, (SEATS,)),  # what the winner won and the loser lost: 1, gammon 2, backgammon 3
        ("turns", np.int32),
        ("gammons", np.int32, (SEATS,)),  # games won as a gammon
        ("backgammons", np.int32, (SEATS,)),
        ("left", np.int32, (SEATS,)),  # checkers not borne off at the end
        ("pips", np.int32, (SEATS,)),  # how far those are from home
    ],
    align=True,
)

State = np.dtype(
    [
        ("rules", Rules),
        ("stream", np.uint64),
        ("luck", np.uint64, (SEATS,)),
        # Whole words, although a byte would do: every other width would be compiled apart.
        ("turn", np.int64),
        ("over", np.int64),
        ("dice", np.int64, (2,)),  # the larger first
        ("board", np.int8, (2, PLACES)),  # each seat's checkers, from its own side
        ("tally", Tally),
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    """A game: its dice follow from (seed, deal), what players choose at random from (seed, luck) and the seat."""
    s.stream = key(key(seed, 0), deal)
    s.over = 0
    s.tally.turns = 0
    for seat in range(SEATS):
        s.luck[seat] = key(key(key(seed, 1), luck), seat)
        s.tally.score[seat] = s.tally.gammons[seat] = s.tally.backgammons[seat] = 0
        s.tally.left[seat] = s.tally.pips[seat] = 0
    opening_roll(s)
    for place in range(PLACES):
        s.board[s.turn, place] = s.rules.board[0, place]
        s.board[1 - s.turn, place] = s.rules.board[1, place]


@kernel
def opening_roll(s):
    """Each seat rolls a die until they differ, and the higher plays both; or seat 0 always begins, with any roll."""
    s.turn = 0
    if s.rules.first == FIXED:
        roll(s)
        if s.rules.dice[0] > 0:
            s.dice[0], s.dice[1] = s.rules.dice[0], s.rules.dice[1]
        return
    mine = die(s)
    theirs = die(s)
    while mine == theirs:
        mine = die(s)
        theirs = die(s)
    s.turn = 1 if theirs > mine else 0
    s.dice[0], s.dice[1] = max(mine, theirs), min(mine, theirs)


@kernel
def die(s):
    s.stream = step(s.stream)
    return below(s.stream, 6) + 1


@kernel
def roll(s):
    one = die(s)
    two = die(s)
    s.dice[0], s.dice[1] = max(one, two), min(one, two)


# One checker's step.


@inline_kernel
def can_leave(board, seat, point, pips):
    """Whether a checker can be moved from this point by this number: something there, nothing on the bar, landing open."""
    if board[seat, point] == 0 or (point != BAR and board[seat, BAR] > 0):
        return False
    target = point - pips
    if target > 0:
        return board[1 - seat, BAR - target] < 2
    return can_bear_off(board, seat, point, target)


@inline_kernel
def can_bear_off(board, seat, point, target):
    """All checkers at home; with a number higher than the point only from the highest point."""
    highest = HOME if target == 0 else point
    for place in range(highest + 1, PLACES):
        if board[seat, place] > 0:
            return False
    return True


@inline_kernel
def move_checker(board, seat, point, pips):
    """Move a checker; returns whether it hit."""
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
    """Whether any checker can be moved by this number."""
    for point in range(BAR, 0, -1):
        if can_leave(board, seat, point, pips):
            return True
    return False


# Whole plays.


@kernel
def moves(s, out):
    """Write the distinct plays of the roll; returns how many (a pass is one)."""
    return plays(s.board, s.turn, s.dice[0], s.dice[1], out)


@kernel
def plays(board, seat, larger, smaller, out):
    if larger == smaller:
        return plays_of_doubles(board, seat, larger, out)
    count = plays_of_both(board, seat, larger, smaller, out)
    if count == 0:
        count = plays_of_one(board, seat, larger, PASS, out)
    if count == 0:
        count = plays_of_one(board, seat, smaller, SMALLER_FIRST, out)
    if count == 0:
        out[0] = PASS
        count = 1
    return count


@kernel
def plays_of_both(board, seat, larger, smaller, out):
    """Plays that use both dice, the larger first, then those that only the other order allows."""
    count = np.int64(0)  # typed, for a literal would be compiled apart
    for first in range(BAR, 0, -1):
        if can_leave(board, seat, first, larger):
            hit = move_checker(board, seat, first, larger)
            for second in range(BAR, 0, -1):
                if can_leave(board, seat, second, smaller):
                    if not follows(board, seat, larger, smaller, first, second, out, count):
                        out[count] = first * PLACES + second
                        count += 1
            take_back(board, seat, first, larger, hit)
    known = count
    for first in range(BAR, 0, -1):
        if can_leave(board, seat, first, smaller):
            hit = move_checker(board, seat, first, smaller)
            for second in range(BAR, 0, -1):
                if can_leave(board, seat, second, larger):
                    if twin(board, seat, larger, smaller, first, second, hit, out, known) < 0:
                        out[count] = SMALLER_FIRST + first * PLACES + second
                        count += 1
            take_back(board, seat, first, smaller, hit)
    return count


@inline_kernel
def follows(board, seat, larger, smaller, first, second, out, known):
    """Whether the second checker comes to stand where the first left, and one checker alone can do what the two did."""
    way = second - larger
    if first != second - smaller or way <= OFF or board[1 - seat, BAR - way] > 0:
        return False
    return contains(out, known, second * PLACES + way)


@kernel
def twin(board, seat, larger, smaller, first, second, hit, out, known):
    """The play, among the first `known`, that reaches the same position with the larger die first; -1 if none does.

    Called with the first checker moved by the smaller die. The same two checkers reach the same position in either order; so
    do both ways of one checker if neither hits on its way, and two checkers that either die bears off.
    """
    code = second * PLACES + first
    if contains(out, known, code):
        return code
    code = first * PLACES + first - larger
    if second == first - smaller and first > larger and not hit and board[1 - seat, BAR - (first - larger)] == 0:
        return code if contains(out, known, code) else -1
    code = first * PLACES + second
    return code if first <= smaller and second <= smaller and contains(out, known, code) else -1


@inline_kernel
def contains(out, known, code):
    for i in range(known):
        if out[i] == code:
            return True
    return False


@kernel
def plays_of_one(board, seat, pips, order, out):
    """Plays of one die where not both can be played."""
    count = 0
    for point in range(BAR, 0, -1):
        if can_leave(board, seat, point, pips):
            out[count] = order + point * PLACES
            count += 1
    return count


@kernel
def plays_of_doubles(board, seat, pips, out):
    """Four steps if possible, else as many as can be played: whichever is taken first, the number is the same."""
    for steps in range(4, 0, -1):
        count = plays_of_steps(board, seat, pips, steps, out)
        if count > 0:
            return count
    out[0] = PASS
    return 1


@kernel
def plays_of_steps(board, seat, pips, steps, out):
    """Plays of exactly this many equal steps, from the points left in falling order: the others reach the same positions."""
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


# The code of four points in falling order is their rank among all such: choose(a + 3, 4) + choose(b + 2, 3) + ...


@inline_kernel
def choose_two(n):
    return n * (n - 1) // 2


@inline_kernel
def choose_three(n):
    return n * (n - 1) * (n - 2) // 6


@inline_kernel
def choose_four(n):
    return n * (n - 1) * (n - 2) * (n - 3) // 24


@inline_kernel
def doubles_code(a, b, c, d):
    return DOUBLES + choose_four(a + 3) + choose_three(b + 2) + choose_two(c + 1) + d


@inline_kernel
def doubles_points(move):
    """The four points of a code."""
    rank = move - DOUBLES
    a = 0
    while choose_four(a + 4) <= rank:
        a += 1
    rank -= choose_four(a + 3)
    b = 0
    while choose_three(b + 3) <= rank:
        b += 1
    rank -= choose_three(b + 2)
    c = 0
    while choose_two(c + 2) <= rank:
        c += 1
    return a, b, c, rank - choose_two(c + 1)


@inline_kernel
def play_steps(move, larger, smaller):
    """A play as its steps: the points left, 0 after the last; the pips of the second step, and those of every other."""
    if move >= DOUBLES:
        return doubles_points(move), larger, larger
    if move >= SMALLER_FIRST:
        return ((move - SMALLER_FIRST) // PLACES, (move - SMALLER_FIRST) % PLACES, 0, 0), larger, smaller
    return (move // PLACES, move % PLACES, 0, 0), smaller, larger


@kernel
def make_play(board, seat, move, larger, smaller):
    """Move the checkers of a play; returns which steps hit, a bit for each."""
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
    """Put the checkers back."""
    points, second, others = play_steps(move, larger, smaller)
    for k in range(3, -1, -1):
        if points[k] > 0:
            take_back(board, seat, points[k], second if k == 1 else others, hits >> k & 1 == 1)


@kernel
def apply(s, move):
    """Play a legal move, then roll for the other seat or end the game."""
    seat = s.turn
    make_play(s.board, seat, move, s.dice[0], s.dice[1])
    s.tally.turns += 1
    if borne_off(s.board, seat):
        finish(s, seat)
    elif s.tally.turns == TURN_LIMIT:
        s.over = 1
    else:
        s.turn = 1 - seat
        roll(s)


@inline_kernel
def borne_off(board, seat):
    for place in range(1, PLACES):
        if board[seat, place] > 0:
            return False
    return True


@kernel
def points_won(board, seat):
    """What a seat that has borne off all its checkers wins: a gammon if the other has borne off none, a backgammon if
    one of those is still on the bar or in the winner's home."""
    other = 1 - seat
    if board[other, OFF] > 0:
        return 1
    for place in range(BAR - HOME, PLACES):
        if board[other, place] > 0:
            return 3
    return 2


@kernel
def finish(s, winner):
    points, loser = points_won(s.board, winner), 1 - winner
    s.tally.gammons[winner] = points == 2
    s.tally.backgammons[winner] = points == 3
    if s.rules.single:
        points = 1
    s.tally.score[winner], s.tally.score[loser] = points, -points
    for place in range(1, PLACES):
        s.tally.left[loser] += s.board[loser, place]
        s.tally.pips[loser] += place * s.board[loser, place]
    s.over = 1
