"""Expert iteration on this machine's cores: games with searches, and a network that learns from the decisions kept."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sparring.kernel.compiler import announced
from sparring.kernel.corrections import Corrections, adam_schedule
from sparring.kernel.expert import MEASURES, STATES, Decisions, ExpertKernels, ExpertScratch
from sparring.kernel.launch import DEEP_PLACES, SEATS, Launcher, chunk_size, share_out, threads_available
from sparring.kernel.records import call_kernel
from sparring.kernel.stages import Samples

SHARED = 64  # decisions of a minibatch from which on several threads encode it


class ExpertRunner:
    """One network, the players it needs, and its replay. `kept` is what survives a stop."""

    def __init__(
        self, launcher: Launcher, kernels: ExpertKernels, players: np.ndarray, average: np.ndarray, decisions: tuple[int, int],
        branching: int,
    ) -> None:  # fmt: skip
        self.launcher, self.kernels, self.players, self.branching = launcher, kernels, players, branching
        self.shape = (int(players["inputs"][0]), *map(int, players["layers"][0, : players["depth"][0]]))
        self.own = players[:1].copy()  # the network as it learns, which has its weights to itself
        self.own["offset"] = 0
        places, most = decisions
        self.kept = {
            "weights": average.copy(),
            "average": average,  # moving, of the weights: this network plays
            "mean": np.zeros_like(average),
            "square": np.zeros_like(average),
            "updates": np.zeros(1, np.int64),
            # With zeros between fields: a checkpoint has every byte.
            "states": np.zeros(places, launcher.template.dtype),
            "counts": np.zeros(places, np.int64),
            "moves": np.zeros((places, most), np.int16),
            "targets": np.zeros((places, most, self.shape[-1]), np.float32),
        }

    def decisions(self, part: slice = slice(None)) -> Decisions:
        """The replay, or a part of it."""
        return Decisions(*(self.kept[name][part] for name in Decisions._fields))

    def _scratch(self) -> ExpertScratch:
        _, floats, ints = self.launcher.scratch(self.players)
        inputs, outputs, most = self.shape[0], self.shape[-1], self.kept["moves"].shape[1]
        return ExpertScratch(
            states=np.repeat(self.launcher.template, STATES),
            floats=floats,
            ints=ints,
            moves=np.zeros(self.branching, np.int64),
            index=np.zeros(inputs, np.int64),
            value=np.zeros(inputs, np.float32),
            units=np.zeros(self.shape[1] + outputs + DEEP_PLACES * max(self.shape[1:]), np.float32),
            outputs=np.zeros((most, outputs), np.float32),
            points=np.zeros(SEATS, np.int64),
        )

    def play(self, games: int, place: int, weights: np.ndarray, terms: np.ndarray, threads: int | None) -> None:
        """Play some games, whose decisions replace those from a place of the replay on."""
        kept = self.decisions(slice(place, place + games * int(terms["searches"][0])))

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            scratch = self._scratch()
            for first, last in chunks:
                call_kernel(self.kernels.play, first, last, kept, self.players, weights, terms, scratch)

        wanted = min(threads or threads_available(), games)
        with announced(f"{self.launcher.name}-expert"):
            share_out(games, chunk_size(games, wanted), wanted, work)

    def learn(
        self, chosen: np.ndarray, rate: float, decay: float, terms: np.ndarray, threads: int | None
    ) -> np.ndarray:
        """A correction by each row of decisions. Returns the sum of what is measured before each."""
        size, (inputs, *_, outputs), most = chosen.shape[1], self.shape, self.kept["moves"].shape[1]
        samples = Samples(
            np.zeros((size * most, inputs), np.float32),
            np.zeros((size * most, outputs), np.float32),
            np.zeros(size * most, np.float32),
        )
        measured, replay, threads = np.zeros((size, MEASURES)), self.decisions(), threads or threads_available()
        net, free = (self.own, self.kept["weights"]), [self._scratch() for _ in range(threads)]
        network = Corrections(self.own, self.kept, self.shape, samples, bool(terms["input_major"][0]), threads)
        rates, shares = adam_schedule(np.full(len(chosen), rate), int(self.kept["updates"][0]), decay)
        for row, corrected, share in zip(chosen, rates, shares, strict=True):

            def work(chunks: Iterator[tuple[int, int]], row: np.ndarray = row) -> None:
                scratch = free.pop()
                for first, last in chunks:
                    call_kernel(self.kernels.encode, first, last, row, replay, samples, *net, terms, measured, scratch)
                free.append(scratch)

            share_out(size, -(-size // threads), threads if size >= SHARED else 1, work)
            network.correct(0, size * most, corrected, share)
        self.kept["updates"] += len(chosen)
        total: np.ndarray = measured.sum(axis=0)
        return total

    def illegal(self, arrays: dict[str, np.ndarray]) -> int:
        """The first place of a replay, given by its arrays, with a move that is not legal; -1 if there is none."""
        replay: Any = Decisions(*(arrays[name] for name in Decisions._fields))
        return int(call_kernel(self.kernels.illegal, replay, np.zeros(self.branching, np.int64)))
