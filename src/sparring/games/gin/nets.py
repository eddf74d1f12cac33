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
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.dense import first_layer
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


def float_scratch(hidden: int) -> int:
    """The working room for a net with this many hidden units: its sums and changes, and rows."""
    return SUMS + 2 * hidden + hidden * SHORT + 2 * hidden * WIDTH


INT_SCRATCH = (
    4 * CARDS + EXTRAS
)  # the inputs' numbers; later the hand's cards, the order to try them in, the unknown cards
CARDS_AT, ORDER_AT, UNKNOWN_AT = 0, 16, 32


@inline_kernel
def change_at(player):
    """What the upcard adds to each unit's sum, or nothing."""
    return SUMS + player.hidden


@inline_kernel
def hand_rows(player):
    """Rows of SHORT: each unit's sum without each card of the hand."""
    return SUMS + 2 * player.hidden


@inline_kernel
def unknown_rows(player):
    """Rows of WIDTH: what each unknown card adds to each unit's sum."""
    return hand_rows(player) + player.hidden * SHORT


@kernel
def net_move(s, player, weights, scratch, int_scratch, mean, eleven, patient):
    """The move of a net; `mean`, `eleven` and `patient` are the refinements."""
    present_sums(s, player, weights, scratch, int_scratch)
    count = list_hand(s, int_scratch)
    write_hand(player, weights, scratch, int_scratch, count)
    if s.phase == THROW:
        return best_throw(s, player, weights, scratch, int_scratch, count, eleven, patient)
    if takes_upcard(s, player, weights, scratch, int_scratch, count, mean, eleven):
        return UPCARD
    return PASS if s.phase == FIRST else STOCK


@kernel
def present_sums(s, player, weights, scratch, int_scratch):
    """The first layer's sums of what the seat sees, its hand's worth left out: that is added for each candidate."""
    count = inputs(s, s.turn, player.encoding, int_scratch, scratch)
    if player.encoding == MELDS:
        count -= EXTRAS
    first_layer(player, weights, int_scratch, 0, count, scratch, 0, scratch, SUMS)


@kernel
def list_hand(s, int_scratch):
    """Write the cards of the hand; the card just drawn comes last."""
    rest, count = s.hand[s.turn], 0
    if s.phase == THROW:
        rest &= ~bit(s.drawn)
    while rest:
        int_scratch[CARDS_AT + count] = lowest_card(rest)
        rest &= rest - 1
        count += 1
    if s.phase == THROW:
        int_scratch[CARDS_AT + count] = s.drawn
        count += 1
    return count


@kernel
def write_hand(player, weights, scratch, int_scratch, count):
    """Write the rows of the hand: each unit's sum without each card."""
    rows, sums, units = np.uint64(hand_rows(player)), np.uint64(SUMS), np.uint64(player.hidden)
    width, fall = np.uint64(SHORT), place_value(DISCARDED) - place_value(MINE)
    for k in range(np.uint64(count)):
        card = int_scratch[CARDS_AT + k]
        if player.encoding == ONE_NUMBER:
            more = np.uint64(player.offset + card * player.hidden)
            for h in range(units):
                scratch[rows + h * width + k] = scratch[sums + h] + fall * weights[more + h]
        else:
            more = np.uint64(player.offset + (DISCARDED * CARDS + card) * player.hidden)
            less = np.uint64(player.offset + (MINE * CARDS + card) * player.hidden)
            for h in range(units):
                scratch[rows + h * width + k] = scratch[sums + h] + (weights[more + h] - weights[less + h])


@kernel
def best_throw(s, player, weights, scratch, int_scratch, count, eleven, patient):
    """The card whose loss leaves the best hand."""
    if s.source == UPCARD or not eleven:
        count -= 1
    hand, unknown = s.hand[s.turn], unseen(s, s.turn)
    hand_values(player, weights, scratch, int_scratch, hand, unknown, count, False, s.drawn, True)
    best = best_of(scratch, count)
    value, card = scratch[VALUES + best], int_scratch[CARDS_AT + best]
    left = deadwood(hand & ~bit(card))
    knocks = s.rules.free and left <= KNOCKING
    if patient and knocks and left > 0:
        hand_values(player, weights, scratch, int_scratch, hand, unknown, count, False, s.drawn, False)
        best = best_of(scratch, count)
        if squashed(player, weights, scratch[VALUES + best]) + PATIENCE > squashed(player, weights, value):
            card = int_scratch[CARDS_AT + best]
            knocks = deadwood(hand & ~bit(card)) == 0
    return card + KNOCK if knocks else card


@inline_kernel
def best_of(scratch, count):
    best = 0
    for k in range(1, count):
        if scratch[VALUES + k] > scratch[VALUES + best]:
            best = k
    return best


@kernel
def hand_values(player, weights, scratch, int_scratch, hand, unknown, count, takes, upcard, knocks):
    """The values of a hand without each of its first `count` cards, with the upcard if it is taken."""
    if player.encoding == MELDS:
        for k in range(count):
            write_worth(scratch, k, hand & ~bit(int_scratch[CARDS_AT + k]), unknown, knocks)
    for h in range(player.hidden):
        added = change(player, weights, upcard, DISCARDED, MINE, h)
        scratch[change_at(player) + h] = added if takes else np.float32(0.0)
    row_values(player, weights, scratch, hand_rows(player), SHORT, change_at(player), 1, count)


