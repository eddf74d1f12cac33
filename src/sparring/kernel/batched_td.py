"""TD(0) with many games side by side: a turn of each, then one correction of the network by all of them.

One game after another keeps one thread busy; thousands of games side by side keep a GPU busy. After every turn the network values
what the other seat saw before it, and what the seat that has played sees now (or the outcome). The mean gradient over all games
moves the weights by Adam's rule (Kingma and Ba 2015): so few and so large corrections would be slow without it.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sparring.kernel import dense
from sparring.kernel.backend import backend_for
from sparring.kernel.compiler import announced, inline_kernel, kernel
from sparring.kernel.fragments import fragment
from sparring.kernel.launch import CHUNK, Launcher, share_out, threads_available
from sparring.kernel.records import call_kernel
from sparring.kernel.subwarp import subwarp_rank, subwarp_size

# What all games of a batch have in common.
Terms = np.dtype(
    [
        ("seed", np.uint64),
        ("seats", np.int64),
        ("head", np.int64),  # which of the game's heads the network predicts
    ],
    align=True,
)


class Task(NamedTuple):
    """Who plays and learns: arrays of one `Terms` and one `Player`, the weights, and the head's `flip`."""

    terms: Any
    player: Any
    weights: Any
    flip: Any


class Batch(NamedTuple):
    """What a turn of each game leaves for the correction, a row per game."""

    dense: Any  # inputs before the turn
    slopes: Any  # gradient of the error by the sums of the hidden units
    hidden: Any  # hidden units before the turn
    errors: Any  # gradient of the error by the sums of the outputs
    values: Any  # outputs before the turn; the target; outputs after it


class Scratch(NamedTuple):
    """One thread's scratch arrays: the policy's, and the inputs of a network."""

    floats: Any
    ints: Any
    inputs: Any  # their numbers
    amounts: Any  # and their values


@inline_kernel
def spread(index, value, count, dense):
    """Sparse inputs as a row of all inputs; each thread of a subwarp writes those that are its own."""
    for k in range(subwarp_rank(), len(dense), subwarp_size()):
        dense[k] = np.float32(0.0)
    for k in range(count):
        if index[k] % subwarp_size() == subwarp_rank():
            dense[index[k]] = value[k]


@inline_kernel
def clear_game(i, player, batch):
    """A game that only begins corrects nothing."""
    for k in range(subwarp_rank(), player.inputs, subwarp_size()):
        batch.dense[i, k] = np.float32(0.0)
    for h in range(subwarp_rank(), player.hidden, subwarp_size()):
        batch.slopes[i, h] = np.float32(0.0)
    for k in range(player.outputs):
        batch.errors[i, k] = np.float32(0.0)


@inline_kernel
def flip_values(i, player, flip, values):
    """The target, from the outputs after the turn, which are those of the other seat."""
    for k in range(player.outputs):
        values[i, 1, k] = values[i, 2, flip[0, k]]
        if flip[1, k]:
            values[i, 1, k] = np.float32(1.0) - values[i, 1, k]


@inline_kernel
def write_errors(i, player, weights, batch):
    """The gradient of the error before the turn, by the sums of outputs and hidden units."""
    target, value = batch.values[i, 1], batch.values[i, 0]
    for k in range(player.outputs):
        batch.errors[i, k] = (target[k] - value[k]) * value[k] * (np.float32(1.0) - value[k])
    dense.hidden_slopes(player, weights, batch.errors[i], batch.hidden[i], batch.slopes[i])


def batched_td(start: Any, choose: Any, apply: Any, inputs: Any, outcome: Any) -> tuple[Any, Any]:
    """A turn of one game, and of many, made of that game's own kernels."""

    def turn(i: Any, s: Any, begun: Any, deal: Any, task: Any, batch: Any, scratch: Any) -> Any:
        """Play a turn of game i, or start it; returns whether it goes on. A thread of a subwarp writes only what it alone reads."""
        terms, player, index, value = task.terms[0], task.player[0], scratch.inputs, scratch.amounts
        if begun:
            count = inputs(s, 1 - s.turn, player.encoding, index, value)
            dense.forward(player, task.weights, True, index, value, count, batch.hidden[i], batch.values[i, 0])
            spread(index, value, count, batch.dense[i])
        else:
            start(s, terms.seed, deal, deal, terms.seats)
            clear_game(i, player, batch)
        seat = s.turn
        while s.over == 0 and s.turn == seat:
            apply(s, choose(s, player, task.weights, scratch.floats, scratch.ints))
        if begun:
            if s.over:
                outcome(s, 1 - seat, terms.head, batch.values[i, 1])
            else:
                count = inputs(s, seat, player.encoding, index, value)
                dense.forward(player, task.weights, True, index, value, count, batch.slopes[i], batch.values[i, 2])
                flip_values(i, player, task.flip, batch.values)
            write_errors(i, player, task.weights, batch)
        return s.over == 0

    turn_here = fragment(turn)

    @kernel
    def turns(first, last, begun, deals, states, task, batch, scratch):
        """A turn of each of these games; one that is over is followed by another."""
        for i in range(first, last):
            goes_on = turn_here(i, states[i], begun[i], deals[i], task, batch, scratch)
            begun[i] = goes_on
            if not goes_on:
                deals[i] += len(deals)

    return kernel(turn), turns


