"""The policy of nets that see the hand alone, for a GPU: candidate by candidate, because there memory is short, not arithmetic.

The sums of the hidden units are kept; every candidate is valued from them in one pass, without an array of its own, and the lanes
of a game share the candidates. The same sums in the same order as in players.py, which cores are quicker with.
"""

import numpy as np

from sparring.games.golf.encodings import HAND, KINDS, hand_input
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, JOKER, KIND, PLACES, STOCK, THROW
from sparring.kernel.compiler import kernel, leaf
from sparring.kernel.lanes import best_of_lanes, lane, lanes, sum_of_lanes
from sparring.kernel.maths import sigmoid

# Places are unsigned and loops count by hand: signed ones, and `range`, take several times as many steps on a GPU.
ZERO, ONE = np.uint64(0), np.uint64(1)
WIDTH = np.uint64(PLACES * KINDS)
FAR = -1e30


@kernel
def hand_move(s, player, weights, sums, inputs):
    """The move; `inputs` and `sums` are working room for the inputs that are 1 and the sums of the hidden units."""
    net, hidden = np.uint64(player.offset), np.uint64(player.hidden)
    output = net + (WIDTH + ONE) * hidden
    for place in range(PLACES):
        inputs[place] = hand_input(s, s.turn, HAND, place)
    add_hand(weights, net, hidden, inputs, sums)
    present = value_of(weights, output, hidden, sums)
    kind = KIND[s.discard[s.discard_size - 1] if s.phase == DRAW else s.drawn]
    worth, best = FAR, PLACES
    for place in range(lane(), PLACES, lanes()):
        value = exchanged(weights, net, output, hidden, sums, inputs[place], place * KINDS + kind, present)
        if value > worth:
            worth, best = value, place
    worth, best = best_of_lanes(worth, best)
    if s.phase != DRAW:
        return THROW if s.source == STOCK and not worth > present else best
    if not worth > present:
        return STOCK
    known, count = known_cards(s)
    beaten = 0
    for kind in range(lane(), KINDS - 1, lanes()):
        cards = unknown_of_kind(known, kind)
        if cards > 0 and not best_place(weights, net, output, hidden, sums, inputs, kind) >= worth:
            beaten += cards
    return DISCARD if 2 * sum_of_lanes(beaten) >= CARDS - count else STOCK


@leaf
def add_hand(weights, net, hidden, inputs, sums):
    """The sum of each hidden unit."""
    a, b, c = net + np.uint64(inputs[0]), net + np.uint64(inputs[1]), net + np.uint64(inputs[2])
    d, e, f = net + np.uint64(inputs[3]), net + np.uint64(inputs[4]), net + np.uint64(inputs[5])
    bias = net + WIDTH * hidden
    h = row = ZERO
    while h < hidden:
        total = weights[bias + h] + weights[a + row] + weights[b + row] + weights[c + row]
        sums[h] = total + weights[d + row] + weights[e + row] + weights[f + row]
        h += ONE
        row += WIDTH


@leaf
def value_of(weights, output, hidden, sums):
    value = weights[output + hidden]
    h = ZERO
    while h < hidden:
        value += weights[output + h] * sigmoid(sums[h])
        h += ONE
    return value


@leaf
def exchanged(weights, net, output, hidden, sums, leaves, arrives, present):
    """The value after one input has taken the place of another; the same again is worth what it was."""
    if leaves == arrives:
        return present
    old, new = net + np.uint64(leaves), net + np.uint64(arrives)
    value = weights[output + hidden]
    h = ZERO
    while h < hidden:
        value += weights[output + h] * sigmoid(sums[h] - weights[old] + weights[new])
        old += WIDTH
        new += WIDTH
        h += ONE
    return value


@leaf
def best_place(weights, net, output, hidden, sums, inputs, kind):
    """The highest value that a card of this kind has at a place where another lies: all six side by side."""
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
        row += WIDTH
        h += ONE
    best = np.float32(FAR)
    best = max(best, u if inputs[0] != kind else best)
    best = max(best, v if inputs[1] != KINDS + kind else best)
    best = max(best, w if inputs[2] != 2 * KINDS + kind else best)
    best = max(best, x if inputs[3] != 3 * KINDS + kind else best)
    best = max(best, y if inputs[4] != 4 * KINDS + kind else best)
    return max(best, z if inputs[5] != 5 * KINDS + kind else best)


@leaf
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


@leaf
def unknown_of_kind(known, kind):
    count = 0
    for card in range(kind if kind < 13 else JOKER, JOKER if kind < 13 else CARDS, 13 if kind < 13 else 1):
        count += known >> np.uint64(card) & ONE == ZERO
    return count
