"""The fixed policy for golf networks that see only the hand: the best value of each kind of card is computed once per hand.

This specialised kernel plays games of the champion 3.3 times as fast as one that calls kernel/network.py for every candidate
(medians of nine runs on one core; same moves). A CPU core computes unit by unit, for all kinds and places at once. On a GPU memory
is scarce: it computes kind by kind from the hidden sums, and the threads of a subwarp share the kinds. Both add the same numbers
in the same order.

The scratch memory begins with the cache. Integers: a key (network and hand) per seat, then the best places per seat, three bits
per kind. Floats: per seat the value of each kind, then the value of the present hand. Other users of the scratch overwrite the
keys with numbers that are too small to be keys.
"""

import numpy as np

from sparring.games.golf.deep_policies import deep_hand_values
from sparring.games.golf.encodings import FACE_DOWN, KINDS
from sparring.games.golf.layers import SATURATING, add_unit, second_layer
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, JOKER, KIND, PLACES, STOCK, THROW, VALUES
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import DEEP, GRAPH, REMEMBERED, SEATS, SIGMOID
from sparring.kernel.maths import sigmoid
from sparring.kernel.subwarp import on_gpu, subwarp_rank, subwarp_size, subwarp_sum

# On a GPU signed indices and `range` compile to several times as many instructions as unsigned indices and `while`.
ZERO, ONE = np.uint64(0), np.uint64(1)
WIDTH = PLACES * KINDS
CACHED = VALUES + 1  # values: of each kind, and of the present hand
BITS, PLACE_BITS = 3, 7  # of a cached place: their number, and their mask
FLOAT_SCRATCH = SEATS * CACHED
INT_SCRATCH = REMEMBERED + PLACES


def float_scratch(hidden: int) -> int:
    """Scratch for a network with this many hidden units: cache, sums, values, candidates."""
    return FLOAT_SCRATCH + hidden + (hidden + 1) * WIDTH


@kernel
def hand_move(s, player, weights, scratch, int_scratch):
    """The move of the study's policy."""
    seat = s.turn
    first = seat * CACHED
    key = hand_key(s, 2 * player.offset + (player.policy == SATURATING))
    if int_scratch[seat] != key:
        inputs = int_scratch[REMEMBERED:]
        hand_inputs(s, inputs)
        if on_gpu() and player.kind == SIGMOID:
            int_scratch[SEATS + seat] = compute_in_subwarp(player, weights, scratch, first, inputs)
        else:
            work = scratch[FLOAT_SCRATCH:]
            int_scratch[SEATS + seat] = compute_values(player, weights, work, scratch[first:], inputs)
        int_scratch[seat] = key
    present = scratch[first + VALUES]
    kind = KIND[s.discard[s.discard_size - 1] if s.phase == DRAW else s.drawn]
    value, best = np.float32(0.0), 0
    if kind % subwarp_size() == subwarp_rank():  # the thread that computed it shares it by the sums below
        value, best = scratch[first + kind], int_scratch[SEATS + seat] >> BITS * kind & PLACE_BITS
    value, best = subwarp_sum(value), subwarp_sum(best)
    if s.phase != DRAW:
        return THROW if s.source == STOCK and not value > present else best
    if not value > present:
        return STOCK
    known, count = known_cards(s)
    beaten = 0
    for kind in range(subwarp_rank(), VALUES, subwarp_size()):
        if scratch[first + kind] < value:
            beaten += unknown_of_kind(known, kind)
    return DISCARD if 2 * subwarp_sum(beaten) >= CARDS - count else STOCK


@inline_kernel
def seen_kind(s, place):
    """The kind at a place as the player sees it."""
    return KIND[s.hand[s.turn, place]] if s.up[s.turn, place] else FACE_DOWN


@inline_kernel
def hand_inputs(s, inputs):
    """Write the inputs that are 1."""
    for place in range(PLACES):
        inputs[place] = place * KINDS + seen_kind(s, place)


@inline_kernel
def hand_key(s, network):
    """A number that identifies the network and the hand."""
    key = 2 * network + 1
    for place in range(PLACES):
        key = key << 4 | seen_kind(s, place)
    return key


# On a CPU core.


@kernel
def compute_values(player, weights, scratch, cached, inputs):
    """Write the value of each kind and of the present hand; returns the best places. Evolved and deep networks work, too."""
    values = scratch[player.hidden :]
    if player.kind == DEEP:
        cached[VALUES] = deep_hand_values(player, weights, scratch, inputs, values)
    else:
        cached[VALUES] = hand_values(player, weights[player.offset :], scratch, inputs, values)
    for place in range(PLACES):  # an equal card has the present value: rounding must not make it look better
        values[inputs[place]] = cached[VALUES]
    places = 0
    for kind in range(VALUES):
        best = 0
        for place in range(1, PLACES):
            if values[place * KINDS + kind] > values[best * KINDS + kind]:
                best = place
        cached[kind] = values[best * KINDS + kind]
        places |= best << BITS * kind
    return places


@kernel
def hand_values(player, net, scratch, inputs, values):
    """Write the value of each card at each place; returns that of the present hand.

    A specialised copy of the forward pass in kernel/dense.py, 7 times as fast as that for each candidate (27 hidden units).
    tests/test_dense.py compares them.
    """
    hidden, evolved = player.hidden, player.kind == GRAPH
    output = hidden * WIDTH + hidden
    sums, candidates = scratch[:hidden], scratch[hidden + WIDTH :]
    rows = candidates
    for h in range(hidden):
        sums[h] = rows[h] = sum_of_unit(net, h, hidden, inputs)
    second_layer(player, net, rows, values, 1)
    present = values[0]
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
    return present


@inline_kernel
def sum_of_unit(net, h, hidden, inputs):
    total = net[hidden * WIDTH + h]
    for place in range(PLACES):
        total += net[h * WIDTH + inputs[place]]
    return total


# On a GPU.


@kernel
def compute_in_subwarp(player, weights, scratch, first, inputs):
    """As `compute_values`; each thread writes and returns only its own kinds."""
    net, hidden = np.uint64(player.offset), np.uint64(player.hidden)
    output = net + np.uint64(WIDTH + 1) * hidden
    sums = scratch[FLOAT_SCRATCH:]
    add_hand(weights, net, hidden, inputs, sums)
    present = value_of(weights, output, hidden, sums)
    scratch[first + VALUES] = present
    places = 0
    for kind in range(subwarp_rank(), VALUES, subwarp_size()):
        scratch[first + kind], best = best_place(weights, net, output, hidden, sums, inputs, kind, present)
        places |= best << BITS * kind
    return places


@inline_kernel
def add_hand(weights, net, hidden, inputs, sums):
    """Write the sum of each hidden unit."""
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
    """The highest value that a card of this kind has at any place, and that place; computes all six places at once."""
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
    """The cards that everyone can locate, as bits, and their number."""
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
