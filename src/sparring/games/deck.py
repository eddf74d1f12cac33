"""Sets of cards as 64-bit integers. Card suit * 13 + rank is the bit of that number."""

import numpy as np

from sparring.kernel.compiler import inline_kernel
from sparring.kernel.records import lookup

CARDS, SUITS, RANKS = 52, 4, 13
SUIT = (1 << RANKS) - 1  # the cards of the first suit
PRIME = 67  # powers of two up to 2^63 have different remainders modulo this
BIT_NUMBER = lookup([next((n for n in range(CARDS) if (1 << n) % PRIME == rest), 0) for rest in range(PRIME)])


@inline_kernel
def bit(card):
    return np.int64(1) << np.int64(card)


@inline_kernel
def lowest_card(cards):
    """The lowest card of a set that is not empty."""
    return np.int64(BIT_NUMBER[(cards & -cards) % PRIME])


@inline_kernel
def count_cards(cards):
    """The number of cards in a set: bits are added in pairs, then in fours, and so on."""
    cards = cards - ((cards >> 1) & 0x5555555555555)
    cards = (cards & 0x3333333333333) + ((cards >> 2) & 0x3333333333333)
    cards = (cards + (cards >> 4)) & 0x70F0F0F0F0F0F
    cards += cards >> 8
    cards += cards >> 16
    return (cards + (cards >> 32)) & 0x7F
