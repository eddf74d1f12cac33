"""GPU benchmarks: `make bench-gpu` writes benchmarks/GPU.md and benchmarks/gpu.json.

Games per second with networks on both sides, learners that stay on the GPU, the same on this machine's cores, and pgx (`peers`).
"""

import json
import os
import platform
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.entries import ENTRIES, GIN, HEARTS
from benchmarks.peers import peer_figures
from benchmarks.processes import commit
from sparring.arena.backends import use_backend
from sparring.arena.match import match
from sparring.arena.play import paired_jobs
from sparring.arena.players import Contestant, find_players, pack_players
from sparring.games import Game, find_game
from sparring.kernel.cuda import why_not
from sparring.lab.bench import machine
from sparring.learn.coevolution import Coevolution, CoevolutionTraining
from sparring.learn.td_batch import TDBatch, TDBatchTraining
from sparring.nets.dense import Net

HERE = Path(__file__).parent
SHORT = "conquest:rounds=25"
PACKAGES = ("numba", "numba-cuda", "numpy", "jax", "pgx")  # whose versions are stored
PAIRS = {"golf": 1_000_000, "backgammon": 800_000, HEARTS: 100_000, GIN: 400_000, SHORT: 4_000}
LIMITS = {  # requirements on one H200 or comparable
    "golf.net_games_per_second.gpu": (2_000_000, "at least"),
    "backgammon.net_games_per_second.gpu": (300_000, "at least"),
    "backgammon.random_games_per_second.gpu.batch_800000": (2_000_000, "at least"),
    f"{GIN}.net_games_per_second.gpu": (500_000, "at least"),
    **{f"{name}.net_first_seconds.gpu": (20, "at most") for name in ("golf", "backgammon", GIN)},
    "golf.coevolution_1000_trials_seconds.gpu": (60, "at most"),
    "backgammon.td_batch_win_rate_against_pubeval": (0.65, "at least"),
    "backgammon.td_batch_seconds.gpu": (300, "at most"),
}


def players_of(name: str) -> list[Contestant]:
    """Two nets: backgammon's 198-40-1, or those of `make bench`."""
    if name == "backgammon":
        game = find_game(name)
        return find_players(game, [winning_alone(find_players(game, ["champion-40"])[0].net)] * 2)
    return next(entry for entry in ENTRIES if entry.name.split(":")[0] == name.split(":")[0]).players()


def winning_alone(net: Any) -> Net:
    """The net with only its first output, the chance of winning."""
    inputs, hidden, outputs = net.shape
    first = (inputs + 1) * hidden
    bias = first + outputs * hidden
    weights = np.concatenate([net.weights[: first + hidden], net.weights[bias : bias + 1]])
    return replace(net, shape=(inputs, hidden, 1), weights=weights)


def work_of(name: str, what: str) -> tuple[Game, np.ndarray, np.ndarray, np.ndarray]:
    """A game, its players `net` or `random` as kernels take them, and jobs for them."""
    game = find_game(name)
    table, weights = pack_players(game, players_of(name) if what == "net" else find_players(game, ["random"] * 2))
    seats = min(game.rules.seats)
    return game, table, weights, paired_jobs(1, np.arange(seats) % 2, PAIRS[name], "every" if seats == 2 else "rotated")


def first_seconds(name: str, what: str) -> float:
    """The time of the first launch of 64 games on the GPU in this process, with compiling."""
    game, table, weights, jobs = work_of(name, what)
    with use_backend("cuda"):
        began = time.perf_counter()
        game.launcher.play(jobs[:64], table, weights)
        return time.perf_counter() - began


def first_launches(names: list[str]) -> dict[str, float]:
    """The first launches of all games, side by side in processes of their own, with an empty cache."""
    tasks = [(name, what) for name in names for what in ("net", "random")]
    if not tasks:
        return {}
    before = os.environ.get("SPARRING_CACHE")
    with TemporaryDirectory() as folder:
        os.environ["SPARRING_CACHE"] = folder
        try:
            with ProcessPoolExecutor(len(tasks), get_context("spawn")) as pool:
                seconds = list(pool.map(first_seconds, *zip(*tasks, strict=True)))
        finally:
            os.environ.pop("SPARRING_CACHE")
            os.environ.update({"SPARRING_CACHE": before} if before is not None else {})
    return {f"{name}.{what}_first_seconds.gpu": took for (name, what), took in zip(tasks, seconds, strict=True)}


