"""Gin rummy nets under the study's fixed policy, and its refinements.

The upcard is valued by the best hand it makes, and so is every unknown card; the upcard is taken if it beats more than half
of them (`net`) or their mean (`net+mean`). Then the card is thrown that leaves the best hand. A card drawn from the stock is
never thrown straight back, since the study values only the ten exchanges; `net+eleven` and `net+mean-eleven` may. Nets knock
as soon as they can; `net+patient`, which does both, with gin, else only if they value that clearly more than playing on.

First layers are not computed anew: a card that comes and a card that goes each add to the sums of the present hand. What
candidates add lies side by side in a row for each unit, so that a unit is one loop over contiguous numbers. The study's
question is often settled by the card that would be thrown for the upcard: if half of the unknown cards are better already
in its place, nothing else is computed; if not, half of those that are worse there are tried in the other places. The sigmoid
of the output is left out where values are only compared.
"""

import numpy as np

from sparring.games.deck import CARDS, bit, lowest_card
from sparring.games.gin.encodings import (
    DISCARDED,
    EXTRAS,
    INPUTS,
    MELDS,
    MINE,
    ONE_NUMBER,
    UNKNOWN,
    WORTH,
    change,
    inputs,
    place_of,
    place_value,
    unseen,
    worth,
)
from sparring.games.gin.melds import deadwood
from sparring.games.gin.rules import FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD
from sparring.kernel.compiler import kernel, leaf
from sparring.kernel.launch import GRAPH
from sparring.kernel.maths import sigmoid
from sparring.kernel.network import MONOTONE, activate, evolved_rows
from sparring.kernel.vectors import add_scaled, copy

WIDTH = 64  # of a row: every unknown card
SHORT = 16  # of a row: every card of a hand
STEP = 16  # candidates are computed in groups of so many
LEAST = np.float32(-1e30)
PATIENCE = np.float32(0.03)  # of a value: while it seems a little worse to play on, that must be tried to be learned

# Where things lie in the working room.
VALUES = 0  # of the inputs, then of candidates
BEST = max(INPUTS)  # each unknown card's best value
BEST_OF_FEW = BEST + WIDTH  # the same of some of them
WORTHS = BEST_OF_FEW + WIDTH  # of the candidates' hands, EXTRAS rows
SUMS = WORTHS + EXTRAS * WIDTH  # each unit's, of the present hand; then each unit's change


def floats(hidden: int) -> int:
    """The working room for a net with this many hidden units: its sums and changes, and rows."""
    return SUMS + 2 * hidden + hidden * SHORT + 2 * hidden * WIDTH


INTEGERS = (
    4 * CARDS + EXTRAS
)  # the inputs' numbers; later the hand's cards, the order to try them in, the unknown cards
CARDS_AT, ORDER_AT, UNKNOWN_AT = 0, 16, 32


@leaf
def change_at(player):
    """What the upcard adds to each unit's sum, or nothing."""
    return SUMS + player.hidden


@leaf
def hand_rows(player):
    """Rows of SHORT: each unit's sum without each card of the hand."""
    return SUMS + 2 * player.hidden


@leaf
def unknown_rows(player):
    """Rows of WIDTH: what each unknown card adds to each unit's sum."""
    return hand_rows(player) + player.hidden * SHORT


@kernel
def net_move(s, player, weights, room, integers, mean, eleven, patient):
    """The move of a net; `mean`, `eleven` and `patient` are the refinements."""
    present_sums(s, player, weights, room, integers)
    count = list_hand(s, integers)
    write_hand(player, weights, room, integers, count)
    if s.phase == THROW:
        return best_throw(s, player, weights, room, integers, count, eleven, patient)
    if takes_upcard(s, player, weights, room, integers, count, mean, eleven):
        return UPCARD
    return PASS if s.phase == FIRST else STOCK


@kernel
def present_sums(s, player, weights, room, integers):
    """The first layer's sums of what the seat sees, its hand's worth left out: that is added for each candidate."""
    units, net = player.hidden, player.offset
    count = inputs(s, s.turn, player.encoding, integers, room)
    if player.encoding == MELDS:
        count -= EXTRAS
    copy(room, SUMS, weights, net + player.inputs * units, units)
    for k in range(count):
        add_scaled(room, SUMS, weights, net + integers[k] * units, room[k], units)


