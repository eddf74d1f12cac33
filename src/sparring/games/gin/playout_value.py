"""What a seat can expect where a playout ends before the hand, by its network.

The opponent does not see the seat's hand, so the value of what the opponent sees says nothing of the seat's cards. The position is
therefore valued by what the seat itself sees, also where it is to move.
"""

import numpy as np

from sparring.games.gin.encodings import MATCH, SCALE, TABLE, inputs
from sparring.games.gin.match_score import POINTS_PER_MATCH, match_chance
from sparring.games.gin.nets import SUMS
from sparring.games.gin.table_nets import best_value
from sparring.games.gin.unit_rows import VALUES
from sparring.kernel.compiler import kernel
from sparring.kernel.dense import first_layer
from sparring.kernel.maths import sigmoid
from sparring.kernel.network import outputs


@kernel
def own_value(s, seat, player, weights, scratch, int_scratch):
    """The network's output for a seat: after its turn, or of its best move where it is to move.

    Networks on `melds` see the same after the opponent's turn as after their own.
    """
    if s.turn == seat and player.encoding in (TABLE, MATCH):
        return np.float64(sigmoid(best_value(s, player, weights, scratch, int_scratch)))
    count = inputs(s, seat, player.encoding, int_scratch, scratch)
    first_layer(player, weights, int_scratch, 0, count, scratch, VALUES, scratch, SUMS)
    outputs(player, weights, scratch, SUMS, True)
    return np.float64(scratch[SUMS + player.hidden])


@kernel
def expected_lead(s, seat, player, weights, scratch, int_scratch):
    """The points that a seat will win in the hand, minus the other's, by the value of what it sees.

    The head is `lead`, for networks on `match` it is `match`. In a match, points count what they are worth, as in `match_points`.
    """
    value = own_value(s, seat, player, weights, scratch, int_scratch)
    if player.encoding == MATCH:
        return POINTS_PER_MATCH * (value - match_chance(s, seat, 0, 0))
    lead = 2.0 * SCALE * (value - 0.5)
    if s.rules.target:
        chance = match_chance(s, seat, max(lead, 0.0), max(-lead, 0.0))
        lead = POINTS_PER_MATCH * (chance - match_chance(s, seat, 0, 0))
    return lead
