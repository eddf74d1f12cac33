"""How conquest's speed is measured."""

from sparring.games.benchmark import Benchmark

BENCHMARK = Benchmark(quick="rounds=25")
