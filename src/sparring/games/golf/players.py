"""Golf players: random, the study's greedier random player in two readings, and nets under the study's fixed policy.

The policy values the hands a card could make. It keeps each hidden unit's sum for the present state and adds the
difference of two weights for every exchange, instead of computing a first layer anew; where nothing can be gained it
stops early. The sigmoid of the output is left out: it changes no comparison.
"""

from sparring.games.golf.encodings import (
    DISCARDED,
    HAND,
    KINDS,
    MINE,
    STATE,
    UNKNOWN,
    active_inputs,
    hand_input,
    locate,
    place_input,
    sees_table,
    table_input,
)
from sparring.games.golf.lanes import hand_move
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, KIND, PLACES, POINTS, STOCK, THROW, face_down
from sparring.kernel.compiler import kernel
from sparring.kernel.lanes import on_gpu
from sparring.kernel.launch import GRAPH
from sparring.kernel.maths import sigmoids
from sparring.kernel.network import evolved_rows
from sparring.kernel.random import below, step

RANDOM, GREEDIER, GREEDIER_PUBLISHED, NET = range(4)  # in the order of ABOUT
ABOUT = {
    "random": "every legal move is equally likely",
    "greedier": "takes an upcard of at most 6 points, improves the first face-up card that scores more, else chooses at random",
    "greedier-published": "the same, but judges the upcard by its raw value (a king is 13): the player of the study's tables",
    "net": "a trained network under the study's fixed policy: name a net file or a run",
}
WORTH_TAKING = 6  # greedier takes an upcard of at most this


@kernel
def choose(s, player, weights, room, integers):
    """The move of the seat whose turn it is; `room` and `integers` are working room."""
    if player.policy == NET:
        return net_move(s, player, weights, room, integers)
    if player.policy == RANDOM:
        return random_move(s)
    return greedier_move(s, player.policy == GREEDIER_PUBLISHED)


@kernel
def chance(s, n):
    s.luck[s.turn] = step(s.luck[s.turn])
    return below(s.luck[s.turn], n)


@kernel
def random_move(s):
    if s.phase == DRAW:
        return chance(s, 2)
    return chance(s, PLACES if s.source == DISCARD else PLACES + 1)


@kernel
def greedier_move(s, by_raw_value):
    if s.phase == DRAW:
        kind = KIND[s.discard[s.discard_size - 1]]
        worth = POINTS[kind]
        if by_raw_value and kind < 13:
            worth = kind + 1
        return STOCK if worth > WORTH_TAKING else DISCARD
    seat = s.turn
    for place in range(PLACES):
        if s.up[seat, place] and POINTS[KIND[s.hand[seat, place]]] > POINTS[KIND[s.drawn]]:
            return place
    return random_face_down(s, seat)


@kernel
def random_face_down(s, seat):
    """One of the face-down places or, for a card from the stock, as likely as each of them, the discard pile."""
    down = face_down(s, seat)
    pick = chance(s, down if s.source == DISCARD else down + 1)
    for place in range(PLACES):
        if not s.up[seat, place]:
            if pick == 0:
                return place
            pick -= 1
    return THROW


INTEGERS = 2 * CARDS + PLACES  # where each card is, and the inputs that are 1


def floats(hidden: int) -> int:
    """Working room for the policy of a net with this many hidden units: values, its sums, six shifts each, candidates."""
    return PLACES + hidden * (1 + PLACES) + (hidden + 1) * PLACES * CARDS


@kernel
def net_move(s, player, weights, room, integers):
    if on_gpu() and player.encoding == HAND and player.kind != GRAPH:
        return hand_move(s, player, weights, room, integers)
    net = weights[player.offset :]
    hidden = player.hidden
    values = room[:PLACES]
    sums = room[PLACES:]
    shift = sums[hidden:]
    work = shift[hidden * PLACES :]
    where = integers[:CARDS]
    locate(s, s.turn, where)
    state_sums(s, player, net, where, integers[CARDS:], sums)
    exchange_shifts(s, player, net, sums, shift)
    if s.phase == DRAW:
        return net_draw(s, player, net, where, sums, shift, work, values)
    return net_place(s, player, net, where, sums, shift, work, values)


@kernel
def state_sums(s, player, net, where, active, sums):
    """Each hidden unit's weighted sum of the present state."""
    count = active_inputs(s, s.turn, player.encoding, where, active)
    bias = player.hidden * player.inputs
    for h in range(player.hidden):
        row = h * player.inputs
        total = net[bias + h]
        for k in range(count):
            total += net[row + active[k]]
        sums[h] = total


@kernel
def exchange_shifts(s, player, net, sums, shift):
    """Each hidden unit's sum once the card at each place has gone to the discard pile."""
    encoding = player.encoding
    for place in range(PLACES):
        leaves = hand_input(s, s.turn, encoding, place)
        arrives = -1
        if sees_table(encoding) and s.up[s.turn, place]:
            arrives = table_input(s.hand[s.turn, place], DISCARDED)
        for h in range(player.hidden):
            total = sums[h]
            if leaves >= 0:
                total -= net[h * player.inputs + leaves]
            if arrives >= 0:
                total += net[h * player.inputs + arrives]
            shift[h * PLACES + place] = total


