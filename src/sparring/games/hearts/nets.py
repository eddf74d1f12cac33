"""Teams of hearts networks: one network for each of seven roles, and the flow that selects the role for a move (docs/hearts.md).

Values are of the state after the card. The first layer is updated, not recomputed: a card adds the difference of two rows to the
sums of the present state.
"""

import numpy as np

from sparring.games.deck import CARDS, bit, lowest_card
from sparring.games.hearts import encodings, rules
from sparring.games.hearts.rule_based import heuristic_move
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.deep import deep_value
from sparring.kernel.dense import Dense, first_layer_of_ones
from sparring.kernel.launch import DEEP, SEATS, TEAM
from sparring.kernel.maths import sigmoid
from sparring.kernel.network import HEAD
from sparring.kernel.vectors import add_scaled, copy

PLAYING, PASSING, MOON_DECISION, MOON_PLAYING, MOON_PASSING, DEFENCE_DECISION, DEFENCE_PLAYING = range(7)
ROLES = {
    "play": "play",
    "pass": "pass",
    "moon-decision": "hand",
    "moon-play": "play",
    "moon-pass": "pass",
    "defence-decision": "play",
    "defence-play": "play",
}  # and the encoding of each
BY_RULES = -1
PLAIN, UNDEFENDED, DEFENDED, ALWAYS = range(4)  # the part of the flow that is used
THRESHOLD = np.float32(0.5)  # of the defence decision, if the team does not set one
ONE, LEAST = np.float32(1.0), np.float32(-1e30)

SUMS, ROWS = 0, 5  # in the float scratch: each unit's sum, then four more rows
INT_SCRATCH = CARDS  # the numbers of inputs


def float_scratch(hidden: int) -> int:
    """Scratch for a network with this many hidden units."""
    return ROWS * hidden


@inline_kernel
def part_of(player, weights, role):
    """A role's network: its offset, hidden units (0 for none), offset of the output weights, and threshold."""
    if player.kind == TEAM:
        head = player.offset + role * HEAD
        at, out = player.offset + np.int64(weights[head]), player.offset + np.int64(weights[head + 2])
        return at, np.int64(weights[head + 1]), out, weights[head + 3]
    views = (encodings.PLAY_VIEW, encodings.PASS_VIEW, encodings.HAND_VIEW)
    mine = role <= MOON_DECISION and player.encoding == views[min(role, MOON_DECISION)]
    return player.offset, player.hidden if mine else 0, player.offset + (player.inputs + 1) * player.hidden, THRESHOLD


@inline_kernel
def has_role(player, weights, role):
    return part_of(player, weights, role)[1] > 0


@inline_kernel
def add_up(weights, at, inputs, units, index, count, scratch):
    """Write the first layer's sums for inputs that are 1."""
    first_layer_of_ones(Dense(at, inputs, units, 1), weights, index, count, scratch, SUMS)


@inline_kernel
def output_sum(weights, out, scratch, sums, units, work):
    """The output's sum for the first layer's sums; its sigmoid is omitted where values are only compared.

    A specialised copy of `output_sum` in kernel/dense.py: it keeps the sums, is 1.06 times as fast as copying them first (40 hidden
    units), and adds the bias first, on which the moves of trained teams depend. tests/test_dense.py compares them.
    """
    a, b, w = np.uint64(sums), np.uint64(work), np.uint64(out)
    n = np.uint64(units)
    for h in range(n):
        scratch[b + h] = weights[w + h] * sigmoid(scratch[a + h])
    total = weights[w + n]
    for h in range(n):
        total += scratch[b + h]
    return total


