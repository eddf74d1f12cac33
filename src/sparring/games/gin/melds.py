"""Melds: the arrangement of a hand with the least deadwood, and the cards to lay off on the opponent's melds. Both are exact.

A card is suit * 13 + rank (0 ace to 12 king); a hand is a set of cards as in deck.py. All ways to form sets are tried, rarely
more than two; runs are found in all suits at once.
"""

import numpy as np

from sparring.games.deck import RANKS, SUIT, bit, count_cards, lowest_card
from sparring.kernel.bits import bit_length, count_bits, lowest_bit
from sparring.kernel.compiler import inline_kernel, kernel

RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39  # the aces
ACES, KINGS = RANK, RANK << 12
SHORTEST = 3  # cards of a meld
STARTS = RANK * (SUIT >> SHORTEST - 1)  # the cards with which a run can begin
LONG = 2 * SHORTEST  # cards of a run that is melded as several
# The cards whose points have each binary digit; an ace is 1 point, a court card 10.
ONES, TWOS, FOURS, EIGHTS = (
    sum(RANK << rank for rank in range(RANKS) if min(rank + 1, 10) >> digit & 1) for digit in range(4)
)


@inline_kernel
def points_of(cards):
    """The points of cards that are not melded."""
    less = count_bits(cards & ONES) + 2 * count_bits(cards & TWOS)
    return less + 4 * count_bits(cards & FOURS) + 8 * count_bits(cards & EIGHTS)


@inline_kernel
def outside_runs(cards):
    """The cards outside runs if only runs are melded: in a suit, runs of three or more cards leave nothing better to do."""
    starts = cards & cards >> 1 & cards >> 2 & STARTS
    return cards & ~(starts | starts << 1 | starts << 2)


@inline_kernel
def left_by_runs(cards):
    """The points outside melds if only runs are melded."""
    return points_of(outside_runs(cards))


@inline_kernel
def first_run(cards, lowest):
    """How many cards the run from the lowest card of a set has, or 0; of six or more consecutive cards, the first three."""
    length = lowest_bit(~(cards >> lowest & (SUIT >> lowest % RANKS)))
    return 0 if length < SHORTEST else length if length < LONG else SHORTEST


@inline_kernel
def ranks_of_three(cards):
    """The ranks of which a hand has three or four cards, as bits."""
    a, b, c, d = cards & SUIT, (cards >> 13) & SUIT, (cards >> 26) & SUIT, (cards >> 39) & SUIT
    return (a & b & (c | d)) | (c & d & (a | b))


@kernel
def set_of(cards, rank, way):
    """A way to meld a rank: 0 not at all, 1 all its cards, 2 to 5 all but one suit; the empty set if there is no such set."""
    mine = cards & (np.int64(RANK) << rank)
    if way < 2:
        return mine if way else np.int64(0)
    less = mine & ~bit((way - 2) * RANKS + rank)
    return less if less != mine and count_cards(less) >= SHORTEST else np.int64(0)


@kernel
def best_sets(cards):
    """The cards to meld in sets for the least deadwood, and that deadwood.

    A hand of eleven cards has at most three ranks of three or more cards; each is melded in one of six ways.
    """
    least, best = left_by_runs(cards), np.int64(0)
    threes = ranks_of_three(cards)
    if threes == 0:
        return best, least
    first = lowest_card(threes)
    second = lowest_card(threes & (threes - 1)) if threes & (threes - 1) else -1
    rest = threes & (threes - 1)
    rest &= rest - 1
    third = lowest_card(rest) if rest else -1
    for i in range(6):
        one = set_of(cards, first, i)
        if i and not one:
            continue
        for j in range(6 if second >= 0 else 1):
            two = set_of(cards, second, j) if j else np.int64(0)
            if j and not two:
                continue
            for k in range(6 if third >= 0 else 1):
                three = set_of(cards, third, k) if k else np.int64(0)
                if k and not three:
                    continue
                melded = one | two | three
                left = left_by_runs(cards & ~melded)
                if left < least:
                    least, best = left, melded
    return best, least


