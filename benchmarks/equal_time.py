"""Learners beside each other at equal core seconds, as JSON.

python -m benchmarks.equal_time EXPERIMENT ... [--seconds S] [--trials N] [--pairs P] [--seed X]

Each experiment file is made as much shorter or longer as its learner needs to train one network in about S core seconds, by
trainings of growing length that are timed first, because later games may be longer than the first ones. Every trial's champion then
meets the opponents of the file's evaluation in P deals that all champions share. Intervals are over trials.
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.match import match
from sparring.arena.players import Contestant
from sparring.arena.statistics import mean_interval
from sparring.games import find_game
from sparring.lab.experiment import Experiment, read_experiment
from sparring.learn import find_learner
from sparring.nets.dense import Net

TRIED = 0.02  # of an experiment's length: how much is timed first
PARTS = (0.2, 0.8, 1.0)  # of the seconds: what the next training is to take


def sized(experiment: Experiment, share: float) -> Any:
    """The learner's options for a training of this share of the experiment's length, without games for the curves."""
    options = replace(experiment.options, benchmark_pairs=0)
    if hasattr(options, "turns"):  # of many games at once
        return replace(options, turns=max(1, round(options.turns * share)))
    return find_learner(experiment.learner)[1].lasting(options, max(64, round(options.games * share)))


def trained(experiment: Experiment, share: float, seed: int, trial: int) -> tuple[Net, float]:
    """The champion of one trial, and the core seconds of its training."""
    training_class = find_learner(experiment.learner)[1]
    training = training_class(find_game(experiment.game), sized(experiment, share), seed, 1, 1, trial)
    began = time.process_time()
    while training.step < training.steps:
        training.advance()
    return training.champions()[0], time.process_time() - began


def fitting(experiment: Experiment, seconds: float, seed: int, trial: int) -> float:
    """The share of the experiment's length that takes these core seconds."""
    trained(experiment, TRIED, seed, trial)  # compiles
    share = TRIED
    for part in PARTS:
        share *= part * seconds / trained(experiment, share, seed, trial)[1]
    return share


def measured(path: Path, seconds: float, trials: int, pairs: int, seed: int) -> list[dict[str, Any]]:
    """An experiment's rows, one for each opponent."""
    experiment = read_experiment(path)
    share = fitting(experiment, seconds, seed, trials)
    found = [trained(experiment, share, seed, trial) for trial in range(trials)]
    rows = []
    for opponent in experiment.evaluation.opponents:
        players = [Contestant("champion", "net", net) for net, _ in found]
        met = [match(experiment.game, player, opponent, pairs=pairs, seed=seed, threads=1) for player in players]
        won = np.array([each.players[0].win_rate.value for each in met])
        ahead = np.array([each.difference.value for each in met])
        rows.append(
            {
                "game": experiment.game,
                "experiment": str(path),
                "learner": experiment.learner,
                "length": round(share, 4),
                "core_seconds": [round(taken, 1) for _, taken in found],
                "opponent": opponent,
                "games": 2 * pairs,
                "win_rates": won.round(4).tolist(),
                "win_rate": mean_interval(won).json(),
                "score_difference": mean_interval(ahead).json(),
            }
        )
    return rows


def main() -> None:
    """Measure all experiments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    terms = given.seconds, given.trials, given.pairs, given.seed
    rows = [row for path in given.experiments for row in measured(path, *terms)]
    print(json.dumps({"seconds": given.seconds, "trials": given.trials, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
