"""What a seat cannot know in gin rummy: the opponent's cards that were not taken openly, and the order of the stock.

A hand of random cards would be far worse than the opponent's real one, so it improves by as many draws as the opponent has had.
Discards that have become a new stock count as unseen.
"""

from sparring.games.deck import bit, lowest_card
from sparring.games.gin.encodings import unseen
from sparring.games.gin.heuristics import simple_throw
from sparring.games.gin.melds import deadwood
from sparring.games.gin.rules import KNOCKING
from sparring.kernel.compiler import kernel
from sparring.kernel.random import key, shuffle

HORIZON = 120  # moves of a playout: hands of players who do not knock would not end


@kernel
def hand_number(s):
    return s.hand_number


@kernel
def determinize(s, seat, stream, int_scratch):
    """Deal the cards that a seat has not seen anew, and the hands to come."""
    other = 1 - seat
    rest, size, known = unseen(s, seat), 0, s.known[other]
    while rest:
        s.stock[size] = lowest_card(rest)
        rest &= rest - 1
        size += 1
    stream = shuffle(stream, s.stock, size)
    hand = known
    for k in range(s.stock_size, size):
        hand |= bit(s.stock[k])
    s.hand[other] = improved(s, hand, known, (s.hand_turns + (seat != s.starter)) // 2)
    s.stream = shuffle(stream, s.stock, s.stock_size)
    s.seed = key(s.stream, s.hand_number)
    if s.turn == other and s.drawn >= 0 and not s.known[other] & bit(s.drawn):
        s.drawn = lowest_card(s.hand[other] & ~known)


@kernel
def improved(s, hand, known, turns):
    """A hand after so many turns: each draws a card of the stock and puts the card thrown there."""
    for top in range(min(turns, s.stock_size)):
        better = hand | bit(s.stock[top])
        card = simple_throw(better, known)
        if deadwood(better & ~bit(card)) > KNOCKING:  # otherwise it would have knocked
            hand = better & ~bit(card)
            s.stock[top] = card
    return hand


@kernel
def seen(s, seat):
    """The seat's hand, the discards with the upcard, and the cards that the opponent took openly."""
    return key(key(key(key(s.upcard + 1, s.hand[seat]), s.pile), s.known[1 - seat]), s.phase)
