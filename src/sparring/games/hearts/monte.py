"""Hearts by Monte Carlo: every card is tried in deals that fit what was seen, each played to its end by rules of thumb.

A simulation is a round played out for one card. All cards are tried in the same deals, so that luck weighs on them alike; one that
does clearly worse than the card of the rules of thumb is tried no more. That card is played unless another has lost fewer points by
more than chance explains. Cards that differ in nothing, as the seven and the nine once the eight is played, are tried once. A
deeper tree did no better (measured, with a thousand rounds played out for a card). The three cards to pass are those of the rules.

The Monte Carlo player goes by the rule-based player's rules and stops moons simply: by the guarded player's rules while one seat
alone has points, and because a moon of anyone counts 26 points here. The searcher, its stronger form, goes by the expert's rules,
and takes a seat that alone has points to be shooting when it plays rounds out.
"""

import math

import numpy as np

from sparring.games.deck import SUITS, bit, count_cards, lowest_card
from sparring.games.hearts.heuristics import (
    DECK,
    expert_follow,
    expert_lead,
    expert_move,
    expert_pass,
    moon_follow,
    moon_lead,
    moon_threat,
    stopping_card,
)
from sparring.games.hearts.rules import (
    ALL_POINTS,
    HAND,
    HEARTS,
    JACK,
    JACK_POINTS,
    NONE,
    OFF,
    PASS,
    PASSED,
    POINT_CARDS,
    QUEEN,
    SEATS,
    TWO_OF_CLUBS,
    cards_to_follow,
    cards_to_lead,
    legal_cards,
    points_of,
    receiver,
    suit_cards,
    suit_of,
    trick_cards,
    trick_winner,
)
from sparring.games.hearts.tips import rule_follow, rule_lead, rule_move
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import below, step
from sparring.kernel.records import lookup

SIMULATIONS = 100  # the usual number
DOUBT = 1.5  # standard errors by which another card must be better
DESPAIR = 2.5  # by which it is worse when it is tried no more
SPREAD = 20  # the square of a difference that is taken to have been seen already
SOONEST = 4  # deals after which a card may be given up
HOLDER = lookup([max(seats.bit_length() - 1, 0) for seats in range(1 << SEATS)])  # the seat of a bit
TWICE = 1 + (1 << SEATS)  # a seat as a bit, twice round the table: the seats after any other lie side by side
# In the integers: cards to try, and what they gained over the first; what deals have in common; a deal; its play.
CARDS_AT, GAINS_AT, SQUARES_AT, GROUP_AT, MAY_AT, KNOWN_AT, WANT_AT, DEALT_AT, NEED_AT, SPARE_AT, HANDS_AT, WON_AT = (
    0, 16, 32, 48, 52, 56, 60, 64, 68, 72, 76, 80)  # fmt: skip
INT_SCRATCH = 84


@kernel
def monte_carlo_move(s, simulations, int_scratch, expert):
    shooter = moon_threat(s)
    if shooter >= 0:
        first = stopping_card(s, shooter)
    else:
        first = expert_move(s) if expert else rule_move(s)
    if s.phase == PASS:
        return first
    shooter = shooter if expert else np.int64(-1)
    count, stream = worth_trying(s, int_scratch, first), s.luck[s.turn]
    if count > 1:
        prepare_deals(s, int_scratch)
    deals, left = 0, simulations
    while 1 < count <= left:
        deals, left = deals + 1, left - count
        stream = deal_world(stream, int_scratch, s.turn)
        usual = world_loss(s, first, int_scratch, shooter, expert)
        k = 1
        while k < count:
            gain = usual - world_loss(s, int_scratch[CARDS_AT + k], int_scratch, shooter, expert)
            int_scratch[GAINS_AT + k] += gain
            int_scratch[SQUARES_AT + k] += gain * gain
            if deals >= SOONEST and surely(int_scratch, k, deals, -DESPAIR) < 0:
                count -= 1
                for at in (CARDS_AT, GAINS_AT, SQUARES_AT):
                    int_scratch[at + k] = int_scratch[at + count]
            else:
                k += 1
    s.luck[s.turn] = stream
    return surely_best(int_scratch, count, max(deals, 1))


