"""Gin rummy networks on the encodings `table` and `match`: of all moves, they make the one that they value most.

A throw is valued by what the seat sees after it, with a knock and without; the upcard by the best throw after taking it; the stock
by what the seat sees before the card is turned, so that no card has to be imagined. Gin always knocks.
"""

import numpy as np

from sparring.games.deck import bit, lowest_card
from sparring.games.gin.encodings import MATCH
from sparring.games.gin.match_score import MOST_ACTIVE, add_score
from sparring.games.gin.melds import deadwood
from sparring.games.gin.rules import FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD, kept_card
from sparring.games.gin.table_encoding import DREW, KNOCKED, PASSED, THREW, write_table
from sparring.kernel.compiler import kernel
from sparring.kernel.dense import first_layer
from sparring.kernel.network import outputs

LEAST = np.float32(-1e30)


@kernel
def table_move(s, player, weights, scratch, int_scratch):
    """The move of a network on `table`."""
    if s.phase == THROW:
        return best_throw(s, s.hand[s.turn], s.pile, kept_card(s), player, weights, scratch, int_scratch)[1]
    if taking(s, player, weights, scratch, int_scratch) > leaving(s, player, weights, scratch, int_scratch):
        return UPCARD
    return PASS if s.phase == FIRST else STOCK


@kernel
def best_value(s, player, weights, scratch, int_scratch):
    """The value of the best move of a network on `table`, before its sigmoid."""
    if s.phase == THROW:
        return best_throw(s, s.hand[s.turn], s.pile, kept_card(s), player, weights, scratch, int_scratch)[0]
    taken = taking(s, player, weights, scratch, int_scratch)
    return max(taken, leaving(s, player, weights, scratch, int_scratch))


@kernel
def taking(s, player, weights, scratch, int_scratch):
    """The value of the best throw after taking the upcard."""
    taken, pile = s.hand[s.turn] | bit(s.upcard), s.pile & ~bit(s.upcard)
    return best_throw(s, taken, pile, s.upcard, player, weights, scratch, int_scratch)[0]


@kernel
def best_throw(s, hand, pile, kept, player, weights, scratch, int_scratch):
    """The highest value of throwing a card, except `kept`, and that move."""
    top, best, rest = LEAST, np.int64(0), hand
    while rest:
        card = np.int64(lowest_card(rest))
        rest &= rest - 1
        if card == kept:
            continue
        after, gone = hand & ~bit(card), pile | bit(card)
        left = deadwood(after)
        if left <= KNOCKING:
            value = table_value(s, after, gone, -1, KNOCKED, player, weights, scratch, int_scratch)
            if value > top:
                top, best = value, card + KNOCK if s.rules.free else card
        if left > KNOCKING or (s.rules.free and left > 0):
            value = table_value(s, after, gone, card, THREW, player, weights, scratch, int_scratch)
            if value > top:
                top, best = value, card
    return top, best


@kernel
def leaving(s, player, weights, scratch, int_scratch):
    """The value of the stock, or of leaving the first upcard, which the opponent may then take or draw from the stock."""
    upcard = s.upcard if s.phase == FIRST and s.passes == 0 else -1
    stage = PASSED if s.phase == FIRST else DREW
    return table_value(s, s.hand[s.turn], s.pile, upcard, stage, player, weights, scratch, int_scratch)


@kernel
def table_value(s, hand, pile, upcard, stage, player, weights, scratch, int_scratch):
    """The output, before its sigmoid, for what the seat to move sees after a move."""
    known, thrown = s.known[1 - s.turn], s.thrown[1 - s.turn]
    turns, stock = s.hand_turns, s.stock_size
    if stage in (THREW, KNOCKED):
        turns += 1
    elif upcard < 0:
        stock -= 1
    count = write_table(hand, known, thrown, pile, upcard, stage, stock, turns, int_scratch, scratch)
    if player.encoding == MATCH:
        count = add_score(s, s.turn, int_scratch, scratch, count)
    units = scratch[MOST_ACTIVE:]
    first_layer(player, weights, int_scratch, 0, count, scratch, 0, units, 0)
    outputs(player, weights, units, 0, False)
    return units[player.hidden]
