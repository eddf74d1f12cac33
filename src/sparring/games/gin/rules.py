"""The rules of gin rummy, in two variants: state, deal, moves, play, score.

The study's ("The significance of temporal-difference learning in self-play training: TD-rummy versus EVO-rummy", Kotnik and
Kalita 2003): single hands; a player knocks as soon as the deadwood is ten or less; no laying off; the discards become a new
stock; a draw after a limit of turns. The full game: the first upcard is offered to both; knocking is a choice; laying off;
bonuses for gin and undercut; the hand ends when two cards are left in the stock; matches to 100.

A turn is two moves: where to draw from (STOCK or UPCARD; PASS leaves the first upcard), then the card to throw, plus KNOCK to
knock. Hands are sets of cards as in deck.py.
"""

import numpy as np

from sparring.games.deck import CARDS, RANKS, SUITS, bit, count_cards, lowest_card
from sparring.games.gin.melds import deadwood, is_set, lay_off, least_deadwood, melds_of
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.random import below, key, shuffle

VERSION = 1  # increase it when play changes
HAND = 10  # cards
KNOCKING = 10  # the most deadwood to knock with
WALL = 2  # cards of the stock that end a hand under the full rules
LONGEST_HAND = 100  # turns, under the full rules: upcards could be taken forever
GAME_BONUS, BOX = 100, 25  # added to the final account: for the match, and for each hand won
MATCH = 100  # points that win a match, unless the rules say otherwise
TURN_LIMIT, MOST_TURNS = 5000, 10_000  # turns of a game: the study's limit, and the highest that can be chosen
PASSES = 2  # of a hand
MAX_MOVES = 2 * MOST_TURNS + PASSES * MOST_TURNS // 2  # every hand has at least one turn

FIRST, DRAW, THROW = range(3)  # phases
STOCK, UPCARD, PASS = range(3)  # moves of the first two
NONE_YET = 4  # of so many scores at random, one is 0 on purpose
KNOCK = CARDS  # added to the card to throw

Rules = np.dtype(
    [
        ("offered", np.int64),  # whether the first upcard is offered to both
        ("free", np.int64),  # whether knocking is a choice
        ("laying_off", np.int64),
        ("remade", np.int64),  # whether the discards become a new stock; otherwise WALL ends the hand
        ("gin", np.int64),  # bonuses
        ("undercut", np.int64),
        ("ties", np.int64),  # whether equal deadwood is an undercut
        ("target", np.int64),  # points that win the match; 0 for a single hand
        ("limit", np.int64),  # turns of a game
        ("score", np.int64, (2,)),  # of the match that a single hand belongs to; -1 for one at random
        ("hand", np.int64, (2,)),  # the cards dealt; empty for a random deal
        ("upcard", np.int64),
    ],
    align=True,
)

Tally = np.dtype(
    [
        ("score", np.int32, (SEATS,)),  # points of all hands
        ("account", np.int32, (SEATS,)),  # points with the bonuses of a match
        ("won", np.int32, (SEATS,)),  # hands
        ("knocks", np.int32, (SEATS,)),
        ("gins", np.int32, (SEATS,)),
        ("undercuts", np.int32, (SEATS,)),  # hands won against a knock
        ("laid_off", np.int32, (SEATS,)),  # cards
        ("deadwood", np.int32, (SEATS,)),  # of final hands, after laying off
        ("sets", np.int32, (SEATS,)),  # melds of final hands
        ("runs", np.int32, (SEATS,)),
        ("suits", np.int32, (SEATS, SUITS)),  # cards of final hands
        ("ranks", np.int32, (SEATS, RANKS)),
        ("hands", np.int32),
        ("drawn", np.int32),  # hands that nobody won
        ("turns", np.int32),
    ],
    align=True,
)

