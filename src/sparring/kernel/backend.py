"""Backends: where games are played and networks learn. `CPU` is this machine's cores.

A backend declares what it can do in `capabilities`, which are names of its methods. A learner asks `backend_for` for a backend that
can do its work; where the one in use cannot, the cores do it, and one line says so.
"""

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sparring.errors import Failure, remark

if TYPE_CHECKING:
    from sparring.kernel.batched_td import BatchedTD
    from sparring.kernel.deep_td import DeepTD, Turn
    from sparring.kernel.example_generator import ExampleGenerator
    from sparring.kernel.launch import Launcher
    from sparring.kernel.td_runner import TDRunner
    from sparring.kernel.temporal import Nets

CAPABILITIES = ("play", "learn", "learn_batched", "learn_deep", "generate", "evolve", "roll_out", "map")


class Games(NamedTuple):
    """Games to play: see `Launcher.play`."""

    jobs: np.ndarray
    players: np.ndarray
    weights: np.ndarray
    threads: int | None
    keep_moves: bool


class Evolution(NamedTuple):
    """Epochs of coevolution by the rule `score` in every trial."""

    seeds: np.ndarray  # of a trial's deals (training, benchmark) and of its mutations
    nets: np.ndarray  # which are changed in place
    players: np.ndarray  # a trial's player, its opponent and the benchmark
    first: int
    epochs: int
    pairs: tuple[int, int]
    terms: tuple[float, float, float, float]  # threshold, move, mutation and 1, or -1 where fewer points are better


class Backend:
    """Does what launchers and learners ask for, with the results that this machine's cores would give."""

    name: str
    capabilities: frozenset[str]  # of CAPABILITIES
    slice: int = 512  # games that it should get at once, where progress is shown or moves are kept
    workers: int = 1  # that `map` keeps busy

    def __init__(self) -> None:
        self.remarks: set[str] = set()

    def remark_once(self, text: str) -> None:
        """Say something worth knowing in one line, once for this backend."""
        if text not in self.remarks:
            self.remarks.add(text)
            remark(f"backend = {self.name!r}: {text}")

    def unable(self, capability: str) -> Failure:
        """The error for work that this backend does not declare."""
        return Failure(f"backend = {self.name!r}: cannot {capability}")

    def close(self) -> None:
        """Give back what the backend has taken."""

    def play(self, launcher: "Launcher", games: Games) -> tuple[np.ndarray, np.ndarray]:
        """See `Launcher.play`."""
        raise self.unable("play")

    def learn(self, td_runner: "TDRunner", jobs: np.ndarray, nets: "Nets", threads: int | None) -> None:
        """See `TDRunner.run`."""
        raise self.unable("learn")

    def learn_batched(self, batched_td: "BatchedTD", rates: list[float], threads: int | None) -> None:
        """See `BatchedTD.learn`; the rates are corrected."""
        raise self.unable("learn_batched")

    def learn_deep(self, deep_td: "DeepTD", turns: "list[Turn]", threads: int | None) -> np.ndarray:
        """See `DeepTD.learn`."""
        raise self.unable("learn_deep")

    def generate(
        self, generator: "ExampleGenerator", *arguments: np.ndarray, threads: int | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """See `ExampleGenerator.play`."""
        raise self.unable("generate")

    def evolve(self, launcher: "Launcher", work: Evolution) -> tuple[np.ndarray, np.ndarray] | None:
        """The tallies by trial, epoch and game, and the number of each change; None, after a remark, where a trial does not fit."""
        raise self.unable("evolve")

    def batches(self, staged: bool) -> int:
        """How many times as many games of a rollout to play between two looks at the results; `staged` if its network is deep."""
        return 1

    def roll_out(self, work: Any) -> tuple[np.ndarray, np.ndarray]:
        """Games of a rollout: the results and the luck of each."""
        raise self.unable("roll_out")

    def map(self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Results of `function` for each tuple of arguments, computed on many workers."""
        raise self.unable("map")

    def threads(self, wish: int | None) -> int | None:
        """The cores that a worker uses."""
        return wish


class Cpu(Backend):
    """This machine's cores."""

    name = "cpu"
    capabilities = frozenset({"play", "learn", "learn_batched", "learn_deep", "generate", "roll_out"})

    def play(self, launcher: "Launcher", games: Games) -> tuple[np.ndarray, np.ndarray]:
        return launcher.play_here(*games)

    def learn(self, td_runner: "TDRunner", jobs: np.ndarray, nets: "Nets", threads: int | None) -> None:
        td_runner.run_here(jobs, nets, threads)

    def learn_batched(self, batched_td: "BatchedTD", rates: list[float], threads: int | None) -> None:
        batched_td.learn_here(rates, threads)

    def learn_deep(self, deep_td: "DeepTD", turns: "list[Turn]", threads: int | None) -> np.ndarray:
        from sparring.kernel.deep_cores import DeepOnCores

        return DeepOnCores(deep_td, threads).learn(turns)

    def generate(
        self, generator: "ExampleGenerator", *arguments: np.ndarray, threads: int | None
    ) -> tuple[np.ndarray, np.ndarray]:
        return generator.play_here(*arguments, threads=threads)

    def roll_out(self, work: Any) -> tuple[np.ndarray, np.ndarray]:
        found: tuple[np.ndarray, np.ndarray] = work.play_here()
        return found


CPU = Cpu()
IN_USE: ContextVar[Backend] = ContextVar("backend", default=CPU)


def backend_for(capability: str, work: str) -> Backend:
    """The backend in use if it has a capability; otherwise the cores, and one line says that they do the work."""
    backend = IN_USE.get()
    if capability in backend.capabilities:
        return backend
    backend.remark_once(f"{work} runs on this machine's cores")
    return CPU
