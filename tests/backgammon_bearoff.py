"""Bear-offs once more, in plain Python on tuples of checkers on points 1 to 6: what the compiled tables are compared with."""

from functools import cache
from itertools import product

ROLLS = [(one, two) for one in range(1, 7) for two in range(1, 7)]  # all 36
OVER = (0,) * 6


def positions(most):
    """All home positions of at most so many checkers."""
    return [each for each in product(range(most + 1), repeat=6) if sum(each) <= most]


def moved(position, die):
    """The positions after one die; none if there is no checker."""
    found = set()
    highest = max((point for point in range(1, 7) if position[point - 1]), default=0)
    for point in range(1, 7):
        if position[point - 1] and (point >= die or point == highest):
            after = list(position)
            after[point - 1] -= 1
            if point > die:
                after[point - die - 1] += 1
            found.add(tuple(after))
    return found


@cache
def reached(position, one, two):
    """The positions after a roll: at home every die can be played until no checker is left."""
    found = set()
    for dice in ([one] * 4,) if one == two else ((one, two), (two, one)):
        ends = {position}
        for die in dice:
            ends = {after for end in ends for after in (moved(end, die) or {end})}
        found |= ends
    return found


@cache
def mean_rolls(position):
    if position == OVER:
        return 0.0
    return 1 + sum(min(map(mean_rolls, reached(position, *roll))) for roll in ROLLS) / 36


@cache
def distribution(position):
    """The probabilities of needing 0, 1, 2, ... rolls, with plays that minimize the mean."""
    if position == OVER:
        return (1.0,)
    found = [0.0] * 40
    for roll in ROLLS:
        best = min(reached(position, *roll), key=mean_rolls)
        for rolls, chance in enumerate(distribution(best)[:39]):
            found[rolls + 1] += chance / 36
    return tuple(found)


@cache
def first_off(position, checkers=15):
    """The distribution of the rolls to the first checker off, with plays that minimize its mean."""
    if sum(position) < checkers:
        return (1.0,)
    found = [0.0] * 40
    for roll in ROLLS:
        best = min((first_off(end) for end in reached(position, *roll)), key=mean_of)
        for rolls, chance in enumerate(best[:39]):
            found[rolls + 1] += chance / 36
    return tuple(found)


def mean_of(chances):
    return sum(rolls * chance for rolls, chance in enumerate(chances))


@cache
def equities(mover, other):
    """Money equities before the roll if the cube is not turned now: no cube, in the middle, own, the other side's."""
    if other == OVER:
        return (-1.0,) * 4
    sums = [0.0] * 4
    for roll in ROLLS:
        ends = [turned(other, end) for end in reached(mover, *roll)]
        for state, theirs in enumerate((0, 1, 3, 2)):  # what is mine is not available to the other side
            sums[state] += max(-end[theirs] for end in ends) / 36
    return tuple(sums)


def turned(mover, other):
    """The same with the right cube action."""
    cubeless, centred, own, unavailable = equities(mover, other)
    if other == OVER:
        return equities(mover, other)
    double = min(1.0, 2 * unavailable)
    return cubeless, max(centred, double), max(own, double), unavailable
