"""Networks that decide everything: of all that a turn can lead to, take what the network values most.

The network values what the player will know after its turn (column_encoding.py). To place a card is to compare the places, and
throwing it; to draw is to compare the best place for the upcard with the mean, over the unseen cards, of the best that each allows.
Only the sums of the first layer are kept, and every candidate adds the few inputs that change. In a player's last turn the
expected points are known, and decide without the network.
"""

import numpy as np

from sparring.games.golf.column_encoding import column_inputs, column_kind, share_of_kind, write_columns, write_table
from sparring.games.golf.encodings import DOWN, FACE_DOWN, GOOD, ROUND_60, TOP, UNSEEN
from sparring.games.golf.layers import second_layer
from sparring.games.golf.odds import partner, seen_at, sensible_move, unseen_kinds
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, KIND, PLACES, STOCK, THROW, VALUES, face_down
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.deep import deep_value
from sparring.kernel.launch import DEEP
from sparring.kernel.maths import sigmoid
from sparring.kernel.vectors import add_scaled, copy

ONE = np.float32(1.0)
LISTED = 40  # inputs that are not 0, at most
LISTS = VALUES + PLACES  # in the integers: unseen kinds, places to compare, then the numbers of the inputs
INT_SCRATCH = LISTS + LISTED


def float_scratch(hidden: int) -> int:
    """Scratch for a network with this many hidden units: the sums of the state, of a card drawn, of a candidate; inputs."""
    return 4 * hidden + hidden * hidden + CARDS + LISTED


@inline_kernel
def add_input(player, weights, scratch, at, number, factor):
    """Add an input to the sums of the first layer."""
    hidden = player.hidden
    if player.kind == DEEP:
        add_scaled(scratch, at, weights, player.offset + number * hidden, factor, hidden)
    else:
        for h in range(hidden):
            scratch[at + h] += factor * weights[player.offset + h * player.inputs + number]


@inline_kernel
def value_of_sums(player, weights, scratch, at):
    """The value before the output's sigmoid; the sums may be lost."""
    if player.kind == DEEP:
        return deep_value(player, weights, scratch, at)
    work = scratch[at:]
    second_layer(player, weights[player.offset :], work, work[player.hidden :], 1)
    return work[player.hidden]


@kernel
def state_sums(s, player, weights, scratch, counts, index):
    """The sums of all inputs but the top of the discard pile, at the beginning of the scratch."""
    value = scratch[3 * player.hidden :]
    count = write_table(s, s.turn, counts, index, value, 0)
    count = write_columns(s, s.turn, 0, index, value, count)
    index[count], value[count] = DOWN + face_down(s, s.turn), ONE
    copy(scratch, 0, weights, player.offset + player.inputs * player.hidden, player.hidden)
    for k in range(count + 1):
        add_input(player, weights, scratch, 0, index[k], value[k])


@kernel
def different_places(s, places):
    """List one place of those at which an exchange does the same; returns how many."""
    count = 0
    for place in range(PLACES):
        one, other, k = seen_at(s, s.turn, place), seen_at(s, s.turn, partner(place)), 0
        while k < count:
            if seen_at(s, s.turn, places[k]) == one and seen_at(s, s.turn, partner(places[k])) == other:
                break
            k += 1
        if k == count:
            places[count] = place
            count += 1
    return count


@kernel
def exchange_value(s, player, weights, kind, place, top, scratch):
    """The value of an exchange that leaves an upcard of the kind `top`, given the sums with this card drawn."""
    hidden = player.hidden
    now, after = hidden, 2 * hidden
    gone, other = seen_at(s, s.turn, place), seen_at(s, s.turn, partner(place))
    copy(scratch, after, scratch, now, hidden)
    add_input(player, weights, scratch, after, column_kind(gone, other), -ONE)
    add_input(player, weights, scratch, after, column_kind(kind, other), ONE)
    add_input(player, weights, scratch, after, TOP + top, ONE)
    if gone == FACE_DOWN:
        down = DOWN + face_down(s, s.turn)
        add_input(player, weights, scratch, after, down, -ONE)
        add_input(player, weights, scratch, after, down - 1, ONE)
    return value_of_sums(player, weights, scratch, after)


@kernel
def best_placing(s, player, weights, kind, may_throw, places, count, scratch):
    """The highest value that a card drawn can have, and its move."""
    hidden = player.hidden
    top, best = np.float32(-np.inf), 0
    for k in range(count):
        value = exchange_value(s, player, weights, kind, places[k], seen_at(s, s.turn, places[k]), scratch)
        if value > top:
            top, best = value, places[k]
    if may_throw:
        copy(scratch, 2 * hidden, scratch, hidden, hidden)
        add_input(player, weights, scratch, 2 * hidden, TOP + kind, ONE)
        value = value_of_sums(player, weights, scratch, 2 * hidden)
        if value > top:
            top, best = value, THROW
    return top, best


@kernel
def card_seen(player, weights, kind, scratch):
    """The sums after a card of a kind is no longer unseen."""
    copy(scratch, player.hidden, scratch, 0, player.hidden)
    add_input(player, weights, scratch, player.hidden, UNSEEN + kind, -share_of_kind(kind))


@kernel
def card_value(s, player, weights, kind, places, count, scratch):
    """The value, from 0 to 1, of a card drawn from the stock, given the sums before."""
    card_seen(player, weights, kind, scratch)
    return sigmoid(best_placing(s, player, weights, kind, True, places, count, scratch)[0])


@kernel
def stock_value(s, player, weights, counts, unseen, places, count, scratch):
    """The mean of the values that the unseen cards have if drawn."""
    total = np.float32(0.0)
    for kind in range(VALUES):
        if counts[kind] > 0:
            total += counts[kind] * card_value(s, player, weights, kind, places, count, scratch)
    return total / unseen


@kernel
def column_move(s, player, weights, scratch, int_scratch):
    """The move of a network with the encoding `columns`."""
    if s.ender >= 0:
        return sensible_move(s, int_scratch)
    counts, places, hidden = int_scratch[:VALUES], int_scratch[VALUES:LISTS], player.hidden
    unseen = unseen_kinds(s, s.turn, 0, counts)
    state_sums(s, player, weights, scratch, counts, int_scratch[LISTS:])
    count = different_places(s, places)
    copy(scratch, hidden, scratch, 0, hidden)
    kind = KIND[s.discard[s.discard_size - 1] if s.phase == DRAW else s.drawn]
    thrown = s.phase != DRAW and s.source == STOCK
    value, best = best_placing(s, player, weights, kind, thrown, places, count, scratch)
    if s.phase != DRAW:
        return best
    return (
        DISCARD if sigmoid(value) > stock_value(s, player, weights, counts, unseen, places, count, scratch) else STOCK
    )


@kernel
def expected_lead(s, seat, player, weights, scratch, int_scratch):
    """The points that a seat will lead by after the round, by the network's value (head `round-60`) for whoever has just played."""
    played, hidden, value = (s.turn + s.seats - 1) % s.seats, player.hidden, scratch[3 * player.hidden :]
    count = column_inputs(s, played, int_scratch, value)
    copy(scratch, 0, weights, player.offset + player.inputs * hidden, hidden)
    for k in range(count):
        add_input(player, weights, scratch, 0, int_scratch[k], value[k])
    lead = 2.0 * GOOD[ROUND_60] * (sigmoid(value_of_sums(player, weights, scratch, 0)) - 0.5)
    return lead if played == seat else -lead / (s.seats - 1)
