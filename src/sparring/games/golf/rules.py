"""The rules of golf, as in "Playing a Game of Cards using Neuroevolution" (2019): state, deal, moves, play, score.

Cards are 0 to 53: suit * 13 + value - 1 for ace (value 1) to king, then two jokers. A turn is two moves: where to draw
from (STOCK or DISCARD), then where the card goes (a place 0 to 5 in the hand, or THROW, straight to the discard pile).
Places 0 to 2 are the upper row of the hand, 3 to 5 the lower; places i and i + 3 are a column.
"""

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.random import below, key, shuffle, step
from sparring.kernel.records import lookup
from sparring.kernel.subwarp import subwarp_rank, subwarp_size, subwarp_sum

VERSION = 1  # increase it when play changes
CARDS, JOKER, VALUES = 54, 52, 14
PLACES, COLUMNS, ROUNDS = 6, 3, 9
REPEATS = 5  # the same turn this many times in a round stops the round
TURN_LIMIT = 500  # turns of a round that neither ends nor repeats; a pure stall repeats after 165 turns
LONGEST = TURN_LIMIT + SEATS - 1  # if a seat ends the round on the last turn, the others still have theirs
MAX_MOVES = ROUNDS * LONGEST * 2

DRAW, PLACE = 0, 1  # phases of a turn
STOCK, DISCARD = 0, 1  # moves of the first
THROW = 6  # a move of the second, beside the six places

# The kind of each card (0 ace to 12 king, 13 joker) and its points.
KIND = lookup([card % 13 if card < JOKER else 13 for card in range(CARDS)])
POINTS = lookup([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0, -2])

Tally = np.dtype(
    [
        ("score", np.int32, (SEATS,)),
        ("matches", np.int32, (SEATS,)),  # columns of two equal cards in final hands
        ("ended", np.int32, (SEATS,)),  # rounds in which this seat was the first with six cards face up
        ("turns", np.int32),
        ("stalemates", np.int32),  # rounds stopped by repetition or the turn limit
        ("cards", np.int32, (SEATS, VALUES)),  # kinds of cards in final hands
    ],
    align=True,
)