@kernel
def list_hand(s, integers):
    """Write the cards of the hand; the card just drawn comes last."""
    rest, count = s.hand[s.turn], 0
    if s.phase == THROW:
        rest &= ~bit(s.drawn)
    while rest:
        integers[CARDS_AT + count] = lowest_card(rest)
        rest &= rest - 1
        count += 1
    if s.phase == THROW:
        integers[CARDS_AT + count] = s.drawn
        count += 1
    return count


@kernel
def write_hand(player, weights, room, integers, count):
    """Write the rows of the hand: each unit's sum without each card."""
    rows, sums, units = np.uint64(hand_rows(player)), np.uint64(SUMS), np.uint64(player.hidden)
    width, fall = np.uint64(SHORT), place_value(DISCARDED) - place_value(MINE)
    for k in range(np.uint64(count)):
        card = integers[CARDS_AT + k]
        if player.encoding == ONE_NUMBER:
            more = np.uint64(player.offset + card * player.hidden)
            for h in range(units):
                room[rows + h * width + k] = room[sums + h] + fall * weights[more + h]
        else:
            more = np.uint64(player.offset + (DISCARDED * CARDS + card) * player.hidden)
            less = np.uint64(player.offset + (MINE * CARDS + card) * player.hidden)
            for h in range(units):
                room[rows + h * width + k] = room[sums + h] + (weights[more + h] - weights[less + h])


@kernel
def best_throw(s, player, weights, room, integers, count, eleven, patient):
    """The card whose loss leaves the best hand."""
    if s.source == UPCARD or not eleven:
        count -= 1
    hand, unknown = s.hand[s.turn], unseen(s, s.turn)
    hand_values(player, weights, room, integers, hand, unknown, count, False, s.drawn, True)
    best = best_of(room, count)
    value, card = room[VALUES + best], integers[CARDS_AT + best]
    left = deadwood(hand & ~bit(card))
    knocks = s.rules.free and left <= KNOCKING
    if patient and knocks and left > 0:
        hand_values(player, weights, room, integers, hand, unknown, count, False, s.drawn, False)
        best = best_of(room, count)
        if squashed(player, weights, room[VALUES + best]) + PATIENCE > squashed(player, weights, value):
            card = integers[CARDS_AT + best]
            knocks = deadwood(hand & ~bit(card)) == 0
    return card + KNOCK if knocks else card


@leaf
def best_of(room, count):
    best = 0
    for k in range(1, count):
        if room[VALUES + k] > room[VALUES + best]:
            best = k
    return best


@kernel
def hand_values(player, weights, room, integers, hand, unknown, count, takes, upcard, knocks):
    """The values of a hand without each of its first `count` cards, with the upcard if it is taken."""
    if player.encoding == MELDS:
        for k in range(count):
            write_worth(room, k, hand & ~bit(integers[CARDS_AT + k]), unknown, knocks)
    for h in range(player.hidden):
        added = change(player, weights, upcard, DISCARDED, MINE, h)
        room[change_at(player) + h] = added if takes else np.float32(0.0)
    row_values(player, weights, room, hand_rows(player), SHORT, change_at(player), 1, count)


@leaf
def write_worth(room, k, hand, unknown, knocks):
    """Write the inputs that say what a candidate's hand is worth."""
    found = worth(hand, unknown, knocks)
    for i in range(EXTRAS):
        room[WORTHS + i * WIDTH + k] = found[i]


