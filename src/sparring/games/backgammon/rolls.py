"""The rolls of two dice as chance outcomes, numbered 1-1, 2-1, 2-2, 3-1, ..."""

from sparring.games.backgammon.rules import PLAYING
from sparring.kernel.compiler import kernel


@kernel
def chance(s, k):
    """Put the k-th roll into a state; returns its probability.

    The opening roll stays, because it also decides who begins, and so do the rolls of matches, where a state does not tell whether
    a roll opens a game.
    """
    if s.phase != PLAYING or s.tally.turns == 0 or s.rules.length > 0:
        return 1.0 if k == 0 else 0.0
    larger = 1
    while k >= larger:
        k -= larger
        larger += 1
    s.dice[0], s.dice[1] = larger, k + 1
    return 1.0 / 36.0 if larger == k + 1 else 2.0 / 36.0