@kernel
def gradient(first, last, players, batch, change):
    """Add up the gradients of all games by the rows `first` to `last` - 1 of the weights; with the last row by the biases."""
    player = players[0]
    for row in range(first, last):
        for h in range(player.hidden):
            change[row * player.hidden + h] = np.float32(0.0)
        dense.sum_row(player, row, 0, player.hidden, batch, change, row * player.hidden)
    if last == player.inputs + 1 + player.outputs:
        for k in range(player.outputs):
            change[dense.output_bias(player, k) - player.offset] = dense.sum_bias(batch, k)


@kernel
def correct(weights, change, mean, square, rate, games):
    """Move every weight by Adam's rule in double precision."""
    for k in range(len(change)):
        weights[k] = dense.adam(weights[k], change[k] / games, mean, square, k, rate, dense.DOUBLE)


class BatchedTD:
    """A network and the games that it learns from. `kept` is what survives a stop."""

    def __init__(
        self,
        launcher: Launcher,
        kernels: tuple[Any, Any],
        player: np.ndarray,
        flip: np.ndarray,
        terms: np.ndarray,
        weights: np.ndarray,
        games: int,
    ) -> None:
        self.launcher, self.kernels, self.player, self.flip, self.terms = launcher, kernels, player, flip, terms
        self.kept = {
            "weights": weights,
            "mean": np.zeros(len(weights)),
            "square": np.zeros(len(weights)),
            "begun": np.zeros(games, np.int64),
            "deals": np.arange(games),
            # With zeros between fields: a checkpoint has every byte.
            "states": np.zeros(games, launcher.template.dtype),
        }
        self.kept["states"][:] = launcher.template
        self.count = 0

    def learn(self, rates: list[float], threads: int | None = None) -> None:
        """A turn of every game and a correction for each of these rates."""
        corrected = [float(dense.corrected_rate(rate, self.count + 1 + i)) for i, rate in enumerate(rates)]
        backend_for("learn_batched", "batched TD").learn_batched(self, corrected, threads)
        self.count += len(rates)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Inputs, hidden units and outputs of the network."""
        player = self.player[0]
        return int(player["inputs"]), int(player["hidden"]), int(player["outputs"])

    def batch(self) -> Batch:
        """The arrays that a turn fills."""
        games, (inputs, hidden, outputs) = len(self.kept["begun"]), self.sizes
        shapes = ((games, inputs), (games, hidden), (games, hidden), (games, outputs), (games, 3, outputs))
        return Batch(*(np.zeros(shape, np.float32) for shape in shapes))

    def learn_here(self, rates: list[float], threads: int | None) -> None:
        """The same on this machine's cores; the rates are corrected."""
        kept, batch, task = self.kept, self.batch(), Task(self.terms, self.player, self.kept["weights"], self.flip)
        change = np.zeros(len(kept["weights"]), np.float32)
        inputs, _, outputs = self.sizes
        rows, games, threads = inputs + 1 + outputs, len(kept["begun"]), threads or threads_available()

        def play(chunks: Iterator[tuple[int, int]]) -> None:
            scratch = self._scratch()
            for first, last in chunks:
                call_kernel(
                    self.kernels[1], first, last, kept["begun"], kept["deals"], kept["states"], task, batch, scratch
                )

        def add(chunks: Iterator[tuple[int, int]]) -> None:
            for first, last in chunks:
                call_kernel(gradient, first, last, self.player, batch, change)

        with announced(f"{self.launcher.name}-batched-td"):
            for rate in rates:
                share_out(games, max(1, min(CHUNK, games // (4 * threads))), threads, play)
                share_out(rows, max(1, rows // (4 * threads)), threads, add)
                correct(kept["weights"], change, kept["mean"], kept["square"], rate, games)

    def _scratch(self) -> Scratch:
        inputs, (_, floats, ints) = self.sizes[0], self.launcher.scratch(self.player)
        return Scratch(floats, ints, np.zeros(inputs, np.int64), np.zeros(inputs, np.float32))
