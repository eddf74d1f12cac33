"""Gin rummy players: random, heuristics, Monte Carlo, and nets under the study's policy in five manners."""

from sparring.games.gin import monte, nets
from sparring.games.gin.heuristics import careful_move, simple_move
from sparring.games.gin.monte import WORLDS, monte_carlo_move
from sparring.games.gin.nets import net_move
from sparring.games.gin.rules import moves
from sparring.kernel.compiler import kernel
from sparring.kernel.random import below, step

RANDOM, SIMPLE, CAREFUL, MONTE_CARLO, NET_MEAN, NET_ELEVEN, NET_MEAN_ELEVEN, NET_PATIENT, NET = range(
    9
)  # in the order of ABOUT
ABOUT = {
    "random": "every legal move is equally likely",
    "simple": "takes the upcard only if it melds, throws what leaves the least deadwood, knocks at once",
    "careful": "looks a draw ahead, does not throw what the other collects, and soon plays for gin or an undercut",
    "monte-carlo": "tries every move in worlds that fit what it has seen; monte-carlo@100 in a hundred of them",
    "net+mean": "a network that takes an upcard better than the mean of the unknown cards",
    "net+eleven": "a network that may throw a card from the stock straight back",
    "net+mean-eleven": "both",
    "net+patient": "both, and without gin it knocks only if it values that clearly more than playing on",
    "net": "a trained network under the study's fixed policy: name a net file or a run",
}
STRENGTHS = {"monte-carlo": WORLDS}
INT_SCRATCH = max(monte.INT_SCRATCH, nets.INT_SCRATCH)


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat whose turn it is; `room` and `integers` are working room."""
    policy = player.policy
    if policy == RANDOM:
        return random_move(s, int_scratch)
    if policy == SIMPLE:
        return simple_move(s)
    if policy == CAREFUL:
        return careful_move(s)
    if policy == MONTE_CARLO:
        return monte_carlo_move(s, player.strength, int_scratch)
    patient = policy == NET_PATIENT
    mean, eleven = policy in (NET_MEAN, NET_MEAN_ELEVEN), policy in (NET_ELEVEN, NET_MEAN_ELEVEN)
    return net_move(s, player, weights, scratch, int_scratch, mean or patient, eleven or patient, patient)


@kernel
def random_move(s, int_scratch):
    count = moves(s, int_scratch)
    s.luck[s.turn] = step(s.luck[s.turn])
    return int_scratch[below(s.luck[s.turn], count)]
