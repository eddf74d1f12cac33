"""Heuristic players of hearts. Of each list the first rule that applies decides. A card is "out" if the seat has not seen it.

The expert avoids points and ignores moons. It passes, three times:
1. the queen of spades with fewer than four lower spades; the ace and the king with fewer than three;
2. otherwise the highest club, diamond or heart, rated by its rank (a two is 0) minus the suit's length; hearts count one more,
   clubs and diamonds four more if the cards left to pass can empty the suit; then spades.

It follows suit with
3. the queen of spades under the king or the ace, and in no other case if another card can be played;
4. the highest card if no point has been played and probably none will be: as the last to play; in the first trick; a club or
   diamond with at least five of its suit out (four with one seat to follow), if no seat to follow is known to have none;
5. the highest card that loses;
6. the highest card if last, or if nobody can beat any card of the suit (except spades), otherwise the lowest.

It discards
7. the queen of spades; the ace and the king while she is out and fewer than three lower spades are held;
8. otherwise the highest card of a suit, rated by its rank plus twice the lower cards out minus seven times the suit's length;
   hearts count six more.

It leads
9. the highest spade below the queen, while she is out and neither the ace nor the king is held;
10. otherwise from the suit with the most cards out, minus three for each card held; hearts count four more, spades nine less. Of
    clubs and diamonds with at least six out it leads the highest card, otherwise the lowest. A lowest card that nobody can beat
    comes after all others; last come the queen of spades, and the ace and the king while she is out.

The guarded player also stops moons, while one other seat alone has points, at least three:
11. it leads a heart that nobody can beat, and does not discard it in a trick that may be that seat's;
12. it takes a trick with points that may be that seat's, with its highest card but the queen;
13. it discards points into another seat's trick.

The daring player also shoots the moon if its hand would lose few tricks; it is guarded after another seat has a point:
14. it passes the lowest card of the suit that then loses fewer tricks, hearts first, or of the shortest suit;
15. it leads cards that nobody can beat, from the longest suit; it wins what it can, as the last to play with the lowest card that
    wins; it discards low cards without points.

The weights were tuned by play of one against three of its kind. No rule considers the jack of diamonds.
"""

import numpy as np

from sparring.games.deck import CARDS, RANKS, SUIT, SUITS, bit, count_cards, lowest_card
from sparring.games.hearts.rules import (
    ALL_HEARTS,
    DIAMONDS,
    HEARTS,
    MOON,
    NONE,
    NORMAL,
    OFF,
    PASS,
    PASSED,
    POINT_CARDS,
    QUEEN,
    SPADES,
    UNDECIDED,
    cards_to_follow,
    cards_to_lead,
    legal_cards,
    points_of,
    suit_cards,
    suit_of,
    trick_cards,
    trick_winner,
)
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.records import lookup

HIGHEST = lookup([cards.bit_length() - 1 for cards in range(1 << RANKS)])
DECK = (1 << CARDS) - 1
HIGH_SPADES = 3 << QUEEN + 1
LOW_SPADES = SUIT << SPADES * RANKS & (1 << QUEEN) - 1
QUEEN_GUARDS, SPADE_GUARDS = 4, 3  # lower spades with which the queen, and the ace and king, are kept
FEARLESS, FEARLESS_THIRD = 5, 4  # cards of a suit out with which no point is likely; with one seat to follow
FRESH = 6  # cards of a suit out with which a high card is led
NO_CARD = np.int64(-1)


@inline_kernel
def highest_of(cards, suit):
    """The highest card of a suit in a set that has one."""
    return np.int64(suit * RANKS + HIGHEST[(cards >> (suit * RANKS)) & SUIT])


@kernel
def expert_move(s):
    seat = s.turn
    hand = s.hand[seat]
    if s.phase == PASS:
        return expert_pass(hand & ~s.passed[seat], PASSED - count_cards(s.passed[seat]))
    trick = trick_cards(s)
    out = DECK & ~(s.played | trick | hand)
    if seat == s.leader:
        return expert_lead(cards_to_lead(hand, s.number, s.broken), out)
    led, after, dry = to_follow(s)
    legal = cards_to_follow(hand, led, s.number)
    return expert_follow(legal, led, s.trick[trick_winner(s)], trick, after, dry, out, s.number)


@inline_kernel
def to_follow(s):
    """The suit led, the number of seats to follow, and whether one of them is known to have none of the suit."""
    led, after, dry = suit_of(s.trick[s.leader]), 0, False
    seat = (s.turn + 1) % SEATS
    while seat != s.leader:
        after += 1
        dry = dry or (s.voids[seat] >> led) & 1 != 0
        seat = (seat + 1) % SEATS
    return led, after, dry


@inline_kernel
def spade_to_pass(hand):
    """The queen, ace or king of spades if it has too few guards, or NO_CARD."""
    guards = count_cards(hand & LOW_SPADES)
    if hand & bit(QUEEN) and guards < QUEEN_GUARDS:
        return np.int64(QUEEN)
    return highest_of(hand & HIGH_SPADES, SPADES) if hand & HIGH_SPADES and guards < SPADE_GUARDS else NO_CARD


