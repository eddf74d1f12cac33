"""Hearts by Monte Carlo: a tree search in which every simulation deals the unseen cards anew, as what was seen allows.

A simulation follows the tree, which grows by one node, and ends as rule-based players end the round. At a node each seat looks for its own
fewest points; the rule-based player's card is tried first and most, so that few simulations already play as well as it does. Moons count as
the rules say for who did not shoot them, and as 26 points for who did: so they are stopped, not sought. Three cards to pass are chosen by the rule-based
player.
"""

import math

import numpy as np

from sparring.games.deck import SUITS, bit, count_cards, lowest_card
from sparring.games.hearts.heuristics import DECK, rule_follow, rule_lead, rule_move
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

SIMULATIONS = 100  # the usual number
PRIOR = 0.5  # of the rule-based player's card; the others share the rest
CURIOSITY = 12.0  # points
# In the integers.
HANDS_AT, NEED_AT, SLACK_AT, WON_AT, LOSS_AT, PATH_AT, TREE_AT = 0, 4, 8, 12, 16, 20, 20 + 53
CARD, VISITS, TOTAL, CHILD, NEXT, NODE = range(6)  # a node: numbers of it, and how many there are
NODES = 4096
INTEGERS = TREE_AT + NODES * NODE


@kernel
def monte_carlo_move(s, simulations, integers):
    legal = legal_cards(s)
    if s.phase == PASS or legal & (legal - 1) == 0:
        return rule_move(s)
    seat, size = s.turn, np.int64(1)
    new_node(integers, 0, -1, -1)
    stream = s.luck[seat]
    for _ in range(simulations):
        stream = deal_world(s, stream, integers)
        stream, size = simulate(s, stream, integers, size)
    s.luck[seat] = stream
    return most_visited(integers)


@leaf
def node_at(node):
    return TREE_AT + node * NODE


@kernel
def new_node(integers, node, card, following):
    at = node_at(node)
    integers[at + CARD], integers[at + NEXT] = card, following
    integers[at + VISITS] = integers[at + TOTAL] = 0
    integers[at + CHILD] = -1


@kernel
def most_visited(integers):
    """The card of the root's child with the most visits, of several with the fewest points."""
    best, child = np.int64(-1), integers[node_at(0) + CHILD]
    while child >= 0:
        at, of = node_at(child), node_at(best)
        if (
            best < 0
            or integers[at + VISITS] > integers[of + VISITS]
            or (integers[at + VISITS] == integers[of + VISITS] and integers[at + TOTAL] < integers[of + TOTAL])
        ):
            best = child
        child = integers[at + NEXT]
    return integers[node_at(best) + CARD]


@kernel
def deal_world(s, stream, integers):
    """Deal the unseen cards to the others: what this seat passed to who got it, no suit to who showed to have none.

    Suits that one seat alone may have come first, then those of two, each card by how many more a seat needs: a seat gets none while two
    others... Every choice leaves a deal that fits: of three seats only pairs can be short of room.
    """
    seat = s.turn
    unseen = DECK & ~(s.played | trick_cards(s) | s.hand[seat])
    for other in range(SEATS):
        integers[HANDS_AT + other] = 0
        integers[NEED_AT + other] = 0 if other == seat else HAND - s.number - (s.trick[other] >= 0)
    integers[HANDS_AT + seat] = s.hand[seat]
    if s.direction != NONE:
        known, holder = s.passed[seat] & unseen, receiver(seat, s.direction)
        integers[HANDS_AT + holder] = known
        integers[NEED_AT + holder] -= count_cards(known)
        unseen &= ~known
    free = np.int64(0)  # cards that anyone may have
    for suit in range(SUITS):
        cards = unseen & suit_cards(suit)
        only, holders = np.int64(-1), 0
        for other in range(SEATS):
            if other != seat and (s.voids[other] >> suit) & 1 == 0:
                only = np.int64(other)
                holders += 1
        if holders == 1:
            integers[HANDS_AT + only] |= cards
            integers[NEED_AT + only] -= count_cards(cards)
        elif holders == 3:
            free |= cards
    if count_cards(free) != count_needed(integers):
        stream = deal_pairs(s, stream, integers, unseen)
    return deal_free(stream, integers, seat, free)


@kernel
def count_needed(integers):
    return integers[NEED_AT] + integers[NEED_AT + 1] + integers[NEED_AT + 2] + integers[NEED_AT + 3]


@kernel
def deal_pairs(s, stream, integers, unseen):
    """Deal the suits that two seats may have."""
    seat = s.turn
    needed = count_needed(integers)
    for other in range(SEATS):
        integers[SLACK_AT + other] = needed - integers[NEED_AT + other]  # what the other two can take beside their own suits
    for suit in range(SUITS):
        lacking = lacking_seat(s, seat, suit)
        if lacking >= 0:
            integers[SLACK_AT + lacking] -= count_cards(unseen & suit_cards(suit))
    for suit in range(SUITS):
        lacking = lacking_seat(s, seat, suit)
        rest = unseen & suit_cards(suit) if lacking >= 0 else np.int64(0)
        first = np.int64(0)
        while first == seat or first == lacking:
            first += 1
        second = 6 - seat - lacking - first  # seats add up to 6
        while rest:
            card = rest & -rest
            rest &= rest - 1
            one = integers[NEED_AT + first] if integers[SLACK_AT + second] > 0 else 0
            two = integers[NEED_AT + second] if integers[SLACK_AT + first] > 0 else 0
            stream = step(stream)
            taker, other = (first, second) if below(stream, one + two) < one else (second, first)
            integers[HANDS_AT + taker] |= card
            integers[NEED_AT + taker] -= 1
            integers[SLACK_AT + other] -= 1
    return stream


