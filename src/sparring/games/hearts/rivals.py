"""Speeds to be measured beside ours: random players of OpenSpiel's hearts, in its own loop and driven from Python."""

import random
from collections.abc import Callable, Mapping

from sparring.games.rivals import per_second

PLAYERS = 4


def openspiel_random(seconds: float) -> float | None:
    """Rounds a second of four random players, in OpenSpiel's own C++ loop over bots; None where it is not installed.

    Every round begins with a copy of one untouched start, which is quicker than a new one; chance then deals.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    start = pyspiel.load_game("hearts").new_initial_state()
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(PLAYERS)]
    return per_second(seconds, lambda number: pyspiel.evaluate_bots(start.clone(), bots, number))


def openspiel_stepped(seconds: float) -> float | None:
    """The same with every card chosen and played from Python, as its learners written in Python do."""
    try:
        import pyspiel
    except ImportError:
        return None
    start = pyspiel.load_game("hearts").new_initial_state()
    chance = random.Random(1)

    def play(number: int) -> None:
        state = start.clone()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))

    return per_second(seconds, play)


RIVALS: Mapping[str, Callable[[float], float | None]] = {
    "openspiel.hearts.random_rounds_per_second.one_core": openspiel_random,
    "openspiel.hearts.random_rounds_from_python_per_second.one_core": openspiel_stepped,
}
