"""How a game's speed is measured. A game may have a module `benchmark` that defines BENCHMARK; the defaults do for any game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

from sparring.games import GAMES, Game
from sparring.games.external_speeds import Speed


@dataclass(frozen=True)
class Benchmark:
    """Rules and players that benchmarks and slow checks use."""

    quick: str = ""  # rules under which a game ends soon
    untrained: str = ""  # rules under which games of untrained networks end soon, where those would go on for ages
    champion: str = ""  # the champion whose speed is measured; empty for networks trained for a short time
    rules: tuple[str, ...] = ()  # further rules to measure
    external: Mapping[str, Speed] = field(default_factory=dict)  # speeds of other programs, by the name of the figure


def benchmark_of(game: Game) -> Benchmark:
    """A game's own settings, or the defaults."""
    module = f"{GAMES.get(game.family, '')}.benchmark"
    if game.family not in GAMES or find_spec(module) is None:
        return Benchmark()
    return import_module(module).BENCHMARK  # type: ignore[no-any-return]
