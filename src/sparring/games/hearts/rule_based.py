"""The rules of play of hearts without moons, of the rule-based player and of the expert; docs/hearts.md lists and numbers them."""

import numpy as np

from sparring.games.deck import RANKS, SUIT, SUITS, bit, count_cards, lowest_card
from sparring.games.hearts.rules import DIAMONDS, HEARTS, PASS, PASSED, POINT_CARDS, QUEEN, SPADES, suit_cards
from sparring.games.hearts.tricks import DECK, SEATS, legal_cards_at, position_of, seats_after
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.records import lookup

HIGHEST = lookup([cards.bit_length() - 1 for cards in range(1 << RANKS)])
HIGH_SPADES = 3 << QUEEN + 1
LOW_SPADES = SUIT << SPADES * RANKS & (1 << QUEEN) - 1
QUEEN_GUARDS, SPADE_GUARDS = 4, 3  # lower spades with which the queen, and the ace and king, are kept
FEARLESS, FEARLESS_THIRD = 5, 4  # cards of a suit out with which no point is likely; with one seat to follow
FRESH = 6  # cards of a suit out with which a high card is led
NO_CARD = np.int64(-1)


@kernel
def heuristic_move(s, expert):
    """The move of the expert, or of the rule-based player."""
    seat = s.turn
    if s.phase == PASS:
        return card_to_pass(s.hand[seat] & ~s.passed[seat], PASSED - count_cards(s.passed[seat]), expert)
    p = position_of(s)
    return heuristic_card(p, s.hand[seat], legal_cards_at(p, s.hand[seat]), expert)


@inline_kernel
def heuristic_card(p, hand, legal, expert):
    """The card that they play in a position."""
    out = DECK & ~(p.played | p.trick | hand)
    return card_to_lead(legal, out, expert) if p.seat == p.leader else card_to_follow(p, legal, out, expert)


@kernel
def heuristic_pass(hand, expert):
    """The three cards that they pass."""
    three = np.int64(0)
    for k in range(PASSED):
        three |= bit(card_to_pass(hand & ~three, PASSED - k, expert))
    return three


@inline_kernel
def highest_of(cards, suit):
    """The highest card of a suit in a set that has one."""
    return np.int64(suit * RANKS + HIGHEST[(cards >> (suit * RANKS)) & SUIT])


@kernel
def card_to_pass(hand, left, expert):
    """The next card to pass of those not yet chosen; `left` are still to be chosen."""
    guards = count_cards(hand & LOW_SPADES)
    if hand & bit(QUEEN) and guards < QUEEN_GUARDS:
        return np.int64(QUEEN)
    if hand & HIGH_SPADES and guards < SPADE_GUARDS:
        return highest_of(hand & HIGH_SPADES, SPADES)
    per_rank, per_card, for_hearts, for_void = (1, 1, 1, 4) if expert else (4, 2, 6, 14)
    best, most = NO_CARD, np.int64(-1000)
    for suit in range(SPADES if expert else SUITS):
        cards = hand & suit_cards(suit) & ~np.int64(LOW_SPADES)
        if cards:
            card, size = highest_of(cards, suit), count_cards(cards)
            value = per_rank * (card % RANKS) - per_card * size
            if suit == HEARTS:
                value += for_hearts
            elif size <= left and suit <= DIAMONDS:
                value += for_void
            if value > most:
                best, most = card, value
    return best if best >= 0 else highest_of(hand, SPADES)


@kernel
def card_to_lead(legal, out, expert):
    if legal & (legal - 1) == 0:
        return lowest_card(legal)
    queen_out = out & bit(QUEEN) != 0
    if queen_out and legal & LOW_SPADES and legal & HIGH_SPADES == 0:
        return highest_of(legal & LOW_SPADES, SPADES)
    best, most = NO_CARD, np.int64(-100000)
    for suit in range(SUITS):
        cards = legal & suit_cards(suit)
        if cards:
            card, others = lowest_card(cards), out & suit_cards(suit)
            outside, lower = count_cards(others), count_cards(others & (bit(card) - 1))
            value = outside - 3 * count_cards(cards) if expert else 2 * outside - 5 * lower
            if expert and suit <= DIAMONDS and outside >= FRESH:
                card = highest_of(cards, suit)
            elif lower == outside:
                value -= 100
            if expert and suit == HEARTS:
                value += 4
            elif suit == SPADES:
                value -= 1000 if card == QUEEN or (queen_out and card > QUEEN) else 9 if expert else 0
            if value > most:
                best, most = card, value
    return best


@kernel
def card_to_follow(p, legal, out, expert):
    if legal & (legal - 1) == 0:
        return lowest_card(legal)
    if legal & suit_cards(p.led) == 0:
        return card_to_discard(legal, out, expert)
    queen, after = legal & bit(QUEEN), seats_after(p)
    if queen and p.winning > QUEEN:
        return np.int64(QUEEN)
    cards, others = legal & ~queen, out & suit_cards(p.led)
    if p.trick & POINT_CARDS == 0:
        fearless = False
        if expert and p.led <= DIAMONDS and count_cards(others) >= (FEARLESS_THIRD if after == 1 else FEARLESS):
            fearless = (p.voids >> (p.led * 2 * SEATS + p.seat + 1)) & ((1 << after) - 1) == 0
        if after == 0 or p.number == 0 or fearless:
            return highest_of(cards, p.led)
    losing = cards & (bit(p.winning) - 1)
    if losing:
        return highest_of(losing, p.led)
    lowest = lowest_card(cards)
    wins = after == 0 or (expert and others < bit(lowest) and p.led != SPADES)
    return highest_of(cards, p.led) if wins else lowest


@kernel
def card_to_discard(legal, out, expert):
    """The card to discard with none of the suit led."""
    if legal & bit(QUEEN):
        return np.int64(QUEEN)
    if out & bit(QUEEN) and legal & HIGH_SPADES and count_cards(legal & LOW_SPADES) < SPADE_GUARDS:
        return highest_of(legal & HIGH_SPADES, SPADES)
    per_rank, per_card, for_hearts = (1, 7, 6) if expert else (2, 0, 12)
    best, most = NO_CARD, np.int64(-1000)
    for suit in range(SUITS):
        cards = legal & suit_cards(suit)
        if cards:
            card = highest_of(cards, suit)
            lower = count_cards(out & suit_cards(suit) & (bit(card) - 1))
            value = per_rank * (card % RANKS) + 2 * lower - per_card * count_cards(cards)
            if suit == HEARTS:
                value += for_hearts
            if value > most:
                best, most = card, value
    return best
