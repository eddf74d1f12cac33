"""The luck of the cards: a fixed function's value of both hands after what came, minus its mean over all that could have come.

The function sees both hands and which cards are left in the stock: luck is judged by what happened, not by what a seat knows. Given
both hands, every card of the stock comes next with the same probability. Of a deal, given the two hands without their seats, either
seat has either hand and each of the other cards is the upcard, all with the same probability.
"""

import numpy as np

from sparring.games.deck import CARDS, bit, count_cards, lowest_card
from sparring.games.gin.encodings import hand_features
from sparring.games.gin.heuristics import simple_throw
from sparring.games.gin.melds import completing
from sparring.games.gin.rules import STOCK, THROW
from sparring.kernel.compiler import kernel
from sparring.kernel.rectified import add_input, begin, output

ALL = (1 << CARDS) - 1
HAND_FEATURES = 6
FITS = 2 * HAND_FEATURES  # the input that says whether the upcard fits the other hand
INPUTS = FITS + 3
TENTH = np.float32(0.1)
FEW = np.float32(0.04)


@kernel
def luck(s, move, player, weights, scratch, int_scratch, out, row):
    """Add the luck of a deal before its first move, or of a card drawn from the stock before the throw, in points."""
    if s.phase == THROW:
        if s.source == STOCK:
            add_luck(s.turn, draw_luck(s, player, weights, scratch), out, row)
    elif s.hand_turns == 0 and s.passes == 0 and not s.rules.hand[0]:
        add_luck(1 - s.starter, deal_luck(s, player, weights, scratch), out, row)


@kernel
def add_luck(seat, points, out, row):
    """What a seat gains the other loses."""
    out[row, seat] += points
    out[row, 1 - seat] -= points


@kernel
def draw_luck(s, player, weights, scratch):
    """The value of the card drawn, minus the mean over the stock with it."""
    hand, other, turns = s.hand[s.turn] & ~bit(s.drawn), s.hand[1 - s.turn], s.hand_turns + 1
    stock = ALL & ~(hand | other | s.pile)
    rest, found, total = stock, 0.0, 0.0
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        better = hand | bit(card)
        thrown = simple_throw(better, np.int64(0))
        left = stock & ~bit(card)
        value = hands_value(better & ~bit(thrown), other, thrown, left, turns, player, weights, scratch)
        total += value
        if card == s.drawn:
            found = value
    return found - total / count_cards(stock)


@kernel
def deal_luck(s, player, weights, scratch):
    """The value of a deal for the seat that does not begin, minus the mean with every upcard and with the hands exchanged."""
    hand, other, total, found = s.hand[1 - s.starter], s.hand[s.starter], 0.0, 0.0
    others = ALL & ~(hand | other)
    rest = others
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        stock = others & ~bit(card)
        value = hands_value(hand, other, card, stock, 0, player, weights, scratch)
        total += value + hands_value(other, hand, card, stock, 0, player, weights, scratch)
        if card == s.upcard:
            found = value
    return found - total / (2 * count_cards(others))


@kernel
def hands_value(hand, other, upcard, stock, turns, player, weights, scratch):
    """The points by which a seat is expected to win a hand (negative: lose) after it has thrown a card; `other` is to move."""
    sums = scratch[INPUTS:]
    write_inputs(hand, other, upcard, stock, turns, scratch)
    begin(player, weights, sums)
    for k in range(INPUTS):
        add_input(player, weights, k, scratch[k], sums)
    return np.float64(output(player, weights, sums))


@kernel
def write_inputs(hand, other, upcard, stock, turns, values):
    """What the function sees of both hands: their features by the cards left in the stock, and whether the upcard fits."""
    mine, theirs = hand_features(hand, stock, True), hand_features(other, stock, True)
    for k in range(HAND_FEATURES):
        values[k], values[HAND_FEATURES + k] = mine[k], theirs[k]
    values[FITS] = np.float32((completing(other) & bit(upcard)) != 0)
    values[FITS + 1] = TENTH * np.float32(count_cards(stock))
    values[FITS + 2] = FEW * np.float32(turns)