@kernel
def role_of(s, player, weights, scratch, int_scratch, flow):
    """The role that decides the move of the seat to move; a round's plan is stored in the state."""
    seat = s.turn
    if s.plan[seat] == rules.UNDECIDED:
        hopes = flow > PLAIN and means_moon(s, player, weights, scratch, int_scratch)
        s.plan[seat] = rules.NORMAL if not hopes else rules.HOPED if dares(player, weights) else rules.MOON
    if s.phase == rules.PASS:
        if s.plan[seat] in (rules.MOON, rules.HOPED) and has_role(player, weights, MOON_PASSING):
            return MOON_PASSING
        return PASSING if has_role(player, weights, PASSING) else BY_RULES
    if flow > PLAIN and dares(player, weights) and s.plan[seat] != rules.MOON:
        if promises_moon(s, player, weights, scratch):
            s.plan[seat] = rules.MOON
    if s.plan[seat] == rules.MOON and others_points(s, seat) == 0:
        return MOON_PLAYING
    if flow > UNDEFENDED and has_role(player, weights, DEFENCE_PLAYING):
        if flow == ALWAYS and is_threatened(s):
            return DEFENCE_PLAYING
        if flow == DEFENDED and is_threatened(s) and means_defence(s, player, weights, scratch, int_scratch):
            return DEFENCE_PLAYING
    return PLAYING if has_role(player, weights, PLAYING) else BY_RULES


@kernel
def means_moon(s, player, weights, scratch, int_scratch):
    """Whether a seat tries the moon with its hand."""
    at, units, out, threshold = part_of(player, weights, MOON_DECISION)
    if s.rules.moon == rules.OFF or units == 0 or not has_role(player, weights, MOON_PLAYING):
        return False
    if threshold <= 0:
        return True
    count = encodings.list_cards(s.dealt[s.turn], 0, int_scratch, 0)
    add_up(weights, at, encodings.INPUTS[encodings.HAND_VIEW], units, int_scratch, count, scratch)
    return sigmoid(output_sum(weights, out, scratch, SUMS, units, units)) >= threshold


@inline_kernel
def dares(player, weights):
    """Whether a team may begin to shoot the moon with any card: its network for moon play has a threshold."""
    found = part_of(player, weights, MOON_PLAYING)
    return player.kind == TEAM and found[1] > 0 and found[3] > 0


@kernel
def promises_moon(s, player, weights, scratch):
    """Whether the chance to shoot the moon after the best card is high enough."""
    if s.rules.moon == rules.OFF or others_points(s, s.turn) != 0:
        return False
    best = best_valued(
        s.hand[s.turn], s.played, rules.trick_cards(s), MOON_PLAYING, player, weights, scratch, rules.legal_cards(s)
    )
    return sigmoid(best[1]) >= part_of(player, weights, MOON_PLAYING)[3]


@kernel
def means_defence(s, player, weights, scratch, int_scratch):
    """Whether a seat decides to defend against another's moon."""
    at, units, out, threshold = part_of(player, weights, DEFENCE_DECISION)
    if units == 0:
        return False
    count = encodings.list_places(s, s.turn, int_scratch, 0)
    add_up(weights, at, encodings.INPUTS[encodings.PLAY_VIEW], units, int_scratch, count, scratch)
    return sigmoid(output_sum(weights, out, scratch, SUMS, units, units)) >= threshold


@inline_kernel
def others_points(s, seat):
    """The point cards that other seats have taken."""
    cards = np.int64(0)
    for other in range(SEATS):
        if other != seat:
            cards |= s.won[other] & rules.POINT_CARDS
    return cards


@kernel
def is_threatened(s):
    """Whether another seat may still shoot the moon."""
    holders = 0
    for seat in range(SEATS):
        holders += (s.won[seat] & rules.POINT_CARDS) != 0
    return s.rules.moon != rules.OFF and holders <= 1 and (s.won[s.turn] & rules.POINT_CARDS) == 0


@kernel
def is_suspect(s):
    """Whether another seat seems to shoot the moon: it alone has points, hearts among them."""
    taken = np.int64(0)
    for seat in range(SEATS):
        taken |= s.won[seat]
    return taken & rules.ALL_HEARTS != 0 and is_threatened(s)