@inline_kernel
def write_worth(scratch, k, hand, unknown, knocks):
    """Write the inputs that say what a candidate's hand is worth."""
    found = worth(hand, unknown, knocks)
    for i in range(EXTRAS):
        scratch[WORTHS + i * WIDTH + k] = found[i]


@kernel
def takes_upcard(s, player, weights, scratch, int_scratch, count, mean, eleven):
    """Whether the best hand that the upcard makes is better than what unknown cards make: than most, or than their mean."""
    hand = s.hand[s.turn]
    hand_values(
        player, weights, scratch, int_scratch, hand | bit(s.upcard), unseen(s, s.turn), count, True, s.upcard, True
    )
    order_hand(scratch, int_scratch, count)
    upcard = scratch[VALUES + int_scratch[ORDER_AT]]
    unknown = list_unknown(s, int_scratch)
    for k in range(unknown):
        scratch[BEST + k] = LEAST
    if eleven:
        write_unknown(player, weights, scratch, int_scratch, unknown, DISCARDED)
        value_unknown(player, weights, scratch, int_scratch, hand, unseen(s, s.turn), SUMS, 1, unknown, False)
    write_unknown(player, weights, scratch, int_scratch, unknown, MINE)
    for i in range(count):
        if not mean and 2 * count_better(scratch, upcard, unknown) >= unknown:
            return False
        if i == 1 and not mean and player.encoding != MELDS and player.kind != GRAPH:
            if beats_most(player, weights, scratch, int_scratch, upcard, unknown, count):
                return True
        k = int_scratch[ORDER_AT + i]
        left = hand & ~bit(int_scratch[CARDS_AT + k])
        value_unknown(
            player, weights, scratch, int_scratch, left, unseen(s, s.turn), hand_rows(player) + k, SHORT, unknown, True
        )
    if mean:
        return is_above_mean(player, weights, scratch, upcard, unknown)
    return 2 * count_better(scratch, upcard, unknown) < unknown


@kernel
def order_hand(scratch, int_scratch, count):
    """The hand's cards by what throwing each for the upcard is worth, the best first."""
    for k in range(count):
        int_scratch[ORDER_AT + k] = k
    for i in range(count):
        best = i
        for k in range(i + 1, count):
            if scratch[VALUES + int_scratch[ORDER_AT + k]] > scratch[VALUES + int_scratch[ORDER_AT + best]]:
                best = k
        int_scratch[ORDER_AT + i], int_scratch[ORDER_AT + best] = (
            int_scratch[ORDER_AT + best],
            int_scratch[ORDER_AT + i],
        )


@kernel
def list_unknown(s, int_scratch):
    """Write the unknown cards; returns how many."""
    count = 0
    for card in range(CARDS):
        if place_of(s, s.turn, card) == UNKNOWN:
            int_scratch[UNKNOWN_AT + count] = card
            count += 1
    return count


@kernel
def write_unknown(player, weights, scratch, int_scratch, unknown, after):
    """Write the rows of the unknown cards, each drawn and then kept (MINE) or thrown (DISCARDED)."""
    rows = np.uint64(unknown_rows(player))
    units, width = np.uint64(player.hidden), np.uint64(WIDTH)
    by, more, less = place_value(after), np.uint64(0), np.uint64(0)
    for k in range(unknown):
        card = int_scratch[UNKNOWN_AT + k]
        if player.encoding == ONE_NUMBER:
            more = np.uint64(player.offset + card * player.hidden)
            for h in range(units):
                scratch[rows + h * width + np.uint64(k)] = by * weights[more + h]
        else:
            more = np.uint64(player.offset + (after * CARDS + card) * player.hidden)
            less = np.uint64(player.offset + (UNKNOWN * CARDS + card) * player.hidden)
            for h in range(units):
                scratch[rows + h * width + np.uint64(k)] = weights[more + h] - weights[less + h]


@kernel
def value_unknown(player, weights, scratch, int_scratch, hand, cards, sums, stride, unknown, kept):
    """Value every unknown card (`cards` are all of them) together with these sums, which stand for a hand without it, and keep
    what is best."""
    if player.encoding == MELDS:
        for k in range(unknown):
            drawn = bit(int_scratch[UNKNOWN_AT + k])
            write_worth(scratch, k, hand | drawn if kept else hand, cards & ~drawn, True)
    row_values(player, weights, scratch, unknown_rows(player), WIDTH, sums, stride, unknown)
    for k in range(unknown):
        scratch[BEST + k] = max(scratch[BEST + k], scratch[VALUES + k])


