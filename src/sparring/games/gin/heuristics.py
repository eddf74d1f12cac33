"""Heuristic players of gin rummy.

`simple` is the usual baseline: it takes the upcard only if that completes a meld, throws the card that leaves the least
deadwood, and knocks as soon as it can. `careful` looks one draw ahead, does not throw cards that the opponent seems to collect,
and after the first turns plays for gin or an undercut, which score more than a knock.
"""

import numpy as np

from sparring.games.deck import RANKS, SUIT, bit, count_cards, lowest_card
from sparring.games.gin.encodings import unseen
from sparring.games.gin.melds import RANK, SHORTEST, deadwood, least_deadwood, near_cards
from sparring.games.gin.rules import FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD, kept_card
from sparring.kernel.compiler import inline_kernel, kernel


@inline_kernel
def stays(s):
    """The move that does not take the upcard."""
    return PASS if s.phase == FIRST else STOCK


@inline_kernel
def thrown(s, card, least):
    """The move that throws a card, with a knock if that leaves at most `least`."""
    knocks = s.rules.free and deadwood(s.hand[s.turn] & ~bit(card)) <= least
    return card + KNOCK if knocks else card


@kernel
def makes_meld(hand, card):
    """Whether a card of a hand is part of a possible meld."""
    if count_cards(hand & (np.int64(RANK) << (card % RANKS))) >= SHORTEST:
        return True
    suit, rank = (hand >> (card // RANKS * RANKS)) & SUIT, card % RANKS
    runs = suit & (suit >> 1) & (suit >> 2)  # where runs of three begin
    return ((runs << 2 | runs << 1 | runs) >> rank) & 1 != 0


@kernel
def simple_throw(hand, kept):
    """The card that leaves the least deadwood, the highest of several; never one of `kept`."""
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

UPCARD_COST = 1.0  # points of deadwood, for what taking the upcard reveals
DANGER_KNOWN, DANGER_UNKNOWN = 1.0, 0.1  # points per card of the opponent's that a throw could join
EARLY = 6  # in these turns of a hand it knocks as soon as it can


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
    return UPCARD if taken + UPCARD_COST < after_draw(hand, unknown) else stays(s)


@kernel
def after_draw(hand, unknown):
    """The mean least deadwood after a draw from the stock."""
    total, count, rest = 0.0, 0, unknown
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        total += least_deadwood(hand | bit(card), -1)
        count += 1
    return total / max(count, 1)


@kernel
def careful_throw(s, hand, unknown):
    """The card with the least deadwood after another draw, plus its danger."""
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
    """The expected use of a card to the opponent: it counts the cards it could join that the opponent has or may have."""
    near, theirs = near_cards(card), s.known[1 - s.turn]
    return DANGER_KNOWN * count_cards(near & theirs) + DANGER_UNKNOWN * count_cards(near & unknown)
