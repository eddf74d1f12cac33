"""Rounds of hearts played out quickly, without a state: the inner loop of the Monte Carlo players and of learning from search.

Hands and cards won are in the integer scratch, everything else in a Position.
"""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from sparring.games.deck import CARDS, SUITS, bit
from sparring.games.hearts import rules
from sparring.games.hearts.rules import POINT_CARDS, points_of, suit_of
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS as SEATS

# Offsets in the integer scratch: candidates and their gains over the first; what all deals have in common; a deal; its play.
Offsets = namedtuple("Offsets", "cards gains squares group may known want dealt need spare hands won")
AT = Offsets(0, 16, 32, 48, 52, 56, 60, 64, 68, 72, 76, 80)
INT_SCRATCH = 84
DECK = (1 << CARDS) - 1
TWICE = 1 + (1 << SEATS)  # a seat as a bit, twice round the table: the seats after any other are adjacent bits


class Position(NamedTuple):
    """A round in progress."""

    seat: Any  # to move
    leader: Any
    led: Any  # the suit
    winner: Any  # of the trick so far
    winning: Any  # the winner's card
    trick: Any  # its cards
    played: Any  # cards of earlier tricks
    number: Any  # of the trick
    broken: Any
    voids: Any  # by suit, the seats that have shown to have none, as multiples of TWICE
    holders: Any  # seats with points, as bits


@inline_kernel
def position_of(s):
    """The position in a state."""
    winner, voids, holders = rules.trick_winner(s), np.int64(0), np.int64(0)
    for seat in range(SEATS):
        holders |= np.int64((s.won[seat] & POINT_CARDS) != 0) << seat
        for suit in range(SUITS):
            voids |= (TWICE * ((s.voids[seat] >> suit) & 1)) << (suit * 2 * SEATS + seat)
    led = suit_of(s.trick[s.leader])
    return Position(
        s.turn,
        s.leader,
        led,
        winner,
        s.trick[winner],
        rules.trick_cards(s),
        s.played,
        s.number,
        s.broken,
        voids,
        holders,
    )


@inline_kernel
def pass_cards(s, cards, int_scratch):
    """Pass cards of the seat to move in the deal at AT.dealt; returns the position before the first trick."""
    leader, none = np.int64(0), np.int64(0)
    for seat in range(SEATS):
        int_scratch[AT.hands + seat], int_scratch[AT.won + seat] = int_scratch[AT.dealt + seat], 0
    int_scratch[AT.hands + s.turn] &= ~cards
    int_scratch[AT.hands + rules.receiver(s.turn, s.direction)] |= cards
    for seat in range(SEATS):
        if int_scratch[AT.hands + seat] & bit(rules.TWO_OF_CLUBS):
            leader = np.int64(seat)
    return Position(leader, leader, none, leader, none, none, none, none, none, none, none)


@inline_kernel
def is_undecided(s, p):
    """Whether cards that count are still to be played."""
    return np.int64(DECK if s.rules.jack else POINT_CARDS) & ~p.played != 0


@inline_kernel
def after_card(p, card, int_scratch):
    """The position after the seat to move has played a card."""
    seat, led, winner, winning, voids, suit = p.seat, p.led, p.winner, p.winning, p.voids, suit_of(card)
    int_scratch[AT.hands + seat] &= ~bit(card)
    trick, broken = p.trick | bit(card), p.broken | np.int64(suit == rules.HEARTS)
    if seat == p.leader:
        led, winner, winning = suit, seat, np.int64(card)
    elif suit != led:
        voids |= TWICE << (led * 2 * SEATS + seat)
    elif card > winning:
        winner, winning = seat, np.int64(card)
    seat = (seat + 1) % SEATS
    if seat != p.leader:
        return Position(seat, p.leader, led, winner, winning, trick, p.played, p.number, broken, voids, p.holders)
    int_scratch[AT.won + winner] |= trick
    holders = p.holders | np.int64((trick & POINT_CARDS) != 0) << winner
    none = np.int64(0)
    return Position(winner, winner, led, winner, winning, none, p.played | trick, p.number + 1, broken, voids, holders)


@inline_kernel
def legal_cards_at(p, hand):
    return (
        rules.cards_to_lead(hand, p.number, p.broken)
        if p.seat == p.leader
        else rules.cards_to_follow(hand, p.led, p.number)
    )


@inline_kernel
def seats_after(p):
    """The number of seats that follow in this trick."""
    return (p.leader - p.seat - 1) % SEATS


@kernel
def loss(s, seat, int_scratch):
    """The points of a seat at the end of a round; if moons count, 26 for anyone's moon."""
    won = int_scratch[AT.won + seat]
    points = points_of(won)
    if s.rules.moon != rules.OFF:
        for other in range(SEATS):
            if int_scratch[AT.won + other] & POINT_CARDS == POINT_CARDS:
                points = np.int64(rules.ALL_POINTS)
    return points + rules.JACK_POINTS if s.rules.jack and won & bit(rules.JACK) else points
