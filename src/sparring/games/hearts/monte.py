"""Hearts by Monte Carlo: every card is tried in deals that fit what was seen, each played to its end by experts.

A simulation is a round played out for one card. All cards are tried in the same deals, so that luck weighs on them alike; one that
does clearly worse than the card of the expert player is tried no more. That card is played unless another has lost fewer points by
more than chance explains. Cards that differ in nothing, as the seven and the nine once the eight is played, are tried once. A
deeper tree did no better (measured, with a thousand rounds played out for a card). The three cards to pass are the expert player's.

Moons are stopped, not sought: to shoot one counts 26 points here, and a seat that alone has points is taken to be shooting.
"""

import math

import numpy as np

from sparring.games.deck import SUITS, bit, count_cards, lowest_card
from sparring.games.hearts.heuristics import (
    DECK,
    expert_follow,
    expert_lead,
    expert_move,
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
    POINT_CARDS,
    QUEEN,
    SEATS,
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
from sparring.kernel.compiler import kernel, leaf
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
INTEGERS = 84


@kernel
def monte_carlo_move(s, simulations, integers):
    shooter = moon_threat(s)
    first = expert_move(s) if shooter < 0 else stopping_card(s, shooter)
    if s.phase == PASS:
        return first
    count, stream = worth_trying(s, integers, first), s.luck[s.turn]
    if count > 1:
        prepare_deals(s, integers)
    deals, left = 0, simulations
    while 1 < count <= left:
        deals, left = deals + 1, left - count
        stream = deal_world(stream, integers, s.turn)
        usual = world_loss(s, first, integers, shooter)
        k = 1
        while k < count:
            gain = usual - world_loss(s, integers[CARDS_AT + k], integers, shooter)
            integers[GAINS_AT + k] += gain
            integers[SQUARES_AT + k] += gain * gain
            if deals >= SOONEST and surely(integers, k, deals, -DESPAIR) < 0:
                count -= 1
                for at in (CARDS_AT, GAINS_AT, SQUARES_AT):
                    integers[at + k] = integers[at + count]
            else:
                k += 1
    s.luck[s.turn] = stream
    return surely_best(integers, count, max(deals, 1))


@kernel
def surely_best(integers, count, deals):
    best, most = 0, 0.0
    for k in range(1, count):
        gained = surely(integers, k, deals, DOUBT)
        if gained > most:
            best, most = k, gained
    return integers[CARDS_AT + best]


@leaf
def surely(integers, k, deals, doubt):
    """Points that a card gained in a deal on average, less some standard errors."""
    mean = integers[GAINS_AT + k] / deals
    return mean - doubt * math.sqrt(max(integers[SQUARES_AT + k] / deals - mean * mean, 0.0) / deals)


@kernel
def worth_trying(s, integers, first):
    """Write the cards to try, `first` first and one of those that are alike; returns how many."""
    live = DECK & ~(s.played | s.hand[s.turn]) | bit(QUEEN)
    if s.rules.jack:
        live |= bit(JACK)
    rest, count, last = legal_cards(s) & ~bit(first), 1, np.int64(-1)
    integers[CARDS_AT] = first
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        if not alike(card, first, live) and not alike(last, card, live):
            integers[CARDS_AT + count], integers[GAINS_AT + count], integers[SQUARES_AT + count] = card, 0, SPREAD
            count += 1
            last = card
    return count


@leaf
def alike(one, other, live):
    """Whether two cards of a hand are of a suit, and no live card is one of them or lies between."""
    if one < 0 or suit_of(one) != suit_of(other):
        return False
    low, high = bit(min(one, other)), bit(max(one, other))
    return live & ((high << 1) - low) == 0


@kernel
def prepare_deals(s, integers):
    """What all deals that fit have in common: known holders, the unseen cards of each suit, and the seats that may have them."""
    seat = s.turn
    unseen = DECK & ~(s.played | trick_cards(s) | s.hand[seat])
    for other in range(SEATS):
        integers[KNOWN_AT + other] = 0
        integers[WANT_AT + other] = 0 if other == seat else HAND - s.number - (s.trick[other] >= 0)
    integers[KNOWN_AT + seat] = s.hand[seat]
    if s.direction != NONE:
        give(integers, receiver(seat, s.direction), s.passed[seat] & unseen)
        unseen &= ~s.passed[seat]
    for suit in range(SUITS):
        cards, holders = unseen & suit_cards(suit), 0
        for other in range(SEATS):
            if other != seat and (s.voids[other] >> suit) & 1 == 0:
                holders |= 1 << other
        if holders & (holders - 1) == 0:
            give(integers, HOLDER[holders], cards)
            cards = np.int64(0)
        integers[GROUP_AT + suit], integers[MAY_AT + suit] = cards, holders


@leaf
def give(integers, holder, cards):
    integers[KNOWN_AT + holder] |= cards
    integers[WANT_AT + holder] -= count_cards(cards)


@kernel
def deal_world(stream, integers, seat):
    """Deal every unseen card to a seat that may have it, more likely the more it needs; returns the stream moved on.

    Suits that only two may have come first. Two seats keep room for what they alone may have, which is all that can go wrong with
    three (Hall's theorem): the rest always fits.
    """
    three, free, pairs = ((1 << SEATS) - 1) & ~(1 << seat), np.int64(0), False
    # The room of two seats, less what only they may have, is kept under the third.
    needed = integers[WANT_AT] + integers[WANT_AT + 1] + integers[WANT_AT + 2] + integers[WANT_AT + 3]
    for other in range(SEATS):
        integers[DEALT_AT + other] = integers[KNOWN_AT + other]
        integers[NEED_AT + other] = integers[WANT_AT + other]
        integers[SPARE_AT + other] = needed - integers[WANT_AT + other]
    for suit in range(SUITS):
        if integers[MAY_AT + suit] == three:
            free |= integers[GROUP_AT + suit]
        elif integers[GROUP_AT + suit]:
            integers[SPARE_AT + HOLDER[three & ~integers[MAY_AT + suit]]] -= count_cards(integers[GROUP_AT + suit])
            pairs = True
    if pairs:
        stream = deal_pairs(stream, integers, three)
    return deal_free(stream, integers, (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS, free)


@kernel
def deal_pairs(stream, integers, three):
    """Deal the suits that only two seats may have."""
    for suit in range(SUITS):
        holders, rest = integers[MAY_AT + suit], integers[GROUP_AT + suit]
        if holders == three:
            continue
        first, second = HOLDER[holders & -holders], HOLDER[holders]
        while rest:
            card = rest & -rest
            rest &= rest - 1
            one = integers[NEED_AT + first] if integers[SPARE_AT + second] > 0 else 0
            two = integers[NEED_AT + second] if integers[SPARE_AT + first] > 0 else 0
            stream = step(stream)
            taker, other = (first, second) if below(stream, one + two) < one else (second, first)
            integers[DEALT_AT + taker] |= card
            integers[NEED_AT + taker] -= 1
            integers[SPARE_AT + other] -= 1
    return stream


@kernel
def deal_free(stream, integers, first, second, third, rest):
    """Deal the cards that anyone may have."""
    one, two, three = integers[NEED_AT + first], integers[NEED_AT + second], integers[NEED_AT + third]
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
    integers[DEALT_AT + first] |= hand_one
    integers[DEALT_AT + second] |= hand_two
    integers[DEALT_AT + third] |= hand_three
    return stream


@kernel
def world_loss(s, card, integers, shooter):
    """Points that the seat to move has after the round if it plays this card in the deal, and all play on by the rules of thumb.

    `shooter`, if there is one, shoots the moon until another has a point.
    """
    for other in range(SEATS):
        integers[HANDS_AT + other], integers[WON_AT + other] = integers[DEALT_AT + other], s.won[other]
    seat, leader, number, broken = s.turn, s.leader, s.number, s.broken
    trick, played, voids = trick_cards(s), s.played, shown_voids(s)
    winner = trick_winner(s)
    winning, led = s.trick[winner], suit_of(s.trick[leader])
    decided = np.int64(DECK if s.rules.jack else POINT_CARDS)  # nothing more happens once these are played
    while decided & ~played:
        hand = integers[HANDS_AT + seat]
        if card < 0:
            out = DECK & ~(played | trick | hand)
            if seat == leader:
                legal = cards_to_lead(hand, number, broken)
                card = moon_lead(legal, out) if seat == shooter else expert_lead(legal, out)
            else:
                legal, after = cards_to_follow(hand, led, number), (leader - seat - 1) % SEATS
                if seat == shooter:
                    card = moon_follow(legal, led, winning, after)
                else:
                    dry = (voids >> (led * 2 * SEATS + seat + 1)) & ((1 << after) - 1) != 0
                    card = expert_follow(legal, led, winning, trick, after, dry, out, number)
        integers[HANDS_AT + seat] = hand & ~bit(card)
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
            integers[WON_AT + winner] |= trick
            if trick & POINT_CARDS and winner != shooter:
                shooter = np.int64(-1)
            played |= trick
            trick = np.int64(0)
            number += 1
            seat = leader = winner
    return loss(s, integers)


@kernel
def shown_voids(s):
    """The seats, twice round, that have shown to have none of each suit."""
    voids = np.int64(0)
    for seat in range(SEATS):
        for suit in range(SUITS):
            voids |= (TWICE * ((s.voids[seat] >> suit) & 1)) << (suit * 2 * SEATS + seat)
    return voids


@kernel
def loss(s, integers):
    """Points of the seat to move at the end of a round; where moons count, 26 for anyone's."""
    won = integers[WON_AT + s.turn]
    points = points_of(won)
    if s.rules.moon != OFF:
        for other in range(SEATS):
            if integers[WON_AT + other] & POINT_CARDS == POINT_CARDS:
                points = np.int64(ALL_POINTS)
    return points + JACK_POINTS if s.rules.jack and won & bit(JACK) else points
