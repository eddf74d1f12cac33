"""Targets of deep TD in backgammon at equal core seconds: `python -m benchmarks.deep_td_targets`.

Targets of one turn (lambda 0), lambda-returns, and exact means over all rolls, with otherwise the same settings. Each training has
as many turns as take the same core seconds, by a short training that is timed first. The champion of every trial meets pubeval on
the same deals; single wins count. Intervals are over trials, of which each has its own network. Prints JSON.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from sparring.arena.match import match
from sparring.arena.players import Contestant, find_player
from sparring.arena.statistics import mean_interval
from sparring.games import Game, name_game
from sparring.learn.deep_td import DeepTDOptions, DeepTDTraining

GAME = "backgammon:scoring=single"
TARGETS: dict[str, dict[str, Any]] = {
    "lambda-0": {},
    "lambda-0.5": {"trace": 0.5},
    "lambda-0.8": {"trace": 0.8},
    "exact": {"exact": 0.0},
}
SETTINGS: dict[str, Any] = {
    "outputs": "value",
    "layers": "64-64",
    "games": 256,
    "minibatch": 32,
    "minibatch_end": 128,
    "rate": 2e-3,
    "average": 1e-3,
    "step_turns": 50,
}
TIMED = 100  # turns of the training that is timed, after one that compiles and in which games reach all phases


def trained(game: Game, options: DeepTDOptions, seed: int, trial: int) -> tuple[DeepTDTraining, float]:
    """One trial, and the core seconds that it took."""
    training, began = DeepTDTraining(game, options, seed, 1, 1, trial), time.process_time()
    while training.step < training.steps:
        training.advance()
    return training, time.process_time() - began


def turns_for(game: Game, targets: dict[str, Any], seconds: float, seed: int) -> int:
    """As many turns as take about so many core seconds."""
    options = DeepTDOptions(**{**SETTINGS, **targets, "turns": 3 * TIMED, "step_turns": TIMED})
    training = DeepTDTraining(game, options, seed, 1, 1)
    training.advance()
    training.advance()
    began = time.process_time()
    training.advance()
    return max(1, round(seconds / (time.process_time() - began))) * TIMED


def main(words: Sequence[str] | None = None) -> None:
    """Train with each kind of target, then play the matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=150, help="core seconds of each training")
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    game, rows = name_game(GAME), {}
    pubeval = find_player(game, "pubeval")
    for name, targets in TARGETS.items():
        turns = turns_for(game, targets, given.seconds, given.seed)
        options = DeepTDOptions(**SETTINGS, **targets, turns=turns)
        done = [trained(game, options, given.seed, trial) for trial in range(given.trials)]
        nets = [Contestant(name, "net", training.net(training.nets[0])) for training, _ in done]
        won = [
            match(game, net, pubeval, pairs=given.pairs, seed=given.seed, threads=1).players[0].win_rate for net in nets
        ]
        rates = np.array([rate.value for rate in won])
        rows[name] = {
            "turns": turns,
            "core_seconds": [round(seconds) for _, seconds in done],
            "win_rates": rates.round(4).tolist(),
            "win_rate": mean_interval(rates).json(),
        }
        print(name, json.dumps(rows[name]), file=sys.stderr, flush=True)
    print(json.dumps({"settings": SETTINGS, "trials": given.trials, "games": 2 * given.pairs, "targets": rows}))


if __name__ == "__main__":
    main()
