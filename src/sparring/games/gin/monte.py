"""Monte Carlo player of gin rummy: tries every move in random worlds that are consistent with what it has seen.

A world deals the unknown cards to the opponent's hand and the stock, and lets the opponent improve its hand for as many turns as
it has had: random cards would be far worse than its real hand. The simple player plays each world to its end. All moves are tried
in the same worlds, to reduce variance. The careful player's move is played unless another gains more than chance explains;
without that rule, thirty worlds lose to `simple`, because the best of several averages is mostly the luckiest.

It stays beside the search of all games because it is stronger for about the same time: `careful+flat@1000:simple` (2.3 ms a
decision) won 44.7% (40.2 to 49.2) of 300 hands against `monte-carlo@100` (1.7 ms), by results/search-gin.json.
"""

import math

import numpy as np

from sparring.games.deck import CARDS, bit, count_cards, lowest_card
from sparring.games.gin.encodings import unseen
from sparring.games.gin.heuristics import careful_move, makes_meld, simple_throw
from sparring.games.gin.melds import deadwood, least_deadwood
from sparring.games.gin.rules import (
    FIRST,
    HAND,
    KNOCK,
    KNOCKING,
    STOCK,
    THROW,
    UPCARD,
    WALL,
    kept_card,
    knock_points,
    left_over,
    moves,
)
from sparring.kernel.compiler import kernel
from sparring.kernel.random import below, step

WORLDS = 100  # by default
MARGIN = 12  # points: throws that leave more than this above the least deadwood are not tried
DOUBT = 1.5  # standard errors by which another move has to be better
MOVES_AT, LATER_AT, GAINS_AT, SQUARES_AT, DECK_AT = 0, 32, 64, 96, 128  # in the integer scratch
INT_SCRATCH = DECK_AT + CARDS
LONGEST = 60  # turns of a world


@kernel
def monte_carlo_move(s, worlds, int_scratch):
    first = careful_move(s)
    count = list_candidates(s, int_scratch, moves(s, int_scratch[MOVES_AT:LATER_AT]), first)
    for k in range(count):
        int_scratch[GAINS_AT + k] = int_scratch[SQUARES_AT + k] = 0
    for _ in range(worlds if count > 1 else 0):
        other, dealt = deal_world(s, int_scratch)
        usual = world_points(s, first, other, int_scratch, dealt)
        for k in range(1, count):
            gain = world_points(s, int_scratch[MOVES_AT + k], other, int_scratch, dealt) - usual
            int_scratch[GAINS_AT + k] += gain
            int_scratch[SQUARES_AT + k] += gain * gain
    best, most = 0, 0.0
    for k in range(1, count):
        gain = lower_bound(int_scratch[GAINS_AT + k], int_scratch[SQUARES_AT + k], worlds)
        if gain > most:
            best, most = k, gain
    return int_scratch[MOVES_AT + best]


@kernel
def lower_bound(gains, squares, worlds):
    """The mean gain per world minus DOUBT standard errors."""
    mean = gains / worlds
    return mean - DOUBT * math.sqrt(max(squares / worlds - mean * mean, 0.0) / worlds)


@kernel
def list_candidates(s, int_scratch, count, first):
    """Put `first` first and remove throws that leave too much deadwood; returns the number of moves left."""
    hand = s.hand[s.turn]
    most = least_deadwood(hand, kept_card(s)) + MARGIN
    kept = 1
    for k in range(count):
        move = int_scratch[MOVES_AT + k]
        if move != first and (s.phase != THROW or deadwood(hand & ~bit(move % CARDS)) <= most):
            int_scratch[LATER_AT + kept] = move
            kept += 1
    for k in range(1, kept):
        int_scratch[MOVES_AT + k] = int_scratch[LATER_AT + k]
    int_scratch[MOVES_AT] = first
    return kept


