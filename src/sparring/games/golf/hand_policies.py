"""The fixed policy for golf networks that see only the hand: the best value of each kind of card is computed once per hand.

This specialised kernel plays games of the champion 3.3 times as fast as one that calls kernel/network.py for every candidate
(medians of nine runs on one core; same moves). A CPU core computes unit by unit, for all kinds and places at once. On a GPU memory
is scarce: it computes place by place from the hidden sums, seven kinds at once, and the threads of a subwarp share that work.

The scratch memory begins with the cache. Integers: a key (network and hand) per seat, then the best places per seat, three bits
per kind. Floats: per seat the value of each kind, then the value of the present hand. Other users of the scratch overwrite the
keys with numbers that are too small to be keys.
"""

import numpy as np

from sparring.games.golf.deep_policies import deep_hand_values
from sparring.games.golf.encodings import FACE_DOWN, KINDS
from sparring.games.golf.layers import SATURATING, add_unit, second_layer
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, JOKER, KIND, PLACES, STOCK, THROW, VALUES
from sparring.kernel.bits import count_bits
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import DEEP, GRAPH, REMEMBERED, SEATS, SIGMOID
from sparring.kernel.maths import tanh
from sparring.kernel.subwarp import on_gpu, subwarp_best, subwarp_rank, subwarp_size, subwarp_sum

# On a GPU signed indices and `range` compile to several times as many instructions as unsigned indices and `while`.
ZERO, ONE = np.uint64(0), np.uint64(1)
WIDTH = PLACES * KINDS
CACHED = VALUES + 1  # values: of each kind, and of the present hand
BITS, PLACE_BITS = 3, 7  # of a cached place: their number, and their mask
GROUPS = 2  # of kinds; a thread of a GPU computes one at once
GROUP = VALUES // GROUPS
SUITS = 4
SUITED = np.uint64(sum(1 << suit * (VALUES - 1) for suit in range(SUITS)))  # the aces, as bits
HALF, LEAST = np.float32(0.5), np.float32(-1e30)
FLOAT_SCRATCH = SEATS * CACHED
INT_SCRATCH = REMEMBERED + PLACES


def float_scratch(hidden: int) -> int:
    """Scratch for a network with this many hidden units: cache, sums, values, candidates."""
    return FLOAT_SCRATCH + hidden + (hidden + 1) * WIDTH


@inline_kernel
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
    kind = kind_of(s.discard[s.discard_size - 1] if s.phase == DRAW else s.drawn)
    value, best = scratch[first + kind], int_scratch[SEATS + seat] >> BITS * kind & PLACE_BITS
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
def kind_of(card):
    """The kind of a card. A GPU's threads wait for each other where they read different places of a table."""
    if on_gpu():
        return np.int64(np.uint32(card) % np.uint32(VALUES - 1)) if card < JOKER else np.int64(VALUES - 1)
    return np.int64(KIND[card])


@inline_kernel
def seen_kind(s, place):
    """The kind at a place as the player sees it."""
    return kind_of(s.hand[s.turn, place]) if s.up[s.turn, place] else FACE_DOWN


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


@inline_kernel
def compute_in_subwarp(player, weights, scratch, first, inputs):
    """As `compute_values`; the threads share the places and two groups of kinds, and all get the results."""
    net, hidden = np.uint64(player.offset), np.uint64(player.hidden)
    output = net + np.uint64(WIDTH + 1) * hidden
    sums, places = scratch[FLOAT_SCRATCH:], 0
    add_hand(weights, net, hidden, inputs, sums)
    least = half_output(weights, output, hidden)
    present = value_of(weights, output, hidden, sums, least)
    scratch[first + VALUES] = present
    for kind in range(VALUES):
        scratch[first + kind] = LEAST
    for task in range(subwarp_rank(), PLACES * GROUPS, subwarp_size()):
        place, kinds = task // GROUPS, task % GROUPS * GROUP
        old, new = np.uint64(inputs[place]), np.uint64(place * KINDS + kinds)
        values = values_of_group(weights, net, output, hidden, sums, old, new, least)
        for k in range(GROUP):
            value = present if old == new + np.uint64(k) else values[k]
            if value > scratch[first + kinds + k]:
                scratch[first + kinds + k] = value
                places = with_place(places, kinds + k, place)
    return shared_by_subwarp(scratch, first, places)


@inline_kernel
def with_place(places, kind, place):
    return places & ~(PLACE_BITS << BITS * kind) | place << BITS * kind


@inline_kernel
def shared_by_subwarp(scratch, first, places):
    """The best of what the threads have found for each kind."""
    for kind in range(VALUES if subwarp_size() > 1 else 0):
        place = places >> BITS * kind & PLACE_BITS
        scratch[first + kind], place = subwarp_best(scratch[first + kind], place)
        places = with_place(places, kind, place)
    return places


@inline_kernel
def add_hand(weights, net, hidden, inputs, sums):
    """Write half the sum of each hidden unit, as `tanh` wants it."""
    a, b, c = net + np.uint64(inputs[0]), net + np.uint64(inputs[1]), net + np.uint64(inputs[2])
    d, e, f = net + np.uint64(inputs[3]), net + np.uint64(inputs[4]), net + np.uint64(inputs[5])
    bias = net + np.uint64(WIDTH) * hidden
    h = row = ZERO
    while h < hidden:
        total = weights[bias + h] + weights[a + row] + weights[b + row] + weights[c + row]
        sums[h] = HALF * (total + weights[d + row] + weights[e + row] + weights[f + row])
        h += ONE
        row += np.uint64(WIDTH)


@inline_kernel
def half_output(weights, output, hidden):
    """The output's sum if each hidden unit were 1/2. A unit is that plus half of its `tanh`."""
    value = weights[output + hidden]
    h = ZERO
    while h < hidden:
        value += HALF * weights[output + h]
        h += ONE
    return value


@inline_kernel
def value_of(weights, output, hidden, sums, least):
    value, h = least, ZERO
    while h < hidden:
        value += HALF * weights[output + h] * tanh(sums[h])
        h += ONE
    return value


@inline_kernel
def values_of_group(weights, net, output, hidden, sums, old, new, least):
    """The values of cards of GROUP kinds from input `new` on in the place of the card of input `old`, all at once."""
    a = b = c = d = e = f = g = least
    k, gone, h = net + new, net + old, ZERO
    while h < hidden:
        weight, rest = HALF * weights[output + h], sums[h] - HALF * weights[gone]
        a += weight * tanh(rest + HALF * weights[k])
        b += weight * tanh(rest + HALF * weights[k + ONE])
        c += weight * tanh(rest + HALF * weights[k + np.uint64(2)])
        d += weight * tanh(rest + HALF * weights[k + np.uint64(3)])
        e += weight * tanh(rest + HALF * weights[k + np.uint64(4)])
        f += weight * tanh(rest + HALF * weights[k + np.uint64(5)])
        g += weight * tanh(rest + HALF * weights[k + np.uint64(6)])
        k += np.uint64(WIDTH)
        gone += np.uint64(WIDTH)
        h += ONE
    return a, b, c, d, e, f, g


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
    """How many cards of a kind are not among these."""
    if kind < VALUES - 1:
        return SUITS - count_bits(known & SUITED << np.uint64(kind))
    return CARDS - JOKER - count_bits(known >> np.uint64(JOKER))
