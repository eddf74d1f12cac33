"""Heuristic players of hearts with rules about moons, numbered in docs/hearts.md; otherwise they play as the expert."""

import numpy as np

from sparring.games.deck import RANKS, SUIT, SUITS, bit, count_cards, lowest_card
from sparring.games.hearts import rules
from sparring.games.hearts.rule_based import card_to_discard, card_to_follow, card_to_lead, heuristic_move, highest_of
from sparring.games.hearts.rules import ALL_HEARTS, HEARTS, PASS, POINT_CARDS, QUEEN, points_of, suit_cards
from sparring.games.hearts.tricks import DECK, SEATS, legal_cards_at, position_of, seats_after
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.records import lookup

# The guarded player.

WORRY = 3  # points of a single seat that threaten a moon


@kernel
def guarded_move(s):
    shooter = moon_threat(s)
    if shooter < 0:
        return heuristic_move(s, True)
    s.tally.defended[s.turn] += 1
    return stopping_card(s, shooter)


@kernel
def stopping_card(s, shooter):
    p, hand = position_of(s), s.hand[s.turn]
    legal, out = legal_cards_at(p, hand), DECK & ~(p.played | p.trick | hand)
    if p.seat == p.leader:
        top = top_heart(legal, out)
        return lowest_card(top) if top else card_to_lead(legal, out, True)
    theirs = p.winner == shooter or s.trick[shooter] < 0  # whether the trick may be the shooter's
    if legal & suit_cards(p.led) == 0:
        rest = legal & ~top_heart(legal, out) if theirs else legal & POINT_CARDS
        return card_to_discard(rest if rest else legal, out, True)
    winners = legal & ~(bit(p.winning) - 1) & ~bit(QUEEN)
    if theirs and p.trick & POINT_CARDS and winners:
        return highest_of(winners, p.led)
    return card_to_follow(p, legal, out, True)


@kernel
def moon_threat(s):
    """The other seat that alone has points, at least WORRY; or -1."""
    found = np.int64(-1)
    if s.rules.moon == rules.OFF:
        return found
    for seat in range(SEATS):
        if s.won[seat] & POINT_CARDS:
            if found >= 0 or seat == s.turn:
                return np.int64(-1)
            found = np.int64(seat)
    return found if found >= 0 and points_of(s.won[found]) >= WORRY else np.int64(-1)


@inline_kernel
def top_heart(cards, out):
    """The highest heart of a set, as a bit, if nobody can beat it."""
    hearts = cards & ALL_HEARTS
    if hearts == 0:
        return np.int64(0)
    card = bit(highest_of(hearts, HEARTS))
    return card if out & ALL_HEARTS < card else np.int64(0)


# The daring player.

RUNS = lookup(
    [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6]
)  # cards of a suit in the longest other hand, by the number out
HEART_LOSS = 2  # a lost heart trick counts as this many others
DARING, DARING_PASS = 5, 8  # the most losses with which a moon is tried: without and with passing


@kernel
def daring_move(s):
    seat = s.turn
    if s.plan[seat] == rules.UNDECIDED:
        most = DARING if s.direction == rules.NONE else DARING_PASS
        s.plan[seat] = rules.MOON if s.rules.moon != rules.OFF and moon_losses(s.hand[seat]) <= most else rules.NORMAL
    if s.plan[seat] == rules.NORMAL:
        return guarded_move(s)
    hand = s.hand[seat]
    if s.phase == PASS:
        return moon_pass(hand & ~s.passed[seat])
    for other in range(SEATS):
        if other != seat and s.won[other] & POINT_CARDS:
            return guarded_move(s)
    p = position_of(s)
    return moon_card(p, hand, legal_cards_at(p, hand))


@inline_kernel
def moon_card(p, hand, legal):
    """The card of a seat that shoots the moon."""
    if p.seat == p.leader:
        return moon_lead(legal, DECK & ~(p.played | p.trick | hand))
    return moon_follow(legal, p.led, p.winning, seats_after(p))


@kernel
def suit_losses(hand, suit):
    """The tricks that the cards of a suit would lose if led from the highest down."""
    cards = (hand >> (suit * RANKS)) & SUIT
    size = count_cards(cards)
    lost, higher, led = 0, 0, 0
    for rank in range(RANKS - 1, -1, -1):
        if (cards >> rank) & 1 == 0:
            higher += 1
        else:
            lost += higher > lost and led < RUNS[RANKS - size]
            led += 1
    return lost


@kernel
def moon_losses(hand):
    losses = (HEART_LOSS - 1) * suit_losses(hand, HEARTS)
    for suit in range(SUITS):
        losses += suit_losses(hand, suit)
    return losses


@kernel
def moon_pass(hand):
    """The lowest card of the suit that loses most tricks by it."""
    best, most = np.int64(-1), np.int64(-1000)
    for suit in range(SUITS):
        cards = hand & suit_cards(suit)
        if cards:
            lost = suit_losses(hand, suit) - suit_losses(hand & ~(cards & -cards), suit)
            value = 16 * lost - count_cards(cards) + (8 if suit == HEARTS and lost else 0)
            if value > most:
                best, most = lowest_card(cards), value
    return best


@kernel
def moon_lead(legal, out):
    """A card that nobody can beat, from the longest suit; otherwise the card that the fewest cards beat."""
    best, most = np.int64(-1), np.int64(-1000)
    for suit in range(SUITS):
        cards = legal & suit_cards(suit)
        if cards:
            card = highest_of(cards, suit)
            higher = count_cards(out & suit_cards(suit) & ~(bit(card) - 1))
            value = count_cards(cards) - 20 * higher
            if value > most:
                best, most = card, value
    return best


@kernel
def moon_follow(legal, led, winning, after):
    """Win, as the last to play with the lowest card that does; otherwise play the card of least value."""
    same = legal & suit_cards(led)
    beating = same & ~(bit(winning) - 1)
    if beating:
        return lowest_card(beating) if after == 0 else highest_of(beating, led)
    harmless = legal & ~np.int64(POINT_CARDS)
    rest = harmless if harmless else legal
    if same:
        return lowest_card(rest)
    best, least = np.int64(-1), np.int64(1000)
    for suit in range(SUITS):
        cards = rest & suit_cards(suit)
        if cards:
            card = lowest_card(cards)
            value = card % RANKS + count_cards(cards)
            if value < least:
                best, least = card, value
    return best
