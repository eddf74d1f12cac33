"""Deep networks on one core: the compiled policy, which skips units that are 0, beside stages with matrix products by NumPy.

`python -m benchmarks.batched_cores [PLAYER ...] [--seconds S]` plays a network against itself in both ways, by turns, and prints
moves per second as JSON; for the stages also how much of the time values take.
"""

import argparse
import json
import time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.stages_here import StagesHere, deep_player, single_values
from sparring.arena.play import paired_jobs
from sparring.games import Game

GAMES = 256
ROUNDS = 5
PAIR_MOVES = 110  # of two games, roughly


def compiled(game: Game, stages: StagesHere, pairs: int, seed: int) -> float:
    """Moves per second by the policy of the game, one game after the other."""
    table, jobs = np.repeat(stages.table, 2), paired_jobs(seed, np.arange(2), pairs)
    began = time.perf_counter()
    tallies, _ = game.launcher.play_here(jobs, table, stages.weights, 1, False)
    return float(tallies["turns"].sum() / (time.perf_counter() - began))


def batched(stages: StagesHere, turns: int) -> tuple[float, float]:
    """Moves per second in stages, and the share of the time that values take."""
    began, valuing = time.perf_counter(), 0.0
    for _ in range(turns):
        rows = stages.found.rows[: stages.list_moves()]
        before = time.perf_counter()
        outputs = single_values(stages.layers, rows)
        valuing += time.perf_counter() - before
        stages.play(stages.best_by(outputs))
    took = time.perf_counter() - began
    return turns * GAMES / took, valuing / took


def measure(name: str, seed: int, seconds: float) -> dict[str, Any]:
    """Medians of rounds by turns."""
    game, player = deep_player(name)
    stages = StagesHere(game, player, GAMES, seed)
    pairs = max(1, int(compiled(game, stages, 2, seed) * seconds / ROUNDS / PAIR_MOVES))
    turns = max(1, int(batched(stages, 1)[0] * seconds / ROUNDS / GAMES))
    rounds = [(compiled(game, stages, pairs, seed + n), *batched(stages, turns)) for n in range(ROUNDS)]
    here, there, share = (float(np.median(column)) for column in zip(*rounds, strict=True))
    return {"compiled": round(here, 1), "numpy": round(there, 1), "ratio": here / there, "share_of_values": share}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="*", default=["deep", "deep-single"])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with threadpool_limits(1):
        print(json.dumps({name: measure(name, given.seed, given.seconds) for name in given.players}, indent=1))


if __name__ == "__main__":
    main()
