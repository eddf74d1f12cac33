"""What a game gives for matches of large networks in stages on a GPU."""

from typing import Any

from sparring.kernel.match_stages import MatchStages


def match_stages(rules: Any, policies: Any, learning: Any) -> MatchStages | None:
    """The kernels for stages; None for a game whose networks choose otherwise than by the value of the position after a move."""
    if policies.staged is None or not (rules.perfect_information and rules.seats == (2,) and rules.branching):
        return None
    if learning.equity is None or not policies.staged(rules.chosen or (rules.options and rules.options())):
        return None
    heads = tuple(len(flip[0]) for flip in learning.heads.values())
    kernels = rules.moves, learning.inputs, learning.outcome, learning.equity
    return MatchStages(*kernels, rules.branching, heads, list(policies.names).index("net"))
