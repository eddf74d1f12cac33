"""What search needs in conquest: both sides see everything, only the random draws to come are unknown."""

from sparring.kernel.compiler import kernel
from sparring.kernel.random import key

HORIZON = 80  # moves of a playout
TILE = 2.0  # what a tile counts beside its troops
MOST = 0.9  # of a win, for a side that is ahead and has not won


@kernel
def determinize(s, seat, stream, int_scratch):
    s.stream = key(stream, seat)


@kernel
def balance(s, seat, player, weights, float_scratch, int_scratch):
    """The share of troops and tiles by which a seat is ahead."""
    own = s.tally.troops[seat] + TILE * s.tally.tiles[seat]
    enemy = s.tally.troops[1 - seat] + TILE * s.tally.tiles[1 - seat]
    return MOST * (own - enemy) / (own + enemy)
