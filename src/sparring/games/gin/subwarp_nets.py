"""What a network computes for the policies of nets.py on a GPU, where memory is scarce: no rows of candidates.

Each thread of a subwarp values its own candidates, one after the other, from the units' sums for the present hand, which all its
threads have, and the weights of the cards that come and go. Sums have the order that they have on a core.
"""

import numpy as np

from sparring.games.deck import CARDS, bit, count_cards, lowest_card
from sparring.games.gin.encodings import (
    DISCARDED,
    FEATURES,
    FEATURES_AT,
    MELDS,
    MINE,
    ONE_NUMBER,
    UNKNOWN,
    hand_features,
    place_of,
    place_value,
)
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.maths import sigmoid
from sparring.kernel.subwarp import subwarp_best, subwarp_rank, subwarp_size, subwarp_sum

SUMS = 0  # in the float scratch
CARDS_AT, ORDER_AT, UNKNOWN_AT = 0, 16, 32  # in the integers: the cards of the hand, their order, the unknown cards
LEAST = np.float32(-1e30)
ZERO, ONE = np.float32(0.0), np.float32(1.0)
STEP = np.uint64(1)  # on a GPU signed indices and `range` compile to more instructions
DECIDED = 32  # bits for one of two counts in one number
NO_CARD = -1


@kernel
def write_sums(s, player, weights, scratch):
    """Write the first layer's sums of the state without the features of the hand. The threads share the units."""
    units, rank, size = np.uint64(player.hidden), np.uint64(subwarp_rank()), np.uint64(subwarp_size())
    bias, by = np.uint64(player.offset + player.inputs * player.hidden), ONE
    h = rank
    while h < units:
        scratch[h] = weights[bias + h]
        h += size
    for card in range(CARDS):
        place = place_of(s, s.turn, card)
        row = row_of(player, place, card)
        if player.encoding == ONE_NUMBER:
            by = place_value(place)
        h = rank
        while h < units:
            scratch[h] += by * weights[row + h]
            h += size
    h = np.uint64(0)
    while h < units:
        scratch[h] = subwarp_sum(scratch[h] if h % size == rank else ZERO)
        h += STEP


@inline_kernel
def row_of(player, place, card):
    """Where the weights of a card at a place begin."""
    number = card if player.encoding == ONE_NUMBER else place * CARDS + card
    return np.uint64(player.offset + number * player.hidden)


@kernel
def value_after(player, weights, scratch, thrown, goes, drawn, comes, goes_on, features):
    """The output's sum when `thrown` has gone from the hand to a place, and `drawn` from a place to another.

    A card whose two places are the same changes nothing.
    """
    units, net = np.uint64(player.hidden), np.uint64(player.offset + (player.inputs + 1) * player.hidden)
    a, b = row_of(player, goes, thrown), row_of(player, MINE, thrown)
    c, d = row_of(player, goes_on, drawn), row_of(player, comes, drawn)
    extra = np.uint64(player.offset + FEATURES_AT * player.hidden)
    fall, rise = place_value(goes) - place_value(MINE), place_value(goes_on) - place_value(comes)
    total, h = weights[net + units], np.uint64(0)
    if player.encoding == ONE_NUMBER:
        while h < units:
            left = scratch[h] + fall * weights[a + h]
            total += weights[net + h] * sigmoid(left + rise * weights[c + h])
            h += STEP
    elif player.encoding == MELDS:
        while h < units:
            more, row = weights[c + h] - weights[d + h], extra + h
            for i in range(FEATURES):
                more += features[i] * weights[row]
                row += units
            left = scratch[h] + (weights[a + h] - weights[b + h])
            total += weights[net + h] * sigmoid(left + more)
            h += STEP
    else:
        while h < units:
            left = scratch[h] + (weights[a + h] - weights[b + h])
            total += weights[net + h] * sigmoid(left + (weights[c + h] - weights[d + h]))
            h += STEP
    return total


@inline_kernel
def features_of(player, hand, unknown, knocks):
    """The features of a hand, for networks that see them."""
    if player.encoding == MELDS:
        return hand_features(hand, unknown, knocks)
    return ZERO, ZERO, ZERO, ZERO, ZERO, ZERO


