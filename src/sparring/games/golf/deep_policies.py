"""The fixed policy for deep golf networks: see hand_policies.py and table_policies.py.

Deep networks are input-major in every game. Candidates are evaluated one by one, each from the first layer's sums of the present
state and the rows of the inputs that change.
"""

import numpy as np

from sparring.games.golf import encodings
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, PLACES, STOCK, THROW, VALUES
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.deep import deep_value
from sparring.kernel.dense import first_layer_of_ones
from sparring.kernel.vectors import add_scaled, copy

ONE = np.float32(1.0)
SUMS = 0  # in the scratch memory: the first layer's sums of the present state


@inline_kernel
def add_input(player, weights, scratch, at, number, factor):
    """Add an input, unless its number is -1, to the sums."""
    if number >= 0:
        add_scaled(scratch, at, weights, player.offset + number * player.hidden, factor, player.hidden)


@kernel
def deep_hand_values(player, weights, scratch, inputs, values):
    """Write the value of each kind at each place; returns that of the present hand. `values` follow the sums in the scratch."""
    hidden, after = player.hidden, player.hidden + PLACES * encodings.KINDS
    first_layer_of_ones(player, weights, inputs, PLACES, scratch, SUMS)
    for place in range(PLACES):
        for k in range(place * encodings.KINDS, place * encodings.KINDS + VALUES):
            copy(scratch, after, scratch, SUMS, hidden)
            add_input(player, weights, scratch, after, inputs[place], -ONE)
            add_input(player, weights, scratch, after, k, ONE)
            values[k] = deep_value(player, weights, scratch, after)
    return deep_value(player, weights, scratch, SUMS)


@kernel
def deep_table_move(s, player, weights, scratch, int_scratch):
    """The move of a network that sees the table."""
    where, active, hidden = int_scratch[:CARDS], int_scratch[CARDS:], player.hidden
    encodings.locate(s, s.turn, where)
    count = encodings.active_inputs(s, s.turn, player.encoding, where, active)
    first_layer_of_ones(player, weights, active, count, scratch, SUMS)
    card = np.int64(s.discard[s.discard_size - 1] if s.phase == DRAW else s.drawn)
    value, best = exchange_value(s, player, weights, card, where[card], scratch)
    copy(scratch, hidden, scratch, SUMS, hidden)
    if s.phase != DRAW and s.source == STOCK:
        add_input(player, weights, scratch, hidden, encodings.table_input(card, encodings.DISCARDED), ONE)
    present = deep_value(player, weights, scratch, hidden)
    if s.phase != DRAW:
        return THROW if s.source == STOCK and not value > present else best
    if not value > present:
        return STOCK
    unknown = beaten = 0
    for other in range(CARDS):
        if where[other] == encodings.UNKNOWN:
            unknown += 1
            beaten += exchange_value(s, player, weights, other, encodings.UNKNOWN, scratch)[0] < value
    return DISCARD if 2 * beaten >= unknown else STOCK


@kernel
def exchange_value(s, player, weights, card, location, scratch):
    """The highest value of exchanging `card`, now at `location`, with a place, and that place."""
    encoding, hidden, after = player.encoding, player.hidden, player.hidden
    top, best = np.float32(-np.inf), 0
    for place in range(PLACES):
        copy(scratch, after, scratch, SUMS, hidden)
        add_input(player, weights, scratch, after, encodings.hand_input(s, s.turn, encoding, place), -ONE)
        if s.up[s.turn, place]:
            thrown = encodings.table_input(s.hand[s.turn, place], encodings.DISCARDED)
            add_input(player, weights, scratch, after, thrown, ONE)
        add_input(player, weights, scratch, after, encodings.place_input(encoding, place, card), ONE)
        if location >= 0:
            add_input(player, weights, scratch, after, encodings.table_input(card, location), -ONE)
        value = deep_value(player, weights, scratch, after)
        if value > top:
            top, best = value, place
    return top, best
