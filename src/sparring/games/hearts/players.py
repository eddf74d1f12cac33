"""Players of hearts: what each policy's move is."""

from sparring.games.hearts import monte, nets
from sparring.games.hearts.heuristics import daring_move, expert_move, guarded_move
from sparring.games.hearts.monte import SIMULATIONS, monte_carlo_move
from sparring.games.hearts.nets import ALWAYS, DEFENDED, PLAIN, UNDEFENDED, net_move
from sparring.games.hearts.rules import moves
from sparring.games.hearts.tips import rule_move
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import below, step

RANDOM, RULE_BASED, EXPERT, GUARDED, DARING, MONTE_CARLO, SEARCHER, NET_PLAIN, NET_UNDEFENDED, NET_ALWAYS, NET = range(
    11
)
ABOUT = {
    "random": "passes and plays any legal card",
    "rule-based": "passes and plays by published tips; neither shoots moons nor stops them",
    "expert": "the same with more rules, whose numbers were found by play",
    "guarded": "the expert, who also stops moons simply",
    "daring": "the guarded, who also shoots moons with very strong hands",
    "monte-carlo": "tries its cards in deals that fit what was seen; monte-carlo@N plays N rounds out for each card it plays",
    "searcher": "a stronger Monte Carlo, by the expert's rules, that takes who alone has points to be shooting; searcher@N",
    "net+plain": "passes and plays without thinking of moons",
    "net+undefended": "shoots moons, but does not stop them",
    "net+always": "stops moons without asking, until two players have points",
    "net": "a team of up to seven networks, or one network for play: name a net file or a run",
}
STRENGTHS = {"monte-carlo": SIMULATIONS, "searcher": SIMULATIONS}
INT_SCRATCH = max(monte.INT_SCRATCH, nets.INT_SCRATCH)


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat whose turn it is; `room` and `integers` are working room."""
    policy = player.policy
    if policy == RANDOM:
        return random_move(s, int_scratch)
    if policy == RULE_BASED:
        return rule_move(s)
    if policy == EXPERT:
        return expert_move(s)
    if policy == GUARDED:
        return guarded_move(s)
    if policy == DARING:
        return daring_move(s)
    if policy in (MONTE_CARLO, SEARCHER):
        return monte_carlo_move(s, player.strength, int_scratch, policy == SEARCHER)
    return net_move(s, player, weights, scratch, int_scratch, flow_of(policy))


@inline_kernel
def flow_of(policy):
    """How much of the flow a policy uses; -1 for players that are no nets."""
    if policy == NET_PLAIN:
        return PLAIN
    if policy == NET_UNDEFENDED:
        return UNDEFENDED
    if policy == NET_ALWAYS:
        return ALWAYS
    return DEFENDED if policy == NET else -1


@kernel
def random_move(s, int_scratch):
    count = moves(s, int_scratch)
    s.luck[s.turn] = step(s.luck[s.turn])
    return int_scratch[below(s.luck[s.turn], count)]
