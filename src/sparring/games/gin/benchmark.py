"""Speeds to be measured beside those of games: random players of OpenSpiel's and of RLCard's gin rummy, and our melds."""

from collections.abc import Mapping

import numpy as np

from sparring.games.benchmark import Benchmark
from sparring.games.deck import CARDS
from sparring.games.external_speeds import Speed, openspiel, openspiel_from_python, per_second
from sparring.games.gin.deadwoods import all_deadwood

HANDS = 10_000


def rlcard_random(seconds: float) -> float | None:
    """Hands a second of two random players in RLCard's environment; None where it is not installed."""
    try:
        import rlcard
        from rlcard.agents import RandomAgent
    except ImportError:
        return None
    environment = rlcard.make("gin-rummy", config={"seed": 1})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(environment.num_players)])
    return per_second(seconds, lambda _: environment.run(is_training=False))


def melds_found(seconds: float) -> float:
    """Random hands of ten and eleven cards a second whose least deadwood is found."""
    random = np.random.default_rng(1)
    hands = np.array([sum(1 << int(card) for card in random.permutation(CARDS)[: 10 + i % 2]) for i in range(HANDS)])
    return HANDS * per_second(seconds, lambda _: all_deadwood(hands))


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