@kernel
def surely_best(int_scratch, count, deals):
    best, most = 0, 0.0
    for k in range(1, count):
        gained = surely(int_scratch, k, deals, DOUBT)
        if gained > most:
            best, most = k, gained
    return int_scratch[CARDS_AT + best]


@inline_kernel
def surely(int_scratch, k, deals, doubt):
    """Points that a card gained in a deal on average, less some standard errors."""
    mean = int_scratch[GAINS_AT + k] / deals
    return mean - doubt * math.sqrt(max(int_scratch[SQUARES_AT + k] / deals - mean * mean, 0.0) / deals)


@kernel
def worth_trying(s, int_scratch, first):
    """Write the cards to try, `first` first and one of those that are alike; returns how many."""
    live = DECK & ~(s.played | s.hand[s.turn]) | bit(QUEEN)
    if s.rules.jack:
        live |= bit(JACK)
    rest, count, last = legal_cards(s) & ~bit(first), 1, np.int64(-1)
    int_scratch[CARDS_AT] = first
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        if not alike(card, first, live) and not alike(last, card, live):
            int_scratch[CARDS_AT + count], int_scratch[GAINS_AT + count], int_scratch[SQUARES_AT + count] = (
                card,
                0,
                SPREAD,
            )
            count += 1
            last = card
    return count


@inline_kernel
def alike(one, other, live):
    """Whether two cards of a hand are of a suit, and no live card is one of them or lies between."""
    if one < 0 or suit_of(one) != suit_of(other):
        return False
    low, high = bit(min(one, other)), bit(max(one, other))
    return live & ((high << 1) - low) == 0


@kernel
def prepare_deals(s, int_scratch):
    """What all deals that fit have in common: known holders, the unseen cards of each suit, and the seats that may have them."""
    seat = s.turn
    unseen = DECK & ~(s.played | trick_cards(s) | s.hand[seat])
    for other in range(SEATS):
        int_scratch[KNOWN_AT + other] = 0
        int_scratch[WANT_AT + other] = 0 if other == seat else HAND - s.number - (s.trick[other] >= 0)
    int_scratch[KNOWN_AT + seat] = s.hand[seat]
    if s.direction != NONE:
        give(int_scratch, receiver(seat, s.direction), s.passed[seat] & unseen)
        unseen &= ~s.passed[seat]
    for suit in range(SUITS):
        cards, holders = unseen & suit_cards(suit), 0
        for other in range(SEATS):
            if other != seat and (s.voids[other] >> suit) & 1 == 0:
                holders |= 1 << other
        if holders & (holders - 1) == 0:
            give(int_scratch, HOLDER[holders], cards)
            cards = np.int64(0)
        int_scratch[GROUP_AT + suit], int_scratch[MAY_AT + suit] = cards, holders


@inline_kernel
def give(int_scratch, holder, cards):
    int_scratch[KNOWN_AT + holder] |= cards
    int_scratch[WANT_AT + holder] -= count_cards(cards)


