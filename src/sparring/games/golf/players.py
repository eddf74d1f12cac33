"""Golf players: random, the study's greedier player in two interpretations, `sensible` (odds.py), and networks.

The study's fixed policy compares the values of the hands that a card can make: see hand_policies.py for networks that see only
the hand, table_policies.py for those that see the table, deep_policies.py for deep networks. Networks with the encoding `columns`
decide everything by what they value: see column_policies.py.
"""

from sparring.games.golf import column_policies, hand_policies, odds, table_policies
from sparring.games.golf.deep_policies import deep_table_move
from sparring.games.golf.encodings import COLUMN, HAND
from sparring.games.golf.rules import DISCARD, DRAW, KIND, PLACES, POINTS, STOCK, THROW, face_down
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import DEEP
from sparring.kernel.random import chance

RANDOM, GREEDIER, GREEDIER_PUBLISHED, NET, SATURATING, SENSIBLE = range(6)  # in the order of POLICIES
POLICIES = {
    "random": "every legal move is equally likely",
    "greedier": "takes an upcard of at most 6 points, improves the first face-up card that scores more, else chooses at random",
    "greedier-published": "greedier, but judges the upcard by its raw value (a king is 13): the player of the study's tables",
    "net": "a trained network: a net file or a run; under the study's fixed policy unless its encoding is columns",
    "net+saturating": "compares the outputs of an evolved network after neat-python's sigmoid, which makes large sums equal",
    "sensible": "makes the exchange that saves most points this turn, with odds for face-down cards, or throws the card away",
}
TAKEN_UP_TO = 6  # points of the upcard
INT_SCRATCH = max(module.INT_SCRATCH for module in (hand_policies, table_policies, column_policies, odds))


def float_scratch(hidden: int) -> int:
    """Scratch for a network with this many hidden units."""
    return max(int(module.float_scratch(hidden)) for module in (hand_policies, table_policies, column_policies))


@inline_kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat to move. Inlined, so that a GPU's compiler knows in which memory the weights are."""
    if player.policy in (NET, SATURATING):
        if player.encoding == COLUMN:
            return column_policies.column_move(s, player, weights, scratch, int_scratch)
        if player.encoding == HAND:
            return hand_policies.hand_move(s, player, weights, scratch, int_scratch)
        if player.kind == DEEP:
            return deep_table_move(s, player, weights, scratch, int_scratch)
        return table_policies.table_move(s, player, weights, scratch, int_scratch)
    if player.policy == RANDOM:
        return random_move(s)
    if player.policy == SENSIBLE:
        return odds.sensible_move(s, int_scratch)
    return greedier_move(s, player.policy == GREEDIER_PUBLISHED)


@kernel
def random_move(s):
    if s.phase == DRAW:
        return chance(s, 2)
    return chance(s, PLACES if s.source == DISCARD else PLACES + 1)


@kernel
def greedier_move(s, by_raw_value):
    if s.phase == DRAW:
        kind = KIND[s.discard[s.discard_size - 1]]
        points = POINTS[kind]
        if by_raw_value and kind < 13:
            points = kind + 1
        return STOCK if points > TAKEN_UP_TO else DISCARD
    seat = s.turn
    for place in range(PLACES):
        if s.up[seat, place] and POINTS[KIND[s.hand[seat, place]]] > POINTS[KIND[s.drawn]]:
            return place
    return random_face_down(s, seat)


@kernel
def random_face_down(s, seat):
    """A random face-down place; a card from the stock may go to the discard pile with the same probability."""
    down = face_down(s, seat)
    pick = chance(s, down if s.source == DISCARD else down + 1)
    for place in range(PLACES):
        if not s.up[seat, place]:
            if pick == 0:
                return place
            pick -= 1
    return THROW
