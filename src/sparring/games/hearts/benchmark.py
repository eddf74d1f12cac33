"""Further speeds to measure: random players in OpenSpiel's hearts, in its own loop and driven from Python."""

from collections.abc import Mapping

from sparring.games.benchmark import Benchmark
from sparring.games.external_speeds import Speed, openspiel, openspiel_from_python

EXTERNAL: Mapping[str, Speed] = {
    "openspiel.hearts.random_rounds_per_second.one_core": openspiel("hearts"),
    "openspiel.hearts.random_rounds_from_python_per_second.one_core": openspiel_from_python("hearts"),
}

BENCHMARK = Benchmark(
    quick="rounds=2", untrained="rounds=4", champion="champion", rules=("rounds=1",), external=EXTERNAL
)
