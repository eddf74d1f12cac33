"""What a seat cannot know in hearts: the other hands, what others pass to each other, and their plans.

Hands fit the suits that seats have shown to be out of and the cards that the seat has passed.
"""

from sparring.games.deck import CARDS, bit, count_cards, lowest_card
from sparring.games.hearts.monte import deal_free, deal_world, prepare_deals
from sparring.games.hearts.rule_based import heuristic_pass
from sparring.games.hearts.rules import HAND, NONE, NORMAL, PASS, PASSED, SEATS, UNDECIDED, receiver
from sparring.games.hearts.tricks import AT, DECK
from sparring.kernel.compiler import kernel
from sparring.kernel.random import below, key, step


@kernel
def round_number(s):
    return s.round


@kernel
def determinize(s, seat, stream, int_scratch):
    """Deal the cards that a seat has not seen anew, and the rounds to come."""
    s.seed = key(stream, s.round)
    for card in range(CARDS):
        s.deck[card] = card
    if s.phase == PASS:
        stream = deal_before_passing(s, seat, stream, int_scratch)
    else:
        turn = s.turn
        s.turn = seat
        prepare_deals(s, int_scratch)
        stream = deal_world(stream, int_scratch, seat)
        s.turn = turn
    for other in range(SEATS):
        if other != seat:
            s.hand[other] = int_scratch[AT.dealt + other]
            s.plan[other], s.wish[other] = UNDECIDED if s.number == 0 else NORMAL, 0
    for other in range(SEATS):
        if other != seat:
            stream = guess_passed(s, other, seat, stream)
            s.dealt[other] = s.hand[other] if s.phase == PASS else s.hand[other] | s.passed[other]


@kernel
def deal_before_passing(s, seat, stream, int_scratch):
    """Deal the other hands; returns the stream."""
    for other in range(SEATS):
        int_scratch[AT.dealt + other], int_scratch[AT.need + other] = 0, HAND
    others = (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS
    return deal_free(stream, int_scratch, others[0], others[1], others[2], DECK & ~s.hand[seat])


@kernel
def guess_passed(s, giver, seat, stream):
    """Write the cards that another seat passes: by the expert's rules before the exchange, then cards that the receiver holds."""
    if s.direction == NONE or (s.phase != PASS and receiver(giver, s.direction) == seat):
        return stream
    count = count_cards(s.passed[giver])
    rest = heuristic_pass(s.hand[giver], True) if s.phase == PASS else s.hand[receiver(giver, s.direction)]
    s.passed[giver] = 0
    if s.phase != PASS:
        rest &= ~s.passed[seat]
        count = min(PASSED, count_cards(rest))
    for _ in range(count):
        stream = step(stream)
        card = nth_card(rest, below(stream, count_cards(rest)))
        s.passed[giver] |= bit(card)
        rest &= ~bit(card)
    return stream


@kernel
def nth_card(cards, number):
    for _ in range(number):
        cards &= cards - 1
    return lowest_card(cards)


@kernel
def seen(s, seat):
    """The seat's hand, the cards of this trick and of earlier ones, and who took them."""
    found = key(s.hand[seat], s.played)
    for other in range(SEATS):
        found = key(key(found, s.trick[other] + 1), s.won[other])
    return found
