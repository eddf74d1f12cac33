"""Gin rummy by rules of thumb.

`simple` is what the field measures against: it takes the upcard only if that melds, throws what leaves the least deadwood
and knocks at once. `careful` looks one draw ahead, does not throw what the other seems to collect, and after the first turns
plays for gin or an undercut, which pay more than a knock.
"""

import numpy as np

from sparring.games.deck import CARDS, RANKS, SUIT, bit, count_cards, lowest_card
from sparring.games.gin.encodings import unseen
from sparring.games.gin.melds import RANK, SHORTEST, deadwood, least_deadwood
from sparring.games.gin.rules import FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD, kept_card
from sparring.kernel.compiler import inline_kernel, kernel


@inline_kernel
def stays(s):
    """The move of who does not take the upcard."""
    return PASS if s.phase == FIRST else STOCK


@inline_kernel
def thrown(s, card, least):
    """The move that throws a card, and knocks if that leaves `least` or less."""
    knocks = s.rules.free and deadwood(s.hand[s.turn] & ~bit(card)) <= least
    return card + KNOCK if knocks else card


@kernel
def makes_meld(hand, card):
    """Whether a card is part of some meld of a hand that has it."""
    if count_cards(hand & (np.int64(RANK) << (card % RANKS))) >= SHORTEST:
        return True
    suit, rank = (hand >> (card // RANKS * RANKS)) & SUIT, card % RANKS
    runs = suit & (suit >> 1) & (suit >> 2)  # where runs of three begin
    return ((runs << 2 | runs << 1 | runs) >> rank) & 1 != 0


@kernel
def simple_throw(hand, kept):
    """The card that leaves the least deadwood, the highest of them, but none of those that are `kept`."""
    least, best, rest = np.int64(1 << 30), np.int64(0), hand & ~kept
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        left = (deadwood(hand & ~bit(card)) << 8) - card % RANKS
        if left < least:
            least, best = left, np.int64(card)
    return best


@kernel
def simple_move(s):
    hand = s.hand[s.turn]
    if s.phase == THROW:
        return thrown(s, simple_throw(hand, bit(s.drawn) if s.source == UPCARD else np.int64(0)), KNOCKING)
    return UPCARD if makes_meld(hand | bit(s.upcard), s.upcard) else stays(s)


# The careful player.

DRAW_WORTH = 1.0  # points of deadwood that taking the upcard costs by what it tells
DANGER_KNOWN, DANGER_UNKNOWN = 1.0, 0.1  # points that a card costs for each card of the other's that it could join
EARLY = 6  # turns of a hand in which it knocks as soon as it can; later it plays for gin or an undercut


@kernel
def careful_move(s):
    hand, unknown = s.hand[s.turn], unseen(s, s.turn)
    if s.phase == THROW:
        card = careful_throw(s, hand, unknown)
        return thrown(s, card, KNOCKING if s.hand_turns < EARLY else 0)
    upcard = s.upcard
    if makes_meld(hand | bit(upcard), upcard):
        return UPCARD
    taken = least_deadwood(hand | bit(upcard), upcard)
    return UPCARD if taken + DRAW_WORTH < after_draw(hand, unknown) else stays(s)


@kernel
def after_draw(hand, unknown):
    """The mean of the least deadwood after another card from the stock."""
    total, count, rest = 0.0, 0, unknown
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        total += least_deadwood(hand | bit(card), -1)
        count += 1
    return total / max(count, 1)


@kernel
def careful_throw(s, hand, unknown):
    """The card that leaves the least deadwood after another draw, and serves the other least."""
    least, best, rest, kept = 1e9, np.int64(0), hand, kept_card(s)
    lowest = least_deadwood(hand, kept)
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        left = deadwood(hand & ~bit(card))
        if card == kept or left > lowest + KNOCKING:
            continue
        cost = 1.0 * left
        if left > KNOCKING:
            cost = after_draw(hand & ~bit(card), unknown) + danger(s, card, unknown)
        if cost < least or (cost == least and card % RANKS > best % RANKS):
            least, best = cost, np.int64(card)
    return best


@kernel
def danger(s, card, unknown):
    """What a card may be worth to the other: by the cards it could join that are known or may be in the other's hand."""
    near = np.int64(RANK) << (card % RANKS)
    for step in (-2, -1, 1, 2):
        other = card + step
        if other >= 0 and other < CARDS and other // RANKS == card // RANKS:
            near |= bit(other)
    near &= ~bit(card)
    theirs = s.known[1 - s.turn]
    return DANGER_KNOWN * count_cards(near & theirs) + DANGER_UNKNOWN * count_cards(near & unknown)
