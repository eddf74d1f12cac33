"""What a seat cannot know in golf: all face-down cards, its own among them, the order of the stock, another's card from it."""

import numpy as np

from sparring.games.golf.rules import CARDS, DISCARD, KIND, PLACES, VALUES
from sparring.kernel.compiler import kernel
from sparring.kernel.random import key, shuffle

NONE = VALUES  # instead of the kind of a card


@kernel
def determinize(s, seat, stream, int_scratch):
    """Deal the cards that a seat has not seen anew, and the rounds to come."""
    seen, size, hides_drawn = seen_cards(s, seat), 0, is_drawn_hidden(s, seat)
    for card in range(CARDS):
        if not seen >> card & 1:
            s.stock[size] = card
            size += 1
    s.stream = shuffle(stream, s.stock, size)
    s.seed = key(s.stream, s.round_number)
    for other in range(s.seats):
        for place in range(PLACES):
            if not s.up[other, place]:
                size -= 1
                s.hand[other, place] = s.stock[size]
    if hides_drawn:
        s.drawn = s.stock[size - 1]


@kernel
def is_drawn_hidden(s, seat):
    """Whether another seat holds a card from the stock."""
    return s.drawn >= 0 and s.turn != seat and s.source != DISCARD


@kernel
def seen_cards(s, seat):
    """The cards that are face up, discarded, or drawn where the seat sees it, as bits."""
    seen = np.int64(0)
    for k in range(s.discard_size):
        seen |= np.int64(1) << s.discard[k]
    for other in range(s.seats):
        for place in range(PLACES):
            if s.up[other, place]:
                seen |= np.int64(1) << s.hand[other, place]
    if s.drawn >= 0 and not is_drawn_hidden(s, seat):
        seen |= np.int64(1) << s.drawn
    return seen


@kernel
def seen(s, seat):
    """The kinds of the cards that a seat sees: drawn, face up, and on top of the discard pile."""
    found = key(
        KIND[s.drawn] if s.drawn >= 0 else NONE, KIND[s.discard[s.discard_size - 1]] if s.discard_size else NONE
    )
    for other in range(s.seats):
        for place in range(PLACES):
            found = key(found, KIND[s.hand[other, place]] if s.up[other, place] else NONE)
    return found