@kernel
def lacking_seat(s, seat, suit):
    """Which one other seat has shown to have none of a suit; -1 if there is none or more than one."""
    found, count = np.int64(-1), 0
    for other in range(SEATS):
        if other != seat and (s.voids[other] >> suit) & 1:
            found = np.int64(other)
            count += 1
    return found if count == 1 else np.int64(-1)


@kernel
def deal_free(stream, integers, seat, rest):
    """Deal the cards that anyone may have."""
    first, second, third = (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS
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
    integers[HANDS_AT + first] |= hand_one
    integers[HANDS_AT + second] |= hand_two
    integers[HANDS_AT + third] |= hand_three
    return stream


@kernel
def simulate(s, stream, integers, size):
    """Play a world to the end of the round, first down the tree, and keep there what each seat lost; (stream, nodes)."""
    for other in range(SEATS):
        integers[WON_AT + other] = s.won[other]
    seat, leader, number, broken = s.turn, s.leader, s.number, s.broken
    trick, played, winner = trick_cards(s), s.played, trick_winner(s)
    winning, led = s.trick[winner], suit_of(s.trick[leader])
    node, depth = np.int64(0), 0
    counting = DECK if s.rules.jack else np.int64(POINT_CARDS)  # when these are played the round is decided
    while counting & ~played:
        hand = integers[HANDS_AT + seat]
        out = DECK & ~(played | trick | hand)
        if seat == leader:
            legal = cards_to_lead(hand, number, broken)
            card = rule_lead(legal, out)
        else:
            legal = cards_to_follow(hand, led, number)
            card = rule_follow(legal, led, winning, trick, (seat + 1) % SEATS == leader, out, number)
        if node >= 0:
            grown = size
            stream, card = promising(stream, integers, node, legal, card)
            node, size = child_of(integers, node, card, size)
            if node >= 0:
                integers[PATH_AT + depth] = node * SEATS + seat
                depth += 1
            if size > grown:
                node = np.int64(-1)
        integers[HANDS_AT + seat] = hand & ~bit(card)
        trick |= bit(card)
        suit = suit_of(card)
        if suit == HEARTS:
            broken = 1
        if seat == leader:
            led, winner, winning = suit, seat, card
        elif suit == led and card > winning:
            winner, winning = seat, card
        seat = (seat + 1) % SEATS
        if seat == leader:
            integers[WON_AT + winner] |= trick
            played |= trick
            trick = np.int64(0)
            number += 1
            seat = leader = winner
    keep_losses(s, integers, depth)
    return stream, size


@kernel
def keep_losses(s, integers, depth):
    """Add what each seat lost to the nodes of the path."""
    for seat in range(SEATS):
        integers[LOSS_AT + seat] = loss(s, integers, seat)
    integers[node_at(0) + VISITS] += 1
    for k in range(depth):
        step_taken = integers[PATH_AT + k]
        at = node_at(step_taken // SEATS)
        integers[at + VISITS] += 1
        integers[at + TOTAL] += integers[LOSS_AT + step_taken % SEATS]


@kernel
def loss(s, integers, seat):
    """Points that a seat has in the end; a moon is 26 for all but, in others' eyes, who shot it."""
    won = integers[WON_AT + seat]
    points = points_of(won)
    if s.rules.moon != OFF:
        for other in range(SEATS):
            if integers[WON_AT + other] & POINT_CARDS == POINT_CARDS:
                points = np.int64(0) if other == seat and seat != s.turn else np.int64(ALL_POINTS)
    return points + JACK_POINTS if s.rules.jack and won & bit(JACK) else points


@kernel
def promising(stream, integers, node, legal, ruled):
    """The card to try at a node: with few points so far, or few tries for how likely it is; (stream, card)."""
    if legal & (legal - 1) == 0:
        return stream, ruled
    visits, total, tried = 0, 0, np.int64(0)
    child = integers[node_at(node) + CHILD]
    while child >= 0:
        at = node_at(child)
        if legal & bit(integers[at + CARD]):
            tried |= bit(integers[at + CARD])
            visits += integers[at + VISITS]
            total += integers[at + TOTAL]
        child = integers[at + NEXT]
    if tried & bit(ruled) == 0:
        return stream, ruled
    curiosity = CURIOSITY * math.sqrt(visits)
    prior = (1 - PRIOR) / (count_cards(legal) - 1)
    best, most, fresh = np.int64(-1), -1e9, legal & ~tried
    if fresh:
        most = prior * curiosity - total / visits
        stream = step(stream)
        best = nth_card(fresh, below(stream, count_cards(fresh)))
    child = integers[node_at(node) + CHILD]
    while child >= 0:
        at = node_at(child)
        card = integers[at + CARD]
        if legal & bit(card):
            tries = integers[at + VISITS]
            worth = (PRIOR if card == ruled else prior) * curiosity / (1 + tries) - integers[at + TOTAL] / tries
            if worth > most:
                best, most = card, worth
        child = integers[at + NEXT]
    return stream, best


@leaf
def nth_card(cards, n):
    for _ in range(n):
        cards &= cards - 1
    return np.int64(lowest_card(cards))


@kernel
def child_of(integers, node, card, size):
    """The child of a node for a card, added where it is missing, or -1 when there is no more room; (child, nodes)."""
    at = node_at(node)
    child = integers[at + CHILD]
    while child >= 0 and integers[node_at(child) + CARD] != card:
        child = integers[node_at(child) + NEXT]
    if child < 0 and size < NODES:
        new_node(integers, size, card, integers[at + CHILD])
        integers[at + CHILD] = child = size
        size += 1
    return child, size
