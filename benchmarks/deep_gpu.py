"""Deep networks on a GPU: `python -m benchmarks.deep_gpu [PART ...]` measures matches, values, the crossover and rollouts, as JSON.

- `peak`: a large matrix product in half precision, in TFLOP/s; and the same while positions of a match are valued.
- `matches`: games per second on the GPU, with the copies to and from it, and on all cores; how many games are the same.
- `few`: seconds for few games on all cores and on the GPU.
- `crossover`: moves per second in stages, and by a subwarp per game, of networks of several sizes with random weights.
- `rollouts`: games per second of a rollout of the starting position.

Kernels are compiled before anything is measured.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import sparring
from benchmarks.stages_here import deep_player
from sparring.arena.backends import use_backend
from sparring.arena.play import paired_jobs
from sparring.arena.players import find_players, pack_players
from sparring.games import Game, find_game
from sparring.kernel import cuda_matches
from sparring.kernel.cuda import why_not, work_of
from sparring.kernel.deep_matches import DeepMatch, Group
from sparring.kernel.match_stages import is_staged
from sparring.learn.deep_weights import he_weights
from sparring.nets.dense import Net, gaussian, size

OPPONENTS = ("deep", "pubeval")  # of deep-single
PAIRS, CORE_PAIRS = 50_000, 1_000
FEW = (16, 64, 256, 1024, 4096)
STAGED, SUBWARPS = ((80,), (128, 128), (512, 512, 256, 256)), ((80,), (512,))
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


def seconds_of(function: Callable[[], Any]) -> float:
    """The time a call takes, with all that it has started on the GPU."""
    import torch

    torch.cuda.synchronize()
    began = time.perf_counter()
    function()
    torch.cuda.synchronize()
    return time.perf_counter() - began


def games_of(game: Game, players: list[Any], pairs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Jobs, the table of players and weights."""
    return paired_jobs(1, np.arange(2), pairs), *pack_players(game, find_players(game, players))


def begun(game: Game, players: list[Any], pairs: int) -> tuple[DeepMatch, list[Group]]:
    """A match in stages after its first turn."""
    jobs, table, weights = games_of(game, players, pairs)
    match = DeepMatch(game.launcher, jobs, table, weights, False)
    table[is_staged(game.launcher.staged, table)] = 0
    match.compile(game.launcher.chooser(table), work_of(game.launcher, table))
    return match, match.begin(cuda_matches.AT_ONCE)


def flops(shape: tuple[int, ...]) -> int:
    """Additions and multiplications for one position."""
    return 2 * sum(a * b for a, b in zip(shape, shape[1:], strict=False))


def peak() -> dict[str, float]:
    """Of a large product, and while positions are valued."""
    import torch

    best = 0.0
    for n in (8192, 16384):
        a, b = (torch.randn(n, n, device="cuda", dtype=torch.float16) for _ in range(2))
        few = min(seconds_of(lambda a=a, b=b: [a @ b for _ in range(10)]) for _ in range(3))
        best = max(best, 10 * 2 * n**3 / few)
    match, (group, *_) = begun(deep_player("deep-single")[0], ["deep-single", "deep"], PAIRS)
    group.turn()
    group.count()
    ends = np.cumsum(group.found[2:].numpy()).tolist()
    rows = np.diff([0, *ends]).tolist()
    took = min(seconds_of(lambda: match.value(ends)) for _ in range(5))
    done = sum(count * flops(network.shape) for count, network in zip(rows, match.networks, strict=True)) / took
    return {
        "product_tflops": best / 1e12,
        "valuing_tflops": done / 1e12,
        "ratio": best / done,
        "positions_per_second": ends[-1] / took,
    }


