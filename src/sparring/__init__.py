"""Sparring: a laboratory for self-play in games of chance and hidden information.

>>> import sparring
>>> result = sparring.match("golf", "greedier", "random", pairs=100, seed=1)
>>> result.players[0].name, result.games
('greedier', 200)
"""

# ruff: noqa: F403, F405 (all names of the API)
from typing import TYPE_CHECKING, Any

__version__ = "0.16.0"
__all__ = [
    "Analysis", "Match", "Net", "Run", "State", "Tournament", "analyse", "bench", "compare", "cube", "draw", "exploit",
    "ladder", "load", "log_statistics", "match", "play", "rate", "record", "replay", "reproduce", "resume", "rollout",
    "state", "sweep", "tournament", "train", "watch", "write_curves", "write_report",
]  # fmt: skip

if TYPE_CHECKING:
    from sparring.api import *
    from sparring.cli.play import play
    from sparring.cli.watch import watch


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def __getattr__(name: str) -> Any:
    """Import the API when it is first used: `import sparring` itself is fast."""
    if name in __all__:
        from importlib import import_module

        return getattr(import_module(f"sparring.cli.{name}" if name in ("play", "watch") else "sparring.api"), name)
    raise AttributeError(f"module 'sparring' has no attribute {name!r}")