State = np.dtype(
    [
        ("seed", np.uint64),
        ("deal", np.int64),
        ("stream", np.uint64),
        ("luck", np.uint64, (SEATS,)),
        ("seats", np.int8),
        ("round_number", np.int8),
        ("over", np.int8),
        ("starter", np.int8),
        ("turn", np.int8),
        ("phase", np.int8),
        ("ender", np.int8),  # the first seat with six cards face up, or -1
        ("drawn", np.int8),
        ("source", np.int8),
        ("revealed", np.int8),  # whether the last turn gave up a face-down card
        ("hand", np.int8, (SEATS, PLACES)),
        ("up", np.int8, (SEATS, PLACES)),
        ("stock", np.int8, (CARDS,)),
        ("stock_size", np.int8),
        ("discard", np.int8, (CARDS,)),
        ("discard_size", np.int8),
        ("turn_count", np.int16),
        ("turns", np.uint16, (LONGEST,)),  # of this round, as turn_code writes them
        ("tally", Tally),
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    """Start a game. Deals follow from (seed, deal), random choices of players from (seed, luck) and the seat."""
    s.seed, s.deal, s.seats, s.round_number, s.over = seed, deal, seats, 0, 0
    for seat in range(SEATS):
        s.luck[seat] = key(key(key(seed, 1), luck), seat)
    clear_tally(s.tally)
    deal_round(s)


@kernel
def clear_tally(tally):
    tally.turns = 0
    tally.stalemates = 0
    for seat in range(SEATS):
        tally.score[seat] = tally.matches[seat] = tally.ended[seat] = 0
        for kind in range(VALUES):
            tally.cards[seat, kind] = 0


@kernel
def deal_round(s):
    s.stream = key(key(key(s.seed, 0), s.deal), s.round_number)
    for card in range(CARDS):
        s.stock[card] = card
    s.stream = shuffle(s.stream, s.stock, CARDS)
    s.stock_size = CARDS
    for seat in range(s.seats):
        for place in range(PLACES):
            s.hand[seat, place] = take_stock(s)
            s.up[seat, place] = 0
        turn_up_two(s, seat)
    s.discard[0] = take_stock(s)
    s.discard_size = 1
    s.starter = s.turn = s.round_number % s.seats
    s.phase, s.ender, s.drawn, s.turn_count, s.revealed = DRAW, -1, -1, 0, 0


@kernel
def take_stock(s):
    s.stock_size -= 1
    return s.stock[s.stock_size]


@kernel
def turn_up_two(s, seat):
    s.stream = step(s.stream)
    first = below(s.stream, PLACES)
    s.stream = step(s.stream)
    second = (first + 1 + below(s.stream, PLACES - 1)) % PLACES
    s.up[seat, first] = s.up[seat, second] = 1


@kernel
def moves(s, out):
    """Write the legal moves to `out`; returns how many. A card from the discard pile may not be thrown back."""
    if s.phase == DRAW:
        out[0], out[1] = STOCK, DISCARD
        return 2
    for place in range(PLACES):
        out[place] = place
    out[PLACES] = THROW
    return PLACES if s.source == DISCARD else PLACES + 1


@kernel
def apply(s, move):
    """Play a legal move and all that follows without a decision: the end of a round, the next deal, the end of the game."""
    if s.phase == DRAW:
        draw(s, move)
    else:
        settle(s, move)
        if round_is_over(s):
            end_round(s)


@kernel
def draw(s, source):
    if source == STOCK:
        s.drawn = take_stock(s)
    else:
        s.discard_size -= 1
        s.drawn = s.discard[s.discard_size]
    s.source, s.phase = source, PLACE


@kernel
def settle(s, move):
    seat, drawn = s.turn, s.drawn
    thrown = drawn
    s.revealed = 0
    if move != THROW:
        thrown = s.hand[seat, move]
        s.revealed = 1 - s.up[seat, move]
        s.hand[seat, move] = drawn
        s.up[seat, move] = 1
    s.discard[s.discard_size] = thrown
    s.discard_size += 1
    s.turns[s.turn_count] = turn_code(s.source, drawn, move, thrown)
    s.turn_count += 1
    if s.stock_size == 0:
        remake_stock(s)
    if s.ender < 0 and face_down(s, seat) == 0:
        s.ender = seat
    s.turn = (seat + 1) % s.seats
    s.phase, s.drawn = DRAW, -1


@kernel
def turn_code(source, drawn, place, thrown):
    return np.uint16(((np.int64(source) * CARDS + drawn) * (PLACES + 1) + place) * CARDS + thrown)


@kernel
def remake_stock(s):
    """Shuffle the discard pile, without its top card, into a new stock; the order follows from the deal."""
    count = s.discard_size - 1
    for i in range(count):
        s.stock[i] = s.discard[i]
    s.discard[0] = s.discard[count]
    s.discard_size = 1
    s.stock_size = count
    s.stream = shuffle(s.stream, s.stock, count)


@kernel
def face_down(s, seat):
    count = 0
    for place in range(PLACES):
        count += 1 - s.up[seat, place]
    return count


@kernel
def round_is_over(s):
    """Whether everyone but the ender has had a last turn, or the round is a stalemate."""
    if s.ender >= 0:
        return s.turn == s.ender
    return s.turn_count == TURN_LIMIT or last_turn_repeats(s)


@kernel
def last_turn_repeats(s):
    """The threads of a subwarp share the search, which took most of the time of long rounds on a GPU."""
    last = s.turns[s.turn_count - 1]
    count, i, end = 0, np.uint64(subwarp_rank()), np.uint64(s.turn_count)
    while i < end:
        count += s.turns[i] == last
        i += np.uint64(subwarp_size())
    return subwarp_sum(count) >= REPEATS


@kernel
def end_round(s):
    score_round(s)
    s.round_number += 1
    if s.round_number == ROUNDS:
        s.over = 1
    else:
        deal_round(s)


@kernel
def trace_rounds(s, moves, first, last):
    """Play the moves of a started game; copies the state at the start of each round to `first`, at its end to `last`."""
    for i in range(moves.size):
        if s.over:
            return
        if s.phase == DRAW:
            if s.turn_count == 0:
                first[s.round_number] = s
            draw(s, moves[i])
        else:
            settle(s, moves[i])
            if round_is_over(s):
                last[s.round_number] = s
                end_round(s)


@kernel
def score_round(s):
    tally = s.tally
    tally.turns += s.turn_count
    if s.ender >= 0:
        tally.ended[s.ender] += 1
    else:
        tally.stalemates += 1
    for seat in range(s.seats):
        hand = s.hand[seat]
        tally.score[seat] += hand_score(hand)
        tally.matches[seat] += hand_matches(hand)
        for place in range(PLACES):
            tally.cards[seat, KIND[hand[place]]] += 1


@kernel
def matched(hand, column):
    return KIND[hand[column]] == KIND[hand[column + COLUMNS]]


@kernel
def hand_score(hand):
    score = 0
    for column in range(COLUMNS):
        if not matched(hand, column):
            score += POINTS[KIND[hand[column]]] + POINTS[KIND[hand[column + COLUMNS]]]
    return score


@kernel
def hand_matches(hand):
    count = 0
    for column in range(COLUMNS):
        count += matched(hand, column)
    return count
