"""The rule-based player of hearts: published tips; the first that applies decides. A card is "out" if the seat has not seen it.

It ignores moons. It passes, three times:
1. the queen of spades with fewer than four lower spades; the ace and the king with fewer than three;
2. otherwise the card that is worst to keep: high cards, hearts more than others, clubs and diamonds much more if the cards left to
   pass can empty the suit, and less with every other card of the suit. Spades below the queen guard it and are kept.

It follows suit with
3. the queen of spades under a king or an ace;
4. the highest card but the queen, as the last to play or in the first trick, if no point has been played;
5. the highest card that loses;
6. otherwise the highest card but the queen if last, else the lowest, which others may still beat.

It discards
7. the queen of spades; the ace or king of spades while others have the queen and fewer than three lower spades are held;
8. otherwise the card that is worst to keep: high cards with many lower cards out, hearts more than others.

It leads
9. the highest spade below the queen, while others have the queen and this hand has neither ace nor king of spades;
10. otherwise the lowest card of the suit with the most higher and the fewest lower cards out; a card that nobody can beat, the
    ace and king of spades while others have the queen, and the queen itself come last.
"""

import numpy as np

from sparring.games.deck import RANKS, SUITS, bit, count_cards, lowest_card
from sparring.games.hearts.heuristics import DECK, LOW_SPADES, discard, highest_of, spade_to_lead, spade_to_pass
from sparring.games.hearts.rules import (
    DIAMONDS,
    HEARTS,
    PASS,
    PASSED,
    POINT_CARDS,
    QUEEN,
    SPADES,
    cards_to_follow,
    cards_to_lead,
    suit_cards,
    suit_of,
    trick_cards,
    trick_winner,
)
from sparring.kernel.compiler import kernel


@kernel
def rule_move(s):
    if s.phase == PASS:
        return rule_pass(s.hand[s.turn] & ~s.passed[s.turn], PASSED - count_cards(s.passed[s.turn]))
    seat, trick = s.turn, trick_cards(s)
    hand = s.hand[seat]
    out = DECK & ~(s.played | trick | hand)
    if seat == s.leader:
        return rule_lead(cards_to_lead(hand, s.number, s.broken), out)
    led = suit_of(s.trick[s.leader])
    legal = cards_to_follow(hand, led, s.number)
    return rule_follow(legal, led, s.trick[trick_winner(s)], trick, (seat + 1) % 4 == s.leader, out, s.number)


@kernel
def rule_pass(hand, left):
    """The next card to pass of those not yet chosen; `left` are still to be chosen."""
    spade = spade_to_pass(hand)
    if spade >= 0:
        return spade
    best, most = np.int64(-1), np.int64(-1000)
    for suit in range(SUITS):
        cards = hand & suit_cards(suit)
        if suit == SPADES:
            cards &= ~np.int64(LOW_SPADES)
        if cards:
            card = highest_of(cards, suit)
            size = count_cards(cards)
            value = 4 * (card % RANKS) - 2 * size
            if suit == HEARTS:
                value += 6
            elif size <= left and suit <= DIAMONDS:
                value += 14
            if value > most:
                best, most = np.int64(card), value
    return best if best >= 0 else np.int64(highest_of(hand, SPADES))


@kernel
def rule_lead(legal, out):
    if legal & (legal - 1) == 0:
        return np.int64(lowest_card(legal))
    spade, queen_out = spade_to_lead(legal, out), out & bit(QUEEN) != 0
    if spade >= 0:
        return spade
    best, most = np.int64(-1), np.int64(-100000)
    for suit in range(SUITS):
        cards = legal & suit_cards(suit)
        if cards:
            card = lowest_card(cards)
            others = out & suit_cards(suit)
            lower = count_cards(others & (bit(card) - 1))
            higher = count_cards(others) - lower
            value = 2 * higher - 3 * lower
            if higher == 0:
                value -= 100
            if suit == SPADES and (card == QUEEN or (queen_out and card > QUEEN)):
                value -= 1000
            if value > most:
                best, most = np.int64(card), value
    return best


@kernel
def rule_follow(legal, led, winning, trick, last, out, number):
    """The card to play in a trick of the suit `led`, whose highest card so far is `winning`."""
    if legal & (legal - 1) == 0:
        return np.int64(lowest_card(legal))
    if legal & suit_cards(led) == 0:
        return discard(legal, out, 2, 0, 12)
    queen = legal & bit(QUEEN)
    if queen and winning > QUEEN:
        return np.int64(QUEEN)
    cards = legal & ~queen
    if trick & POINT_CARDS == 0 and (last or number == 0):
        return np.int64(highest_of(cards, led))
    losing = cards & (bit(winning) - 1)
    if losing:
        return np.int64(highest_of(losing, led))
    return np.int64(highest_of(cards, led) if last else lowest_card(cards))