@inline_kernel
def loose_cards(cards, sets):
    """The cards outside melds, for given sets."""
    return outside_runs(cards & ~sets)


@inline_kernel
def completing(cards):
    """The cards that form a meld with two of these, or extend a meld of these; cards of the hand may be among them."""
    a, b, c, d = cards & SUIT, (cards >> 13) & SUIT, (cards >> 26) & SUIT, (cards >> 39) & SUIT
    pairs = (a & b) | (c & d) | ((a | b) & (c | d))
    up, down = (cards & ~KINGS) << 1, (cards & ~ACES) >> 1  # the neighbours of each card
    runs = (up & ((up & ~KINGS) << 1)) | (up & down) | (down & ((down & ~ACES) >> 1))
    return runs | pairs | pairs << 13 | pairs << 26 | pairs << 39


@inline_kernel
def highest_points(cards):
    """The points of the highest of some cards; 0 for none."""
    return min(bit_length((cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT), 10)


@inline_kernel
def near_cards(card):
    """The cards that can be in a meld of three with a card."""
    one = bit(card)
    up, down = (one & ~KINGS) << 1, (one & ~ACES) >> 1
    runs = up | down | (up & ~KINGS) << 1 | (down & ~ACES) >> 1
    return (runs | np.int64(RANK) << (card % RANKS)) & ~one


@kernel
def deadwood(cards):
    """The least points that a hand can have outside melds."""
    if ranks_of_three(cards) == 0:
        return np.int64(left_by_runs(cards))
    return np.int64(best_sets(cards)[1])


@kernel
def least_deadwood(cards, kept):
    """The least deadwood after throwing any card but `kept` (-1 for none)."""
    least, rest = np.int64(127), cards
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        if card != kept:
            least = min(least, deadwood(cards & ~bit(card)))
    return least


@kernel
def melds_of(cards):
    """The melds of the arrangement with the least deadwood: three sets of cards, which may be empty."""
    sets, _ = best_sets(cards)
    one, two, three = np.int64(0), np.int64(0), np.int64(0)
    rest = cards & ~sets
    while sets:
        one, two, three = sets & (np.int64(RANK) << (lowest_card(sets) % RANKS)), one, two
        sets &= ~one
    while rest:
        lowest = lowest_card(rest)
        length = first_run(rest, lowest)
        if length:
            one, two, three = ((np.int64(1) << length) - 1) << lowest, one, two
            rest &= ~one
        else:
            rest &= rest - 1
    return one, two, three


@inline_kernel
def is_set(meld):
    """Whether a meld is a set; the cards of a run are consecutive."""
    return lowest_card(meld & (meld - 1)) != lowest_card(meld) + 1


@kernel
def fitting(meld, cards):
    """The cards that can be laid off on a meld."""
    if meld == 0:
        return np.int64(0)
    lowest = lowest_card(meld)
    if is_set(meld):
        return cards & (np.int64(RANK) << (lowest % RANKS)) & ~meld
    found = np.int64(0)
    card = lowest - 1
    while card >= 0 and card % RANKS != RANKS - 1 and cards & bit(card):
        found |= bit(card)
        card -= 1
    card = lowest + count_cards(meld)
    while card % RANKS != 0 and cards & bit(card):
        found |= bit(card)
        card += 1
    return found


@kernel
def fitting_any(melds, cards):
    return fitting(melds[0], cards) | fitting(melds[1], cards) | fitting(melds[2], cards)


@kernel
def lay_off(melds, cards):
    """The cards to lay off on the opponent's melds for the least deadwood, and that deadwood.

    All subsets of the cards that fit are tried, if they still fit without the others.
    """
    most = fitting_any(melds, cards)
    best, least = np.int64(0), deadwood(cards)
    part = most
    while part:
        if fitting_any(melds, part) == part:
            left = deadwood(cards & ~part)
            if left < least or (left == least and count_cards(part) < count_cards(best)):
                best, least = part, left
        part = (part - 1) & most
    return best, least
