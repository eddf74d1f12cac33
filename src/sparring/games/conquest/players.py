"""Conquest players: random, a sound one without a net, the study's two reds, and nets under three policies."""

from sparring.games.conquest import nets, values
from sparring.games.conquest.chances import deterministic_red, random_move
from sparring.games.conquest.greedy import greedy_move
from sparring.games.conquest.rules import IDLE
from sparring.kernel.compiler import kernel

ABOUT = {  # in the order of the policies' numbers
    "random": "every legal move but idling is equally likely",
    "greedy": "the conquest that the fewest moves bring about: attack, else walk there, else produce; then fills the map",
    "red": "the study's deterministic red: attack if it has fewer tiles, else produce if it has few troops, else any move",
    "idle": "the study's static red: never moves",
    "net+coordinates": "a network of six outputs: source and target by row and column",
    "net+value": "a network that values the board after each move, with a few numbers of troops for each",
    "net": "the study's network: produce or not, source, target and troops; name a net file or a run",
}
RANDOM, GREEDY, RED, STATIC, COORDINATES, VALUE, NET = range(len(ABOUT))
DECODINGS = {"net": 4, "net+coordinates": 6, "net+value": 1}  # outputs
INT_SCRATCH = values.INT_SCRATCH


def float_scratch(hidden: int) -> int:
    """The working room that a net with this many hidden units needs."""
    return values.float_scratch(hidden)


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat whose turn it is; `room` and `integers` are working room."""
    policy = player.policy
    if policy == NET:
        return nets.net_move(s, player, weights, scratch, int_scratch)
    if policy == RANDOM:
        return random_move(s, int_scratch)
    if policy == STATIC:
        return IDLE
    if policy == COORDINATES:
        return nets.coordinates_move(s, player, weights, scratch, int_scratch)
    if policy == VALUE:
        return values.value_move(s, player, weights, scratch, int_scratch)
    return deterministic_red(s, int_scratch) if policy == RED else greedy_move(s, int_scratch)