@kernel
def deal_world(stream, int_scratch, seat):
    """Deal every unseen card to a seat that may have it, more likely the more it needs; returns the stream moved on.

    Suits that only two may have come first. Two seats keep room for what they alone may have, which is all that can go wrong with
    three (Hall's theorem): the rest always fits.
    """
    three, free, pairs = ((1 << SEATS) - 1) & ~(1 << seat), np.int64(0), False
    # The room of two seats, less what only they may have, is kept under the third.
    needed = int_scratch[WANT_AT] + int_scratch[WANT_AT + 1] + int_scratch[WANT_AT + 2] + int_scratch[WANT_AT + 3]
    for other in range(SEATS):
        int_scratch[DEALT_AT + other] = int_scratch[KNOWN_AT + other]
        int_scratch[NEED_AT + other] = int_scratch[WANT_AT + other]
        int_scratch[SPARE_AT + other] = needed - int_scratch[WANT_AT + other]
    for suit in range(SUITS):
        if int_scratch[MAY_AT + suit] == three:
            free |= int_scratch[GROUP_AT + suit]
        elif int_scratch[GROUP_AT + suit]:
            int_scratch[SPARE_AT + HOLDER[three & ~int_scratch[MAY_AT + suit]]] -= count_cards(
                int_scratch[GROUP_AT + suit]
            )
            pairs = True
    if pairs:
        stream = deal_pairs(stream, int_scratch, three)
    return deal_free(stream, int_scratch, (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS, free)


@kernel
def deal_pairs(stream, int_scratch, three):
    """Deal the suits that only two seats may have."""
    for suit in range(SUITS):
        holders, rest = int_scratch[MAY_AT + suit], int_scratch[GROUP_AT + suit]
        if holders == three:
            continue
        first, second = HOLDER[holders & -holders], HOLDER[holders]
        while rest:
            card = rest & -rest
            rest &= rest - 1
            one = int_scratch[NEED_AT + first] if int_scratch[SPARE_AT + second] > 0 else 0
            two = int_scratch[NEED_AT + second] if int_scratch[SPARE_AT + first] > 0 else 0
            stream = step(stream)
            taker, other = (first, second) if below(stream, one + two) < one else (second, first)
            int_scratch[DEALT_AT + taker] |= card
            int_scratch[NEED_AT + taker] -= 1
            int_scratch[SPARE_AT + other] -= 1
    return stream


@kernel
def deal_free(stream, int_scratch, first, second, third, rest):
    """Deal the cards that anyone may have."""
    one, two, three = int_scratch[NEED_AT + first], int_scratch[NEED_AT + second], int_scratch[NEED_AT + third]
    hand_one, hand_two, hand_three = np.int64(0), np.int64(0), np.int64(0)
    while rest:
        card = rest & -rest
        rest &= rest - 1
        stream = step(stream)
        lot = below(stream, one + two + three)
        if lot < one:
            hand_one |= card
            one -= 1
        elif lot < one + two:
            hand_two |= card
            two -= 1
        else:
            hand_three |= card
            three -= 1
    int_scratch[DEALT_AT + first] |= hand_one
    int_scratch[DEALT_AT + second] |= hand_two
    int_scratch[DEALT_AT + third] |= hand_three
    return stream


@kernel
def world_loss(s, card, int_scratch, shooter, expert):
    """Points that the seat to move has after the round if it plays this card in the deal, and all play on by the rules of thumb.

    `shooter`, if there is one, shoots the moon until another has a point.
    """
    for other in range(SEATS):
        int_scratch[HANDS_AT + other], int_scratch[WON_AT + other] = int_scratch[DEALT_AT + other], s.won[other]
    winner = trick_winner(s)
    winning, led = s.trick[winner], suit_of(s.trick[s.leader])
    play_out(s.rules.jack, int_scratch, s.turn, s.leader, s.number, s.broken, trick_cards(s), s.played, shown_voids(s),
             winner, winning, led, card, shooter, expert)  # fmt: skip
    return loss(s, s.turn, int_scratch)


@kernel
def play_out(
    jack, int_scratch, seat, leader, number, broken, trick, played, voids, winner, winning, led, card, shooter, expert
):
    """Play a round to where nothing more happens: what is won is then in the integers."""
    decided = np.int64(DECK if jack else POINT_CARDS)
    while decided & ~played:
        hand = int_scratch[HANDS_AT + seat]
        if card < 0:
            out = DECK & ~(played | trick | hand)
            if seat == leader:
                legal = cards_to_lead(hand, number, broken)
                if seat == shooter:
                    card = moon_lead(legal, out)
                else:
                    card = expert_lead(legal, out) if expert else rule_lead(legal, out)
            else:
                legal, after = cards_to_follow(hand, led, number), (leader - seat - 1) % SEATS
                if seat == shooter:
                    card = moon_follow(legal, led, winning, after)
                elif expert:
                    dry = (voids >> (led * 2 * SEATS + seat + 1)) & ((1 << after) - 1) != 0
                    card = expert_follow(legal, led, winning, trick, after, dry, out, number)
                else:
                    card = rule_follow(legal, led, winning, trick, after == 0, out, number)
        int_scratch[HANDS_AT + seat] = hand & ~bit(card)
        trick |= bit(card)
        suit = suit_of(card)
        broken |= suit == HEARTS
        if seat == leader:
            led, winner, winning = suit, seat, card
        elif suit != led:
            voids |= TWICE << (led * 2 * SEATS + seat)
        elif card > winning:
            winner, winning = seat, card
        seat, card = (seat + 1) % SEATS, np.int64(-1)
        if seat == leader:
            int_scratch[WON_AT + winner] |= trick
            if trick & POINT_CARDS and winner != shooter:
                shooter = np.int64(-1)
            played |= trick
            trick = np.int64(0)
            number += 1
            seat = leader = winner


@kernel
def deal_passes(s, stream, int_scratch):
    """Deal others' hands and let them pass as experts: what all then hold, before the seat to move passes, is in DEALT_AT."""
    seat, hand = s.turn, s.dealt[s.turn]
    for other in range(SEATS):
        int_scratch[DEALT_AT + other], int_scratch[NEED_AT + other] = 0, HAND
    stream = deal_free(stream, int_scratch, (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS, DECK & ~hand)
    int_scratch[DEALT_AT + seat] = hand
    for giver in range(SEATS):
        int_scratch[KNOWN_AT + giver] = expert_three(int_scratch[DEALT_AT + giver]) if giver != seat else 0
    for giver in range(SEATS):
        int_scratch[DEALT_AT + giver] &= ~int_scratch[KNOWN_AT + giver]
    for giver in range(SEATS):
        int_scratch[DEALT_AT + receiver(giver, s.direction)] |= int_scratch[KNOWN_AT + giver]
    return stream


@kernel
def expert_three(hand):
    """The cards that an expert passes."""
    three = np.int64(0)
    for k in range(PASSED):
        three |= bit(expert_pass(hand & ~three, PASSED - k))
    return three


@kernel
def pass_loss(s, three, int_scratch):
    """Points that the seat to move has after the round if it passes these three cards in the deal, and experts play."""
    seat, leader = s.turn, np.int64(0)
    for other in range(SEATS):
        int_scratch[HANDS_AT + other], int_scratch[WON_AT + other] = int_scratch[DEALT_AT + other], 0
    int_scratch[HANDS_AT + seat] &= ~three
    int_scratch[HANDS_AT + receiver(seat, s.direction)] |= three
    for other in range(SEATS):
        if int_scratch[HANDS_AT + other] & bit(TWO_OF_CLUBS):
            leader = np.int64(other)
    none = np.int64(0)
    play_out(s.rules.jack, int_scratch, leader, leader, none, none, none, none, none, leader, none, none, np.int64(-1),
             np.int64(-1), True)  # fmt: skip
    return loss(s, seat, int_scratch)


@kernel
def shown_voids(s):
    """The seats, twice round, that have shown to have none of each suit."""
    voids = np.int64(0)
    for seat in range(SEATS):
        for suit in range(SUITS):
            voids |= (TWICE * ((s.voids[seat] >> suit) & 1)) << (suit * 2 * SEATS + seat)
    return voids


@kernel
def loss(s, seat, int_scratch):
    """Points of a seat at the end of a round; where moons count, 26 for anyone's."""
    won = int_scratch[WON_AT + seat]
    points = points_of(won)
    if s.rules.moon != OFF:
        for other in range(SEATS):
            if int_scratch[WON_AT + other] & POINT_CARDS == POINT_CARDS:
                points = np.int64(ALL_POINTS)
    return points + JACK_POINTS if s.rules.jack and won & bit(JACK) else points