@kernel
def takes_upcard(s, player, weights, room, integers, count, mean, eleven):
    """Whether the best hand that the upcard makes is better than what unknown cards make: than most, or than their mean."""
    hand = s.hand[s.turn]
    hand_values(player, weights, room, integers, hand | bit(s.upcard), unseen(s, s.turn), count, True, s.upcard, True)
    order_hand(room, integers, count)
    upcard = room[VALUES + integers[ORDER_AT]]
    unknown = list_unknown(s, integers)
    for k in range(unknown):
        room[BEST + k] = LEAST
    if eleven:
        write_unknown(player, weights, room, integers, unknown, DISCARDED)
        value_unknown(player, weights, room, integers, hand, unseen(s, s.turn), SUMS, 1, unknown, False)
    write_unknown(player, weights, room, integers, unknown, MINE)
    for i in range(count):
        if not mean and 2 * count_better(room, upcard, unknown) >= unknown:
            return False
        if i == 1 and not mean and player.encoding != MELDS and player.kind != GRAPH:
            if beats_most(player, weights, room, integers, upcard, unknown, count):
                return True
        k = integers[ORDER_AT + i]
        left = hand & ~bit(integers[CARDS_AT + k])
        value_unknown(
            player, weights, room, integers, left, unseen(s, s.turn), hand_rows(player) + k, SHORT, unknown, True
        )
    if mean:
        return is_above_mean(player, weights, room, upcard, unknown)
    return 2 * count_better(room, upcard, unknown) < unknown


@kernel
def order_hand(room, integers, count):
    """The hand's cards by what throwing each for the upcard is worth, the best first."""
    for k in range(count):
        integers[ORDER_AT + k] = k
    for i in range(count):
        best = i
        for k in range(i + 1, count):
            if room[VALUES + integers[ORDER_AT + k]] > room[VALUES + integers[ORDER_AT + best]]:
                best = k
        integers[ORDER_AT + i], integers[ORDER_AT + best] = integers[ORDER_AT + best], integers[ORDER_AT + i]


@kernel
def list_unknown(s, integers):
    """Write the unknown cards; returns how many."""
    count = 0
    for card in range(CARDS):
        if place_of(s, s.turn, card) == UNKNOWN:
            integers[UNKNOWN_AT + count] = card
            count += 1
    return count


@kernel
def write_unknown(player, weights, room, integers, unknown, after):
    """Write the rows of the unknown cards, each drawn and then kept (MINE) or thrown (DISCARDED)."""
    rows = np.uint64(unknown_rows(player))
    units, width = np.uint64(player.hidden), np.uint64(WIDTH)
    by, more, less = place_value(after), np.uint64(0), np.uint64(0)
    for k in range(unknown):
        card = integers[UNKNOWN_AT + k]
        if player.encoding == ONE_NUMBER:
            more = np.uint64(player.offset + card * player.hidden)
            for h in range(units):
                room[rows + h * width + np.uint64(k)] = by * weights[more + h]
        else:
            more = np.uint64(player.offset + (after * CARDS + card) * player.hidden)
            less = np.uint64(player.offset + (UNKNOWN * CARDS + card) * player.hidden)
            for h in range(units):
                room[rows + h * width + np.uint64(k)] = weights[more + h] - weights[less + h]


@kernel
def value_unknown(player, weights, room, integers, hand, cards, sums, stride, unknown, kept):
    """Value every unknown card (`cards` are all of them) together with these sums, which stand for a hand without it, and keep
    what is best."""
    if player.encoding == MELDS:
        for k in range(unknown):
            drawn = bit(integers[UNKNOWN_AT + k])
            write_worth(room, k, hand | drawn if kept else hand, cards & ~drawn, True)
    row_values(player, weights, room, unknown_rows(player), WIDTH, sums, stride, unknown)
    for k in range(unknown):
        room[BEST + k] = max(room[BEST + k], room[VALUES + k])


