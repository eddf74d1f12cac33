"""Gin rummy players: random, heuristics, Monte Carlo, networks under five variants of the study's policy, and networks that value
every move (table_nets.py).
"""

from sparring.games.gin import monte, nets
from sparring.games.gin.encodings import MATCH, TABLE
from sparring.games.gin.heuristics import careful_move, simple_move
from sparring.games.gin.monte import WORLDS, monte_carlo_move
from sparring.games.gin.nets import net_move
from sparring.games.gin.rules import moves
from sparring.games.gin.table_nets import table_move
from sparring.kernel.compiler import kernel
from sparring.kernel.random import chance

# In the order of POLICIES.
RANDOM, SIMPLE, CAREFUL, MONTE_CARLO, NET_MEAN, NET_ELEVEN, NET_MEAN_ELEVEN, NET_PATIENT, NET = range(9)
POLICIES = {
    "random": "every legal move is equally likely",
    "simple": "takes the upcard only if it completes a meld, throws for the least deadwood, knocks at once",
    "careful": "looks one draw ahead, does not throw what the opponent collects, and soon plays for gin or an undercut",
    "monte-carlo": "tries every move in random worlds that fit what it has seen; monte-carlo@100 uses 100 worlds",
    "net+mean": "a network that takes an upcard better than the mean of the unknown cards",
    "net+eleven": "a network that may throw a card from the stock straight back",
    "net+mean-eleven": "net+mean and net+eleven combined",
    "net+patient": "net+mean-eleven; knocks without gin only if that is clearly better than playing on",
    "net": "a trained network under the study's fixed policy: a net file or a run",
}
STRENGTHS = {"monte-carlo": WORLDS}
INT_SCRATCH = max(monte.INT_SCRATCH, nets.INT_SCRATCH)


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat to move."""
    policy = player.policy
    if policy == RANDOM:
        return int_scratch[chance(s, moves(s, int_scratch))]
    if policy == SIMPLE:
        return simple_move(s)
    if policy == CAREFUL:
        return careful_move(s)
    if policy == MONTE_CARLO:
        return monte_carlo_move(s, player.strength, int_scratch)
    if player.encoding in (TABLE, MATCH):
        return table_move(s, player, weights, scratch, int_scratch)
    patient = policy == NET_PATIENT
    mean, eleven = policy in (NET_MEAN, NET_MEAN_ELEVEN), policy in (NET_ELEVEN, NET_MEAN_ELEVEN)
    return net_move(s, player, weights, scratch, int_scratch, mean or patient, eleven or patient, patient)