@kernel
def beats_most(player, weights, scratch, int_scratch, upcard, unknown, count):
    """Whether so many of those that are worse in the place of the first card are so in that of every card that this settles it.

    Only as many of them are valued as are needed, side by side behind the rows; False means that nothing is settled.
    """
    wanted = unknown // 2 + 1
    size = min((wanted + STEP - 1) // STEP * STEP, unknown - count_better(scratch, upcard, unknown))
    rows, few = unknown_rows(player), unknown_rows(player) + player.hidden * WIDTH
    taken = 0
    for k in range(unknown):
        if taken < size and scratch[BEST + k] < upcard:
            for h in range(player.hidden):
                scratch[few + h * WIDTH + taken] = scratch[rows + h * WIDTH + k]
            scratch[BEST_OF_FEW + taken] = scratch[BEST + k]
            taken += 1
    for i in range(1, count):
        row_values(player, weights, scratch, few, WIDTH, hand_rows(player) + int_scratch[ORDER_AT + i], SHORT, size)
        worse = 0
        for k in range(size):
            scratch[BEST_OF_FEW + k] = max(scratch[BEST_OF_FEW + k], scratch[VALUES + k])
            worse += scratch[BEST_OF_FEW + k] < upcard
        if worse < wanted:
            return False
    return True


@inline_kernel
def count_better(scratch, value, unknown):
    count = 0
    for k in range(unknown):
        count += scratch[BEST + k] >= value
    return count


@kernel
def is_above_mean(player, weights, scratch, value, unknown):
    total = np.float64(0.0)
    for k in range(unknown):
        total += np.float64(squashed(player, weights, scratch[BEST + k]))
    return np.float64(squashed(player, weights, value)) * unknown > total


@inline_kernel
def squashed(player, weights, value):
    """A net's value of its output's sum, as which `row_values` leaves it where that changes no comparison."""
    if player.kind == GRAPH:
        code = np.int64(weights[last_activation(player)])
        return activate(code, value) if code < MONOTONE else value
    return sigmoid(value)


@inline_kernel
def last_activation(player):
    """Where the number of an evolved net's last activation lies, which is its output's."""
    units = player.hidden
    return player.offset + (player.inputs + 1) * units + units * units + units - 1


# The values of candidates side by side.


@kernel
def row_values(player, weights, scratch, rows, length, sums, stride, count):
    """The values of `count` candidates, at VALUES: what lies in each unit's row, added to the unit's own sum.

    Rows of `length` lie from `rows` on; the units' sums from `sums` on, `stride` apart. This is a specialised copy of `add_rows` in
    kernel/dense.py, twice as fast, and 6 times as fast as `one_output` for each candidate (26 hidden units). tests/test_dense.py
    holds them equal.
    """
    units, work = player.hidden, unknown_rows(player) + player.hidden * WIDTH
    width = (count + STEP - 1) // STEP * STEP
    net = player.offset + (player.inputs + 1) * units
    evolved = player.kind == GRAPH
    if not evolved:
        fill(scratch, VALUES, weights[net + units], width)
    if evolved or player.encoding == MELDS:
        for h in range(units):
            copy(scratch, work + h * width, scratch, rows + h * length, width)
            for k in range(EXTRAS if player.encoding == MELDS else 0):
                weight = weights[player.offset + (WORTH + k) * units + h]
                add_scaled(scratch, work + h * width, scratch, WORTHS + k * WIDTH, weight, width)
        rows, length = work, width
    if evolved:
        for h in range(units):
            add_constant(scratch, work + h * width, scratch[sums + h * stride], width)
        copy(scratch, VALUES, scratch, evolved_rows(player, weights, net, scratch, work, width), width)
        return
    h = 0
    while h + 3 < units:
        add_four_units(scratch, rows + h * length, length, sums + h * stride, stride, weights, net + h, width)
        h += 4
    while h < units:
        add_unit(scratch, rows + h * length, scratch[sums + h * stride], weights[net + h], width)
        h += 1


@inline_kernel
def fill(scratch, at, value, n):
    a = np.uint64(at)
    for i in range(np.uint64(n)):
        scratch[a + i] = value


@inline_kernel
def add_unit(scratch, row, total, weight, n):
    """Add one unit's share to n values."""
    a, b = np.uint64(VALUES), np.uint64(row)
    for i in range(np.uint64(n)):
        scratch[a + i] += weight * sigmoid(total + scratch[b + i])


@inline_kernel
def add_four_units(scratch, row, length, sums, stride, weights, out, n):
    """The same for four units, one after another, in one loop: a loop for each takes half as long again."""
    a, b, c = np.uint64(VALUES), np.uint64(row), np.uint64(row + length)
    d, e = np.uint64(row + 2 * length), np.uint64(row + 3 * length)
    t, u, v, w = scratch[sums], scratch[sums + stride], scratch[sums + 2 * stride], scratch[sums + 3 * stride]
    p, q, r, s = weights[out], weights[out + 1], weights[out + 2], weights[out + 3]
    for i in range(np.uint64(n)):
        value = scratch[a + i] + p * sigmoid(t + scratch[b + i])
        value += q * sigmoid(u + scratch[c + i])
        value += r * sigmoid(v + scratch[d + i])
        scratch[a + i] = value + s * sigmoid(w + scratch[e + i])


@inline_kernel
def add_constant(scratch, at, value, n):
    a = np.uint64(at)
    for i in range(np.uint64(n)):
        scratch[a + i] += value
