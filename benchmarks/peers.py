"""Our speed on an NVIDIA GPU beside pgx's, in one run: `python -m benchmarks.peers` prints JSON.

Both play random backgammon, theirs on JAX in batches of so many games at once, where a finished game is replaced at once, ours in
launches of as many games and of more. They alternate, after what they compile; each figure is the median.
"""

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np

from benchmarks.pgx_speed import Running
from sparring.arena.backends import use_backend
from sparring.arena.players import find_players, pack_players
from sparring.games import find_game
from sparring.kernel.cuda import why_not
from sparring.lab.bench import benchmark_jobs

BATCH, MANY = 131_072, 800_000  # games
ROUNDS, SECONDS = 3, 2.0  # each measured so often, at least so long
NAME = "backgammon.random_games_per_second.gpu"
PACKAGES = ("numba", "numba-cuda", "numpy", "jax", "pgx")


def peer_figures() -> dict[str, float]:
    """Random games of backgammon a second on the GPU."""
    # JAX would take three quarters of the GPU's memory.
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    theirs = Running(BATCH)
    with use_backend("cuda"):
        ours = {size: launches(size) for size in (BATCH, MANY)}
        for play in ours.values():
            play(0.0)  # compiles
        rounds = [(theirs.games_per_second(SECONDS), *(play(SECONDS) for play in ours.values())) for _ in range(ROUNDS)]
    found = np.median(rounds, axis=0).tolist()
    names = (f"pgx.{NAME}.batch_{BATCH}", *(f"{NAME}.batch_{size}" for size in ours))
    return dict(zip(names, found, strict=True))


def launches(size: int) -> Callable[[float], float]:
    """Measures games per second of our launches of so many games."""
    game = find_game("backgammon")
    jobs = benchmark_jobs(game, size // 2)
    table, weights = pack_players(game, find_players(game, ["random"] * 2))

    def play(seconds: float) -> float:
        began, games = time.perf_counter(), 0
        while not games or time.perf_counter() - began < seconds:
            game.launcher.play(jobs, table, weights)
            games += len(jobs)
        return games / (time.perf_counter() - began)

    return play


def gpu_name() -> str:
    from numba import cuda

    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def main() -> None:
    if why_not():
        sys.exit(f"python -m benchmarks.peers: {why_not()}")
    figures = {name: float(f"{value:.4g}") for name, value in peer_figures().items()}
    versions = {"python": platform.python_version(), **{package: version(package) for package in PACKAGES}}
    result: dict[str, Any] = {"gpu": gpu_name(), "versions": versions, "figures": figures}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
