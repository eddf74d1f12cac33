"""The policy of nets that see the hand alone: what a card of each kind is worth is reckoned once, and remembered while the hand is
the same.

A core reckons unit by unit, all kinds and places side by side. On a GPU memory is short, not arithmetic: there it goes kind by kind
from the sums of the hidden units, and the lanes of a game share the kinds. The same sums in the same order.

The working room begins with what is remembered: in its integers a key for each seat (net and hand), then for each seat the best
places, three bits a kind; in its floats for each seat the worth of each kind, then that of the hand as it is. Whoever else uses the
room overwrites the keys, by numbers too small to be one.
"""

import numpy as np

from sparring.games.golf.encodings import FACE_DOWN, KINDS
from sparring.games.golf.layers import add_unit, second_layer
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, JOKER, KIND, PLACES, STOCK, THROW, VALUES
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import GRAPH, REMEMBERED, SEATS
from sparring.kernel.maths import sigmoid
from sparring.kernel.subwarp import on_gpu, subwarp_rank, subwarp_size, subwarp_sum

# On a GPU, places are unsigned and loops count by hand: signed ones, and `range`, take several times as many steps there.
ZERO, ONE = np.uint64(0), np.uint64(1)
WIDTH = PLACES * KINDS
WORTHS = VALUES + 1  # of each kind, and of the hand as it is
BITS, PLACE_BITS = 3, 7  # of a place among the best
FLOAT_SCRATCH = SEATS * WORTHS
INT_SCRATCH = REMEMBERED + PLACES


def float_scratch(hidden: int) -> int:
    """Working room for a net with this many hidden units: what is remembered, the sums, the values, the candidates."""
    return FLOAT_SCRATCH + hidden + (hidden + 1) * WIDTH


@kernel
def hand_move(s, player, weights, scratch, int_scratch):
    """The move: the study's policy, by what is remembered of the hand."""
    seat = s.turn
    first = seat * WORTHS
    key = hand_key(s, player.offset)
    if int_scratch[seat] != key:
        inputs = int_scratch[REMEMBERED:]
        hand_inputs(s, inputs)
        if on_gpu() and player.kind != GRAPH:
            int_scratch[SEATS + seat] = reckon_in_lanes(player, weights, scratch, first, inputs)
        else:
            int_scratch[SEATS + seat] = reckon(
                player, weights[player.offset :], scratch[FLOAT_SCRATCH:], scratch[first:], inputs
            )
        int_scratch[seat] = key
    present = scratch[first + VALUES]
    kind = KIND[s.discard[s.discard_size - 1] if s.phase == DRAW else s.drawn]
    worth, best = np.float32(0.0), 0
    if kind % subwarp_size() == subwarp_rank():  # the lane that has reckoned it tells the others
        worth, best = scratch[first + kind], int_scratch[SEATS + seat] >> BITS * kind & PLACE_BITS
    worth, best = subwarp_sum(worth), subwarp_sum(best)
    if s.phase != DRAW:
        return THROW if s.source == STOCK and not worth > present else best
    if not worth > present:
        return STOCK
    known, count = known_cards(s)
    beaten = 0
    for kind in range(subwarp_rank(), VALUES, subwarp_size()):
        if scratch[first + kind] < worth:
            beaten += unknown_of_kind(known, kind)
    return DISCARD if 2 * subwarp_sum(beaten) >= CARDS - count else STOCK


@inline_kernel
def seen_kind(s, place):
    """What the player knows of a place."""
    return KIND[s.hand[s.turn, place]] if s.up[s.turn, place] else FACE_DOWN


@inline_kernel
def hand_inputs(s, inputs):
    """Write the inputs that are 1."""
    for place in range(PLACES):
        inputs[place] = place * KINDS + seen_kind(s, place)


@inline_kernel
def hand_key(s, offset):
    """A number that no other net and hand have."""
    key = 2 * offset + 1
    for place in range(PLACES):
        key = key << 4 | seen_kind(s, place)
    return key


# On a core.


@kernel
def reckon(player, net, scratch, worths, inputs):
    """Write the worth of each kind and of the hand; returns the best places. Works for evolved nets, too.

    A specialised copy of the forward pass in kernel/dense.py, 7 times as fast as that for each candidate (27 hidden units).
    tests/test_dense.py holds them equal.
    """
    hidden, evolved = player.hidden, player.kind == GRAPH
    output = hidden * WIDTH + hidden
    sums, values, candidates = scratch[:hidden], scratch[hidden:], scratch[hidden + WIDTH :]
    rows = candidates
    for h in range(hidden):
        sums[h] = rows[h] = sum_of_unit(net, h, hidden, inputs)
    second_layer(player, net, rows, values, 1)
    worths[VALUES] = values[0]
    for k in range(WIDTH):
        values[k] = net[output + hidden]
    for h in range(hidden):
        unit = net[h * WIDTH :]
        for place in range(PLACES):
            rest = sums[h] - unit[inputs[place]]
            for k in range(place * KINDS, (place + 1) * KINDS):
                rows[k] = rest + unit[k]
        if evolved:
            rows = rows[WIDTH:]
        else:
            add_unit(values, rows, net[output + h], WIDTH)
    if evolved:
        second_layer(player, net, candidates, values, WIDTH)
    for place in range(PLACES):  # the same again is worth what it was: rounding must not make it look better
        values[inputs[place]] = worths[VALUES]
    places = 0
    for kind in range(VALUES):
        best = 0
        for place in range(1, PLACES):
            if values[place * KINDS + kind] > values[best * KINDS + kind]:
                best = place
        worths[kind] = values[best * KINDS + kind]
        places |= best << BITS * kind
    return places


