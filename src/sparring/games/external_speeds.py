"""How fast others play: what the games' rivals are measured with."""

import random
import time
from collections.abc import Callable

Speed = Callable[
    [float], float | None
]  # what it plays in a second, measured for so many; None where it is not installed


def per_second(seconds: float, play: Callable[[int], object]) -> float:
    """How many games are played in a second, over at least `seconds`; a game before that is for whatever starts slowly."""
    play(0)
    began, games = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        games += 1
        play(games)
    return games / (time.perf_counter() - began)


def openspiel(name: str) -> Speed:
    """Random players in OpenSpiel's own C++ loop over bots; its rollouts inside a search are as fast.

    Every game begins with a copy of one untouched start, which is quicker than a new one; chance then deals.
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
    """The same with every move chosen and made from Python, as its learners written in Python do.

    What falls by chance is chosen as moves are, which is quicker than to ask how likely each is: cards and dice are all alike.
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