@inline_kernel
def spade_to_lead(legal, out):
    """The highest spade below the queen if that may draw her out, or NO_CARD."""
    draws = out & bit(QUEEN) and legal & LOW_SPADES and legal & HIGH_SPADES == 0
    return highest_of(legal & LOW_SPADES, SPADES) if draws else NO_CARD


@kernel
def expert_pass(hand, left):
    """The next card to pass of those not yet chosen; `left` are still to be chosen."""
    spade = spade_to_pass(hand)
    if spade >= 0:
        return spade
    best, most = np.int64(-1), np.int64(-100)
    for suit in range(SPADES):
        cards = hand & suit_cards(suit)
        if cards:
            card, size = highest_of(cards, suit), count_cards(cards)
            value = card % RANKS - size
            if suit == HEARTS:
                value += 1
            elif size <= left:
                value += 4
            if value > most:
                best, most = card, value
    return best if best >= 0 else highest_of(hand, SPADES)


@kernel
def expert_lead(legal, out):
    if legal & (legal - 1) == 0:
        return lowest_card(legal)
    spade, queen_out = spade_to_lead(legal, out), out & bit(QUEEN) != 0
    if spade >= 0:
        return spade
    best, most = np.int64(-1), np.int64(-10000)
    for suit in range(SUITS):
        cards = legal & suit_cards(suit)
        if cards:
            others = out & suit_cards(suit)
            outside = count_cards(others)
            value = outside - 3 * count_cards(cards)
            if suit <= DIAMONDS and outside >= FRESH:
                card = highest_of(cards, suit)
            else:
                card = lowest_card(cards)
                value -= 100 * (others < bit(card))
            if suit == HEARTS:
                value += 4
            elif suit == SPADES:
                value -= 1000 if card == QUEEN or (queen_out and card > QUEEN) else 9
            if value > most:
                best, most = card, value
    return best


@kernel
def expert_follow(legal, led, winning, trick, after, dry, out, number):
    """The card to play in a trick of the suit `led`, whose highest card so far is `winning`."""
    if legal & (legal - 1) == 0:
        return lowest_card(legal)
    if legal & suit_cards(led) == 0:
        return expert_discard(legal, out)
    queen = legal & bit(QUEEN)
    if queen and winning > QUEEN:
        return np.int64(QUEEN)
    cards, others = legal & ~queen, out & suit_cards(led)
    if trick & POINT_CARDS == 0:
        fearless = led <= DIAMONDS and not dry and count_cards(others) >= (FEARLESS_THIRD if after == 1 else FEARLESS)
        if after == 0 or number == 0 or fearless:
            return highest_of(cards, led)
    losing = cards & (bit(winning) - 1)
    if losing:
        return highest_of(losing, led)
    lowest = lowest_card(cards)
    return highest_of(cards, led) if after == 0 or (others < bit(lowest) and led != SPADES) else lowest


@kernel
def expert_discard(legal, out):
    """The card to discard with none of the suit led."""
    return discard(legal, out, 1, 7, 6)


@inline_kernel
def discard(legal, out, per_rank, per_card, for_hearts):
    """A high spade without guards; otherwise the card with the highest rating by these weights."""
    if legal & bit(QUEEN):
        return np.int64(QUEEN)
    if out & bit(QUEEN) and legal & HIGH_SPADES and count_cards(legal & LOW_SPADES) < SPADE_GUARDS:
        return highest_of(legal & HIGH_SPADES, SPADES)
    best, most = np.int64(-1), np.int64(-1000)
    for suit in range(SUITS):
        cards = legal & suit_cards(suit)
        if cards:
            card = highest_of(cards, suit)
            lower = count_cards(out & suit_cards(suit) & (bit(card) - 1))
            value = per_rank * (card % RANKS) + 2 * lower - per_card * count_cards(cards)
            if suit == HEARTS:
                value += for_hearts
            if value > most:
                best, most = card, value
    return best


# The guarded player.

WORRY = 3  # points of a single seat that threaten a moon


@kernel
def guarded_move(s):
    shooter = moon_threat(s)
    if shooter < 0:
        return expert_move(s)
    s.tally.defended[s.turn] += 1
    return stopping_card(s, shooter)


@kernel
def stopping_card(s, shooter):
    hand, trick = s.hand[s.turn], trick_cards(s)
    out = DECK & ~(s.played | trick | hand)
    if s.turn == s.leader:
        return guarded_lead(cards_to_lead(hand, s.number, s.broken), out)
    led, after, dry = to_follow(s)
    legal, winner = cards_to_follow(hand, led, s.number), trick_winner(s)
    theirs = winner == shooter or s.trick[shooter] < 0  # whether the trick may be the shooter's
    if legal & suit_cards(led) == 0:
        return guarded_discard(legal, out, theirs)
    winners = legal & ~(bit(s.trick[winner]) - 1) & ~bit(QUEEN)
    if theirs and trick & POINT_CARDS and winners:
        return highest_of(winners, led)
    return expert_follow(legal, led, s.trick[winner], trick, after, dry, out, s.number)


