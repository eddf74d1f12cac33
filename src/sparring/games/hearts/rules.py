"""The rules of hearts for four, as in "Learning a Partially-Observable Card Game Hearts Using Reinforcement Learning" (2020):
state, deal, moves, play, score.

A move is a card: each seat in turn chooses three cards to pass, then the seats play cards. Suits are clubs, diamonds, hearts,
spades, ranks two to ace, so that the two of clubs is card 0. Only a heart breaks hearts. No point card may be played in the
first trick if the hand has another card. A seat that takes all 26 points shoots the moon.
"""

import numpy as np

from sparring.games.deck import CARDS, RANKS, SUIT, bit, count_cards, lowest_card
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS as SEATS
from sparring.kernel.random import key, shuffle

VERSION = 1  # increase it when play changes
HAND, TRICKS = 13, 13
PASSED = 3  # cards
LONGEST = 50  # rounds: with the jack of diamonds, or moons that subtract, a game might not end
MAX_MOVES = LONGEST * (CARDS + PASSED * SEATS)
ALL_POINTS, QUEEN_POINTS, JACK_POINTS = 26, 13, -10

PASS, PLAY = range(2)  # phases
LEFT, RIGHT, ACROSS, NONE = range(4)  # passing directions: to the seat 1, 3 or 2 further on
OFF, ADD, SUBTRACT = range(3)  # effects of a moon: none, 26 more for the others, 26 less for the shooter
# A player's plan for the round; HOPED: it passes for a moon and may yet try it.
UNDECIDED, NORMAL, MOON, HOPED = range(4)

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
TWO_OF_CLUBS, JACK, QUEEN = 0, DIAMONDS * RANKS + 9, SPADES * RANKS + 10
ALL_HEARTS = SUIT << HEARTS * RANKS
POINT_CARDS = ALL_HEARTS | 1 << QUEEN

Rules = np.dtype(
    [
        ("passing", np.int64),  # whether cards are passed
        ("moon", np.int64),
        ("jack", np.int64),  # whether the jack of diamonds subtracts ten points
        ("target", np.int64),  # points that end the game
        ("rounds", np.int64),  # that end the game instead; 0 for none
        ("hand", np.int64, (SEATS,)),  # the cards dealt; empty for a random deal
    ],
    align=True,
)

Tally = np.dtype(
    [
        ("score", np.int32, (SEATS,)),
        ("taken", np.int32, (SEATS,)),  # points taken in tricks, before the effect of a moon
        ("moons", np.int32, (SEATS,)),  # shot
        ("tried", np.int32, (SEATS,)),  # rounds in which the player planned a moon
        ("made", np.int32, (SEATS,)),  # planned moons shot
        ("defended", np.int32, (SEATS,)),  # cards played to stop a moon
        ("queens", np.int32, (SEATS,)),
        ("clean", np.int32, (SEATS,)),  # rounds without a point
        ("tricks", np.int32, (SEATS,)),
        ("rounds", np.int32),
    ],
    align=True,
)

