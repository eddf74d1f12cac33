"""Speeds to be measured beside those of games: random players of OpenSpiel's and of RLCard's gin rummy, and our melds."""

from collections.abc import Callable, Mapping

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.gin.melds import deadwood
from sparring.games.rivals import per_second
from sparring.kernel.compiler import kernel

HANDS = 10_000


def openspiel_random(seconds: float) -> float | None:
    """Hands a second of two random players, in OpenSpiel's own C++ loop over bots; None where it is not installed.

    Every hand begins with a copy of one untouched start: to make a start anew takes longer than to play the hand.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    start = pyspiel.load_game("gin_rummy").new_initial_state()
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(2)]
    return per_second(seconds, lambda number: pyspiel.evaluate_bots(start.clone(), bots, number))


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


@kernel
def all_deadwood(hands):  # type: ignore[no-untyped-def]
    total = 0
    for i in range(hands.size):
        total += deadwood(hands[i])
    return total


def melds_found(seconds: float) -> float:
    """Random hands of ten and eleven cards a second whose least deadwood is found."""
    random = np.random.default_rng(1)
    hands = np.array([sum(1 << int(card) for card in random.permutation(CARDS)[: 10 + i % 2]) for i in range(HANDS)])
    return HANDS * per_second(seconds, lambda _: all_deadwood(hands))


RIVALS: Mapping[str, Callable[[float], float | None]] = {
    "gin.deadwood_per_second.one_core": melds_found,
    "openspiel.gin.random_hands_per_second.one_core": openspiel_random,
    "rlcard.gin.random_hands_per_second.one_core": rlcard_random,
}
