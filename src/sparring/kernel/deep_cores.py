"""Deep TD on this machine's cores: compiled kernels play and learn. The number of threads changes no result."""

from collections.abc import Iterator

import numpy as np

from sparring.kernel.compiler import announced
from sparring.kernel.corrections import Corrections
from sparring.kernel.deep_gradient import measure, scratch_for, teach
from sparring.kernel.deep_td import WATCHED, DeepTD, Turn, layers_of_player
from sparring.kernel.launch import chunk_size, share_out, threads_available
from sparring.kernel.records import call_kernel
from sparring.kernel.stages import Samples, Scratch


class DeepOnCores:
    """The games and the network of a `DeepTD` for one step."""

    def __init__(self, td: DeepTD, threads: int | None) -> None:
        self.td, self.threads = td, threads or threads_available()
        games, (inputs, *_, outputs) = len(td.kept["deals"]), td.shape
        self.samples = Samples(*(np.zeros(shape, np.float32) for shape in ((games, inputs), (games, outputs), games)))
        self.weights = td.kept["weights"]
        self.correct = Corrections(
            td.player, td.kept, td.shape, self.samples, True, self.threads, td.decays.weights
        ).correct

    def learn(self, turns: list[Turn]) -> np.ndarray:
        """See `DeepTD.learn`."""
        measured = np.zeros(sum(self.td.shape[1:-1]) + 2)
        with announced(f"{self.td.launcher.name}-deep-td"):
            rates, shares = map(iter, self.td.schedule(turns))
            for left, turn in enumerate(turns, -len(turns)):
                self.td.terms["explore"], self.td.terms["exact"] = turn.explore, turn.exact
                self.play(turn.games)
                for begin in range(0, turn.games, turn.minibatch):
                    self.correct(begin, turn.minibatch, next(rates), next(shares))
                if left >= -WATCHED:
                    samples, scratch = self.samples, scratch_for(self.td.shape)
                    call_kernel(measure, turn.games, samples, self.td.player, self.weights, measured, scratch)
        return measured

    def play(self, games: int) -> None:
        """A move of each of the first games."""
        td = self.td
        self.samples.rows[:] = 0
        weights, ring = np.concatenate([self.weights, td.others]) if len(td.others) else self.weights, td.ring

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            task, scratch = (td.terms, td.player, weights, td.flip), self._scratch()
            heard = scratch_for(layers_of_player(td.teacher[0])) if td.teacher else None
            for first, last in chunks:
                call_kernel(td.stages.turns, first, last, td.games, self.samples, *task, scratch)
                if ring:
                    lists = scratch.target, scratch.outputs
                    call_kernel(
                        td.stages.tracing.remember, first, last, td.games, self.samples, ring, td.terms, td.flip, *lists
                    )
                if td.teacher:
                    call_kernel(teach, first, last, self.samples, *td.teacher, heard)

        share_out(games, chunk_size(games, self.threads), min(self.threads, games), work)

    def _scratch(self) -> Scratch:
        inputs, outputs = self.td.shape[0], self.td.shape[-1]
        state, floats, ints = self.td.launcher.scratch(self.td.player)
        lists = np.zeros(inputs, np.int64), np.zeros(inputs, np.float32), np.zeros(outputs, np.float32)
        targets = state, np.zeros(outputs, np.float32), np.zeros(outputs)
        return Scratch(floats, ints, scratch_for(self.td.shape), *lists, *targets)
