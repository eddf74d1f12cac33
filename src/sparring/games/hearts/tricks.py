"""Rounds of hearts played out quickly, without a state: the inner loop of the Monte Carlo players and of learning from search.

Hands and cards won are in the integer scratch, everything else in a Position.
"""

from typing import Any, NamedTuple

import numpy as np

from sparring.games.deck import SUITS, bit
from sparring.games.hearts.heuristics import DECK, expert_follow, expert_lead, expert_pass
from sparring.games.hearts.rule_based import rule_follow, rule_lead, rule_pass
from sparring.games.hearts.rules import (
    ALL_POINTS,
    HEARTS,
    JACK,
    JACK_POINTS,
    OFF,
    PASSED,
    POINT_CARDS,
    TWO_OF_CLUBS,
    cards_to_follow,
    cards_to_lead,
    points_of,
    receiver,
    suit_of,
    trick_cards,
    trick_winner,
)
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS

# Offsets in the integer scratch: candidates and their gains over the first; what all deals have in common; a deal; its play.
CARDS_AT, GAINS_AT, SQUARES_AT, GROUP_AT, MAY_AT, KNOWN_AT, WANT_AT, DEALT_AT, NEED_AT, SPARE_AT, HANDS_AT, WON_AT = (
    0, 16, 32, 48, 52, 56, 60, 64, 68, 72, 76, 80)  # fmt: skip
INT_SCRATCH = 84
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
    winner, voids, holders = trick_winner(s), np.int64(0), np.int64(0)
    for seat in range(SEATS):
        holders |= np.int64((s.won[seat] & POINT_CARDS) != 0) << seat
        for suit in range(SUITS):
            voids |= (TWICE * ((s.voids[seat] >> suit) & 1)) << (suit * 2 * SEATS + seat)
    led = suit_of(s.trick[s.leader])
    return Position(
        s.turn, s.leader, led, winner, s.trick[winner], trick_cards(s), s.played, s.number, s.broken, voids, holders
    )


@inline_kernel
def pass_cards(s, cards, int_scratch):
    """Pass cards of the seat to move in the deal at DEALT_AT; returns the position before the first trick."""
    leader, none = np.int64(0), np.int64(0)
    for seat in range(SEATS):
        int_scratch[HANDS_AT + seat], int_scratch[WON_AT + seat] = int_scratch[DEALT_AT + seat], 0
    int_scratch[HANDS_AT + s.turn] &= ~cards
    int_scratch[HANDS_AT + receiver(s.turn, s.direction)] |= cards
    for seat in range(SEATS):
        if int_scratch[HANDS_AT + seat] & bit(TWO_OF_CLUBS):
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
    int_scratch[HANDS_AT + seat] &= ~bit(card)
    trick, broken = p.trick | bit(card), p.broken | np.int64(suit == HEARTS)
    if seat == p.leader:
        led, winner, winning = suit, seat, np.int64(card)
    elif suit != led:
        voids |= TWICE << (led * 2 * SEATS + seat)
    elif card > winning:
        winner, winning = seat, np.int64(card)
    seat = (seat + 1) % SEATS
    if seat != p.leader:
        return Position(seat, p.leader, led, winner, winning, trick, p.played, p.number, broken, voids, p.holders)
    int_scratch[WON_AT + winner] |= trick
    holders = p.holders | np.int64((trick & POINT_CARDS) != 0) << winner
    none = np.int64(0)
    return Position(winner, winner, led, winner, winning, none, p.played | trick, p.number + 1, broken, voids, holders)


@inline_kernel
def legal_cards_at(p, hand):
    return cards_to_lead(hand, p.number, p.broken) if p.seat == p.leader else cards_to_follow(hand, p.led, p.number)


@inline_kernel
def seats_after(p):
    """The number of seats that follow in this trick."""
    return (p.leader - p.seat - 1) % SEATS


@inline_kernel
def heuristic_card(p, hand, legal, expert):
    """The card of the expert, or of the rule-based player."""
    out = DECK & ~(p.played | p.trick | hand)
    if p.seat == p.leader:
        return expert_lead(legal, out) if expert else rule_lead(legal, out)
    after = seats_after(p)
    if expert:
        dry = (p.voids >> (p.led * 2 * SEATS + p.seat + 1)) & ((1 << after) - 1) != 0
        return expert_follow(legal, p.led, p.winning, p.trick, after, dry, out, p.number)
    return rule_follow(legal, p.led, p.winning, p.trick, after == 0, out, p.number)


@kernel
def heuristic_pass(hand, expert):
    """The three cards that the expert passes, or the rule-based player."""
    three = np.int64(0)
    for k in range(PASSED):
        rest, left = hand & ~three, PASSED - k
        three |= bit(expert_pass(rest, left) if expert else rule_pass(rest, left))
    return three


@kernel
def loss(s, seat, int_scratch):
    """The points of a seat at the end of a round; if moons count, 26 for anyone's moon."""
    won = int_scratch[WON_AT + seat]
    points = points_of(won)
    if s.rules.moon != OFF:
        for other in range(SEATS):
            if int_scratch[WON_AT + other] & POINT_CARDS == POINT_CARDS:
                points = np.int64(ALL_POINTS)
    return points + JACK_POINTS if s.rules.jack and won & bit(JACK) else points