def matches() -> dict[str, dict[str, float]]:
    """Of deep-single, by its opponent."""
    game, found = deep_player("deep-single")[0], {}
    for opponent in OPPONENTS:
        jobs, table, weights = games_of(game, ["deep-single", opponent], PAIRS)
        few = jobs[: 2 * CORE_PAIRS]
        with use_backend("cuda"):
            first = seconds_of(lambda work=(few, table, weights): game.launcher.play(*work))
            took = min(seconds_of(lambda work=(jobs, table, weights): game.launcher.play(*work)) for _ in range(2))
            there = game.launcher.play(few, table, weights)[0]
        game.launcher.play(few[:64], table, weights)
        began = time.perf_counter()
        here = game.launcher.play(few, table, weights)[0]
        cores = len(few) / (time.perf_counter() - began)
        found[opponent] = {
            "games": len(jobs),
            "seconds": took,
            "first_seconds": first,
            "games_per_second": len(jobs) / took,
            "games_per_second_on_cores": cores,
            "ratio": len(jobs) / took / cores,
            "games_the_same": float((here == there).mean()),
        }
    return found


def few() -> dict[str, dict[str, float]]:
    """Seconds by the number of games."""
    game, found = deep_player("deep-single")[0], {}
    jobs, table, weights = games_of(game, ["deep-single", "deep"], max(FEW))
    kept, cuda_matches.FEW = cuda_matches.FEW, 0
    for count in (max(FEW), *FEW):
        here = seconds_of(lambda count=count: game.launcher.play(jobs[:count], table, weights))
        with use_backend("cuda"):
            there = seconds_of(lambda count=count: game.launcher.play(jobs[:count], table, weights))
        found[str(count)] = {"cores": here, "gpu": there}
    cuda_matches.FEW = kept
    return found


def random_net(game: Game, layers: tuple[int, ...], kind: str) -> Net:
    """A network with random weights."""
    shape = (198, *layers, 1)
    weights = he_weights(shape, 40, 1, "net") if kind == "deep" else np.float32(0.1) * gaussian(size(shape), 1, "net")
    return Net("backgammon", game.rules.version, "tesauro", shape, weights, kind=kind, input_major=kind == "sigmoid")


def crossover() -> dict[str, dict[str, float]]:
    """Moves per second."""
    game = find_game("backgammon:scoring=single")
    found: dict[str, dict[str, float]] = {"stages": {}, "subwarps": {}}
    for layers in STAGED:
        match, groups = begun(game, [random_net(game, layers, "deep")] * 2, 200_000)
        for _ in range(3):
            groups = [group for group in groups if group.turn()]
        moves = 30 * sum(group.active for group in groups)
        took = seconds_of(lambda groups=groups: [group.turn() for _ in range(30) for group in groups])
        found["stages"]["-".join(map(str, match.networks[0].shape))] = moves / took
    for layers in SUBWARPS:
        jobs, table, weights = games_of(game, [random_net(game, layers, "sigmoid")] * 2, 5_000)
        with use_backend("cuda"):
            game.launcher.play(jobs[:64], table, weights)
            began = time.perf_counter()
            tallies = game.launcher.play(jobs, table, weights)[0]
            moves = float(tallies["turns"].sum() / (time.perf_counter() - began))
        found["subwarps"]["-".join(map(str, (198, *layers, 1)))] = moves
    return found


def rollouts() -> dict[str, float]:
    """Games per second, and what they say."""
    found: dict[str, Any] = {}
    for backend, games in (
        ("cuda", 1296),
        ("cuda", 12_960),
        ("cpu", 36),
        ("cpu", 360),
    ):  # the first ones load and compile
        began = time.perf_counter()
        line = sparring.rollout(START, games=games, backend=backend).json()
        rate = games / (time.perf_counter() - began)
        found[backend] = {"games_per_second": rate, "equity": line["equity"], "interval": line["interval"]}
    return found


PARTS = {"peak": peak, "matches": matches, "few": few, "crossover": crossover, "rollouts": rollouts}


def main(words: list[str]) -> None:
    """Measure all parts or the named ones."""
    if wrong := [word for word in words if word not in PARTS]:
        sys.exit(f"unknown part {wrong[0]!r}: known: {', '.join(PARTS)}")
    if why_not():
        sys.exit(f"benchmarks.deep_gpu: {why_not()}")
    try:
        import torch
    except ImportError:
        sys.exit("benchmarks.deep_gpu: PyTorch is not installed")
    found: dict[str, Any] = {"gpu": torch.cuda.get_device_name()}
    for word in words or PARTS:
        began = time.perf_counter()
        found[word] = PARTS[word]()
        print(f"{word}: {found[word]} ({time.perf_counter() - began:.0f} s)", file=sys.stderr, flush=True)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
