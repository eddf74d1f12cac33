"""The fixed policy for golf networks that see the table: as in hand_policies.py, for every card instead of every kind.

The first layer is updated, not recomputed: an exchange adds the difference of two weights to each hidden sum of the present
state. The search stops as soon as the move is certain. The output's sigmoid is omitted because it changes no comparison.
"""

from sparring.games.golf import encodings
from sparring.games.golf.layers import add_unit, copy, second_layer
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, KIND, PLACES, STOCK, THROW
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import GRAPH

INT_SCRATCH = 2 * CARDS + PLACES  # the location of each card, and the inputs that are 1


def float_scratch(hidden: int) -> int:
    """Scratch for a network with this many hidden units: values, sums, six shifted sums each, candidates."""
    return PLACES + hidden * (1 + PLACES) + (hidden + 1) * PLACES * CARDS


@kernel
def table_move(s, player, weights, scratch, int_scratch):
    net = weights[player.offset :]
    hidden = player.hidden
    values = scratch[:PLACES]
    sums = scratch[PLACES:]
    shift = sums[hidden:]
    work = shift[hidden * PLACES :]
    where = int_scratch[:CARDS]
    encodings.locate(s, s.turn, where)
    state_sums(s, player, net, where, int_scratch[CARDS:], sums)
    exchange_shifts(s, player, net, sums, shift)
    if s.phase == DRAW:
        return net_draw(s, player, net, where, sums, shift, work, values)
    return net_place(s, player, net, where, sums, shift, work, values)


@kernel
def state_sums(s, player, net, where, active, sums):
    """Write each hidden unit's sum for the present state."""
    count = encodings.active_inputs(s, s.turn, player.encoding, where, active)
    bias = player.hidden * player.inputs
    for h in range(player.hidden):
        row = h * player.inputs
        total = net[bias + h]
        for k in range(count):
            total += net[row + active[k]]
        sums[h] = total


@kernel
def exchange_shifts(s, player, net, sums, shift):
    """Write each hidden unit's sum after the card at each place has gone to the discard pile."""
    encoding = player.encoding
    for place in range(PLACES):
        leaves = encodings.hand_input(s, s.turn, encoding, place)
        arrives = -1
        if s.up[s.turn, place]:
            arrives = encodings.table_input(s.hand[s.turn, place], encodings.DISCARDED)
        for h in range(player.hidden):
            total = sums[h]
            if leaves >= 0:
                total -= net[h * player.inputs + leaves]
            if arrives >= 0:
                total += net[h * player.inputs + arrives]
            shift[h * PLACES + place] = total


@kernel
def exchange_values(player, net, card, location, shift, work, values):
    """Write the value of exchanging `card`, now at `location`, with each place; returns the best place."""
    hidden, encoding = player.hidden, player.encoding
    leaves = encodings.table_input(card, location) if location >= 0 else -1
    for place in range(PLACES):
        arrives = encodings.place_input(encoding, place, card)
        for h in range(hidden):
            row = h * player.inputs
            total = shift[h * PLACES + place] + net[row + arrives]
            if leaves >= 0:
                total -= net[row + leaves]
            work[h * PLACES + place] = total
    second_layer(player, net, work, values, PLACES)
    best = 0
    for place in range(1, PLACES):
        if values[place] > values[best]:
            best = place
    return best


@kernel
def value_of_sums(player, net, sums, extra, work):
    """The value for given hidden sums, with the input `extra` added unless it is -1."""
    hidden = player.hidden
    for h in range(hidden):
        work[h] = sums[h]
        if extra >= 0:
            work[h] += net[h * player.inputs + extra]
    second_layer(player, net, work, work[hidden:], 1)
    return work[hidden]


@kernel
def net_draw(s, player, net, where, sums, shift, work, values):
    """Take the upcard if it improves the hand and is better than at least half of the unknown cards."""
    present = value_of_sums(player, net, sums, -1, work)
    upcard = s.discard[s.discard_size - 1]
    best = exchange_values(player, net, upcard, encodings.DISCARDED, shift, work, values)
    value = values[best]
    if not value > present:
        return STOCK
    unknown, beaten = count_beaten(player, net, where, value, shift, work)
    return DISCARD if 2 * beaten >= unknown else STOCK


@kernel
def count_beaten(player, net, where, value, shift, work):
    """The number of unknown cards, and of those with less value than `value`."""
    hidden, width = player.hidden, PLACES * CARDS
    output = hidden * player.inputs + hidden
    evolved = player.kind == GRAPH
    values, rows = work[:width], work[width:]
    for k in range(width):
        values[k] = net[output + hidden]
    for h in range(hidden):
        unit = net[h * player.inputs :]
        for place in range(PLACES):
            row = rows[place * CARDS :]
            if player.encoding == encodings.STATE:
                copy(unit[encodings.table_input(0, encodings.MINE + place) :], row, CARDS)
            else:
                spread_kinds(unit[encodings.place_input(player.encoding, place, 0) :], row)
            add_difference(row, shift[h * PLACES + place], unit[encodings.table_input(0, encodings.UNKNOWN) :], CARDS)
        if evolved:
            rows = rows[width:]
        else:
            add_unit(values, rows, net[output + h], width)
    if evolved:
        second_layer(player, net, work[width:], values, width)
    unknown = beaten = 0
    for card in range(CARDS):
        if where[card] == encodings.UNKNOWN:
            unknown += 1
            beaten += best_of(values, card) < value
    return unknown, beaten


# Loops over contiguous arrays are functions of their own, so that they vectorise.


@kernel
def spread_kinds(source, target):
    for card in range(CARDS):
        target[card] = source[KIND[card]]


@kernel
def add_difference(target, more, less, n):
    for k in range(n):
        target[k] = more + target[k] - less[k]


@kernel
def best_of(values, card):
    best = values[card]
    for place in range(1, PLACES):
        best = max(best, values[place * CARDS + card])
    return best


@kernel
def net_place(s, player, net, where, sums, shift, work, values):
    """The best exchange; a card from the stock that does not improve the hand is thrown."""
    extra = -1
    if s.source == STOCK:
        extra = encodings.table_input(s.drawn, encodings.DISCARDED)
    present = value_of_sums(player, net, sums, extra, work)
    best = exchange_values(player, net, s.drawn, where[s.drawn], shift, work, values)
    if s.source == STOCK and not values[best] > present:
        return THROW
    return best
