"""Gin rummy networks under the study's fixed policy and its variants.

The value of the upcard is that of the best hand it makes, and so for every unknown card. The upcard is taken if it beats more
than half of them (`net`) or their mean (`net+mean`). Then the card is thrown whose loss leaves the best hand. The study never
throws a card from the stock straight back; `net+eleven` and `net+mean-eleven` may. Networks knock as soon as they can;
`net+patient` (a `net+mean-eleven`) knocks with gin, and otherwise only if that is clearly better than playing on.

The first layer is updated, not recomputed: cards that come and go add to the sums of the present hand. The changes of all
candidates form one row per unit, so that a unit is a loop over contiguous numbers. Whether to take the upcard is often clear
from the card thrown for it: if half of the unknown cards are better in its place, nothing else is computed; otherwise half of
the others are tried in the other places. The output's sigmoid is omitted where values are only compared.
"""

import numpy as np

from sparring.games.deck import CARDS, bit
from sparring.games.gin.encodings import (
    DISCARDED,
    FEATURES,
    FEATURES_AT,
    INPUTS,
    MELDS,
    MINE,
    ONE_NUMBER,
    UNKNOWN,
    change,
    hand_features,
    inputs,
    place_value,
    unseen,
)
from sparring.games.gin.melds import deadwood
from sparring.games.gin.rules import FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD
from sparring.games.gin.subwarp_nets import (
    CARDS_AT,
    LEAST,
    NO_CARD,
    ORDER_AT,
    UNKNOWN_AT,
    beats_mean,
    beats_most,
    best_hand_in_subwarp,
    list_of,
    write_sums,
)
from sparring.games.gin.unit_rows import VALUES, add_constant, add_four_units, add_unit, fill
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.dense import first_layer
from sparring.kernel.launch import GRAPH, SIGMOID
from sparring.kernel.maths import sigmoid
from sparring.kernel.network import MONOTONE, activate, other_rows
from sparring.kernel.subwarp import on_gpu
from sparring.kernel.vectors import add_scaled, copy

WIDTH, SHORT = 64, 16  # of a row of all unknown cards, and of a row of a hand's cards
STEP = 16  # candidates are computed in groups of this size
PATIENCE = np.float32(0.03)  # added to the value of playing on, which has to be tried to be learned

# Offsets in the float scratch, after VALUES: of the inputs, then of candidates.
BEST = max(INPUTS)  # each unknown card's best value
BEST_OF_FEW = BEST + WIDTH  # the same for some of them
FEATURE_ROWS = BEST_OF_FEW + WIDTH  # of the candidates' hands
SUMS = FEATURE_ROWS + FEATURES * WIDTH  # each unit's sum for the present hand; then each unit's change


def float_scratch(hidden: int) -> int:
    """Scratch for a network with this many hidden units: sums, changes and rows."""
    return SUMS + 2 * hidden + hidden * SHORT + 2 * hidden * WIDTH


INT_SCRATCH = 4 * CARDS + FEATURES  # the inputs' numbers; then the hand's cards, their order, the unknown cards


@inline_kernel
def hand_rows(player):
    """Offset of rows of SHORT: each unit's sum without each card of the hand."""
    return SUMS + 2 * player.hidden


@inline_kernel
def unknown_rows(player):
    """Offset of rows of WIDTH: the change of each unit's sum by each unknown card."""
    return hand_rows(player) + player.hidden * SHORT


@kernel
def net_move(s, player, weights, scratch, int_scratch, mean, eleven, patient):
    """The move of a network; `mean`, `eleven` and `patient` select the policy variant."""
    if in_subwarp(player):
        write_sums(s, player, weights, scratch)
        count = list_hand(s, int_scratch)
    else:
        present_sums(s, player, weights, scratch, int_scratch)
        count = list_hand(s, int_scratch)
        write_hand(player, weights, scratch, int_scratch, count)
    if s.phase == THROW:
        return best_throw(s, player, weights, scratch, int_scratch, count, eleven, patient)
    if takes_upcard(s, player, weights, scratch, int_scratch, count, mean, eleven):
        return UPCARD
    return PASS if s.phase == FIRST else STOCK


@inline_kernel
def in_subwarp(player):
    """Whether a subwarp values the candidates: see subwarp_nets.py."""
    return on_gpu() and player.kind == SIGMOID


@kernel
def present_sums(s, player, weights, scratch, int_scratch):
    """Write the first layer's sums of the state, without the hand's features, which are added for each candidate."""
    count = inputs(s, s.turn, player.encoding, int_scratch, scratch)
    if player.encoding == MELDS:
        count -= FEATURES
    first_layer(player, weights, int_scratch, 0, count, scratch, 0, scratch, SUMS)


