"""What search needs in conquest: both sides see everything, only the random draws to come are unknown."""

import numpy as np

from sparring.games.conquest.rules import CODES, FULL, PLACES, most_sent
from sparring.games.conquest.value_nets import ends_badly, sensible
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


@kernel
def candidates(s, out):
    """Write the moves that networks compare and that do not end the game badly, and return their number."""
    count, sign = np.int64(0), 1 - 2 * s.turn
    for source in range(s.rules.tiles):
        here = sign * s.board[source]
        for place in range(-1, PLACES if here > 0 else -1):
            target = source if place < 0 else np.int64(s.rules.near[source, place])
            if target < 0 or (place < 0 and here == FULL):
                continue
            there = sign * s.board[target]
            for troops in range(1, 2 if place < 0 else 1 + most_sent(here, there)):
                move = source * CODES if place < 0 else source * CODES + place * FULL + troops
                if (place < 0 or sensible(troops, here, there)) and not ends_badly(s, move):
                    out[count] = move
                    count += 1
    return count
