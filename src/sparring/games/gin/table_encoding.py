"""The encoding `table` of gin rummy networks: all that a seat sees after its turn, or before it sees the card that it draws.

Per card, one input each: in hand outside melds, in hand in a meld, in the opponent's hand as far as known, thrown by the opponent,
thrown by the seat and refused, offered to the opponent now. Then FEATURES numbers: what the seat has just done, its hand, the
stock and the turns so far, and what the opponent could do with the card offered, by the cards it has taken, thrown and refused.
"""

import numpy as np

from sparring.games.deck import CARDS, bit, count_cards, lowest_card
from sparring.games.gin.melds import best_sets, completing, highest_points, loose_cards, near_cards
from sparring.games.gin.rules import DRAW, FIRST, KNOCKING, PASSES, STOCK, THROW
from sparring.kernel.compiler import inline_kernel, kernel

LOOSE, MELDED, THEIRS, THROWN_BY_THEM, REFUSED, OFFERED = range(6)  # inputs per card
# What the seat has just done: thrown a card, chosen the stock, left the first upcard, knocked. The last three have an input each.
THREW, DREW, PASSED, KNOCKED = range(4)
FEATURES_AT, FEATURES = 6 * CARDS, 23
TABLE_INPUTS = FEATURES_AT + FEATURES
MOST_ACTIVE = CARDS + 1 + FEATURES  # inputs that are not 0
EARLY = 6  # turns
ONE = np.float32(1.0)
ALL = (1 << CARDS) - 1


@kernel
def table_inputs(s, seat, index, value):
    """Write the inputs that are not 0, by number and value; returns how many."""
    hand, upcard, stage = s.hand[seat], np.int64(-1), THREW
    if s.turn == seat:
        if s.over == 0 and s.phase == THROW and s.source == STOCK:
            hand, stage = hand & ~bit(s.drawn), DREW
    elif s.over and s.knocker == seat:
        stage = KNOCKED
    elif s.phase == FIRST or (s.passes == PASSES and s.hand_turns == 0):
        upcard, stage = (s.upcard if s.phase == FIRST else upcard), PASSED
    elif s.phase == DRAW:
        upcard = s.upcard
    known, thrown = s.known[1 - seat], s.thrown[1 - seat]
    return write_table(hand, known, thrown, s.pile, upcard, stage, s.stock_size, s.hand_turns, index, value)


@kernel
def write_table(hand, known, thrown, pile, upcard, stage, stock, turns, index, value):
    """The same for a hand at the end of a turn; `upcard` is the card offered to the opponent, or -1."""
    sets, left = best_sets(hand)
    loose, offered = loose_cards(hand, sets), np.int64(0)
    if upcard >= 0:
        offered = bit(upcard)
    gone = pile & ~offered
    count = add_cards(LOOSE, loose, index, value, 0)
    count = add_cards(MELDED, hand & ~loose, index, value, count)
    count = add_cards(THEIRS, known, index, value, count)
    count = add_cards(THROWN_BY_THEM, gone & thrown, index, value, count)
    count = add_cards(REFUSED, gone & ~thrown, index, value, count)
    count = add_cards(OFFERED, offered, index, value, count)
    unseen = ALL & ~(hand | known | pile)
    first = count
    count = add_stage(stage, left, value, count)
    count = add_hand(hand, loose, left, unseen, known, value, count)
    count = add_age(stock, turns, known, value, count)
    count = add_offer(upcard, offered, known, unseen, gone, thrown, value, count)
    for k in range(FEATURES):
        index[first + k] = FEATURES_AT + k
    return count


@inline_kernel
def add_cards(place, cards, index, value, count):
    """Write an input for each of some cards."""
    while cards:
        index[count], value[count] = place * CARDS + lowest_card(cards), ONE
        cards &= cards - 1
        count += 1
    return count


@inline_kernel
def add_stage(stage, left, value, count):
    """What the seat has just done, and the deadwood and gin of a knock."""
    value[count] = stage == DREW
    value[count + 1] = stage == PASSED
    value[count + 2] = stage == KNOCKED
    value[count + 3] = np.float32(0.1) * left if stage == KNOCKED else np.float32(0.0)
    value[count + 4] = stage == KNOCKED and left == 0
    return count + 5


@inline_kernel
def add_hand(hand, loose, left, unseen, known, value, count):
    """Deadwood, whether it allows a knock or is none; cards that would help; the highest card and what is left without it."""
    highest = highest_points(loose)
    value[count] = np.float32(0.04) * left
    value[count + 1] = left <= KNOCKING
    value[count + 2] = left == 0
    value[count + 3] = np.float32(0.1) * count_cards(completing(hand) & unseen)
    value[count + 4] = np.float32(0.1) * count_cards(completing(loose) & unseen)
    value[count + 5] = np.float32(0.1) * highest
    value[count + 6] = np.float32(0.04) * (left - highest)
    value[count + 7] = np.float32(0.1) * count_cards(loose)
    value[count + 8] = np.float32(0.25) * count_cards(loose & completing(known))
    return count + 9


@inline_kernel
def add_age(stock, turns, known, value, count):
    """The stock, the turns so far, and how many of the opponent's cards are known."""
    value[count] = np.float32(0.03) * stock
    value[count + 1] = np.float32(0.04) * turns
    value[count + 2] = max(EARLY - turns, 0) / np.float32(EARLY)
    value[count + 3] = np.float32(0.2) * count_cards(known)
    return count + 4


@inline_kernel
def add_offer(upcard, offered, known, unseen, gone, thrown, value, count):
    """What the opponent could do with the card offered: with cards that it has, may have, and does not seem to want."""
    near = near_cards(upcard) if upcard >= 0 else np.int64(0)
    value[count] = (completing(known) & offered) != 0
    value[count + 1] = np.float32(0.25) * count_cards(near & known)
    value[count + 2] = np.float32(0.125) * count_cards(near & unseen)
    value[count + 3] = np.float32(0.25) * count_cards(near & gone & thrown)
    value[count + 4] = np.float32(0.25) * count_cards(near & gone & ~thrown)
    return count + 5
