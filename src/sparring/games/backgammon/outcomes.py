"""The outcomes of a position in the kernels of a search: five chances of a side.

They are win, gammon or better won, backgammon won, gammon or worse lost, backgammon lost. Those of a network with one output are
its value scaled from 0 to 1, then zeros.
"""

from sparring.games.backgammon.nets import WON
from sparring.games.backgammon.plays import points_won
from sparring.kernel.compiler import inline_kernel
from sparring.kernel.launch import LINEAR

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0)
UNKNOWN = (-1.0, 0.0, 0.0, 0.0, 0.0)


@inline_kernel
def has_five(player):
    return player.outputs == 5 and player.kind != LINEAR


@inline_kernel
def flipped(outcomes):
    """The outcomes of the other side."""
    return 1.0 - outcomes[0], outcomes[3], outcomes[4], outcomes[1], outcomes[2]


@inline_kernel
def value_of(outcomes, five, single):
    """From -1 to 1."""
    if single or not five:
        return 2.0 * outcomes[0] - 1.0
    more, less = outcomes[1] + outcomes[2], outcomes[3] + outcomes[4]
    return (2.0 * outcomes[0] - 1.0 + more - less) / WON


@inline_kernel
def known(outcomes, player, single):
    """Exact outcomes as this network would say them."""
    if has_five(player):
        return outcomes
    return 0.5 + 0.5 * value_of(outcomes, True, single), 0.0, 0.0, 0.0, 0.0


@inline_kernel
def won(board, seat, player, single):
    """The outcomes of a game that a side has won."""
    points = points_won(board, seat)
    gammon, backgammon = 1.0 if points > 1 else 0.0, 1.0 if points > 2 else 0.0
    return known((1.0, gammon, backgammon, 0.0, 0.0), player, single)


@inline_kernel
def add(total, weight, outcomes):
    """A sum of outcomes, with a weight for those that are added."""
    return (
        total[0] + weight * outcomes[0],
        total[1] + weight * outcomes[1],
        total[2] + weight * outcomes[2],
        total[3] + weight * outcomes[3],
        total[4] + weight * outcomes[4],
    )
