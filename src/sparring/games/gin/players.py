"""Gin rummy players: random, heuristics, Monte Carlo, networks under five variants of the study's policy, and networks that value
every move (table_nets.py).
"""

from functools import cache
from typing import Any

import numpy as np

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


@cache
def chooser(plain: bool, searches: bool, moved: bool, valued: bool) -> Any:
    """The kernel `choose` for some players, which may be random.

    It says whether some follow plain rules, some search, and some networks follow the study's policy or value every move.
    """

    @kernel
    def choose(s, player, weights, scratch, int_scratch):
        """The move of the seat to move."""
        policy = player.policy
        if plain:
            if policy == SIMPLE:
                return simple_move(s)
            if policy == CAREFUL:
                return careful_move(s)
        if searches:
            if policy == MONTE_CARLO:
                return monte_carlo_move(s, player.strength, int_scratch)
        if valued:
            if policy > MONTE_CARLO and player.encoding in (TABLE, MATCH):
                return table_move(s, player, weights, scratch, int_scratch)
        if moved:
            if policy > MONTE_CARLO:
                patient = policy == NET_PATIENT
                mean, eleven = policy in (NET_MEAN, NET_MEAN_ELEVEN), policy in (NET_ELEVEN, NET_MEAN_ELEVEN)
                return net_move(s, player, weights, scratch, int_scratch, mean or patient, eleven or patient, patient)
        return int_scratch[chance(s, moves(s, int_scratch))]

    return choose


choose = chooser(plain=True, searches=True, moved=True, valued=True)


def choose_for(players: np.ndarray, state: np.void) -> Any:
    """The kernel `choose` for the policies and networks of these players, without what they cannot use."""
    policies = players["policy"]
    nets, tables = policies > MONTE_CARLO, np.isin(players["encoding"], (TABLE, MATCH))
    plain, searches = np.isin(policies, (SIMPLE, CAREFUL)).any(), (policies == MONTE_CARLO).any()
    return chooser(bool(plain), bool(searches), bool((nets & ~tables).any()), bool((nets & tables).any()))
