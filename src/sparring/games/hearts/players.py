"""Hearts players: random, heuristics, Monte Carlo, and teams of networks under four policy variants."""

from sparring.games.hearts import nets, tricks, uct
from sparring.games.hearts.heuristics import daring_move, guarded_move
from sparring.games.hearts.monte import SIMULATIONS, monte_carlo_move
from sparring.games.hearts.nets import ALWAYS, DEFENDED, PLAIN, UNDEFENDED, net_move
from sparring.games.hearts.rule_based import heuristic_move
from sparring.games.hearts.rules import moves
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import chance

# In the order of POLICIES.
RANDOM, RULE_BASED, EXPERT, GUARDED, DARING, UCT, MONTE_CARLO = range(7)
SEARCHER, NET_PLAIN, NET_UNDEFENDED, NET_ALWAYS, NET = range(7, 12)
POLICIES = {
    "random": "every legal card is equally likely",
    "rule-based": "passes and plays by published tips; neither shoots moons nor stops them",
    "expert": "plays by more rules, with weights tuned by play; ignores moons",
    "guarded": "the expert, and stops moons by simple rules",
    "daring": "the guarded player, and shoots moons with very strong hands",
    "uct": "a small search tree with random playouts, as the study's reference; passes and stops moons by rules; uct@N iterations",
    "monte-carlo": "tries its cards in random deals that fit what it has seen; monte-carlo@N uses N simulations per card",
    "searcher": "a stronger Monte Carlo player that simulates by the expert's rules and expects moons; searcher@N",
    "net+plain": "a team of networks that ignores moons",
    "net+undefended": "a team of networks that shoots moons but does not stop them",
    "net+always": "a team of networks that defends against moons until two players have points",
    "net": "a team of up to seven networks, or one network for play: a net file or a run",
}
STRENGTHS = {"uct": uct.ITERATIONS, "monte-carlo": SIMULATIONS, "searcher": SIMULATIONS}
INT_SCRATCH = max(tricks.INT_SCRATCH, nets.INT_SCRATCH, uct.INT_SCRATCH)


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat to move."""
    policy = player.policy
    if policy == RANDOM:
        return int_scratch[chance(s, moves(s, int_scratch))]
    if policy in (RULE_BASED, EXPERT):
        return heuristic_move(s, policy == EXPERT)
    if policy == GUARDED:
        return guarded_move(s)
    if policy == DARING:
        return daring_move(s)
    if policy == UCT:
        return uct.uct_move(s, player.strength, int_scratch)
    if policy in (MONTE_CARLO, SEARCHER):
        return monte_carlo_move(s, player.strength, int_scratch, policy == SEARCHER)
    return net_move(s, player, weights, scratch, int_scratch, flow_of(policy))


@inline_kernel
def flow_of(policy):
    """The part of the decision flow that a policy uses; -1 for players without networks."""
    if policy == NET_PLAIN:
        return PLAIN
    if policy == NET_UNDEFENDED:
        return UNDEFENDED
    if policy == NET_ALWAYS:
        return ALWAYS
    return DEFENDED if policy == NET else -1