@kernel
def moon_threat(s):
    """The other seat that alone has points, at least WORRY; or -1."""
    found = np.int64(-1)
    if s.rules.moon == OFF:
        return found
    for seat in range(SEATS):
        if s.won[seat] & POINT_CARDS:
            if found >= 0 or seat == s.turn:
                return np.int64(-1)
            found = np.int64(seat)
    return found if found >= 0 and points_of(s.won[found]) >= WORRY else np.int64(-1)


@inline_kernel
def top_heart(cards, out):
    """The highest heart of a set, as a bit, if nobody can beat it."""
    hearts = cards & ALL_HEARTS
    if hearts == 0:
        return np.int64(0)
    card = bit(highest_of(hearts, HEARTS))
    return card if out & ALL_HEARTS < card else np.int64(0)


@kernel
def guarded_lead(legal, out):
    top = top_heart(legal, out)
    return lowest_card(top) if top else expert_lead(legal, out)


@kernel
def guarded_discard(legal, out, theirs):
    """Keep the heart that can stop the moon in a trick that may be the shooter's; discard a point in another's trick."""
    if theirs:
        rest = legal & ~top_heart(legal, out)
    else:
        rest = legal & POINT_CARDS
    return expert_discard(rest if rest else legal, out)


# The daring player.

RUNS = lookup(
    [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6]
)  # cards of a suit in the longest other hand, by the number out
HEART_LOSS = 2  # a lost heart trick counts as this many others
DARING, DARING_PASS = 5, 8  # the most losses with which a moon is tried: without and with passing


@kernel
def daring_move(s):
    seat = s.turn
    if s.plan[seat] == UNDECIDED:
        most = DARING if s.direction == NONE else DARING_PASS
        s.plan[seat] = MOON if s.rules.moon != OFF and moon_losses(s.hand[seat]) <= most else NORMAL
    if s.plan[seat] == NORMAL:
        return guarded_move(s)
    hand = s.hand[seat]
    if s.phase == PASS:
        return moon_pass(hand & ~s.passed[seat])
    for other in range(SEATS):
        if other != seat and s.won[other] & POINT_CARDS:
            return guarded_move(s)
    trick = trick_cards(s)
    out = DECK & ~(s.played | trick | hand)
    if seat == s.leader:
        return moon_lead(legal_cards(s), out)
    led, after, _ = to_follow(s)
    return moon_follow(cards_to_follow(hand, led, s.number), led, s.trick[trick_winner(s)], after)


@kernel
def suit_losses(hand, suit):
    """The tricks that the cards of a suit would lose if led from the highest down."""
    cards = (hand >> (suit * RANKS)) & SUIT
    size = count_cards(cards)
    lost, higher, led = 0, 0, 0
    for rank in range(RANKS - 1, -1, -1):
        if (cards >> rank) & 1 == 0:
            higher += 1
        else:
            lost += higher > lost and led < RUNS[RANKS - size]
            led += 1
    return lost


@kernel
def moon_losses(hand):
    losses = (HEART_LOSS - 1) * suit_losses(hand, HEARTS)
    for suit in range(SUITS):
        losses += suit_losses(hand, suit)
    return losses


@kernel
def moon_pass(hand):
    """The lowest card of the suit that loses most tricks by it."""
    best, most = np.int64(-1), np.int64(-1000)
    for suit in range(SUITS):
        cards = hand & suit_cards(suit)
        if cards:
            lost = suit_losses(hand, suit) - suit_losses(hand & ~(cards & -cards), suit)
            value = 16 * lost - count_cards(cards) + (8 if suit == HEARTS and lost else 0)
            if value > most:
                best, most = lowest_card(cards), value
    return best


@kernel
def moon_lead(legal, out):
    """A card that nobody can beat, from the longest suit; otherwise the card that the fewest cards beat."""
    best, most = np.int64(-1), np.int64(-1000)
    for suit in range(SUITS):
        cards = legal & suit_cards(suit)
        if cards:
            card = highest_of(cards, suit)
            higher = count_cards(out & suit_cards(suit) & ~(bit(card) - 1))
            value = count_cards(cards) - 20 * higher
            if value > most:
                best, most = card, value
    return best


@kernel
def moon_follow(legal, led, winning, after):
    """Win, as the last to play with the lowest card that does; otherwise play the card of least value."""
    same = legal & suit_cards(led)
    beating = same & ~(bit(winning) - 1)
    if beating:
        return lowest_card(beating) if after == 0 else highest_of(beating, led)
    harmless = legal & ~np.int64(POINT_CARDS)
    rest = harmless if harmless else legal
    if same:
        return lowest_card(rest)
    best, least = np.int64(-1), np.int64(1000)
    for suit in range(SUITS):
        cards = rest & suit_cards(suit)
        if cards:
            card = lowest_card(cards)
            value = card % RANKS + count_cards(cards)
            if value < least:
                best, least = card, value
    return best
