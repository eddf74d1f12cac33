"""The luck of the deal: a fixed function's value of each seat's place in a deal, minus its mean over the four seats, in points.

The function sees all four hands, starting with the seat's own, clockwise, and how cards are passed. To turn the four hands of a
deal by one seat, two or three is as likely as to leave them, so that every place is any seat's with the same probability, and the
mean of the places is what a seat expects of these hands. Nothing else is left to chance but the players' own choices.
"""

import numpy as np

from sparring.games.deck import CARDS, lowest_card
from sparring.games.hearts.rules import NONE, PASS, SEATS
from sparring.kernel.compiler import kernel
from sparring.kernel.rectified import add_input, begin, output

DIRECTION = SEATS * CARDS  # the first input for how cards are passed
INPUTS = DIRECTION + 4
ONE = np.float32(1.0)


@kernel
def luck(s, card, player, weights, scratch, int_scratch, out, row):
    """Before the first move of a round that was dealt at random: add what each seat's hand is better than the mean hand."""
    if not is_dealt(s) or s.rules.hand[0]:
        return
    values = (
        place_value(s, 0, player, weights, scratch),
        place_value(s, 1, player, weights, scratch),
        place_value(s, 2, player, weights, scratch),
        place_value(s, 3, player, weights, scratch),
    )
    mean = 0.0
    for seat in range(SEATS):
        mean += values[seat] / SEATS
    for seat in range(SEATS):
        out[row, seat] += mean - values[seat]


@kernel
def is_dealt(s):
    """Whether nothing has been decided since the deal."""
    if s.direction != NONE:
        return s.phase == PASS and s.turn == 0 and s.passed[0] == 0
    return s.number == 0 and s.turn == s.leader and s.trick[s.leader] < 0


@kernel
def place_value(s, seat, player, weights, scratch):
    """The points that a seat is expected to get in a round, by the dealt hands."""
    begin(player, weights, scratch)
    add_input(player, weights, DIRECTION + s.direction, ONE, scratch)
    for k in range(SEATS):
        rest = s.dealt[(seat + k) % SEATS]
        while rest:
            add_input(player, weights, k * CARDS + lowest_card(rest), ONE, scratch)
            rest &= rest - 1
    return np.float64(output(player, weights, scratch))
