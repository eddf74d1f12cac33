"""Encodings for hearts networks: the place of each card, as far as a seat knows it; docs/hearts.md has their inputs."""

import numpy as np

from sparring.games.deck import CARDS, bit
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS

PLAY_VIEW, PASS_VIEW, HAND_VIEW = range(3)
NAMES = ("play", "pass", "hand")
PLACES = 5
MINE, ELSEWHERE, BY_ME, BY_OTHERS, GONE = range(PLACES)
INPUTS = (PLACES * CARDS, 2 * CARDS, CARDS)
ONE = np.float32(1.0)


@kernel
def list_places(s, seat, index, first):
    """Write the input that is 1 for each card, from index[first] on; returns how many."""
    hand, gone, mine, others = s.hand[seat], s.played, np.int64(0), np.int64(0)
    for other in range(SEATS):
        if s.trick[other] >= 0:
            if other == seat:
                mine = bit(s.trick[other])
            else:
                others |= bit(s.trick[other])
    for card in range(CARDS):
        one = bit(card)
        place = ELSEWHERE
        if hand & one:
            place = MINE
        elif gone & one:
            place = GONE
        elif others & one:
            place = BY_OTHERS
        elif mine & one:
            place = BY_ME
        index[first + card] = PLACES * card + place
    return CARDS


@inline_kernel
def list_cards(cards, base, index, first):
    """Write the inputs of a set of cards, numbered from `base`; returns how many."""
    count = 0
    for card in range(CARDS):
        if cards & bit(card):
            index[first + count] = base + card
            count += 1
    return count


@kernel
def inputs(s, seat, encoding, index, value):
    """Write the inputs that are not 0, by number and value; returns how many."""
    if encoding == PLAY_VIEW:
        count = list_places(s, seat, index, 0)
    else:
        count = list_cards(s.dealt[seat], 0, index, 0)
        if encoding == PASS_VIEW:
            count += list_cards(s.passed[seat], CARDS, index, count)
    for k in range(count):
        value[k] = ONE
    return count
