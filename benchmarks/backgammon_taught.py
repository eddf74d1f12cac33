"""A small network taught by a deep one beside one that learns by itself: `python -m benchmarks.backgammon_taught`.

Both have one hidden layer, the settings of experiments/backgammon-taught.toml and about the same core seconds: the one that learns
by itself plays more turns, because nobody values its positions. They meet each other and pubeval; single wins count. Prints JSON.
"""

import argparse
import dataclasses
import json
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.processes import ROOT
from sparring.arena.match import match
from sparring.arena.players import Contestant, find_player
from sparring.games import name_game
from sparring.lab.experiment import read_experiment
from sparring.learn.deep_td import DeepTDTraining


def trained(training: DeepTDTraining) -> float:
    """Train to the end; returns the core seconds."""
    began = time.process_time()
    while training.step < training.steps:
        training.advance()
    return time.process_time() - began


def main(words: Sequence[str] | None = None) -> None:
    """Train both, then play the matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--more", type=float, default=1.6, help="turns of the network that learns by itself, per turn")
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    experiment = read_experiment(ROOT / "experiments" / "backgammon-taught.toml")
    game, options = name_game(experiment.game), experiment.options
    alone = dataclasses.replace(options, teacher="", turns=int(options.turns * given.more))
    found: dict[str, Any] = {"training": {}, "matches": {}}
    players = {"pubeval": find_player(game, "pubeval")}
    for name, chosen in (("taught", options), ("alone", alone)):
        training = DeepTDTraining(game, chosen, experiment.seed, 1, 1)
        seconds = trained(training)
        found["training"][name] = {"turns": chosen.turns, "core_seconds": round(seconds)}
        players[name] = Contestant(name, "net", training.net(training.nets[0]))
    for first, second in (("taught", "pubeval"), ("alone", "pubeval"), ("taught", "alone")):
        played = match(game, players[first], players[second], pairs=given.pairs, seed=given.seed, threads=1).json()
        found["matches"][f"{first}-{second}"] = {"games": played["games"], "win_rate": played["players"][0]["win_rate"]}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
