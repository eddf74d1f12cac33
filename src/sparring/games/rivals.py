"""How fast others play: what the games' rivals are measured with."""

import time
from collections.abc import Callable


def per_second(seconds: float, play: Callable[[int], object]) -> float:
    """How many games are played in a second, over at least `seconds`; a game before that is for whatever starts slowly."""
    play(0)
    began, games = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        games += 1
        play(games)
    return games / (time.perf_counter() - began)