@kernel
def role_move(s, role, player, weights, scratch, int_scratch):
    """The move that a role's network chooses."""
    if role == BY_RULES:
        return heuristic_move(s, False)
    if s.phase == rules.PASS:
        if s.wish[s.turn] == 0:
            s.wish[s.turn] = best_three(s, role, player, weights, scratch, int_scratch)
        return lowest_card(s.wish[s.turn] & ~s.passed[s.turn])
    return best_of(s.hand[s.turn], s.played, rules.trick_cards(s), role, player, weights, scratch, rules.legal_cards(s))


@kernel
def best_of(hand, gone, others, role, player, weights, scratch, legal):
    """The legal card with the highest value, for a hand, the cards gone, and the others' cards of the trick."""
    if legal & (legal - 1) == 0:
        return lowest_card(legal)
    return best_valued(hand, gone, others, role, player, weights, scratch, legal)[0]


@kernel
def best_valued(hand, gone, others, role, player, weights, scratch, legal):
    """The same card, also if it is the only one, and the sum of the network's output."""
    at, units, out, _ = part_of(player, weights, role)
    copy(scratch, SUMS, weights, at + encodings.INPUTS[encodings.PLAY_VIEW] * units, units)
    for card in range(CARDS):
        one = bit(card)
        place = (
            encodings.MINE
            if hand & one
            else encodings.GONE
            if gone & one
            else encodings.BY_OTHERS
            if others & one
            else encodings.ELSEWHERE
        )
        add_scaled(scratch, SUMS, weights, at + (encodings.PLACES * card + place) * units, ONE, units)
    best, most = lowest_card(legal), LEAST
    while legal:
        card = lowest_card(legal)
        legal &= legal - 1
        less, more = (
            np.uint64(at + (encodings.PLACES * card + encodings.MINE) * units),
            np.uint64(at + (encodings.PLACES * card + encodings.BY_ME) * units),
        )
        next_sums = np.uint64(units)
        for h in range(np.uint64(units)):
            scratch[next_sums + h] = scratch[h] + (weights[more + h] - weights[less + h])
        if player.kind == DEEP:
            value = deep_value(player, weights, scratch, units)
        else:
            value = output_sum(weights, out, scratch, units, units, 2 * units)
        if value > most:
            best, most = card, value
    return best, most


@kernel
def best_three(s, role, player, weights, scratch, int_scratch):
    """The three cards to pass with the highest value, of all combinations."""
    at, units, out, _ = part_of(player, weights, role)
    count = encodings.list_cards(s.dealt[s.turn], 0, int_scratch, 0)
    add_up(weights, at, encodings.INPUTS[encodings.PASS_VIEW], units, int_scratch, count, scratch)
    best, most = np.int64(0), LEAST
    for a in range(count):
        add_card(weights, at, units, int_scratch[a], scratch, SUMS, units)
        for b in range(a + 1, count):
            add_card(weights, at, units, int_scratch[b], scratch, units, 2 * units)
            for c in range(b + 1, count):
                add_card(weights, at, units, int_scratch[c], scratch, 2 * units, 3 * units)
                if player.kind == DEEP:
                    value = deep_value(player, weights, scratch, 3 * units)
                else:
                    value = output_sum(weights, out, scratch, 3 * units, units, 4 * units)
                if value > most or best == 0:  # even if their value is not a number
                    best, most = bit(int_scratch[a]) | bit(int_scratch[b]) | bit(int_scratch[c]), value
    return best


@inline_kernel
def add_card(weights, at, units, card, scratch, before, after):
    """Write the sums with one more card passed."""
    row, a, b = np.uint64(at + (CARDS + card) * units), np.uint64(before), np.uint64(after)
    for h in range(np.uint64(units)):
        scratch[b + h] = scratch[a + h] + weights[row + h]


@kernel
def net_move(s, player, weights, scratch, int_scratch, flow):
    """The move of a team, or of a single network."""
    role = role_of(s, player, weights, scratch, int_scratch, flow)
    s.tally.defended[s.turn] += role == DEFENCE_PLAYING
    return role_move(s, role, player, weights, scratch, int_scratch)
