"""The tree search of the study's reference: Santo and Wong, "Evaluating MCTS in a new AI framework for hearts" (2015), public as
Devking/HeartsAI. docs/hearts.md describes it.

A node is a card of the seat's own. Random cards of all those that the seat has not seen complete the trick, whatever the suit led.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from sparring.games.deck import bit, count_cards, lowest_card
from sparring.games.hearts.heuristics import moon_threat, stopping_card
from sparring.games.hearts.rule_based import heuristic_move
from sparring.games.hearts.rules import ALL_HEARTS, PASS, cards_to_follow, cards_to_lead, points_of, suit_of
from sparring.games.hearts.tricks import DECK, SEATS, legal_cards_at, position_of
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import below, key, step

ITERATIONS, DEPTH, WEIGHT = 26, 3, 0.1
MOST = 26  # points, and the reward without any
NODES = 64  # in the tree at most; with more iterations its leaves are played out again
PARENT, CARD, VISITS, REWARD, FIELDS = range(5)  # of a node, in the integer scratch
INT_SCRATCH = FIELDS * NODES


class Guess(NamedTuple):
    """A round before a card of the seat's own, as it might be."""

    hand: Any
    unseen: Any
    trick: Any  # the cards on the table
    winning: Any  # the highest card of the suit led, or -1
    taker: Any  # its player, counted from the seat
    points: Any  # the seat's
    broken: Any


@kernel
def uct_move(s, iterations, int_scratch):
    if s.phase == PASS:
        return heuristic_move(s, False)
    shooter, p, hand = moon_threat(s), position_of(s), s.hand[s.turn]
    legal = legal_cards_at(p, hand)
    if shooter >= 0 or legal & (legal - 1) == 0:
        return stopping_card(s, shooter) if shooter >= 0 else lowest_card(legal)
    unseen, points = DECK & ~(p.played | p.trick | hand), points_of(s.won[s.turn])
    root = Guess(hand, unseen, p.trick, p.winning, (p.winner - p.seat) % SEATS, points, p.broken)
    s.luck[s.turn] = stream = step(s.luck[s.turn])
    nodes = add_node(int_scratch, 0, -1, -1)
    for number in range(iterations):
        leaf, guess, nodes = descend(root, legal, stream, int_scratch, nodes)
        reward = MOST - play_out(guess, key(stream, np.uint64(NODES + number)))
        while leaf >= 0:
            int_scratch[leaf * FIELDS + VISITS] += 1
            int_scratch[leaf * FIELDS + REWARD] += reward
            leaf = int_scratch[leaf * FIELDS + PARENT]
    best, most = np.int64(-1), np.int64(-1)
    for node in range(1, nodes):
        if int_scratch[node * FIELDS + PARENT] == 0 and int_scratch[node * FIELDS + REWARD] > most:
            best, most = int_scratch[node * FIELDS + CARD], int_scratch[node * FIELDS + REWARD]
    return best


@inline_kernel
def add_node(int_scratch, node, parent, card):
    """Write a new node; returns the number of nodes."""
    for field in range(FIELDS):
        int_scratch[node * FIELDS + field] = 0
    int_scratch[node * FIELDS + PARENT], int_scratch[node * FIELDS + CARD] = parent, card
    return node + 1


@kernel
def descend(guess, legal, stream, int_scratch, nodes):
    """Go down the tree to a new node, or to a leaf; returns it, the round there, and the number of nodes."""
    node = np.int64(0)
    for depth in range(DEPTH):
        cards = legal if depth == 0 else own_cards(guess)
        child, untried = best_child(int_scratch, node, nodes, cards)
        if untried:
            if nodes == NODES:
                break
            child = np.int64(nodes)
            nodes = add_node(int_scratch, nodes, node, lowest_card(untried))
        if child < 0:
            break
        node, guess = child, after(guess, int_scratch[child * FIELDS + CARD], key(stream, np.uint64(child)))[0]
        if untried:
            break
    return node, guess, nodes


@inline_kernel
def best_child(int_scratch, node, nodes, cards):
    """The child to visit by UCT, or -1; and the cards that have no child."""
    best, most = np.int64(-1), -1.0
    for child in range(node + 1, nodes):
        if int_scratch[child * FIELDS + PARENT] == node:
            cards &= ~bit(int_scratch[child * FIELDS + CARD])
            visits = int_scratch[child * FIELDS + VISITS]
            spread = math.sqrt(2 * math.log(float(int_scratch[node * FIELDS + VISITS])) / visits)
            value = int_scratch[child * FIELDS + REWARD] // visits + WEIGHT * spread
            if value > most:
                best, most = np.int64(child), value
    return best, cards


@inline_kernel
def own_cards(guess):
    """The cards that the seat may play after the first trick; none at the end."""
    if guess.winning < 0:
        return cards_to_lead(guess.hand, 1, guess.broken)
    return cards_to_follow(guess.hand, suit_of(guess.winning), 1)


@inline_kernel
def random_of(cards, stream):
    """A random card of a set."""
    for _ in range(below(stream, count_cards(cards))):
        cards &= cards - 1
    return lowest_card(cards)


@kernel
def after(guess, card, stream):
    """The round after a card of the seat and random cards of the others, until it is to move again; and the stream."""
    hand, unseen, trick, winning, taker, points, broken = guess
    hand, seat = hand & ~bit(card), np.int64(0)
    while True:
        trick |= bit(card)
        if winning < 0 or (card > winning and suit_of(card) == suit_of(winning)):
            winning, taker = np.int64(card), seat
        seat = (seat + 1) % SEATS
        if count_cards(trick) == SEATS:
            points, seat = points + (points_of(trick) if taker == 0 else 0), taker
            broken, trick, winning = broken | np.int64(trick & ALL_HEARTS != 0), np.int64(0), np.int64(-1)
        if seat == 0 or (hand == 0 and winning < 0):
            return Guess(hand, unseen, trick, winning, taker, points, broken), stream
        stream = step(stream)
        card = random_of(unseen, stream)
        unseen &= ~bit(card)


@kernel
def play_out(guess, stream):
    """The seat's points at the end of a round of random cards."""
    while guess.hand:
        stream = step(stream)
        guess, stream = after(guess, random_of(own_cards(guess), stream), stream)
    return guess.points
