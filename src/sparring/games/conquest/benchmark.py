"""Benchmark settings of conquest."""

from sparring.games.benchmark import Benchmark

BENCHMARK = Benchmark(quick="rounds=25")
