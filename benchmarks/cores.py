"""How fast games are played on 1, 2, 4 ... cores: `python -m benchmarks.cores [--seconds 3] [--processes]` prints JSON.

Every figure is one launch that takes at least so many seconds: shorter ones measure how threads start and end. With
`--processes` the same games are also played by one process per core, which share nothing: where threads are as fast as these,
the machine itself allows no more. `python -m benchmarks.store scaling` stores the result for docs/benchmarks.md.
"""

import argparse
import json
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.entries import ENTRIES, Entry
from sparring.arena.players import find_players, pack_players
from sparring.kernel.launch import threads_available
from sparring.lab.bench import benchmark_jobs

NETWORKS, RANDOM = "networks", "random"
# Of each game the network whose speed is measured, the last of its entries.
GAMES: dict[str, Entry] = {entry.game.name: entry for entry in ENTRIES}
SLOW = {"conquest"}  # measured on one core and on all, and only with networks
MEETING: list[Barrier] = []  # of a process that measures beside others
TRIED = 0.2  # seconds of a launch by which the measured one is sized
MARGIN = 1.05  # of its size


def counts(most: int) -> list[int]:
    """1, 2, 4 ... cores, and all of them."""
    return sorted({*(2**k for k in range(most.bit_length()) if 2**k < most), most})


@cache
def players_of(name: str, who: str) -> tuple[np.ndarray, np.ndarray]:
    """The table and the weights of two players of a game."""
    entry = GAMES[name]
    players = entry.players() if who == NETWORKS else find_players(entry.game, [RANDOM] * 2)
    return pack_players(entry.game, players)


def launch(name: str, who: str, threads: int, games: int) -> float:
    """Games per second of one launch."""
    return timed(name, *players_of(name, who), threads, games)


def timed(name: str, table: np.ndarray, weights: np.ndarray, threads: int, games: int) -> float:
    """Games per second of these players; with its arguments it can run in another process."""
    game = GAMES[name].game
    jobs = benchmark_jobs(game, -(-games // len(benchmark_jobs(game, 1))))[:games]
    began = time.perf_counter()
    game.launcher.play(jobs, table, weights, threads)
    return games / (time.perf_counter() - began)


def measured(name: str, who: str, threads: int, seconds: float, guess: float) -> float:
    """Games per second of a launch of at least `seconds`, given a guess of the speed."""
    tried = launch(name, who, threads, max(2 * threads, int(guess * TRIED)))
    while True:
        games = max(2 * threads, int(MARGIN * tried * seconds))
        found = launch(name, who, threads, games)
        if games / found >= seconds:
            return found
        tried = found


def over_cores(name: str, who: str, cores: list[int], seconds: float) -> dict[str, float]:
    """Games per second by the number of cores."""
    launch(name, who, 1, 2)  # loads compiled code
    each, found = launch(name, who, 1, 16), {}  # on one core
    for threads in cores:
        speed = measured(name, who, threads, seconds, each * threads)
        each, found[str(threads)] = speed / threads, rounded(speed)
        print(f"{name:30} {who:10} {threads:3} {speed:14,.0f}", file=sys.stderr, flush=True)
    return found


def meet_at(barrier: Barrier) -> None:
    """In a process that measures beside others: where they meet before they begin."""
    MEETING.append(barrier)


def together(name: str, games: int, table: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """When one of several processes began and ended to play; all begin when the last one has loaded compiled code."""
    timed(name, table, weights, 1, 2)
    MEETING[0].wait()
    began = time.monotonic()
    timed(name, table, weights, 1, games)
    return began, time.monotonic()


def by_processes(name: str, cores: int, seconds: float, speed: float, pool: ProcessPoolExecutor) -> float:
    """Games per second of networks with one process per core."""
    games = max(2, int(seconds * speed / cores))
    tasks = [pool.submit(together, name, games, *players_of(name, NETWORKS)) for _ in range(cores)]
    begun, ended = zip(*(task.result() for task in tasks), strict=True)
    return cores * games / (max(ended) - min(begun))


def threads_per_core() -> int:
    """The processor's threads that share a core; those of one core are slower together."""
    try:
        siblings = Path("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list").read_text(encoding="utf-8")
    except OSError:
        return 1
    return len(siblings.replace("-", ",").split(","))


def rounded(value: float) -> float:
    return float(f"{value:.4g}")


def scaling(seconds: float, processes: bool) -> dict[str, Any]:
    """The result that is stored."""
    subprocess.run([sys.executable, "-m", "sparring.games"], check=True, stdout=sys.stderr)  # compile side by side
    most = threads_available()
    rows = []
    for name in GAMES:
        for who in (NETWORKS,) if name in SLOW else (NETWORKS, RANDOM):
            cores = counts(most) if who == NETWORKS and name not in SLOW else sorted({1, most})
            rows.append({"game": name, "players": who, "speeds": over_cores(name, who, cores, seconds)})
    if processes:
        context = get_context("spawn")
        with ProcessPoolExecutor(most, context, meet_at, (context.Barrier(most),)) as pool:
            for row in rows:
                if row["players"] == NETWORKS and row["game"] not in SLOW:
                    speed = by_processes(row["game"], most, seconds, row["speeds"][str(most)], pool)
                    row["processes"] = rounded(speed)
    return {"cores": counts(most), "threads_per_core": threads_per_core(), "launch_seconds": seconds, "rows": rows}


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cores", description=__doc__.partition(":")[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="the least that a launch takes")
    parser.add_argument("--processes", action="store_true", help="also with one process per core")
    options = parser.parse_args(words)
    if not 0.1 <= options.seconds <= 600:
        parser.error(f"--seconds {options.seconds}: must be from 0.1 to 600")
    print(json.dumps(scaling(options.seconds, options.processes)))


if __name__ == "__main__":
    main()
