"""The rule-based player of hearts: published tips, the first that applies. A card is out if this seat has not seen it.

It neither shoots moons nor stops them. To pass, three times:

1. the queen of spades with fewer than four spades below it, then the ace and the king with fewer than three;
2. else the card that is worst to keep: the higher the worse, hearts more than others, a club or diamond much more where the passes
   left can empty that suit, and less with every card beside it. Spades below the queen guard it and stay.

To follow suit:

3. the queen of spades under a king or an ace;
4. the highest card but the queen, last to play or in the first trick, where no point has fallen;
5. the highest card that loses;
6. with none, the highest card but the queen if last, else the lowest, which others may still beat.

Without a card of the suit:

7. the queen of spades; then the ace or king of spades while others have the queen and fewer than three spades guard it;
8. else the card that is worst to keep: the higher and the more cards are out below it, hearts more than others.

To lead:

9. a spade below the queen, the highest, while others have the queen and this hand has neither ace nor king of spades;
10. else the lowest card of the suit in which most cards that are out are higher and fewest lower; a card that none can beat, the
    ace and king of spades while others have the queen, and the queen itself come last.
"""

import numpy as np

from sparring.games.deck import RANKS, SUITS, bit, count_cards, lowest_card
from sparring.games.hearts.heuristics import DECK, HIGH_SPADES, LOW_SPADES, QUEEN_GUARDS, SPADE_GUARDS, highest_of
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
    """The next card to pass of those not yet chosen, where `left` are to be chosen."""
    guards = count_cards(hand & LOW_SPADES)
    if hand & bit(QUEEN) and guards < QUEEN_GUARDS:
        return np.int64(QUEEN)
    if hand & HIGH_SPADES and guards < SPADE_GUARDS:
        return np.int64(highest_of(hand & HIGH_SPADES, SPADES))
    best, most = np.int64(-1), np.int64(-1000)
    for suit in range(SUITS):
        cards = hand & suit_cards(suit)
        if suit == SPADES:
            cards &= ~np.int64(LOW_SPADES)
        if cards:
            card = highest_of(cards, suit)
            size = count_cards(cards)
            worth = 4 * (card % RANKS) - 2 * size
            if suit == HEARTS:
                worth += 6
            elif size <= left and suit <= DIAMONDS:
                worth += 14
            if worth > most:
                best, most = np.int64(card), worth
    return best if best >= 0 else np.int64(highest_of(hand, SPADES))


@kernel
def rule_lead(legal, out):
    """The card to lead."""
    if legal & (legal - 1) == 0:
        return np.int64(lowest_card(legal))
    queen_out = out & bit(QUEEN) != 0
    if queen_out and legal & LOW_SPADES and legal & HIGH_SPADES == 0:
        return np.int64(highest_of(legal & LOW_SPADES, SPADES))
    best, most = np.int64(-1), np.int64(-100000)
    for suit in range(SUITS):
        cards = legal & suit_cards(suit)
        if cards:
            card = lowest_card(cards)
            others = out & suit_cards(suit)
            lower = count_cards(others & (bit(card) - 1))
            higher = count_cards(others) - lower
            worth = 2 * higher - 3 * lower
            if higher == 0:
                worth -= 100
            if suit == SPADES and (card == QUEEN or (queen_out and card > QUEEN)):
                worth -= 1000
            if worth > most:
                best, most = np.int64(card), worth
    return best


@kernel
def rule_follow(legal, led, winning, trick, last, out, number):
    """The card to play in a trick of a suit, whose highest card so far is `winning`."""
    if legal & (legal - 1) == 0:
        return np.int64(lowest_card(legal))
    if legal & suit_cards(led) == 0:
        return rule_discard(legal, out)
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


@kernel
def rule_discard(legal, out):
    """The card to throw off when there is none of the suit led."""
    if legal & bit(QUEEN):
        return np.int64(QUEEN)
    if out & bit(QUEEN) and legal & HIGH_SPADES and count_cards(legal & LOW_SPADES) < SPADE_GUARDS:
        return np.int64(highest_of(legal & HIGH_SPADES, SPADES))
    best, most = np.int64(-1), np.int64(-1000)
    for suit in range(SUITS):
        cards = legal & suit_cards(suit)
        if cards:
            card = highest_of(cards, suit)
            lower = count_cards(out & suit_cards(suit) & (bit(card) - 1))
            worth = 2 * (card % RANKS) + 2 * lower
            if suit == HEARTS:
                worth += 12
            if worth > most:
                best, most = np.int64(card), worth
    return best