@kernel
def deal_world(s, int_scratch):
    """Deal the unknown cards, as a deck in the scratch; returns the opponent's hand, and the number of its cards from the deck."""
    seat = s.turn
    rest, size = unseen(s, seat), 0
    while rest:
        int_scratch[DECK_AT + size] = lowest_card(rest)
        rest &= rest - 1
        size += 1
    for i in range(size):
        s.luck[seat] = step(s.luck[seat])
        j = i + below(s.luck[seat], size - i)
        int_scratch[DECK_AT + i], int_scratch[DECK_AT + j] = int_scratch[DECK_AT + j], int_scratch[DECK_AT + i]
    known = s.known[1 - seat]
    dealt = HAND - count_cards(known)
    other = known
    for i in range(dealt):
        other |= bit(int_scratch[DECK_AT + i])
    return improved(s, other, known, int_scratch, dealt, size), dealt


@kernel
def improved(s, hand, known, int_scratch, dealt, size):
    """A hand after as many turns as the opponent has had; each draws a card of the deck and puts the card thrown there."""
    top = dealt
    for _ in range((s.hand_turns + (s.turn != s.starter)) // 2):
        if top >= size or known == hand:
            break
        better = hand | bit(int_scratch[DECK_AT + top])
        card = simple_throw(better, known)
        if deadwood(better & ~bit(card)) > KNOCKING:  # otherwise it would have knocked
            hand = better & ~bit(card)
            int_scratch[DECK_AT + top] = card
        top += 1
    return hand


@kernel
def world_points(s, move, other, int_scratch, dealt):
    """The points that the seat to move wins (negative: loses) with this move in a world."""
    mine, upcard, top = s.hand[s.turn], s.upcard, DECK_AT + dealt
    left = s.stock_size
    my_turn = True
    if s.phase == THROW:
        card = np.int64(move % CARDS)
        mine &= ~bit(card)
        if move >= KNOCK or (not s.rules.free and deadwood(mine) <= KNOCKING):
            return points_of_knock(s.rules, mine, other)
        upcard, my_turn = card, False
    elif move == UPCARD:
        mine |= bit(upcard)
        card = simple_throw(mine, bit(upcard))
        mine &= ~bit(card)
        if deadwood(mine) <= KNOCKING:
            return points_of_knock(s.rules, mine, other)
        upcard, my_turn = card, False
    elif move == STOCK or (s.phase == FIRST and s.passes == 1):
        # This seat draws from the stock or, after both have left the first upcard, the seat that began.
        my_turn = move == STOCK
        mine, other, card, knocked = drawn_from_stock(mine, other, my_turn, int_scratch[top])
        top, left = top + 1, left - 1
        if knocked:
            points = points_of_knock(s.rules, mine if my_turn else other, other if my_turn else mine)
            return points if my_turn else -points
        upcard, my_turn = card, not my_turn
    else:
        my_turn = False
    return play_world(s.rules, mine, other, my_turn, upcard, int_scratch, top, left)


@kernel
def drawn_from_stock(mine, other, my_turn, card):
    """A turn of the simple player with this card from the stock: both hands, the card thrown, whether it knocks."""
    hand = (mine if my_turn else other) | bit(card)
    card = simple_throw(hand, np.int64(0))
    hand &= ~bit(card)
    knocked = deadwood(hand) <= KNOCKING
    return (hand, other, card, knocked) if my_turn else (mine, hand, card, knocked)


@kernel
def play_world(rules, mine, other, my_turn, upcard, int_scratch, top, left):
    """The points won (negative: lost) when two simple players go on until a knock or the end of the stock."""
    for _ in range(LONGEST):
        if left <= WALL:
            return np.int64(0)
        hand = mine if my_turn else other
        if makes_meld(hand | bit(upcard), upcard):
            hand |= bit(upcard)
            upcard = simple_throw(hand, bit(upcard))
        else:
            hand |= bit(int_scratch[top])
            top, left = top + 1, left - 1
            upcard = simple_throw(hand, np.int64(0))
        hand &= ~bit(upcard)
        if my_turn:
            mine = hand
        else:
            other = hand
        if deadwood(hand) <= KNOCKING:
            points = points_of_knock(rules, hand, other if my_turn else mine)
            return points if my_turn else -points
        my_turn = not my_turn
    return np.int64(0)


@kernel
def points_of_knock(rules, hand, other):
    mine, theirs, _ = left_over(rules, hand, other)
    return knock_points(rules, mine, theirs)
