"""Rules and players with which benchmarks and slow checks measure each game; the defaults do for any other game."""

from typing import NamedTuple

from sparring.games.game import Game


class Benchmark(NamedTuple):
    """How a game's speed is measured."""

    quick: str = ""  # rules under which a game ends soon
    untrained: str = ""  # rules under which games of untrained networks end soon, where those would go on for ages
    champion: str = ""  # the champion whose speed is measured; empty for networks trained for a short time
    rules: tuple[str, ...] = ()  # further rules to measure


BENCHMARKS = {
    "backgammon": Benchmark("start=hypergammon", champion="champion-40"),
    "conquest": Benchmark("rounds=25"),
    "gin": Benchmark("limit=200", "limit=200", "champion-26", ("rules=full,length=hand",)),
    "hearts": Benchmark("rounds=2", "rounds=4", "champion", ("rounds=1",)),
}


def benchmark_of(game: Game) -> Benchmark:
    """A game's own settings, or the defaults."""
    return BENCHMARKS.get(game.family, Benchmark())
