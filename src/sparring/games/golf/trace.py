"""Golf games replayed from their moves, each round copied out as it was played."""

import numpy as np

from sparring.games.golf import rules
from sparring.games.golf.rules import DRAW, LONGEST, PLACES
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import SEATS

# A round as it was played, copied out of the state while a game is replayed.
Trace = np.dtype(
    [
        ("starter", np.int8),
        ("start", np.int8, (SEATS, PLACES)),
        ("start_up", np.int8, (SEATS, PLACES)),
        ("upcard", np.int8),
        ("turn_count", np.int16),
        ("turns", np.uint16, (LONGEST,)),
        ("ender", np.int8),
        ("last", np.int8),
        ("final", np.int8, (SEATS, PLACES)),
        ("final_up", np.int8, (SEATS, PLACES)),
    ],
    align=True,
)


@kernel
def trace_game(s, moves, traces):
    """Play the moves of a game that has been started, copying each round into `traces`."""
    for i in range(moves.size):
        if s.over:
            return
        trace = traces[s.round_number]
        if s.phase == DRAW:
            if s.turn_count == 0:
                trace.starter, trace.upcard = s.starter, s.discard[0]
                copy_hands(s, trace.start, trace.start_up)
            rules.draw(s, moves[i])
        else:
            trace.last = s.turn
            rules.settle(s, moves[i])
            if rules.round_is_over(s):
                trace.turn_count, trace.ender = s.turn_count, s.ender
                for k in range(s.turn_count):
                    trace.turns[k] = s.turns[k]
                copy_hands(s, trace.final, trace.final_up)
                rules.end_round(s)


@kernel
def copy_hands(s, hand, up):
    for seat in range(s.seats):
        for place in range(PLACES):
            hand[seat, place] = s.hand[seat, place]
            up[seat, place] = s.up[seat, place]