@inline_kernel
def sum_of_unit(net, h, hidden, inputs):
    total = net[hidden * WIDTH + h]
    for place in range(PLACES):
        total += net[h * WIDTH + inputs[place]]
    return total


# On a GPU.


@kernel
def reckon_in_lanes(player, weights, scratch, first, inputs):
    """As `reckon`; each lane writes and returns its own kinds alone."""
    net, hidden = np.uint64(player.offset), np.uint64(player.hidden)
    output = net + np.uint64(WIDTH + 1) * hidden
    sums = scratch[FLOAT_SCRATCH:]
    add_hand(weights, net, hidden, inputs, sums)
    present = value_of(weights, output, hidden, sums)
    scratch[first + VALUES] = present
    places = 0
    for kind in range(subwarp_rank(), VALUES, subwarp_size()):
        worth, best = best_place(weights, net, output, hidden, sums, inputs, kind, present)
        scratch[first + kind] = worth
        places |= best << BITS * kind
    return places


@inline_kernel
def add_hand(weights, net, hidden, inputs, sums):
    """The sum of each hidden unit."""
    a, b, c = net + np.uint64(inputs[0]), net + np.uint64(inputs[1]), net + np.uint64(inputs[2])
    d, e, f = net + np.uint64(inputs[3]), net + np.uint64(inputs[4]), net + np.uint64(inputs[5])
    bias = net + np.uint64(WIDTH) * hidden
    h = row = ZERO
    while h < hidden:
        total = weights[bias + h] + weights[a + row] + weights[b + row] + weights[c + row]
        sums[h] = total + weights[d + row] + weights[e + row] + weights[f + row]
        h += ONE
        row += np.uint64(WIDTH)


@inline_kernel
def value_of(weights, output, hidden, sums):
    value = weights[output + hidden]
    h = ZERO
    while h < hidden:
        value += weights[output + h] * sigmoid(sums[h])
        h += ONE
    return value


@inline_kernel
def best_place(weights, net, output, hidden, sums, inputs, kind, present):
    """The highest value that a card of this kind has at any place, and where: all six side by side."""
    a, b, c = net + np.uint64(inputs[0]), net + np.uint64(inputs[1]), net + np.uint64(inputs[2])
    d, e, f = net + np.uint64(inputs[3]), net + np.uint64(inputs[4]), net + np.uint64(inputs[5])
    new, step = net + np.uint64(kind), np.uint64(KINDS)
    u = v = w = x = y = z = weights[output + hidden]
    h = row = ZERO
    while h < hidden:
        total, weight = sums[h], weights[output + h]
        k = new + row
        u += weight * sigmoid(total - weights[a + row] + weights[k])
        k += step
        v += weight * sigmoid(total - weights[b + row] + weights[k])
        k += step
        w += weight * sigmoid(total - weights[c + row] + weights[k])
        k += step
        x += weight * sigmoid(total - weights[d + row] + weights[k])
        k += step
        y += weight * sigmoid(total - weights[e + row] + weights[k])
        k += step
        z += weight * sigmoid(total - weights[f + row] + weights[k])
        row += np.uint64(WIDTH)
        h += ONE
    top, best = present if inputs[0] == kind else u, 0
    top, best = better(top, best, present if inputs[1] == KINDS + kind else v, 1)
    top, best = better(top, best, present if inputs[2] == 2 * KINDS + kind else w, 2)
    top, best = better(top, best, present if inputs[3] == 3 * KINDS + kind else x, 3)
    top, best = better(top, best, present if inputs[4] == 4 * KINDS + kind else y, 4)
    return better(top, best, present if inputs[5] == 5 * KINDS + kind else z, 5)


@inline_kernel
def better(top, best, value, place):
    return (value, place) if value > top else (top, best)


@inline_kernel
def known_cards(s):
    """The cards whose place everyone knows, as bits, and how many they are."""
    known, count = ZERO, np.int64(s.discard_size)
    i, end = ZERO, np.uint64(s.discard_size)
    while i < end:
        known |= ONE << np.uint64(s.discard[i])
        i += ONE
    for seat in range(s.seats):
        for place in range(PLACES):
            if s.up[seat, place]:
                known |= ONE << np.uint64(s.hand[seat, place])
                count += 1
    return known, count


@inline_kernel
def unknown_of_kind(known, kind):
    count = 0
    for card in range(kind if kind < 13 else JOKER, JOKER if kind < 13 else CARDS, 13 if kind < 13 else 1):
        count += known >> np.uint64(card) & ONE == ZERO
    return count
