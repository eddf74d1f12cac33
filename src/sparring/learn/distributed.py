"""Training on a cluster: each worker trains some of the trials for many steps, then the results are joined.

A trial depends on the seed and its own number alone, so it does not matter where and with which others it is trained.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.arena.cluster import game_of_worker
from sparring.kernel.backend import IN_USE, Backend
from sparring.learn.training import Training

Arrays = dict[str, np.ndarray]
ROUND_SECONDS = 5.0  # how long workers train before the results are joined; Ctrl-C may take as long
GROWTH = 10  # a round has at most this many times the steps of the last


def step_function(training: Training) -> Callable[[], int]:
    """The function that advances a training: its own `advance`, or a round of many steps on a cluster that its trials keep busy."""
    backend = IN_USE.get()
    if "map" not in backend.capabilities or training.trials == 1:
        return training.advance
    if training.crowded and training.trials < backend.workers:  # its games keep more workers busy than its trials
        return training.advance
    return Rounds(training, backend).advance


class Rounds:
    """Advances a training by rounds, each worker with some of its trials."""

    def __init__(self, training: Training, backend: Backend) -> None:
        self.training, self.backend, self.steps = training, backend, 1
        self.shares = np.array_split(np.arange(training.trials), min(training.trials, backend.workers))

    def advance(self) -> int:
        """Take some steps in every trial; returns the number of games played."""
        training, began = self.training, time.monotonic()
        steps, arrays = min(self.steps, training.steps - training.step), training.arrays()
        threads = self.backend.threads(training.threads)
        common = (type(training), training.game.name, training.options, training.seed, training.step, steps, threads)
        calls = [(*common, int(share[0]), len(share), part(training, arrays, share)) for share in self.shares]
        parts, games = zip(*self.backend.map(train_part, calls), strict=True)
        training.restore(training.step + steps, joined(training, list(parts), self.shares))
        pace = steps / (time.monotonic() - began)
        self.steps = max(1, min(int(pace * ROUND_SECONDS), GROWTH * steps))
        return sum(games)


def train_part(
    kind: type[Training],
    game: str,
    options: Any,
    seed: int,
    step: int,
    steps: int,
    threads: int | None,
    first: int,
    trials: int,
    arrays: Arrays,
) -> tuple[Arrays, int]:
    """On a worker: train some trials from the first on for some steps. Returns their arrays and the number of games."""
    training = kind(game_of_worker(game), options, seed, trials, threads, first)
    training.restore(step, {name: array.copy() for name, array in arrays.items()})
    training.pause, games = step + steps, 0
    while training.step < training.pause:
        games += training.advance()
    return training.arrays(), games


# Arrays of all trials, and of some.


def part(training: Training, arrays: Arrays, share: np.ndarray) -> Arrays:
    """What `arrays()` would be with these consecutive trials alone."""
    found = {}
    for name, array in arrays.items():
        how = training.layout.get(name, "rows")
        if owner(name) is None:
            rows = array if how == "shared" else by_trial(array, training.trials, how)[share]
            found[name] = laid_out(rows, how)
        elif owner(name) in share:
            found[moved(name, -share[0])] = array
    return found


def joined(training: Training, parts: list[Arrays], shares: list[np.ndarray]) -> Arrays:
    """The arrays of all trials from those of each share."""
    found = {}
    for name, array in parts[0].items():
        how = training.layout.get(name, "rows")
        if owner(name) is None and how != "shared":
            rows = [by_trial(arrays[name], len(share), how) for arrays, share in zip(parts, shares, strict=True)]
            array = laid_out(np.concatenate(rows), how)
        found[name] = array
    for arrays, share in zip(parts, shares, strict=True):
        found |= {moved(name, share[0]): array for name, array in arrays.items() if owner(name) is not None}
    return found


def owner(name: str) -> int | None:
    """The trial that an array belongs to: 7 of `7/0/population/ids`."""
    trial = name.partition("/")[0]
    return int(trial) if trial.isdecimal() else None


def moved(name: str, by: int) -> str:
    """The array's name for another trial number."""
    trial, _, rest = name.partition("/")
    return f"{int(trial) + by}/{rest}"


def by_trial(array: np.ndarray, trials: int, how: str) -> np.ndarray:
    """An array with trials first."""
    if how == "sides":
        array = array.reshape(-1, trials, *array.shape[1:])
    return array if how == "rows" else array.swapaxes(0, 1)


def laid_out(array: np.ndarray, how: str) -> np.ndarray:
    """An array with trials first, in the training's layout."""
    if how in ("sides", "second"):
        array = array.swapaxes(0, 1)
    return np.ascontiguousarray(array.reshape(-1, *array.shape[2:]) if how == "sides" else array)
