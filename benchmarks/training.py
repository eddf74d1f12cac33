"""Seconds that temporal-difference learning needs, from zero knowledge, to win half of its games against pubeval.

One net per core learns from self-play; the evaluation games are not timed.
"""

import time

import numpy as np

from sparring.arena.match import match
from sparring.games import find_game
from sparring.kernel.launch import threads_available
from sparring.learn.td import TD, TDTraining

HIDDEN, STRENGTH = 40, 0.5
EVERY, PAIRS = 5, 500  # thousands of games between evaluations, and pairs of games per evaluation
LONGEST = 120.0  # seconds of training after which we give up


def training_figures(strength: float = STRENGTH, longest: float = LONGEST) -> dict[str, float]:
    """Seconds, games per net and share won when the mean first reaches the strength."""
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
    """A training of one net per core."""
    settings = TD(hidden=HIDDEN, games=1_000_000, trace=0.0, trace_end=0.0, benchmark_pairs=0, **options)
    return TDTraining(find_game("backgammon"), settings, 1, threads_available())


def share_won(training: TDTraining) -> float:
    """The mean over the nets."""
    results = [match(training.game, net, "pubeval", pairs=PAIRS) for net in training.champions()]
    return float(np.mean([result.players[0].win_rate.value for result in results]))