@kernel
def list_hand(s, int_scratch):
    """Write the cards of the hand, the card just drawn last; returns how many."""
    rest = s.hand[s.turn]
    if s.phase == THROW:
        rest &= ~bit(s.drawn)
    count = list_of(rest, int_scratch[CARDS_AT:])
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
    value, best = best_hand(player, weights, scratch, int_scratch, hand, unknown, count, NO_CARD, True)
    card = int_scratch[CARDS_AT + best]
    left = deadwood(hand & ~bit(card))
    knocks = s.rules.free and left <= KNOCKING
    if patient and knocks and left > 0:
        other, best = best_hand(player, weights, scratch, int_scratch, hand, unknown, count, NO_CARD, False)
        if squashed(player, weights, other) + PATIENCE > squashed(player, weights, value):
            card = int_scratch[CARDS_AT + best]
            knocks = deadwood(hand & ~bit(card)) == 0
    return card + KNOCK if knocks else card


@kernel
def best_hand(player, weights, scratch, int_scratch, hand, unknown, count, upcard, knocks):
    """The highest value of a hand without one of its first `count` cards, and the number of that card.

    `upcard` is a card of the hand that has just been taken, or NO_CARD.
    """
    if in_subwarp(player):
        cards = int_scratch[CARDS_AT:]
        return best_hand_in_subwarp(player, weights, scratch, cards, hand, unknown, count, upcard, knocks)
    hand_values(player, weights, scratch, int_scratch, hand, unknown, count, upcard, knocks)
    best = 0
    for k in range(1, count):
        if scratch[VALUES + k] > scratch[VALUES + best]:
            best = k
    return scratch[VALUES + best], np.int64(best)


@kernel
def hand_values(player, weights, scratch, int_scratch, hand, unknown, count, upcard, knocks):
    """Write the values of a hand without each of its first `count` cards; see `best_hand`."""
    if player.encoding == MELDS:
        for k in range(count):
            write_features(scratch, k, hand & ~bit(int_scratch[CARDS_AT + k]), unknown, knocks)
    changes = SUMS + player.hidden
    for h in range(player.hidden):
        scratch[changes + h] = np.float32(0.0)
        if upcard != NO_CARD:
            scratch[changes + h] = change(player, weights, upcard, DISCARDED, MINE, h)
    row_values(player, weights, scratch, hand_rows(player), SHORT, changes, 1, count)


@inline_kernel
def write_features(scratch, k, hand, unknown, knocks):
    """Write the features of candidate k."""
    features = hand_features(hand, unknown, knocks)
    for i in range(FEATURES):
        scratch[FEATURE_ROWS + i * WIDTH + k] = features[i]


@kernel
def takes_upcard(s, player, weights, scratch, int_scratch, count, mean, eleven):
    """Whether the best hand with the upcard is better than that with most unknown cards, or than their mean."""
    hand, cards = s.hand[s.turn], unseen(s, s.turn)
    taken = hand | bit(s.upcard)
    if in_subwarp(player):
        upcard, best = best_hand(player, weights, scratch, int_scratch, taken, cards, count, s.upcard, True)
        mine = int_scratch[CARDS_AT:]
        if mean:
            return beats_mean(player, weights, scratch, mine, hand, cards, count, upcard, eleven)
        return beats_most(player, weights, scratch, mine, hand, cards, count, upcard, best, eleven)
    return takes_by_rows(s, player, weights, scratch, int_scratch, count, mean, eleven)


@kernel
def takes_by_rows(s, player, weights, scratch, int_scratch, count, mean, eleven):
    """The same on a core."""
    hand, cards = s.hand[s.turn], unseen(s, s.turn)
    hand_values(player, weights, scratch, int_scratch, hand | bit(s.upcard), cards, count, s.upcard, True)
    order_hand(scratch, int_scratch, count)
    upcard = scratch[VALUES + int_scratch[ORDER_AT]]
    unknown = list_of(cards, int_scratch[UNKNOWN_AT:])
    for k in range(unknown):
        scratch[BEST + k] = LEAST
    if eleven:
        write_unknown(player, weights, scratch, int_scratch, unknown, DISCARDED)
        value_unknown(player, weights, scratch, int_scratch, hand, cards, SUMS, 1, unknown, False)
    write_unknown(player, weights, scratch, int_scratch, unknown, MINE)
    for i in range(count):
        if not mean and 2 * count_better(scratch, upcard, unknown) >= unknown:
            return False
        if i == 1 and not mean and player.encoding != MELDS and player.kind == SIGMOID:
            if surely_beats_most(player, weights, scratch, int_scratch, upcard, unknown, count):
                return True
        k = int_scratch[ORDER_AT + i]
        left = hand & ~bit(int_scratch[CARDS_AT + k])
        sums = hand_rows(player) + k
        value_unknown(player, weights, scratch, int_scratch, left, cards, sums, SHORT, unknown, True)
    if mean:
        return is_above_mean(player, weights, scratch, upcard, unknown)
    return 2 * count_better(scratch, upcard, unknown) < unknown


