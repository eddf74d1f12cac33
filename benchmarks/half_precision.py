"""What half precision changes: `python -m benchmarks.half_precision [PLAYER] [--decisions N] [--seed S] [--backend cuda]`.

A deep network plays itself. In each position its choice by values in half precision (sums and the last layer are in single
precision) is compared with its choice in single precision, and so is what the former loses by the values of the latter, in
points. With `--backend cuda` the GPU computes both as in matches; otherwise NumPy rounds as the GPU does. Prints JSON.
"""

import argparse
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.stages_here import StagesHere, deep_player, single_values
from sparring.arena.statistics import mean_interval, share_interval

GAMES = 256
WON = 3.0  # points of a backgammon: the values of five outputs are divided by it
Values = Callable[[np.ndarray], np.ndarray]


def rounded(numbers: np.ndarray) -> np.ndarray:
    """To half precision and back."""
    return numbers.astype(np.float16).astype(np.float32)


def here(stages: StagesHere) -> tuple[Values, Values]:
    """Values in single and in half precision by NumPy."""
    return lambda rows: single_values(stages.layers, rows), lambda rows: single_values(stages.layers, rows, rounded)


def on_gpu(stages: StagesHere) -> tuple[Values, Values]:
    """The same by PyTorch on the GPU."""
    import torch

    from sparring.kernel.deep_matches import Network

    network = Network(stages.table[0], stages.weights)
    torch.backends.cuda.matmul.allow_tf32 = False

    def sent(rows: np.ndarray) -> Any:
        found = torch.zeros(len(rows), network.width, dtype=network.net.half, device="cuda")
        found[:, : rows.shape[1]] = torch.from_numpy(rows).cuda()
        return found

    def half(rows: np.ndarray) -> np.ndarray:
        outputs = torch.zeros(len(rows), stages.shape[-1], device="cuda")
        network.net.value(sent(rows), outputs)
        return np.asarray(outputs.cpu().numpy())

    return lambda rows: np.asarray(network.single(sent(rows)).cpu().numpy()), half


def compare(name: str, decisions: int, seed: int, backend: str) -> dict[str, Any]:
    """The share of choices that differ, and the loss per decision, with 95% intervals."""
    game, player = deep_player(name)
    stages = StagesHere(game, player, GAMES, seed)
    single, half = on_gpu(stages) if backend == "cuda" else here(stages)
    unit = WON if stages.shape[-1] > 1 else 1.0
    changed: list[bool] = []
    losses: list[float] = []
    gap = 0.0
    while len(changed) < decisions:
        rows = stages.found.rows[: stages.list_moves()]
        exact, rough = single(rows), half(rows)
        gap = max(gap, float(np.abs(exact - rough).max()))
        other, best = stages.best_by(rough), stages.best_by(exact)
        for i in np.flatnonzero(stages.found.count > 1):
            changed.append(bool(best[i] != other[i]))
            losses.append(unit * (value(game, stages, best[i]) - value(game, stages, other[i])) if changed[-1] else 0.0)
        stages.play(best)
    return {
        "player": name,
        "arithmetic": "GPU" if backend == "cuda" else "NumPy, rounded as on a GPU",
        "decisions": len(changed),
        "changed": share_interval(np.array(changed, float)).json(),
        "millipoints_lost": mean_interval(1000 * np.array(losses)).json(),  # per decision
        "most_millipoints_lost": 1000 * max(losses),
        "largest_gap_of_an_output": gap,
    }


def value(game: Any, stages: StagesHere, candidate: int) -> float:
    """The value of a candidate by the outputs in single precision."""
    found = stages.found
    outputs = found.exact if found.over[candidate] else found.outputs
    return float(game.learning.equity(stages.head, outputs[candidate]))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="*", default=["deep", "deep-single"])
    parser.add_argument("--decisions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    given = parser.parse_args()
    found = {name: compare(name, given.decisions, given.seed, given.backend) for name in given.players}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