@kernel
def exchange_values(s, player, net, card, location, present, shift, work, values):
    """The value of exchanging `card`, which lies at `location`, with each place; returns the best place."""
    hidden, encoding = player.hidden, player.encoding
    leaves = table_input(card, location) if sees_table(encoding) and location >= 0 else -1
    for place in range(PLACES):
        arrives = place_input(encoding, place, card)
        for h in range(hidden):
            row = h * player.inputs
            total = shift[h * PLACES + place] + net[row + arrives]
            if leaves >= 0:
                total -= net[row + leaves]
            work[h * PLACES + place] = total
    second_layer(player, net, work, values, PLACES)
    best = 0
    for place in range(PLACES):
        if same_again(s, encoding, place, card):
            values[place] = present
        if values[place] > values[best]:
            best = place
    return best


@kernel
def second_layer(player, net, work, values, width):
    """The values of `width` candidates from their sums, which lie unit by unit and are lost."""
    hidden = player.hidden
    output = hidden * player.inputs + hidden
    if player.kind == GRAPH:
        copy(work[evolved_rows(player, net, output, work, 0, width) :], values, width)
        return
    sigmoids(work, hidden * width)
    for k in range(width):
        values[k] = net[output + hidden]
    for h in range(hidden):
        for k in range(width):
            values[k] += net[output + h] * work[h * width + k]


@kernel
def same_again(s, encoding, place, card):
    """Whether the exchange changes no input: rounding must not make the same hand look better than itself."""
    return encoding == HAND and s.up[s.turn, place] and KIND[s.hand[s.turn, place]] == KIND[card]


@kernel
def value_of_sums(player, net, sums, extra, work):
    """The net's value given its hidden sums, with one more input switched on unless `extra` is -1."""
    hidden = player.hidden
    for h in range(hidden):
        work[h] = sums[h]
        if extra >= 0:
            work[h] += net[h * player.inputs + extra]
    second_layer(player, net, work, work[hidden:], 1)
    return work[hidden]


@kernel
def net_draw(s, player, net, where, sums, shift, work, values):
    """Take the upcard if it improves the hand and is better than at least half of the unknown cards, one by one."""
    present = value_of_sums(player, net, sums, -1, work)
    upcard = s.discard[s.discard_size - 1]
    best = exchange_values(s, player, net, upcard, DISCARDED, present, shift, work, values)
    worth = values[best]
    if not worth > present:
        return STOCK
    if player.encoding == HAND:
        unknown, beaten = count_beaten_kinds(s, player, net, where, present, worth, shift, work)
    else:
        unknown, beaten = count_beaten_cards(player, net, where, worth, shift, work)
    return DISCARD if 2 * beaten >= unknown else STOCK


@kernel
def count_beaten_kinds(s, player, net, where, present, worth, shift, work):
    """How many cards are unknown, and how many of them are worth less than `worth`: suits make no difference."""
    hidden, width = player.hidden, PLACES * KINDS
    output = hidden * width + hidden
    evolved = player.kind == GRAPH
    values, rows = work[:width], work[width:]
    for k in range(width):
        values[k] = net[output + hidden]
    for h in range(hidden):
        unit = net[h * width :]
        for place in range(PLACES):
            total = shift[h * PLACES + place]
            for k in range(place * KINDS, (place + 1) * KINDS):
                rows[k] = total + unit[k]
        if evolved:
            rows = rows[width:]
        else:
            add_unit(values, rows, net[output + h], width)
    if evolved:
        second_layer(player, net, work[width:], values, width)
    for place in range(PLACES):
        if s.up[s.turn, place]:
            values[place * KINDS + KIND[s.hand[s.turn, place]]] = present
    unknown = beaten = 0
    for card in range(CARDS):
        if where[card] == UNKNOWN:
            unknown += 1
            beaten += best_of(values, KIND[card], KINDS) < worth
    return unknown, beaten


@kernel
def count_beaten_cards(player, net, where, worth, shift, work):
    """The same where the net tells every card from every other."""
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
            if player.encoding == STATE:
                copy(unit[table_input(0, MINE + place) :], row, CARDS)
            else:
                spread_kinds(unit[place_input(player.encoding, place, 0) :], row)
            add_difference(row, shift[h * PLACES + place], unit[table_input(0, UNKNOWN) :], CARDS)
        if evolved:
            rows = rows[width:]
        else:
            add_unit(values, rows, net[output + h], width)
    if evolved:
        second_layer(player, net, work[width:], values, width)
    unknown = beaten = 0
    for card in range(CARDS):
        if where[card] == UNKNOWN:
            unknown += 1
            beaten += best_of(values, card, CARDS) < worth
    return unknown, beaten


# Loops over contiguous arrays, each in a function of its own so that it vectorises.


@kernel
def copy(source, target, n):
    for k in range(n):
        target[k] = source[k]


@kernel
def spread_kinds(source, target):
    for card in range(CARDS):
        target[card] = source[KIND[card]]


@kernel
def add_difference(target, more, less, n):
    for k in range(n):
        target[k] = more + target[k] - less[k]


@kernel
def add_unit(values, rows, weight, n):
    """Add one hidden unit's share to n values."""
    sigmoids(rows, n)
    for k in range(n):
        values[k] += weight * rows[k]


@kernel
def best_of(values, kind, kinds):
    best = values[kind]
    for place in range(1, PLACES):
        best = max(best, values[place * kinds + kind])
    return best


@kernel
def net_place(s, player, net, where, sums, shift, work, values):
    """The best exchange; a card from the stock that improves nothing is thrown."""
    extra = -1
    if s.source == STOCK and sees_table(player.encoding):
        extra = table_input(s.drawn, DISCARDED)
    present = value_of_sums(player, net, sums, extra, work)
    best = exchange_values(s, player, net, s.drawn, where[s.drawn], present, shift, work, values)
    if s.source == STOCK and not values[best] > present:
        return THROW
    return best
