"""A cluster: Ray distributes games and trials over many machines, with the results that one machine would give.

A worker is a part of a machine: as many cores as the smallest machine has or, where there are GPUs, one GPU with its share of
cores. Workers are stateless: a call contains all that it needs, so another worker can repeat it when one dies.
"""

import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.backends import find_backend
from sparring.arena.machines import connect, difference, first_line, import_ray, shares, stamp_here, stamper
from sparring.errors import Failure, UserError
from sparring.games import Game, name_game
from sparring.kernel.backend import CPU, IN_USE, Backend, Games
from sparring.kernel.launch import Launcher

SLICES = 4  # of a batch for each worker, so that none waits long for the slowest
RETRIES = 5  # of a call whose worker died
PATIENCE = 60.0  # seconds that a machine of the cluster may take to answer


class Cluster(Backend):
    """The cluster at `RAY_ADDRESS`, or one that is started on this machine alone."""

    name, slice = "ray", 1 << 14
    capabilities = frozenset({"play", "map"})

    def __init__(self) -> None:
        super().__init__()
        self.ray = import_ray()
        self.ended = ExitStack()
        # Ray prints here its own messages and what workers print; none of it may come between results.
        self.ended.enter_context(redirect_stdout(sys.stderr))
        try:
            if connect(self.ray):
                self.ended.callback(self.ray.shutdown)
            self.stamp = stamp_here()
            self._check_versions()
            self.workers, self.cores, self.gpus = shares([node["Resources"] for node in self._machines()])
        except BaseException:
            self.close()
            raise
        self.remote = self.ray.remote(num_cpus=self.cores, num_gpus=self.gpus, max_retries=RETRIES)(work)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self.ended.close()

    def _machines(self) -> list[dict[str, Any]]:
        """The machines with cores, as Ray describes them."""
        return [node for node in self.ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]

    def _check_versions(self) -> None:
        """Refuse machines with other code; machines that have died are ignored."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        remote = self.ray.remote(num_cpus=0, max_retries=1)(stamper())
        machines = self._machines()
        places = [NodeAffinitySchedulingStrategy(node["NodeID"], soft=False) for node in machines]
        asked = [remote.options(scheduling_strategy=place).remote() for place in places]
        for node, reference in zip(machines, asked, strict=True):
            name = f"worker {node['NodeManagerAddress']}"
            try:
                stamp = self.ray.get(reference, timeout=PATIENCE)
            except self.ray.exceptions.RayError as error:
                if node["NodeID"] in [other["NodeID"] for other in self._machines()]:
                    raise UserError(f"backend = 'ray': {name} does not answer ({first_line(error)})") from None
                continue
            if stamp != self.stamp:
                raise UserError(f"backend = 'ray': {name} {difference(stamp, self.stamp)}")

    def map(self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Results of `function` for each tuple of arguments, called on workers; calls of a dead worker are repeated.

        Arrays arrive as copies. An argument may be a result of `share`.
        """
        asked = [self.remote.remote(self.stamp, os.getcwd(), function, *arguments) for arguments in calls]
        try:
            return list(self.ray.get(asked))
        except BaseException as error:  # Ctrl-C among them
            for reference in asked:
                self.ray.cancel(reference, force=True)
            cause = getattr(error, "cause", None)
            if isinstance(cause, UserError | Failure):
                raise cause from None
            if cause or not isinstance(error, self.ray.exceptions.RayError):
                raise
            why = "its workers die of the same work again and again"
            raise Failure(f"the cluster gave up, {why}: {first_line(error)}") from None

    def share(self, array: np.ndarray) -> Any:
        """An array that every worker can read; it is sent to each machine once."""
        return self.ray.put(array)

    def play(self, launcher: Launcher, games: Games) -> tuple[np.ndarray, np.ndarray]:
        """See `Launcher.play`: slices of the jobs, each on a worker."""
        jobs, players, weights, threads, keep_moves = games
        if len(jobs) < 2:
            return CPU.play(launcher, games)
        common = (launcher.rules, self.share(players), self.share(weights), self.threads(threads), keep_moves)
        slices = np.array_split(jobs, min(len(jobs), SLICES * self.workers))
        tallies, moves = zip(*self.map(play_slice, [(part, *common) for part in slices]), strict=True)
        return np.concatenate(tallies), np.concatenate(moves)

    def threads(self, wish: int | None) -> int:
        """The cores that a worker uses."""
        return min(wish or self.cores, self.cores)


# On a worker.


def work(stamp: dict[str, str], folder: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in the caller's folder, where that exists, with writable arrays."""
    if stamp != stamp_here():  # a machine that joined the cluster later
        raise UserError(f"backend = 'ray': worker {socket.gethostname()} {difference(stamp_here(), stamp)}")
    if Path(folder).is_dir():
        os.chdir(folder)
    IN_USE.set(_backend_of_worker())
    return function(*(np.array(each) if isinstance(each, np.ndarray) else each for each in arguments))


@cache
def _backend_of_worker() -> Backend:
    """The GPU where Ray gives one, otherwise the cores."""
    return find_backend("auto") if import_ray().get_gpu_ids() else CPU


@cache
def game_of_worker(rules: str) -> Game:
    """A game that keeps its compiled code."""
    return name_game(rules)


def play_slice(
    jobs: np.ndarray, rules: str, players: np.ndarray, weights: np.ndarray, threads: int, keep_moves: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Some games of a batch."""
    return game_of_worker(rules).launcher.play(jobs, players, weights, threads, keep_moves)