@kernel
def order_hand(scratch, int_scratch, count):
    """Order the hand's cards by the value of throwing each for the upcard, the best first."""
    for k in range(count):
        int_scratch[ORDER_AT + k] = k
    for i in range(count):
        best = i
        for k in range(i + 1, count):
            if scratch[VALUES + int_scratch[ORDER_AT + k]] > scratch[VALUES + int_scratch[ORDER_AT + best]]:
                best = k
        first = int_scratch[ORDER_AT + i]
        int_scratch[ORDER_AT + i], int_scratch[ORDER_AT + best] = int_scratch[ORDER_AT + best], first


@kernel
def write_unknown(player, weights, scratch, int_scratch, unknown, after):
    """Write the rows of the unknown cards: each is drawn, then kept (`after` is MINE) or thrown (DISCARDED)."""
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
    """Evaluate a hand, given by these sums, with every unknown card (`cards`), and update the best value of each."""
    if player.encoding == MELDS:
        for k in range(unknown):
            drawn = bit(int_scratch[UNKNOWN_AT + k])
            write_features(scratch, k, hand | drawn if kept else hand, cards & ~drawn, True)
    row_values(player, weights, scratch, unknown_rows(player), WIDTH, sums, stride, unknown)
    for k in range(unknown):
        scratch[BEST + k] = max(scratch[BEST + k], scratch[VALUES + k])


@kernel
def surely_beats_most(player, weights, scratch, int_scratch, upcard, unknown, count):
    """Whether the upcard certainly beats most unknown cards. False means that this is not yet clear.

    Of those that are worse in the first place, just enough are evaluated in the other places; their rows lie behind the others.
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
    """The value for an output sum, as `row_values` leaves it if that changes no comparison."""
    if player.kind == GRAPH:
        code = np.int64(weights[last_activation(player)])
        return activate(code, value) if code < MONOTONE else value
    return sigmoid(value)


@inline_kernel
def last_activation(player):
    """Offset of the activation of an evolved network's last unit, which is its output."""
    units = player.hidden
    return player.offset + (player.inputs + 1) * units + units * units + units - 1


# The values of all candidates at once.


@kernel
def row_values(player, weights, scratch, rows, length, sums, stride, count):
    """Write the values of `count` candidates to VALUES; a unit's sum for each is its row plus its own sum.

    Rows of `length` begin at `rows`; the units' sums begin at `sums`, `stride` apart. This is a specialised copy of `add_rows` in
    kernel/dense.py, twice as fast, and 6 times as fast as `one_output` for each candidate (26 hidden units). tests/test_dense.py
    compares them.
    """
    units, work = player.hidden, unknown_rows(player) + player.hidden * WIDTH
    width = (count + STEP - 1) // STEP * STEP
    net = player.offset + (player.inputs + 1) * units
    other = player.kind != SIGMOID
    if not other:
        fill(scratch, VALUES, weights[net + units], width)
    if other or player.encoding == MELDS:
        for h in range(units):
            copy(scratch, work + h * width, scratch, rows + h * length, width)
            for k in range(FEATURES if player.encoding == MELDS else 0):
                weight = weights[player.offset + (FEATURES_AT + k) * units + h]
                add_scaled(scratch, work + h * width, scratch, FEATURE_ROWS + k * WIDTH, weight, width)
        rows, length = work, width
    if other:
        for h in range(units):
            add_constant(scratch, work + h * width, scratch[sums + h * stride], width)
        copy(scratch, VALUES, scratch, other_rows(player, weights, net, scratch, work, width, count), width)
        return
    h = 0
    while h + 3 < units:
        add_four_units(scratch, rows + h * length, length, sums + h * stride, stride, weights, net + h, width)
        h += 4
    while h < units:
        add_unit(scratch, rows + h * length, scratch[sums + h * stride], weights[net + h], width)
        h += 1
