"""What a gin rummy net sees: where each card is, as far as its seat knows.

- `cards`: the study's, one number a card: in hand 2, in the other's hand (as far as seen) -2, discarded -1, unknown 0.
- `places`: the four binary inputs a card that the study proposes: in hand, in the other's hand, discarded, unknown.
- `melds`: the same and what the hand is worth: its deadwood, whether it has knocked, whether it is gin; how many unknown cards
  would go into a meld, how many of them with the deadwood alone, and the highest card of the deadwood.

A card that goes from one place to another changes few inputs, so a policy needs the change alone.
"""

import numpy as np

from sparring.games.deck import CARDS, RANKS, SUIT, bit, count_cards
from sparring.games.gin.melds import best_sets, completing, loose_cards
from sparring.games.gin.rules import KNOCKING
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.records import lookup

ONE_NUMBER, PLACES, MELDS = range(3)
NAMES = ("cards", "places", "melds")
MINE, THEIRS, DISCARDED, UNKNOWN = range(4)  # where a card can be
WORTH = 4 * CARDS  # the inputs behind the places
EXTRAS = 6
INPUTS = (CARDS, 4 * CARDS, WORTH + EXTRAS)
SCALES = (np.float32(0.04), np.float32(0.1))  # of deadwood, and of cards and points
VALUES = (np.float32(2.0), np.float32(-2.0), np.float32(-1.0), np.float32(0.0))  # of the places in `cards`
ONE = np.float32(1.0)
ALL = (1 << CARDS) - 1
HIGHEST = lookup([min(ranks.bit_length(), 10) for ranks in range(1 << RANKS)])  # points of the highest of some ranks

SCORE, WIN, LEAD = range(3)
OUTCOMES = (
    "score",
    "win",
    "lead",
)  # what a net tells: points won (the study's), whether won, or points won less points lost
SCALE = 100.0  # points that count as 1, as in the study


@inline_kernel
def place_of(s, seat, card):
    """Where a card is, as far as a seat knows."""
    one = bit(card)
    if s.hand[seat] & one:
        return MINE
    if s.known[1 - seat] & one:
        return THEIRS
    return DISCARDED if s.pile & one else UNKNOWN


@inline_kernel
def place_value(place):
    """What a card counts in `cards`."""
    if place == MINE:
        return VALUES[MINE]
    if place == THEIRS:
        return VALUES[THEIRS]
    return VALUES[DISCARDED] if place == DISCARDED else VALUES[UNKNOWN]


@kernel
def inputs(s, seat, encoding, index, value):
    """The inputs that are not 0, by number and value; returns how many."""
    count = 0
    for card in range(CARDS):
        place = place_of(s, seat, card)
        if encoding == ONE_NUMBER:
            if place != UNKNOWN:
                index[count], value[count] = card, place_value(place)
                count += 1
        else:
            index[count], value[count] = place * CARDS + card, ONE
            count += 1
    if encoding == MELDS:
        found = worth(s.hand[seat], unseen(s, seat), s.over != 0 and s.knocker == seat)
        for k in range(EXTRAS):
            index[count], value[count] = WORTH + k, found[k]
            count += 1
    return count


@inline_kernel
def unseen(s, seat):
    """The cards that a seat has not seen: in the stock, or unknown in the other's hand."""
    return ALL & ~(s.hand[seat] | s.known[1 - seat] | s.pile)


@kernel
def worth(hand, unknown, knocks):
    """The inputs behind the places, of a hand that knocks if it can, or does not."""
    sets, left = best_sets(hand)
    loose = loose_cards(hand, sets)
    ranks = (loose | loose >> 13 | loose >> 26 | loose >> 39) & SUIT
    unknown &= ~hand
    return (
        SCALES[0] * np.float32(left),
        np.float32(knocks and left <= KNOCKING),
        np.float32(left == 0),
        SCALES[1] * np.float32(count_cards(completing(hand) & unknown)),
        SCALES[1] * np.float32(count_cards(completing(loose) & unknown)),
        SCALES[1] * np.float32(HIGHEST[ranks]),
    )


@inline_kernel
def change(player, weights, card, before, after, h):
    """What it adds to the sum of unit h that a card goes from one place to another."""
    units = player.hidden
    if player.encoding == ONE_NUMBER:
        return (place_value(after) - place_value(before)) * weights[player.offset + card * units + h]
    gone = weights[player.offset + (before * CARDS + card) * units + h]
    return weights[player.offset + (after * CARDS + card) * units + h] - gone


@kernel
def outcome(s, seat, telling, out):
    """What a value should have been at the end of a hand, by what the net tells: see OUTCOMES."""
    mine, theirs = s.tally.score[seat], s.tally.score[1 - seat]
    if telling == SCORE:
        out[0] = min(mine / SCALE, 1.0)
    elif telling == WIN:
        out[0] = 1.0 if mine > theirs else 0.0
    else:
        out[0] = min(max(0.5 + (mine - theirs) / (2.0 * SCALE), 0.0), 1.0)
