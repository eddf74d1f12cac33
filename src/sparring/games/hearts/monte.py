"""Monte Carlo players of hearts: every card is tried in the same random deals that fit what was seen, and heuristics play on.

A card that is clearly worse than the heuristic's is dropped; the heuristic's card is played unless another loses fewer points by
more than chance explains. Equivalent cards, such as the seven and the nine after the eight is played, are tried once.

They stay beside the search of all games, which is not stronger for the same time: `daring+flat@100` (0.24 ms a decision) won 25.6%
(19.4 to 33.1, even is 25%) of 160 games against three `searcher@400` (0.16 ms) with 4.3 more points (-0.5 to 9.1), by
results/search-hearts-champion.json. The curriculum teaches networks from them too.
"""

import math

import numpy as np

from sparring.games.deck import SUITS, bit, count_cards, lowest_card
from sparring.games.hearts import rules, tricks
from sparring.games.hearts.heuristics import moon_card, moon_threat, stopping_card
from sparring.games.hearts.rule_based import heuristic_card, heuristic_move, heuristic_pass
from sparring.games.hearts.rules import PASS, legal_cards, receiver, suit_cards, suit_of, trick_cards
from sparring.games.hearts.tricks import AT, DECK, SEATS
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import below, step
from sparring.kernel.records import lookup

SIMULATIONS = 100  # by default
DOUBT = 1.5  # standard errors by which another card has to be better
DESPAIR = 2.5  # standard errors by which a card that is dropped is worse
SPREAD = 20  # prior sum of squared differences
SOONEST = 4  # deals after which a card may be dropped
HOLDER = lookup([max(seats.bit_length() - 1, 0) for seats in range(1 << SEATS)])  # the seat of a bit
NOBODY = np.int64(-1)


@kernel
def monte_carlo_move(s, simulations, int_scratch, expert):
    shooter = moon_threat(s)
    first = stopping_card(s, shooter) if shooter >= 0 else heuristic_move(s, expert)
    if s.phase == PASS:
        return first
    shooter = shooter if expert else NOBODY
    count, stream = list_candidates(s, int_scratch, first), s.luck[s.turn]
    if count > 1:
        prepare_deals(s, int_scratch)
    deals, left = 0, simulations
    while 1 < count <= left:
        deals, left = deals + 1, left - count
        stream = deal_world(stream, int_scratch, s.turn)
        usual = world_loss(s, first, int_scratch, shooter, expert)
        k = 1
        while k < count:
            gain = usual - world_loss(s, int_scratch[AT.cards + k], int_scratch, shooter, expert)
            int_scratch[AT.gains + k] += gain
            int_scratch[AT.squares + k] += gain * gain
            if deals >= SOONEST and confidence_bound(int_scratch, k, deals, -DESPAIR) < 0:
                count -= 1
                for at in (AT.cards, AT.gains, AT.squares):
                    int_scratch[at + k] = int_scratch[at + count]
            else:
                k += 1
    s.luck[s.turn] = stream
    return best_candidate(int_scratch, count, max(deals, 1))


@kernel
def best_candidate(int_scratch, count, deals):
    best, most = 0, 0.0
    for k in range(1, count):
        gained = confidence_bound(int_scratch, k, deals, DOUBT)
        if gained > most:
            best, most = k, gained
    return int_scratch[AT.cards + best]


@inline_kernel
def confidence_bound(int_scratch, k, deals, doubt):
    """The mean gain of a card per deal, minus `doubt` standard errors."""
    mean = int_scratch[AT.gains + k] / deals
    return mean - doubt * math.sqrt(max(int_scratch[AT.squares + k] / deals - mean * mean, 0.0) / deals)


