"""The rule `score` of coevolution, for cores and GPU: which side is worse, and how it changes.

A side is 0 for the player and 1 for its opponent. Threads may share the weights of a net: `first` and `step` say which are whose.
"""

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.random import normal_pair

CHANGES = ("moved", "replaced", "mutated")
MOVED, REPLACED, MUTATED = range(3)


@kernel
def decide(lead, threshold):
    """The side that changes, and its change, given the player's lead in points per game."""
    worse = 1 if lead > 0 else 0
    if abs(lead) > 2 * threshold:
        return worse, REPLACED
    return (worse, MOVED) if abs(lead) > threshold else (1, MUTATED)


@kernel
def move_towards(weights, at, source, size, move, first, step):
    """Move the net at `at` a share of the way towards the net at `source`."""
    for k in range(first, size, step):
        weights[at + k] += move * (weights[source + k] - weights[at + k])


@kernel
def mutate(weights, at, source, size, mutation, stream, first, step):
    """Make the net at `at` a mutated copy of the net at `source`, which may be itself."""
    for k in range(2 * first, size, 2 * step):
        one, two = normal_pair(stream, k)
        weights[at + k] = weights[source + k] + mutation * np.float32(one)
        if k + 1 < size:
            weights[at + k + 1] = weights[source + k + 1] + mutation * np.float32(two)
