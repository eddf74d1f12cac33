"""The luck of the dice: the value of a roll with the best play, minus its mean over all rolls, by a network's values."""

from sparring.games.backgammon import nets
from sparring.games.backgammon.plays import plays
from sparring.games.backgammon.rules import FIXED, PLAYING
from sparring.kernel.compiler import kernel

WORST = -2.0
UNKNOWN = float("nan")


@kernel
def best_value(s, larger, smaller, player, weights, scratch, ints):
    """The value of a roll for the seat to play, after `prepare_plays`."""
    top = WORST
    for i in range(plays(s.board, s.turn, larger, smaller, ints)):
        value = nets.play_value(
            s.board, s.turn, ints[i], larger, smaller, player, weights, scratch, ints, s.rules.single
        )
        top = max(top, value)
    return top


@kernel
def expected_value(s, player, weights, scratch, ints):
    """The mean value of a roll."""
    total = 0.0
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            weight = 1.0 if larger == smaller else 2.0
            total += weight * best_value(s, larger, smaller, player, weights, scratch, ints)
    return total / 36.0


@kernel
def luck(s, move, player, weights, scratch, ints, out, row):
    """Add each seat's luck with the roll that is about to be played, in points.

    The dice that decide who begins favour both seats alike, so their mean value is 0. Matches of several games are not judged:
    where a game of them begins cannot be seen from the state.
    """
    if s.phase != PLAYING:
        return
    first, seat = s.tally.turns == 0, s.turn
    if first and s.rules.dice[0] > 0:
        return
    nets.prepare_plays(s.board, seat, player, weights, scratch, ints)
    lucky = best_value(s, s.dice[0], s.dice[1], player, weights, scratch, ints)
    if not first or s.rules.first == FIXED:
        lucky -= expected_value(s, player, weights, scratch, ints)
    lucky *= s.cube * (1.0 if s.rules.single else nets.WON)
    if s.rules.length > 0:
        lucky = UNKNOWN
    out[row, seat] += lucky
    out[row, 1 - seat] -= lucky