State = np.dtype(
    [
        ("rules", Rules),
        ("seed", np.uint64),
        ("deal", np.int64),
        ("stream", np.uint64),
        ("luck", np.uint64, (SEATS,)),
        ("seats", np.int64),
        ("over", np.int64),
        ("turn", np.int64),
        ("phase", np.int64),
        ("starter", np.int64),
        ("passes", np.int64),
        ("hand", np.int64, (2,)),
        ("before", np.int64, (2,)),  # the score of the match before this hand
        ("known", np.int64, (2,)),  # cards of each hand that were taken openly
        ("thrown", np.int64, (2,)),  # cards that each seat has thrown in this hand
        ("pile", np.int64),  # the discards, the upcard among them
        ("upcard", np.int64),  # or -1 while someone holds it
        ("drawn", np.int64),  # the card taken in this turn, or -1
        ("source", np.int64),
        ("stock_size", np.int64),
        ("hand_number", np.int64),
        ("hand_turns", np.int64),
        ("knocker", np.int64),  # of the last hand that ended; -1 if nobody knocked
        ("last_hand", np.int64, (2,)),  # the cards that were held then
        ("stock", np.int8, (CARDS,)),
        ("tally", Tally),
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    """Start a game. Deals follow from (seed, deal), random choices of players from (seed, luck) and the seat."""
    s.seed, s.deal, s.seats, s.over, s.hand_number, s.knocker = seed, deal, seats, 0, 0, -1
    s.last_hand[0] = s.last_hand[1] = 0
    for seat in range(SEATS):
        s.luck[seat] = key(key(key(seed, 1), luck), seat)
    clear_tally(s.tally)
    deal_hand(s)


@kernel
def clear_tally(tally):
    tally.hands = tally.drawn = tally.turns = 0
    for seat in range(SEATS):
        tally.score[seat] = tally.account[seat] = tally.won[seat] = tally.knocks[seat] = 0
        tally.gins[seat] = tally.undercuts[seat] = tally.laid_off[seat] = tally.deadwood[seat] = 0
        tally.sets[seat] = tally.runs[seat] = 0
        for suit in range(SUITS):
            tally.suits[seat, suit] = 0
        for rank in range(RANKS):
            tally.ranks[seat, rank] = 0


@kernel
def deal_hand(s):
    """Deal ten cards each and the upcard, or the cards that the rules fix. The seats begin in turn."""
    s.stream = key(key(key(s.seed, 0), s.deal), s.hand_number)
    given = s.rules.hand[0] | s.rules.hand[1]
    if given:
        given |= bit(s.rules.upcard)
    s.stock_size = 0
    for card in range(CARDS):
        if not given & bit(card):
            s.stock[s.stock_size] = card
            s.stock_size += 1
    s.stream = shuffle(s.stream, s.stock, s.stock_size)
    for seat in range(2):
        s.hand[seat], s.known[seat], s.thrown[seat] = s.rules.hand[seat], 0, 0
        for _ in range(0 if given else HAND):
            s.hand[seat] |= bit(take_stock(s))
    s.upcard = s.rules.upcard if given else take_stock(s)
    s.pile = bit(s.upcard)
    s.starter = s.turn = s.hand_number % 2
    s.phase = FIRST if s.rules.offered else DRAW
    s.passes, s.drawn, s.source, s.hand_turns = 0, -1, STOCK, 0
    for seat in range(2):
        s.before[seat] = s.tally.score[seat] if s.rules.target else score_of_hand(s, seat)


@kernel
def score_of_hand(s, seat):
    """A seat's points in the match that a single hand belongs to; at random, many have none, as in the first hands of a match."""
    if s.rules.score[seat] >= 0:
        return s.rules.score[seat]
    stream = key(key(key(s.seed, 2), s.deal), seat)
    return below(stream, MATCH) if below(key(stream, 1), NONE_YET) else np.int64(0)


@kernel
def take_stock(s):
    s.stock_size -= 1
    return np.int64(s.stock[s.stock_size])


@kernel
def moves(s, out):
    """Write the legal moves to `out`; returns how many. An upcard just taken may not be thrown back."""
    if s.phase != THROW:
        out[0], out[1] = UPCARD, PASS if s.phase == FIRST else STOCK
        return 2
    count = 0
    hand = s.hand[s.turn]
    rest = hand
    knocking = s.rules.free and least_deadwood(hand, kept_card(s)) <= KNOCKING
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        if card != kept_card(s):
            out[count] = card
            count += 1
            if knocking and deadwood(hand & ~bit(card)) <= KNOCKING:
                out[count] = card + KNOCK
                count += 1
    return count


@kernel
def kept_card(s):
    """The card that may not be thrown this turn, or -1."""
    return s.drawn if s.source == UPCARD else -1


@kernel
def apply(s, move):
    """Play a legal move and all that follows without a decision: the end of a hand, the next deal, the end of the game."""
    if s.phase == THROW:
        throw(s, move % CARDS, move >= KNOCK)
    elif move == PASS:
        leave_upcard(s)
    else:
        draw(s, move)


@kernel
def leave_upcard(s):
    """Offer the first upcard to the opponent; after both have left it, the seat that began draws from the stock."""
    s.passes += 1
    s.turn = 1 - s.turn
    if s.passes == PASSES:
        draw(s, STOCK)


@kernel
def draw(s, source):
    if source == STOCK:
        s.drawn = take_stock(s)
    else:
        s.drawn, s.upcard = s.upcard, -1
        s.pile &= ~bit(s.drawn)
        s.known[s.turn] |= bit(s.drawn)
    s.hand[s.turn] |= bit(s.drawn)
    s.source, s.phase = source, THROW


@kernel
def throw(s, card, knocks):
    seat = s.turn
    s.hand[seat] &= ~bit(card)
    s.known[seat] &= ~bit(card)
    s.thrown[seat] |= bit(card)
    s.pile |= bit(card)
    s.upcard, s.drawn = card, -1
    s.hand_turns += 1
    s.tally.turns += 1
    s.turn, s.phase = 1 - seat, DRAW
    if not s.rules.free:
        knocks = deadwood(s.hand[seat]) <= KNOCKING
    if knocks:
        s.knocker = seat
        score_knock(s, seat)
        end_hand(s)
    elif s.tally.turns >= s.rules.limit or (not s.rules.remade and is_dead(s)):
        s.knocker = -1
        score_nothing(s)
        end_hand(s)
    elif s.stock_size == 0:
        remake_stock(s)


@kernel
def is_dead(s):
    """Whether a hand without a knock ends under the full rules."""
    return s.stock_size <= WALL or s.hand_turns >= LONGEST_HAND


@kernel
def remake_stock(s):
    """Shuffle the discards, without the upcard, into a new stock; the order follows from the deal."""
    cards = s.pile & ~bit(s.upcard)
    s.pile = bit(s.upcard)
    while cards:
        s.stock[s.stock_size] = lowest_card(cards)
        cards &= cards - 1
        s.stock_size += 1
    s.stream = shuffle(s.stream, s.stock, s.stock_size)


# The end of a hand.


@kernel
def left_over(rules, hand, other):
    """The deadwood of the knocker and of the opponent, and the cards laid off. Nothing is laid off on gin."""
    mine = deadwood(hand)
    if rules.laying_off and mine > 0:
        laid, theirs = lay_off(melds_of(hand), other)
        return mine, theirs, laid
    return mine, deadwood(other), np.int64(0)


@kernel
def knock_points(rules, mine, theirs):
    """The points that a knocker with `mine` deadwood wins (negative: loses) against `theirs`."""
    if mine == 0:
        return theirs + rules.gin
    if theirs < mine or (rules.ties and theirs == mine):
        return theirs - mine - rules.undercut
    return theirs - mine


@kernel
def score_knock(s, seat):
    tally, other = s.tally, 1 - seat
    mine, theirs, laid = left_over(s.rules, s.hand[seat], s.hand[other])
    points = knock_points(s.rules, mine, theirs)
    tally.knocks[seat] += 1
    tally.gins[seat] += mine == 0
    tally.laid_off[other] += count_cards(laid)
    tally.deadwood[seat] += mine
    tally.deadwood[other] += theirs
    tally.undercuts[other] += points < 0
    if points < 0:
        win(s, other, -points)
    else:
        win(s, seat, points)


@kernel
def win(s, seat, points):
    s.tally.score[seat] += points
    if points:
        s.tally.won[seat] += 1
    else:
        s.tally.drawn += 1


@kernel
def score_nothing(s):
    s.tally.drawn += 1
    for seat in range(2):
        s.tally.deadwood[seat] += deadwood(s.hand[seat])


@kernel
def end_hand(s):
    tally = s.tally
    tally.hands += 1
    for seat in range(2):
        s.last_hand[seat] = s.hand[seat]
        count_hand(tally, seat, s.hand[seat])
    s.hand_number += 1
    most = max(tally.score[0], tally.score[1])
    if s.rules.target == 0 or most >= s.rules.target or tally.turns >= s.rules.limit:
        settle_account(s, most)
        s.over = 1
    else:
        deal_hand(s)


@kernel
def count_hand(tally, seat, hand):
    """Count the melds, suits and ranks of a final hand."""
    for meld in melds_of(hand):
        if meld:
            if is_set(meld):
                tally.sets[seat] += 1
            else:
                tally.runs[seat] += 1
    while hand:
        card = lowest_card(hand)
        hand &= hand - 1
        tally.suits[seat, card // RANKS] += 1
        tally.ranks[seat, card % RANKS] += 1


@kernel
def settle_account(s, most):
    """The final account of a match: a bonus for the winner, doubled if the loser has no points, and one for every hand won."""
    tally = s.tally
    for seat in range(2):
        tally.account[seat] = tally.score[seat]
        if s.rules.target:
            tally.account[seat] += BOX * tally.won[seat]
            if tally.score[seat] == most and most >= s.rules.target:
                tally.account[seat] += GAME_BONUS if tally.score[1 - seat] else 2 * GAME_BONUS
