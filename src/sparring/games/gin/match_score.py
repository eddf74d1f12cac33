"""The score of a match in gin rummy: the points that each seat still needs, what they tell a network, and who will win.

The encoding `match` is `table` and the inputs of `add_score`; the head `match` is the chance to win the match after the hand.
"""

import numpy as np

from sparring.games.gin.rules import MATCH
from sparring.games.gin.table_encoding import MOST_ACTIVE as MOST_OF_TABLE
from sparring.games.gin.table_encoding import TABLE_INPUTS
from sparring.kernel.compiler import inline_kernel, kernel

# One input each for being so near to the end of the match: what a knock, gin or an undercut brings.
NEAR = (10, 20, 30, 40, 55, 75)
SCORE_INPUTS = 2 * (1 + len(NEAR))
MATCH_INPUTS = TABLE_INPUTS + SCORE_INPUTS
MOST_ACTIVE = MOST_OF_TABLE + SCORE_INPUTS  # inputs that are not 0
# Fitted to the chances that follow from the points of 3,000 hands of a network with `simple`, if each player wins every other hand.
SHIFT, POWER = 200.0, 6.4
POINTS_PER_MATCH = 200.0  # in which search measures a match: a point of a hand then counts about 1


@inline_kernel
def needed(s, points):
    """The points that a seat with so many needs to win the match; of a single hand, to win one to 100."""
    return max((s.rules.target if s.rules.target else MATCH) - points, 0)


@kernel
def winning_chance(mine, theirs):
    """The chance of a seat to win the match, by the points that it and its opponent need."""
    if mine == 0 or theirs == 0:
        return 1.0 if theirs else 0.0
    return 1.0 / (1.0 + ((mine + SHIFT) / (theirs + SHIFT)) ** POWER)


@kernel
def match_chance(s, seat, mine, theirs):
    """The chance of a seat if it and its opponent win so many points more."""
    own, other = s.tally.score[seat] + mine, s.tally.score[1 - seat] + theirs
    if s.rules.target == 0:
        own, other = own + s.before[seat], other + s.before[1 - seat]
    return winning_chance(needed(s, own), needed(s, other))


@kernel
def match_points(s, before, seat):
    """What a seat has gained, for search: in a match the chance to win it, otherwise points."""
    if s.rules.target:
        return POINTS_PER_MATCH * (match_chance(s, seat, 0, 0) - match_chance(before, seat, 0, 0))
    lead = s.tally.score[seat] - s.tally.score[1 - seat]
    return np.float64(lead - (before.tally.score[seat] - before.tally.score[1 - seat]))


@kernel
def add_score(s, seat, index, value, count):
    """Write the inputs for the score before the hand; returns how many there are with the others."""
    at = TABLE_INPUTS
    for side in range(2):
        need = needed(s, s.before[seat if side == 0 else 1 - seat])
        index[count], value[count] = at, np.float32(0.01) * min(need, MATCH)
        count, at = count + 1, at + 1
        for least in NEAR:
            if need <= least:
                index[count], value[count] = at, np.float32(1.0)
                count += 1
            at += 1
    return count
