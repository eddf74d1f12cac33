"""Corrections of a network by minibatches on this machine's cores: gradients of blocks, then Adam. Threads change no result."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sparring.kernel.deep_gradient import blocks_for, correct, gradient, scratch_for, turn_matrices
from sparring.kernel.dense import MEAN, SQUARE
from sparring.kernel.launch import DEEP, share_out
from sparring.kernel.records import call_kernel
from sparring.kernel.sigmoid_gradient import sigmoid_gradient

SMALL = 1 << 24  # samples times weights of a minibatch that takes one thread less time than several take to start
KEPT = ("weights", "average", "mean", "square")  # of a network that learns


class Corrections:
    """A network that learns from samples. `player` is its row of a table; `kept` has its weights and what Adam needs."""

    def __init__(
        self, player: np.ndarray, kept: dict[str, np.ndarray], shape: tuple[int, ...], samples: Any, input_major: bool,
        threads: int, weight_decay: float = 0.0,
    ) -> None:  # fmt: skip
        self.weight_decay = weight_decay
        self.player, self.kept, self.shape, self.samples, self.threads = player, kept, shape, samples, threads
        self.deep, self.input_major = player["kind"][0] == DEEP, input_major
        self.turned = np.zeros_like(kept["weights"])
        self._turn()

    def _turn(self) -> None:
        if self.deep:
            call_kernel(turn_matrices, self.player, self.kept["weights"], self.turned)

    def correct(self, begin: int, size: int, rate: Any, share: Any) -> None:
        """A correction by the samples of a minibatch."""
        blocks, weights = blocks_for(size, self.shape), self.kept["weights"]
        kernel: Any = gradient if self.deep else sigmoid_gradient
        net = self.player, weights, self.turned if self.deep else self.input_major

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            scratch = scratch_for(self.shape)
            for first, last in chunks:
                call_kernel(kernel, first, last, begin, size, self.samples, *net, blocks, scratch)

        share_out(len(blocks), 1, min(self.threads, len(blocks)) if size * len(weights) > SMALL else 1, work)
        if self.weight_decay:  # Loshchilov and Hutter, "Decoupled weight decay regularization" (2019)
            weights *= np.float32(1 - rate * self.weight_decay)
        call_kernel(correct, blocks, *(self.kept[name] for name in KEPT), rate, share)
        self._turn()


def adam_schedule(rates: np.ndarray, done: int, decay: float) -> tuple[np.ndarray, np.ndarray]:
    """After so many corrections: the corrected rate of each one to come, and the share of the weights in their moving average.

    The average begins as a mean.
    """
    count = np.arange(done + 1, done + 1 + len(rates), dtype=float)
    shares = np.maximum(decay, 1.0 / count)
    corrected = rates * np.sqrt(1 - SQUARE**count) / (1 - MEAN**count)
    return corrected.astype(np.float32), shares.astype(np.float32)