def speeds(name: str) -> dict[str, float]:
    """Games per second by networks and random players, on the GPU and on all cores, and the share of identical games."""
    found = {}
    for what in ("net", "random"):
        game, table, weights, jobs = work_of(name, what)
        game.launcher.prepare()
        few = jobs[: max(64, len(jobs) // 500)]
        began = time.perf_counter()
        cores, _ = game.launcher.play(few, table, weights)
        found[f"{name}.{what}_games_per_second.cores"] = len(few) / (time.perf_counter() - began)
        with use_backend("cuda"):
            game.launcher.play(jobs[:64], table, weights)  # loads compiled code
            took = []
            for _ in range(2):
                began = time.perf_counter()
                tallies, _ = game.launcher.play(jobs, table, weights)
                took.append(time.perf_counter() - began)
        found[f"{name}.{what}_games_per_second.gpu"] = len(jobs) / min(took)
        found[f"{name}.{what}_games_the_same"] = float((tallies[: len(few)] == cores).mean())
    return found


def coevolution(trials: int, epochs: int) -> dict[str, float]:
    """Train `trials` trials of the golf study's budget and return the time."""
    with use_backend("cuda"):
        warm = CoevolutionTraining(find_game("golf"), Coevolution(epochs=1, benchmark_pairs=0), 1, trials)
        began = time.perf_counter()
        warm.advance()
        first = time.perf_counter() - began
        began = time.perf_counter()
        training = CoevolutionTraining(find_game("golf"), Coevolution(epochs=epochs, benchmark_pairs=0), 1, trials)
        games = 0
        while training.step < training.steps:
            games += training.advance()
        took = time.perf_counter() - began
        won = [
            match("golf", net, "random", pairs=250, seed=7).players[0].win_rate.value
            for net in training.champions()[:20]
        ]
    return {
        "golf.coevolution_1000_trials_seconds.gpu": took,
        "golf.coevolution_games.gpu": games,
        "golf.coevolution_first_seconds.gpu": first,
        "golf.coevolution_win_rate_against_random": float(np.mean(won)),
    }


def td(games: int, hidden: int, turns: int) -> dict[str, float]:
    """Train a backgammon network from zero with td-batch and measure it against pubeval on separate deals."""
    options = TDBatch(games=games, hidden=hidden, turns=turns, step_turns=250, benchmark_pairs=0)
    with use_backend("cuda"):
        began = time.perf_counter()
        training = TDBatchTraining(find_game("backgammon:scoring=single"), options, 1, 1)
        played = 0
        while training.step < training.steps:
            played += training.advance()
        took = time.perf_counter() - began
        net = training.champions()[0]
        result = match("backgammon:scoring=single", net, "pubeval", pairs=10_000, seed=2027)
    rate = result.players[0].win_rate
    return {
        "backgammon.td_batch_seconds.gpu": took,
        "backgammon.td_batch_games.gpu": played,
        "backgammon.td_batch_win_rate_against_pubeval": rate.value,
        "backgammon.td_batch_win_rate_low": rate.low,
        "backgammon.td_batch_win_rate_high": rate.high,
        "backgammon.td_batch_single_points_per_game": result.players[0].score.value,  # a win is 1, a loss -1
    }


def page(parts: dict[str, Any]) -> str:
    """Render GPU.md; its parts may have been measured at different times."""
    figures = {
        name: (value, result["commit"]) for result in parts.values() for name, value in result["figures"].items()
    }
    lines = ["# GPU benchmarks", "", "Measured by `make bench-gpu`:", ""]
    for part, result in parts.items():
        versions = ", ".join(f"{package} {version}" for package, version in result["versions"].items())
        lines.append(f"- {part}: {result['gpu']}; {result['machine']}; {versions}; commit {result['commit']}")
    lines += ["", "| requirement | limit | measured | met | commit |", "|---|---|---|---|---|"]
    for name, (limit, word) in LIMITS.items():
        cells = "not measured yet | | "
        if name in figures:
            value, measured_commit = figures[name]
            holds = value >= limit if word == "at least" else value <= limit
            cells = f"{value:,.10g} | {'yes' if holds else 'NO'} | {measured_commit}"
        lines.append(f"| {name} | {word} {limit:,} | {cells} |")
    lines += ["", "| figure | | commit |", "|---|---|---|"]
    lines += [f"| {name} | {value:,.10g} | {at} |" for name, (value, at) in figures.items()]
    return "\n".join(lines) + "\n"


def main(words: list[str]) -> None:
    """Measure all parts or the named ones and write the files after each; other parts keep their earlier figures.

    `peers` is left out where pgx is not installed.
    """
    learners = {
        "td": lambda: td(2048, 128, 36_000),
        "coevolution": lambda: coevolution(1000, 1500),
        "peers": peer_figures,
    }
    known = [*learners, *PAIRS]
    if wrong := [word for word in words if word not in known]:
        sys.exit(f"unknown part {wrong[0]!r}: known: {', '.join(known)}")
    if why_not():
        sys.exit(f"make bench-gpu: {why_not()}")
    from numba import cuda

    name = cuda.get_current_device().name
    where = {
        "gpu": name.decode() if isinstance(name, bytes) else name,
        "machine": machine(),
        "versions": {
            "python": platform.python_version(),
            **{p: version(p) for p in PACKAGES if find_spec(p.replace("-", "_"))},
        },
        "commit": commit(),
    }
    kept = HERE / "gpu.json"
    parts = json.loads(kept.read_text()) if kept.exists() else {}
    wanted = words or known
    if "peers" in wanted and not find_spec("pgx"):
        print("peers: pgx is not installed, so its figures stay as they are", file=sys.stderr)
        wanted = [word for word in wanted if word != "peers"]
    firsts = first_launches([word for word in wanted if word in PAIRS])
    for word in wanted:
        figures = learners[word]() if word in learners else speeds(word)
        figures |= {name: seconds for name, seconds in firsts.items() if name.startswith(f"{word}.")}
        parts[word] = where | {"figures": {k: float(f"{v:.4g}") for k, v in figures.items()}}
        print(word, figures, file=sys.stderr, flush=True)
        kept.write_text(json.dumps(parts, indent=1) + "\n")
        (HERE / "GPU.md").write_text(page(parts))


if __name__ == "__main__":
    main(sys.argv[1:])