@kernel
def list_candidates(s, int_scratch, first):
    """Write the cards to try, `first` first and one of each group of equivalent cards; returns how many."""
    live = DECK & ~(s.played | s.hand[s.turn]) | bit(rules.QUEEN)
    if s.rules.jack:
        live |= bit(rules.JACK)
    rest, count, last = legal_cards(s) & ~bit(first), 1, np.int64(-1)
    int_scratch[AT.cards] = first
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        if not are_equivalent(card, first, live) and not are_equivalent(last, card, live):
            int_scratch[AT.cards + count] = last = card
            int_scratch[AT.gains + count], int_scratch[AT.squares + count] = 0, SPREAD
            count += 1
    return count


@inline_kernel
def are_equivalent(one, other, live):
    """Whether two cards of a hand have the same suit, and no live card is one of them or between them."""
    if one < 0 or suit_of(one) != suit_of(other):
        return False
    low, high = bit(min(one, other)), bit(max(one, other))
    return live & ((high << 1) - low) == 0


@kernel
def prepare_deals(s, int_scratch):
    """Write what all consistent deals have in common: known cards, the unseen cards of each suit, the seats that may hold them."""
    seat = s.turn
    unseen = DECK & ~(s.played | trick_cards(s) | s.hand[seat])
    for other in range(SEATS):
        int_scratch[AT.known + other] = 0
        int_scratch[AT.want + other] = 0 if other == seat else rules.HAND - s.number - (s.trick[other] >= 0)
    int_scratch[AT.known + seat] = s.hand[seat]
    if s.direction != rules.NONE:
        give(int_scratch, receiver(seat, s.direction), s.passed[seat] & unseen)
        unseen &= ~s.passed[seat]
    for suit in range(SUITS):
        cards, holders = unseen & suit_cards(suit), 0
        for other in range(SEATS):
            if other != seat and (s.voids[other] >> suit) & 1 == 0:
                holders |= 1 << other
        if holders & (holders - 1) == 0:
            give(int_scratch, HOLDER[holders], cards)
            cards = np.int64(0)
        int_scratch[AT.group + suit], int_scratch[AT.may + suit] = cards, holders


@inline_kernel
def give(int_scratch, holder, cards):
    int_scratch[AT.known + holder] |= cards
    int_scratch[AT.want + holder] -= count_cards(cards)


