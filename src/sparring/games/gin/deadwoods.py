"""The least deadwood of many hands at once, to measure how fast it is found."""

from sparring.games.gin.melds import deadwood
from sparring.kernel.compiler import kernel


@kernel
def all_deadwood(hands):
    total = 0
    for i in range(hands.size):
        total += deadwood(hands[i])
    return total
