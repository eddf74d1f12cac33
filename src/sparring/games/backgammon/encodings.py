"""Inputs of backgammon networks: the position after a play, seen by the side that played.

- `tesauro`: the 198 inputs of TD-Gammon. Each side has four per point (at least one checker, at least two, at least three,
  half the number above three), half its checkers on the bar, its share of checkers borne off, and whether it is on roll.
- `raw`: 28 counts divided by 15: the points (own positive, opponent's negative), both bars, and both sides' checkers off.
- `shares-mirrored`: the study's 24 signed shares of a side's remaining checkers, points numbered from the player's side.
- `shares`: as in the study's code: signs flip for the second seat, but the numbering of points does not.

- `cube`: those of `tesauro`, whether the cube is the player's or the opponent's, and whether the player has just offered it.

In the first two and the last, a checker that leaves or reaches a place changes one input, so the first layer can be updated step
by step.
"""

import numpy as np

from sparring.games.backgammon.plays import BAR, OFF, PLACES
from sparring.games.backgammon.rules import DOUBLED, NOBODY
from sparring.kernel.compiler import inline_kernel, kernel

NAMES = ("tesauro", "raw", "shares-mirrored", "shares", "cube")
INPUTS = (198, 28, 24, 24, 201)
TESAURO, RAW, MIRRORED, SHARES, CUBE = range(5)
SIDE = 96  # Tesauro's inputs of one side's points
ON_ROLL, OFF_ROLL, OWN_CUBE, THEIR_CUBE, OFFERED = range(196, 201)
CUBEFUL = 2  # the number of that head
MOST = 40  # above the largest number of nonzero inputs: a checker switches on at most one


@inline_kernel
def by_steps(encoding):
    """Whether a checker's step changes one input per place that it leaves or reaches."""
    return encoding <= RAW or encoding == CUBE


@inline_kernel
def says_who_rolls(encoding):
    """Whether the inputs tell who is on roll."""
    return encoding in (TESAURO, CUBE)


@inline_kernel
def place_input(encoding, side, place, count):
    """The input that changes when a checker joins `count` others. Side 0 is the player's; places are numbered by their owner."""
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
    """The amount by which that input changes."""
    if encoding == RAW:
        return -1.0 / 15.0 if side == 1 and OFF < place < BAR else 1.0 / 15.0
    if place == OFF:
        return 1.0 / 15.0
    return 0.5 if place == BAR or count > 2 else 1.0


@kernel
def inputs(s, seat, encoding, index, value):
    """Write the indices and values of the nonzero inputs as this seat sees them; returns their number."""
    count = board_inputs(s.board, seat, encoding, index, 0, value)
    if says_who_rolls(encoding):
        count = put(index, 0, value, count, ON_ROLL if s.turn == seat and s.over == 0 else OFF_ROLL, 1.0)
    if encoding == CUBE and s.owner != NOBODY:
        count = put(index, 0, value, count, OWN_CUBE if s.owner == seat else THEIR_CUBE, 1.0)
    if encoding == CUBE and s.phase == DOUBLED and s.turn != seat:
        count = put(index, 0, value, count, OFFERED, 1.0)
    return count


@inline_kernel
def put(index, first, value, count, number, amount):
    index[first + count] = number
    value[count] = amount
    return count + 1


@kernel
def board_inputs(board, seat, encoding, index, first, value):
    """Write the inputs that depend on the board alone; indices go to `index` from `first` on."""
    if says_who_rolls(encoding):
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
    """Write a side's checkers on the bar, times `share`, at `row` and those borne off two rows further."""
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
    """Write signed counts of the points, divided by 15 or by a side's remaining checkers; `raw` adds bar and off."""
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


@inline_kernel
def result(s, seat):
    """What a seat has won: a match, or points as a share of a backgammon."""
    if s.rules.length:
        lead = s.tally.score[seat] - s.tally.score[1 - seat]
        return 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0)  # numba-cuda has no np.sign
    return s.tally.score[seat] / (1.0 if s.rules.single else 3.0)


@kernel
def outcome(s, seat, head, out):
    """The target at the end. `value`: points won, scaled from 0 to 1. `outcomes`: five probabilities: win, win at least a
    gammon, win a backgammon, lose at least a gammon, lose a backgammon. `cubeful`: points won as a share of the cube's
    backgammon, scaled from 0 to 1."""
    if head == CUBEFUL:
        out[0] = 0.5 + 0.5 * max(-1.0, min(1.0, s.tally.score[seat] / (3.0 * s.cube)))
        return
    if head == 0:
        out[0] = 0.5 + 0.5 * max(-1.0, min(1.0, result(s, seat)))
        return
    other = 1 - seat
    lead = s.tally.score[seat] - s.tally.score[other]
    out[0] = 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)
    out[1] = s.tally.gammons[seat] + s.tally.backgammons[seat]
    out[2] = s.tally.backgammons[seat]
    out[3] = s.tally.gammons[other] + s.tally.backgammons[other]
    out[4] = s.tally.backgammons[other]


@inline_kernel
def unit(s, head):
    """What a head measures in: `cubeful` in cubes."""
    return 1.0 * s.cube if head == CUBEFUL else 1.0
