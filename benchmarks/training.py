"""Seconds that temporal differences need, from zero knowledge, to a given strength: half of the games against pubeval won.

One net a core learns from its own games; the clock stands still while they are measured.
"""

import time

import numpy as np

from sparring.arena.match import match
from sparring.games import find_game
from sparring.kernel.launch import threads_available
from sparring.learn.td import TD, TDTraining

HIDDEN, STRENGTH = 40, 0.5
EVERY, PAIRS = 5, 500  # thousands of games between two measurements, and pairs of games of each
LONGEST = 120.0  # seconds of training after which it is given up


def training_figures(strength: float = STRENGTH, longest: float = LONGEST) -> dict[str, float]:
    """The first point of the mean curve that is as strong: seconds, games of each net, and the share won there."""
    started(step_games=1).advance()  # compiles
    training, spent, won = started(), 0.0, 0.0
    while won < strength and spent < longest:
        began = time.perf_counter()
        for _ in range(EVERY):
            training.advance()
        spent += time.perf_counter() - began
        won = share_won(training)
    name, games = "backgammon.td", training.step * training.options.step_games
    reached = {f"{name}.seconds_to_half_against_pubeval": spent} if won >= strength else {}
    return reached | {
        f"{name}.games_of_each_net": games,
        f"{name}.share_won_against_pubeval": won,
        f"{name}.games_learned_from_per_second": games * training.trials / spent,
    }


def started(**options: int) -> TDTraining:
    """A net for each core, about to learn."""
    told = TD(hidden=HIDDEN, games=1_000_000, trace=0.0, trace_end=0.0, benchmark_pairs=0, **options)
    return TDTraining(find_game("backgammon"), told, 1, threads_available())


def share_won(training: TDTraining) -> float:
    """The mean over the nets."""
    results = [match(training.game, net, "pubeval", pairs=PAIRS) for net in training.champions()]
    return float(np.mean([result.players[0].win_rate.value for result in results]))
