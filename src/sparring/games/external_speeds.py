"""Measures how fast other programs play."""

import random
import time
from collections.abc import Callable

# Measures games per second for so many seconds; None if the program is not installed.
Speed = Callable[[float], float | None]


def per_second(seconds: float, play: Callable[[int], object]) -> float:
    """Games per second, measured for at least `seconds` after a warm-up game."""
    play(0)
    began, games = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        games += 1
        play(games)
    return games / (time.perf_counter() - began)


def openspiel(name: str) -> Speed:
    """Random players in OpenSpiel's own C++ loop over bots, which is as fast as the rollouts of its search.

    Every game starts from a copy of one initial state, which is faster than a new state.
    """

    def measure(seconds: float) -> float | None:
        try:
            import pyspiel
        except ImportError:
            return None
        start = pyspiel.load_game(name).new_initial_state()
        bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(start.num_players())]
        return per_second(seconds, lambda number: pyspiel.evaluate_bots(start.clone(), bots, number))

    return measure


def openspiel_from_python(name: str) -> Speed:
    """Random players driven from Python, as OpenSpiel's Python learners do it.

    Chance outcomes are drawn uniformly, which is faster than asking for their probabilities: cards and dice are equally likely.
    """

    def measure(seconds: float) -> float | None:
        try:
            import pyspiel
        except ImportError:
            return None
        start, dice = pyspiel.load_game(name).new_initial_state(), random.Random(1)

        def play(number: int) -> None:
            state = start.clone()
            while not state.is_terminal():
                state.apply_action(dice.choice(state.legal_actions()))

        return per_second(seconds, play)

    return measure