@kernel
def deal_world(stream, int_scratch, seat):
    """Deal every unseen card to a seat that may hold it, with probability in proportion to the cards it needs; returns the stream.

    Suits that only two seats may hold come first. Two seats keep room for the cards that only they may hold; with three seats this
    is enough for a deal to succeed (Hall's theorem).
    """
    three, free, pairs = ((1 << SEATS) - 1) & ~(1 << seat), np.int64(0), False
    # The room of two seats, minus the cards that only they may hold, is stored under the third seat.
    needed = int_scratch[AT.want] + int_scratch[AT.want + 1] + int_scratch[AT.want + 2] + int_scratch[AT.want + 3]
    for other in range(SEATS):
        int_scratch[AT.dealt + other] = int_scratch[AT.known + other]
        int_scratch[AT.need + other] = int_scratch[AT.want + other]
        int_scratch[AT.spare + other] = needed - int_scratch[AT.want + other]
    for suit in range(SUITS):
        if int_scratch[AT.may + suit] == three:
            free |= int_scratch[AT.group + suit]
        elif int_scratch[AT.group + suit]:
            third = HOLDER[three & ~int_scratch[AT.may + suit]]
            int_scratch[AT.spare + third] -= count_cards(int_scratch[AT.group + suit])
            pairs = True
    if pairs:
        stream = deal_pairs(stream, int_scratch, three)
    return deal_free(stream, int_scratch, (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS, free)


@kernel
def deal_pairs(stream, int_scratch, three):
    """Deal the suits that only two seats may hold."""
    for suit in range(SUITS):
        holders, rest = int_scratch[AT.may + suit], int_scratch[AT.group + suit]
        if holders == three:
            continue
        first, second = HOLDER[holders & -holders], HOLDER[holders]
        while rest:
            card = rest & -rest
            rest &= rest - 1
            one = int_scratch[AT.need + first] if int_scratch[AT.spare + second] > 0 else 0
            two = int_scratch[AT.need + second] if int_scratch[AT.spare + first] > 0 else 0
            stream = step(stream)
            taker, other = (first, second) if below(stream, one + two) < one else (second, first)
            int_scratch[AT.dealt + taker] |= card
            int_scratch[AT.need + taker] -= 1
            int_scratch[AT.spare + other] -= 1
    return stream


@kernel
def deal_free(stream, int_scratch, first, second, third, rest):
    """Deal the cards that all three seats may hold."""
    one, two, three = int_scratch[AT.need + first], int_scratch[AT.need + second], int_scratch[AT.need + third]
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
    int_scratch[AT.dealt + first] |= hand_one
    int_scratch[AT.dealt + second] |= hand_two
    int_scratch[AT.dealt + third] |= hand_three
    return stream


@kernel
def world_loss(s, card, int_scratch, shooter, expert):
    """The points of the seat to move after the round if it plays this card in the deal, and heuristics play on.

    `shooter`, if there is one, shoots the moon until another seat has a point.
    """
    for other in range(SEATS):
        int_scratch[AT.hands + other], int_scratch[AT.won + other] = int_scratch[AT.dealt + other], s.won[other]
    return play_out(s, tricks.after_card(tricks.position_of(s), card, int_scratch), int_scratch, shooter, expert)


@kernel
def play_out(s, p, int_scratch, shooter, expert):
    """Play a round from a position to its end; returns the points of the seat to move in the state."""
    while tricks.is_undecided(s, p):
        hand = int_scratch[AT.hands + p.seat]
        legal = tricks.legal_cards_at(p, hand)
        if p.seat == shooter and p.holders & ~(1 << shooter) == 0:
            card = moon_card(p, hand, legal)
        else:
            card = heuristic_card(p, hand, legal, expert)
        p = tricks.after_card(p, card, int_scratch)
    return tricks.loss(s, s.turn, int_scratch)


@kernel
def deal_passes(s, stream, int_scratch):
    """Deal the other hands and pass their cards as experts do; writes the hands before the seat to move passes to AT.dealt."""
    seat, hand = s.turn, s.dealt[s.turn]
    for other in range(SEATS):
        int_scratch[AT.dealt + other], int_scratch[AT.need + other] = 0, rules.HAND
    stream = deal_free(stream, int_scratch, (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS, DECK & ~hand)
    int_scratch[AT.dealt + seat] = hand
    for giver in range(SEATS):
        int_scratch[AT.known + giver] = heuristic_pass(int_scratch[AT.dealt + giver], True) if giver != seat else 0
    for giver in range(SEATS):
        int_scratch[AT.dealt + giver] &= ~int_scratch[AT.known + giver]
    for giver in range(SEATS):
        int_scratch[AT.dealt + receiver(giver, s.direction)] |= int_scratch[AT.known + giver]
    return stream


@kernel
def pass_loss(s, three, int_scratch):
    """The points of the seat to move after the round if it passes these three cards in the deal, and experts play."""
    return play_out(s, tricks.pass_cards(s, three, int_scratch), int_scratch, NOBODY, True)


@kernel
def try_cards(s, cards, deals, int_scratch):
    """Write the total cost of each card in random deals."""
    prepare_deals(s, int_scratch)
    for k in range(cards):
        int_scratch[AT.gains + k] = 0
    for _ in range(deals):
        s.luck[s.turn] = deal_world(s.luck[s.turn], int_scratch, s.turn)
        for k in range(cards):
            int_scratch[AT.gains + k] += world_loss(s, int_scratch[AT.cards + k], int_scratch, NOBODY, True)


@kernel
def try_passes(s, passes, deals, int_scratch):
    """Write the total cost of each pass in random deals in which experts pass and play."""
    for k in range(passes):
        int_scratch[AT.gains + k] = 0
    for _ in range(deals):
        s.luck[s.turn] = deal_passes(s, s.luck[s.turn], int_scratch)
        for k in range(passes):
            int_scratch[AT.gains + k] += pass_loss(s, int_scratch[AT.cards + k], int_scratch)
