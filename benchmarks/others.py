"""Measures how fast other programs play: random players of OpenSpiel, RLCard and pgx, and GNU Backgammon against itself."""

import random
import time
from collections.abc import Callable
from contextlib import closing

import numpy as np

from benchmarks.pgx_speed import pgx_random
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.backgammon.gnubg import Gnubg, find_program
from sparring.games.deck import CARDS
from sparring.games.game import play_move, start_game
from sparring.games.gin.melds import deadwood
from sparring.kernel.compiler import kernel

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


def rlcard_gin(seconds: float) -> float | None:
    """Hands per second of two random players in RLCard; None if it is not installed."""
    try:
        import rlcard
        from rlcard.agents import RandomAgent
    except ImportError:
        return None
    environment = rlcard.make("gin-rummy", config={"seed": 1})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(environment.num_players)])
    return per_second(seconds, lambda _: environment.run(is_training=False))


def gnubg_self_play(seconds: float) -> float | None:
    """Games per second of GNU Backgammon at 0-ply in both seats, with our rules and dice; None if it is not installed."""
    try:
        find_program()
    except UserError:
        return None
    game = find_game("backgammon")

    def play(number: int) -> None:
        state = start_game(game, 1, number, number, 2)
        while not state[0]["over"]:
            play_move(game, state, gnubg.choose(state))

    with closing(Gnubg()) as gnubg:
        return per_second(seconds, play)


@kernel
def total_deadwood(hands):
    total = 0
    for i in range(hands.size):
        total += deadwood(hands[i])
    return total


def melds_found(seconds: float) -> float:
    """Our deadwood computations per second, for random hands of ten and eleven cards."""
    rng = np.random.default_rng(1)
    hands = np.array([sum(1 << int(card) for card in rng.permutation(CARDS)[: 10 + i % 2]) for i in range(HANDS)])
    return HANDS * per_second(seconds, lambda _: total_deadwood(hands))


HANDS = 10_000
BACKGAMMON = "backgammon(scoring_type=full_scoring)"
EXTERNAL: dict[str, dict[str, Speed]] = {  # by game, and by the name of the figure
    "backgammon": {
        "openspiel.backgammon.random_games_per_second.one_core": openspiel(BACKGAMMON),
        "openspiel.backgammon.random_games_from_python_per_second.one_core": openspiel_from_python(BACKGAMMON),
        "pgx.backgammon.random_games_per_second.one_core": pgx_random,
        "gnubg.backgammon.games_per_second.one_core": gnubg_self_play,
    },
    "gin": {
        "gin.deadwood_per_second.one_core": melds_found,
        "openspiel.gin.random_hands_per_second.one_core": openspiel("gin_rummy"),
        "openspiel.gin.random_hands_from_python_per_second.one_core": openspiel_from_python("gin_rummy"),
        "rlcard.gin.random_hands_per_second.one_core": rlcard_gin,
    },
    "hearts": {
        "openspiel.hearts.random_rounds_per_second.one_core": openspiel("hearts"),
        "openspiel.hearts.random_rounds_from_python_per_second.one_core": openspiel_from_python("hearts"),
    },
}
