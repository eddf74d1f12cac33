"""Sets of cards as 64-bit integers. Card suit * 13 + rank is the bit of that number."""

import numpy as np

from sparring.kernel.bits import count_bits, lowest_bit
from sparring.kernel.compiler import inline_kernel

CARDS, SUITS, RANKS = 52, 4, 13
SUIT = (1 << RANKS) - 1  # the cards of the first suit


@inline_kernel
def bit(card):
    return np.int64(1) << np.int64(card)


@inline_kernel
def lowest_card(cards):
    """The lowest card of a set that is not empty."""
    return lowest_bit(cards)


@inline_kernel
def count_cards(cards):
    """The number of cards in a set."""
    return count_bits(cards)
