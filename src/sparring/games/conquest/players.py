"""Conquest policies: random, greedy, the study's two red players, and three policy variants for networks."""

from sparring.games.conquest.greedy import greedy_move
from sparring.games.conquest.move_nets import coordinates_move, net_move
from sparring.games.conquest.random_moves import deterministic_red, random_move
from sparring.games.conquest.rules import IDLE
from sparring.games.conquest.value_nets import value_move
from sparring.kernel.compiler import kernel

POLICIES = {
    "random": "chooses uniformly among legal moves other than idling",
    "greedy": "pursues the conquest that needs the fewest moves: attacks, else walks there, else produces; then fills the map",
    "red": "the study's deterministic red: attacks if it has fewer tiles, else produces if it has few troops, else moves at random",
    "idle": "the study's static red: never moves",
    "net+coordinates": "a network with six outputs: source and target by row and column",
    "net+value": "a network that evaluates the board after each move, for a few numbers of troops",
    "net": "the study's network: produce or not, source, target and troops; name a net file or a run",
}
RANDOM, GREEDY, RED, STATIC, COORDINATES, VALUE, NET = range(len(POLICIES))
DECODINGS = {"net": 4, "net+coordinates": 6, "net+value": 1}  # outputs


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat to move."""
    policy = player.policy
    if policy == NET:
        return net_move(s, player, weights, scratch, int_scratch)
    if policy == RANDOM:
        return random_move(s, int_scratch)
    if policy == STATIC:
        return IDLE
    if policy == COORDINATES:
        return coordinates_move(s, player, weights, scratch, int_scratch)
    if policy == VALUE:
        return value_move(s, player, weights, scratch, int_scratch)
    return deterministic_red(s, int_scratch) if policy == RED else greedy_move(s, int_scratch)