@kernel
def beats_most(player, weights, room, integers, upcard, unknown, count):
    """Whether so many of those that are worse in the place of the first card are so in that of every card that this settles it.

    Only as many of them are valued as are needed, side by side behind the rows; False means that nothing is settled.
    """
    wanted = unknown // 2 + 1
    size = min((wanted + STEP - 1) // STEP * STEP, unknown - count_better(room, upcard, unknown))
    rows, few = unknown_rows(player), unknown_rows(player) + player.hidden * WIDTH
    taken = 0
    for k in range(unknown):
        if taken < size and room[BEST + k] < upcard:
            for h in range(player.hidden):
                room[few + h * WIDTH + taken] = room[rows + h * WIDTH + k]
            room[BEST_OF_FEW + taken] = room[BEST + k]
            taken += 1
    for i in range(1, count):
        row_values(player, weights, room, few, WIDTH, hand_rows(player) + integers[ORDER_AT + i], SHORT, size)
        worse = 0
        for k in range(size):
            room[BEST_OF_FEW + k] = max(room[BEST_OF_FEW + k], room[VALUES + k])
            worse += room[BEST_OF_FEW + k] < upcard
        if worse < wanted:
            return False
    return True


@leaf
def count_better(room, value, unknown):
    count = 0
    for k in range(unknown):
        count += room[BEST + k] >= value
    return count


@kernel
def is_above_mean(player, weights, room, value, unknown):
    total = np.float64(0.0)
    for k in range(unknown):
        total += np.float64(squashed(player, weights, room[BEST + k]))
    return np.float64(squashed(player, weights, value)) * unknown > total


@leaf
def squashed(player, weights, value):
    """A net's value of its output's sum, as which `row_values` leaves it where that changes no comparison."""
    if player.kind == GRAPH:
        code = np.int64(weights[last_activation(player)])
        return activate(code, value) if code < MONOTONE else value
    return sigmoid(value)


@leaf
def last_activation(player):
    """Where the number of an evolved net's last activation lies, which is its output's."""
    units = player.hidden
    return player.offset + (player.inputs + 1) * units + units * units + units - 1


# The values of candidates side by side.


@kernel
def row_values(player, weights, room, rows, length, sums, stride, count):
    """The values of `count` candidates, at VALUES: what lies in each unit's row, added to the unit's own sum.

    Rows of `length` lie from `rows` on; the units' sums from `sums` on, `stride` apart.
    """
    units, work = player.hidden, unknown_rows(player) + player.hidden * WIDTH
    width = (count + STEP - 1) // STEP * STEP
    net = player.offset + (player.inputs + 1) * units
    evolved = player.kind == GRAPH
    if not evolved:
        fill(room, VALUES, weights[net + units], width)
    if evolved or player.encoding == MELDS:
        for h in range(units):
            copy(room, work + h * width, room, rows + h * length, width)
            for k in range(EXTRAS if player.encoding == MELDS else 0):
                weight = weights[player.offset + (WORTH + k) * units + h]
                add_scaled(room, work + h * width, room, WORTHS + k * WIDTH, weight, width)
        rows, length = work, width
    if evolved:
        for h in range(units):
            add_constant(room, work + h * width, room[sums + h * stride], width)
        copy(room, VALUES, room, evolved_rows(player, weights, net, room, work, width), width)
        return
    h = 0
    while h + 3 < units:
        add_four_units(room, rows + h * length, length, sums + h * stride, stride, weights, net + h, width)
        h += 4
    while h < units:
        add_unit(room, rows + h * length, room[sums + h * stride], weights[net + h], width)
        h += 1


@leaf
def fill(room, at, value, n):
    a = np.uint64(at)
    for i in range(np.uint64(n)):
        room[a + i] = value


@leaf
def add_unit(room, row, total, weight, n):
    """Add one unit's share to n values."""
    a, b = np.uint64(VALUES), np.uint64(row)
    for i in range(np.uint64(n)):
        room[a + i] += weight * sigmoid(total + room[b + i])


@leaf
def add_four_units(room, row, length, sums, stride, weights, out, n):
    """The same for four units, one after another, in one loop: a loop for each takes half as long again."""
    a, b, c = np.uint64(VALUES), np.uint64(row), np.uint64(row + length)
    d, e = np.uint64(row + 2 * length), np.uint64(row + 3 * length)
    t, u, v, w = room[sums], room[sums + stride], room[sums + 2 * stride], room[sums + 3 * stride]
    p, q, r, s = weights[out], weights[out + 1], weights[out + 2], weights[out + 3]
    for i in range(np.uint64(n)):
        value = room[a + i] + p * sigmoid(t + room[b + i])
        value += q * sigmoid(u + room[c + i])
        value += r * sigmoid(v + room[d + i])
        room[a + i] = value + s * sigmoid(w + room[e + i])


@leaf
def add_constant(room, at, value, n):
    a = np.uint64(at)
    for i in range(np.uint64(n)):
        room[a + i] += value
