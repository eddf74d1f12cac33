"""Sparring: teach networks to play games of luck and hidden information by self-play, and say who is better.

>>> import sparring
>>> result = sparring.match("golf", "greedier", "random", pairs=100, seed=1)
>>> result.players[0].name, result.games
('greedier', 200)
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.8.0"
__all__ = ["Match", "Net", "Run", "State", "Tournament", "load", "match", "state", "tournament", "train"]

if TYPE_CHECKING:
    from sparring.api import Match, Net, Run, State, Tournament, load, match, state, tournament, train


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def __getattr__(name: str) -> Any:
    """The API is imported when first used: `import sparring` itself costs nothing."""
    if name in __all__:
        from sparring import api

        return getattr(api, name)
    raise AttributeError(f"module 'sparring' has no attribute {name!r}")