State = np.dtype(
    [
        ("rules", Rules),
        ("seed", np.uint64),
        ("deal", np.int64),
        ("luck", np.uint64, (SEATS,)),
        ("seats", np.int64),
        ("over", np.int64),
        ("turn", np.int64),
        ("phase", np.int64),
        ("round", np.int64),
        ("direction", np.int64),
        ("hand", np.int64, (SEATS,)),
        ("dealt", np.int64, (SEATS,)),  # hands before passing
        ("passed", np.int64, (SEATS,)),  # chosen to pass
        ("trick", np.int64, (SEATS,)),  # each seat's card of this trick, or -1
        ("leader", np.int64),
        ("number", np.int64),  # of the trick, from 0
        ("broken", np.int64),
        ("played", np.int64),  # cards of earlier tricks
        ("won", np.int64, (SEATS,)),  # cards of the tricks each has taken
        ("voids", np.int64, (SEATS,)),  # suits, as bits, that each has shown to be out of
        ("last_trick", np.int64, (SEATS,)),  # each seat's card of the last trick, or -1
        ("last_leader", np.int64),
        ("last_winner", np.int64),
        ("last_won", np.int64, (SEATS,)),  # cards that each took in the last round
        ("plan", np.int64, (SEATS,)),
        ("wish", np.int64, (SEATS,)),  # the cards that a player plans to pass, so that it chooses them once
        ("deck", np.int8, (CARDS,)),  # as it was dealt
        ("tally", Tally),
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    """Start a game. Deals follow from (seed, deal), random choices of players from (seed, luck) and the seat."""
    s.seed, s.deal, s.seats, s.over, s.round = seed, deal, seats, 0, 0
    s.last_leader = s.last_winner = -1
    tally = s.tally
    tally.rounds = 0
    for seat in range(SEATS):
        s.luck[seat] = key(key(key(seed, 1), luck), seat)
        tally.score[seat] = tally.taken[seat] = tally.moons[seat] = tally.tried[seat] = tally.made[seat] = 0
        s.last_trick[seat], s.last_won[seat] = -1, 0
        tally.defended[seat] = tally.queens[seat] = tally.clean[seat] = tally.tricks[seat] = 0
    deal_round(s)


@kernel
def deal_round(s):
    """Deal thirteen cards each, or the cards that the rules fix."""
    for card in range(CARDS):
        s.deck[card] = card
    shuffle(key(key(key(s.seed, 0), s.deal), s.round), s.deck, CARDS)
    given = s.rules.hand[0] != 0
    for seat in range(SEATS):
        s.hand[seat] = s.rules.hand[seat]
        for k in range(0 if given else HAND):
            s.hand[seat] |= bit(s.deck[seat * HAND + k])
        s.dealt[seat] = s.hand[seat]
        s.passed[seat] = s.won[seat] = s.voids[seat] = s.wish[seat] = 0
        s.plan[seat] = UNDECIDED
        s.trick[seat] = -1
    s.number = s.broken = s.played = 0
    s.direction = s.round % 4 if s.rules.passing else NONE
    if s.direction == NONE:
        begin_play(s)
    else:
        s.phase, s.turn = PASS, 0


@kernel
def begin_play(s):
    """The holder of the two of clubs leads."""
    s.phase = PLAY
    for seat in range(SEATS):
        if s.hand[seat] & bit(TWO_OF_CLUBS):
            s.turn = s.leader = seat


@inline_kernel
def suit_of(card):
    return np.int64(card) // RANKS


@inline_kernel
def suit_cards(suit):
    """All cards of a suit."""
    return np.int64(SUIT) << suit * RANKS


@inline_kernel
def receiver(seat, direction):
    """The seat that receives a seat's cards."""
    return (seat + (1 if direction == LEFT else 3 if direction == RIGHT else 2)) % SEATS


@kernel
def points_of(cards):
    """The points of cards taken, without the jack of diamonds."""
    points = count_cards(cards & ALL_HEARTS)
    return points + QUEEN_POINTS if cards & bit(QUEEN) else points


@kernel
def legal_cards(s):
    """The cards that the seat to move may pass or play."""
    hand = s.hand[s.turn]
    if s.phase == PASS:
        return hand & ~s.passed[s.turn]
    if s.turn == s.leader:
        return cards_to_lead(hand, s.number, s.broken)
    return cards_to_follow(hand, suit_of(s.trick[s.leader]), s.number)


@inline_kernel
def cards_to_lead(hand, number, broken):
    if number == 0:
        return bit(TWO_OF_CLUBS)
    others = hand & ~np.int64(ALL_HEARTS)
    return others if others and not broken else hand


@inline_kernel
def cards_to_follow(hand, suit, number):
    same = hand & suit_cards(suit)
    if same:
        return same
    harmless = hand & ~np.int64(POINT_CARDS)
    return harmless if number == 0 and harmless else hand


@kernel
def moves(s, out):
    """Write the legal moves to `out`; returns how many."""
    rest, count = legal_cards(s), 0
    while rest:
        out[count] = lowest_card(rest)
        rest &= rest - 1
        count += 1
    return count


@kernel
def apply(s, card):
    """Pass or play a legal card and all that follows without a decision: the exchange, the end of a trick, a round, the game."""
    if s.phase == PASS:
        choose_to_pass(s, card)
    else:
        play_card(s, card)


@kernel
def choose_to_pass(s, card):
    s.passed[s.turn] |= bit(card)
    if count_cards(s.passed[s.turn]) < PASSED:
        return
    s.turn += 1
    if s.turn == SEATS:
        for seat in range(SEATS):
            s.hand[seat] &= ~s.passed[seat]
        for seat in range(SEATS):
            s.hand[receiver(seat, s.direction)] |= s.passed[seat]
        begin_play(s)


@kernel
def play_card(s, card):
    seat, suit = s.turn, suit_of(card)
    s.hand[seat] &= ~bit(card)
    s.trick[seat] = card
    if seat != s.leader and suit != suit_of(s.trick[s.leader]):
        s.voids[seat] |= 1 << suit_of(s.trick[s.leader])
    if suit == HEARTS:
        s.broken = 1
    s.turn = (seat + 1) % SEATS
    if s.turn == s.leader:
        end_trick(s)


@kernel
def trick_winner(s):
    """The seat with the highest card of the suit led so far."""
    best = s.leader
    for k in range(1, SEATS):
        seat = (s.leader + k) % SEATS
        card = s.trick[seat]
        if card > s.trick[best] and suit_of(card) == suit_of(s.trick[s.leader]):
            best = seat
    return best


@kernel
def trick_cards(s):
    """The cards of this trick."""
    cards = np.int64(0)
    for seat in range(SEATS):
        if s.trick[seat] >= 0:
            cards |= bit(s.trick[seat])
    return cards


@kernel
def end_trick(s):
    winner, cards = trick_winner(s), trick_cards(s)
    s.won[winner] |= cards
    s.played |= cards
    s.tally.tricks[winner] += 1
    s.last_leader, s.last_winner = s.leader, winner
    for seat in range(SEATS):
        s.last_trick[seat], s.trick[seat] = s.trick[seat], -1
    s.number += 1
    s.turn = s.leader = winner
    if s.number == TRICKS:
        end_round(s)


@inline_kernel
def round_points(rules, won, seat, shooter):
    """The points of a round for a seat; `shooter` has shot the moon, or is -1."""
    points = points_of(won)
    if shooter >= 0 and rules.moon == ADD:
        points = 0 if seat == shooter else ALL_POINTS
    elif shooter >= 0 and rules.moon == SUBTRACT:
        points = -ALL_POINTS if seat == shooter else 0
    return points + JACK_POINTS if rules.jack and won & bit(JACK) else points


@kernel
def moon_shooter(s):
    """The seat that has taken all 26 points, or -1."""
    for seat in range(SEATS):
        if s.won[seat] & POINT_CARDS == POINT_CARDS:
            return seat
    return -1


@kernel
def end_round(s):
    tally, shooter = s.tally, moon_shooter(s)
    tally.rounds += 1
    most = np.int64(-1)
    for seat in range(SEATS):
        taken = points_of(s.won[seat])
        s.last_won[seat] = s.won[seat]
        tally.score[seat] += round_points(s.rules, s.won[seat], seat, shooter)
        tally.taken[seat] += taken
        tally.clean[seat] += taken == 0
        tally.queens[seat] += (s.won[seat] & bit(QUEEN)) != 0
        tally.moons[seat] += seat == shooter
        if s.plan[seat] == MOON:
            tally.tried[seat] += 1
            tally.made[seat] += seat == shooter
        most = max(most, np.int64(tally.score[seat]))
    s.round += 1
    if (tally.rounds >= s.rules.rounds if s.rules.rounds else most >= s.rules.target) or tally.rounds >= LONGEST:
        s.over = 1
    else:
        deal_round(s)
