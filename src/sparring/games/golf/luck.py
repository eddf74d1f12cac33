"""The luck of cards drawn from the stock: a network's value of the hand with the card, minus its mean over the stock."""

from sparring.games.golf.encodings import HAND
from sparring.games.golf.hand_policies import CACHED, FLOAT_SCRATCH, compute_values, hand_inputs
from sparring.games.golf.rules import KIND, PLACE, STOCK, VALUES
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import REMEMBERED

UNKNOWN = float("nan")


@kernel
def luck(s, player, weights, scratch, int_scratch, out, row):
    """Add the seat's luck with the card that it has just drawn. Networks that see more than the hand are no judges."""
    if s.phase != PLACE or s.source != STOCK:
        return
    seat = s.turn
    if player.encoding != HAND:
        out[row, seat] = UNKNOWN
        return
    inputs = int_scratch[REMEMBERED:]
    hand_inputs(s, inputs)
    cached = scratch[seat * CACHED :]
    compute_values(player, weights, scratch[FLOAT_SCRATCH:], cached, inputs)
    present = cached[VALUES]  # of a hand that throws the card away
    drawn = max(cached[KIND[s.drawn]], present)
    total = 1.0 * drawn
    for k in range(s.stock_size):
        total += max(cached[KIND[s.stock[k]]], present)
    out[row, seat] += drawn - total / (s.stock_size + 1)