@kernel
def best_hand_in_subwarp(player, weights, scratch, cards, hand, unknown, count, upcard, knocks):
    """The highest value of a hand without one of the first `count` of its `cards`, and the number of that card.

    `upcard` is a card of the hand that has just been taken, or NO_CARD.
    """
    top, best = LEAST, np.int64(0)
    comes = MINE if upcard == NO_CARD else DISCARDED
    for k in range(subwarp_rank(), count, subwarp_size()):
        card = cards[k]
        features = features_of(player, hand & ~bit(card), unknown, knocks)
        taken = card if upcard == NO_CARD else upcard
        value = value_after(player, weights, scratch, card, DISCARDED, taken, comes, MINE, features)
        if value > top:
            top, best = value, np.int64(k)
    return subwarp_best(top, best)


@inline_kernel
def value_kept(player, weights, scratch, hand, unknown, thrown, card):
    """The value of a hand with an unknown card in the place of one that is thrown."""
    features = features_of(player, hand & ~bit(thrown) | bit(card), unknown & ~bit(card), True)
    return value_after(player, weights, scratch, thrown, DISCARDED, card, UNKNOWN, MINE, features)


@inline_kernel
def value_returned(player, weights, scratch, hand, unknown, card):
    """The value of a hand from which an unknown card is thrown straight back."""
    features = features_of(player, hand, unknown & ~bit(card), True)
    return value_after(player, weights, scratch, card, MINE, card, UNKNOWN, DISCARDED, features)


@inline_kernel
def list_of(cards, out):
    """Write the cards of a set; returns how many."""
    count = 0
    while cards:
        out[count] = lowest_card(cards)
        cards &= cards - 1
        count += 1
    return count


@kernel
def beats_mean(player, weights, scratch, cards, hand, unknown, count, upcard, eleven):
    """Whether the value of the hand with the upcard is above the mean of those with the unknown cards."""
    others, total = cards[UNKNOWN_AT:], np.float64(0.0)
    size = list_of(unknown, others)
    for k in range(subwarp_rank(), size, subwarp_size()):
        card, best = others[k], LEAST
        if eleven:
            best = value_returned(player, weights, scratch, hand, unknown, card)
        for i in range(count):
            best = max(best, value_kept(player, weights, scratch, hand, unknown, cards[i], card))
        total += np.float64(sigmoid(best))
    return np.float64(sigmoid(upcard)) * size > subwarp_sum(total)


@kernel
def beats_most(player, weights, scratch, cards, hand, unknown, count, upcard, best, eleven):
    """Whether the value of the hand with the upcard is above those with most unknown cards.

    Unknown cards that beat the upcard in its own place are found first. Then each thread tries the other places for one card after
    the other, until enough are known to be better or not.
    """
    size = count_cards(unknown)
    wanted, worse = size // 2 + 1, unknown
    if eleven:
        worse = not_better(player, weights, scratch, cards, hand, unknown, worse, upcard, NO_CARD)
    if count_cards(worse) < wanted:
        return False
    worse = not_better(player, weights, scratch, cards, hand, unknown, worse, upcard, cards[best])
    others = cards[UNKNOWN_AT:]
    left = list_of(worse, others)
    k, turn, decided = subwarp_rank(), 1, np.int64(0)
    more, known = size - left, np.int64(0)
    while 2 * (more + (known >> DECIDED)) < size:
        if known & ((1 << DECIDED) - 1) >= wanted:
            return True
        if k < left:
            thrown = cards[(best + turn) % count]
            is_worse = value_kept(player, weights, scratch, hand, unknown, thrown, others[k]) < upcard
            turn += 1
            if not is_worse or turn >= count:
                decided += 1 if is_worse else 1 << DECIDED
                k, turn = k + subwarp_size(), 1
        known = subwarp_sum(decided)
    return False


@kernel
def not_better(player, weights, scratch, cards, hand, unknown, some, upcard, thrown):
    """Those of some unknown cards that are worse than the upcard in the place of one card, or (NO_CARD) thrown straight back."""
    others, worse = cards[UNKNOWN_AT:], np.int64(0)
    size = list_of(some, others)
    for k in range(subwarp_rank(), size, subwarp_size()):
        card = others[k]
        if thrown == NO_CARD:
            value = value_returned(player, weights, scratch, hand, unknown, card)
        else:
            value = value_kept(player, weights, scratch, hand, unknown, thrown, card)
        if value < upcard:
            worse |= bit(card)
    return subwarp_sum(worse)
