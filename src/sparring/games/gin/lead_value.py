"""What a network says about a hand in progress, for searches that cut playouts off."""

import numpy as np

from sparring.games.gin.encodings import MATCH, SCALE, inputs
from sparring.games.gin.match_score import POINTS_PER_MATCH, match_chance
from sparring.games.gin.nets import SUMS
from sparring.kernel.compiler import kernel
from sparring.kernel.dense import first_layer
from sparring.kernel.network import outputs


@kernel
def expected_lead(s, seat, player, weights, scratch, int_scratch):
    """The points that a seat will win in the hand, minus the other's, by the network's value for whoever threw.

    The head is `lead`, for networks on `match` it is `match`. In a match, points count what they are worth, as in `match_points`.
    """
    threw = 1 - s.turn
    count = inputs(s, threw, player.encoding, int_scratch, scratch)
    first_layer(player, weights, int_scratch, 0, count, scratch, 0, scratch, SUMS)
    outputs(player, weights, scratch, SUMS, True)
    value = np.float64(scratch[SUMS + player.hidden])
    if player.encoding == MATCH:
        lead = POINTS_PER_MATCH * (value - match_chance(s, threw, 0, 0))
    else:
        lead = 2.0 * SCALE * (value - 0.5)
        if s.rules.target:
            chance = match_chance(s, threw, max(lead, 0.0), max(-lead, 0.0))
            lead = POINTS_PER_MATCH * (chance - match_chance(s, threw, 0, 0))
    return lead if threw == seat else -lead
