"""Further speeds to measure: random players in OpenSpiel's and RLCard's gin rummy, and finding melds."""

from collections.abc import Mapping

import numpy as np

from sparring.games.benchmark import Benchmark
from sparring.games.deck import CARDS
from sparring.games.external_speeds import Speed, openspiel, openspiel_from_python, per_second
from sparring.games.gin.melds import total_deadwood

HANDS = 10_000


def rlcard_random(seconds: float) -> float | None:
    """Hands per second of two random players in RLCard; None if it is not installed."""
    try:
        import rlcard
        from rlcard.agents import RandomAgent
    except ImportError:
        return None
    environment = rlcard.make("gin-rummy", config={"seed": 1})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(environment.num_players)])
    return per_second(seconds, lambda _: environment.run(is_training=False))


def melds_found(seconds: float) -> float:
    """Deadwood computations per second, for random hands of ten and eleven cards."""
    random = np.random.default_rng(1)
    hands = np.array([sum(1 << int(card) for card in random.permutation(CARDS)[: 10 + i % 2]) for i in range(HANDS)])
    return HANDS * per_second(seconds, lambda _: total_deadwood(hands))


EXTERNAL: Mapping[str, Speed] = {
    "gin.deadwood_per_second.one_core": melds_found,
    "openspiel.gin.random_hands_per_second.one_core": openspiel("gin_rummy"),
    "openspiel.gin.random_hands_from_python_per_second.one_core": openspiel_from_python("gin_rummy"),
    "rlcard.gin.random_hands_per_second.one_core": rlcard_random,
}

BENCHMARK = Benchmark(
    quick="limit=200",
    untrained="limit=200",
    champion="champion-26",
    rules=("rules=full,length=hand",),
    external=EXTERNAL,
)
