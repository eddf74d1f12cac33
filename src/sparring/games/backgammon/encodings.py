"""What a backgammon net sees: the position after a play, from the side that played.

- `tesauro`: the 198 inputs of TD-Gammon. Each side has four for each point (one checker or more, two or more, three or more,
  half of those above three), half its checkers on the bar, its share of checkers off, and whether it is on roll.
- `raw`: 28 counts over 15: the points, ours positive and theirs negative, then both bars and both offs.
- `shares-mirrored`: the study's 24 signed shares of a side's checkers left, points counted from the player's own side.
- `shares`: the same as the study has it: signs flip for the second seat, but the points stay where they are.

In the first two, a checker that leaves or reaches a place changes one input, so first layers can be updated step by step.
"""

import numpy as np

from sparring.games.backgammon.rules import BAR, OFF, PLACES
from sparring.kernel.compiler import inline_kernel, kernel

NAMES = ("tesauro", "raw", "shares-mirrored", "shares")
INPUTS = (198, 28, 24, 24)
TESAURO, RAW, MIRRORED, SHARES = range(4)
SIDE = 96  # Tesauro's inputs of one side's points
ON_ROLL, OFF_ROLL = 196, 197
MOST = 40  # more than are ever other than 0 at once: a checker switches on one at most


@inline_kernel
def by_steps(encoding):
    """Whether a checker's step changes one input for each place it leaves or reaches."""
    return encoding <= RAW


@inline_kernel
def place_input(encoding, side, place, count):
    """The input that one more checker changes where `count` already are; side 0 is the player's own, places from its side."""
    if encoding == RAW:
        if place == OFF:
            return 26 + side
        if place == BAR:
            return 24 + side
        return place - 1 if side == 0 else 24 - place
    if place == OFF:
        return 194 + side
    if place == BAR:
        return 192 + side
    return side * SIDE + 4 * (place - 1) + min(count, 3)


@inline_kernel
def place_change(encoding, side, place, count):
    """By how much it changes."""
    if encoding == RAW:
        return -1.0 / 15.0 if side == 1 and OFF < place < BAR else 1.0 / 15.0
    if place == OFF:
        return 1.0 / 15.0
    return 0.5 if place == BAR or count > 2 else 1.0


@kernel
def inputs(s, seat, encoding, index, value):
    """The inputs other than 0 of the position as this seat sees it, by number and value; returns how many."""
    count = board_inputs(s.board, seat, encoding, index, 0, value)
    if encoding == TESAURO:
        count = put(index, 0, value, count, ON_ROLL if s.turn == seat and s.over == 0 else OFF_ROLL, 1.0)
    return count


@inline_kernel
def put(index, first, value, count, number, amount):
    index[first + count] = number
    value[count] = amount
    return count + 1


@kernel
def board_inputs(board, seat, encoding, index, first, value):
    """Those that the board alone decides; their numbers stand in `index` from `first` on."""
    if encoding == TESAURO:
        return tesauro_inputs(board, seat, index, first, value)
    return count_inputs(board, seat, encoding, index, first, value)


@kernel
def tesauro_inputs(board, seat, index, first, value):
    n = np.int64(0)
    for side in range(2):
        owner = seat if side == 0 else 1 - seat
        for place in range(1, BAR):
            have, row = board[owner, place], side * SIDE + 4 * (place - 1)
            for k in range(min(have, 3)):
                n = put(index, first, value, n, row + k, 1.0)
            if have > 3:
                n = put(index, first, value, n, row + 3, 0.5 * (have - 3))
        n = bar_and_off(board, owner, index, first, value, n, 192 + side, 0.5)
    return n


@inline_kernel
def bar_and_off(board, owner, index, first, value, n, row, share):
    """A side's checkers on the bar, each counting `share`, at `row`; and off, two rows further."""
    if board[owner, BAR] > 0:
        n = put(index, first, value, n, row, share * board[owner, BAR])
    if board[owner, OFF] > 0:
        n = put(index, first, value, n, row + 2, board[owner, OFF] / 15.0)
    return n


@inline_kernel
def checkers_left(board, seat):
    left = 0
    for place in range(1, PLACES):
        left += board[seat, place]
    return left


@kernel
def count_inputs(board, seat, encoding, index, first, value):
    """Signed counts of the points, over 15 or over the checkers a side has left; `raw` adds bars and offs."""
    n = np.int64(0)
    other = 1 - seat
    mine = 15.0 if encoding == RAW else 1.0 * max(1, checkers_left(board, seat))
    theirs = 15.0 if encoding == RAW else 1.0 * max(1, checkers_left(board, other))
    flipped = encoding == SHARES and seat == 1
    for place in range(1, BAR):
        share = board[seat, place] / mine - board[other, BAR - place] / theirs
        if share != 0.0:
            n = put(index, first, value, n, 24 - place if flipped else place - 1, share)
    if encoding == RAW:
        n = bar_and_off(board, seat, index, first, value, n, 24, 1.0 / 15.0)
        n = bar_and_off(board, other, index, first, value, n, 25, 1.0 / 15.0)
    return n


# What a net should have told at the end.


@kernel
def outcome(s, seat, telling, out):
    """`value`: the points won as a share of the most, from 0 to 1. `outcomes`: won, gammon won, backgammon won, gammon
    lost, backgammon lost, each a gammon or more or a backgammon, 1 or 0."""
    if telling == 0:
        most = 1.0 if s.rules.single else 3.0
        out[0] = 0.5 + 0.5 * s.tally.score[seat] / most
        return
    other = 1 - seat
    out[0] = 1.0 if s.tally.score[seat] > 0 else (0.5 if s.tally.score[seat] == 0 else 0.0)
    out[1] = s.tally.gammons[seat] + s.tally.backgammons[seat]
    out[2] = s.tally.backgammons[seat]
    out[3] = s.tally.gammons[other] + s.tally.backgammons[other]
    out[4] = s.tally.backgammons[other]
