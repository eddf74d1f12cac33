"""TD(0) with many games side by side: a turn of each, then one correction of the net by all of them.

One game after another keeps one thread busy; thousands of games abreast keep a GPU busy. After every turn the net values what the
seat before saw, and what the seat that has played sees now (or the outcome); the mean gradient over all games moves the weights by
Adam's rule (Kingma and Ba 2014), because so few and so large corrections would be slow without.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from sparring.kernel.backend import IN_USE
from sparring.kernel.compiler import announced, inline_kernel, kernel
from sparring.kernel.launch import CHUNK, Launcher, share_out, threads_available
from sparring.kernel.maths import sigmoid
from sparring.kernel.records import records
from sparring.kernel.subwarp import subwarp_rank, subwarp_size, subwarp_sum
from sparring.kernel.vectors import add_scaled

# What all games of a batch have in common.
Terms = np.dtype(
    [
        ("seed", np.uint64),
        ("seats", np.int64),
        ("head", np.int64),  # which of the game's outputs the net tells
    ],
    align=True,
)

MEAN, SQUARE, LITTLE = 0.9, 0.999, 1e-8  # Adam's


@inline_kernel
def forward(player, weights, index, value, count, hidden, raw):
    """The net's hidden units and outputs; the lanes of a game share the units."""
    units, net = player.hidden, player.offset
    bias, last = net + player.inputs * units, net + (player.inputs + 1) * units
    for h in range(subwarp_rank(), units, subwarp_size()):
        total = weights[bias + h]
        for k in range(count):
            total += value[k] * weights[net + index[k] * units + h]
        hidden[h] = sigmoid(total)
    for k in range(player.outputs):
        total = np.float32(0.0)
        for h in range(subwarp_rank(), units, subwarp_size()):
            total += weights[last + k * units + h] * hidden[h]
        raw[k] = sigmoid(subwarp_sum(total) + weights[last + player.outputs * units + k])


def batched_td(start: Any, choose: Any, apply: Any, inputs: Any, outcome: Any) -> tuple[Any, Any]:
    """A turn of one game, made of that game's own kernels."""

    @kernel
    def turn(i, s, begun, deal, terms, player, weights, flip, dense, slopes, units, errors, told, float_scratch, int_scratch, index,
             value):  # fmt: skip
        """Play a turn of game i, or its first; returns whether it goes on.

        What was seen before it goes into dense[i], the gradient of the error by the sums of the hidden units into slopes[i]
        and by those of the outputs into errors[i], the hidden units into units[i]. A lane writes only what it alone reads.
        """
        if begun:
            count = inputs(s, 1 - s.turn, player.encoding, index, value)
            forward(player, weights, index, value, count, units[i], told[i, 0])
            spread(index, value, count, dense[i])
        else:
            start(s, terms.seed, deal, deal, terms.seats)
            spread(index, value, 0, dense[i])
            for h in range(subwarp_rank(), player.hidden, subwarp_size()):
                slopes[i, h] = np.float32(0.0)
            for k in range(player.outputs):
                errors[i, k] = np.float32(0.0)
        seat = s.turn
        while s.over == 0 and s.turn == seat:
            apply(s, choose(s, player, weights, float_scratch, int_scratch))
        if begun:
            judge(s, i, seat, terms, player, weights, flip, slopes, units, errors, told, index, value)
        return s.over == 0

    @kernel
    def judge(s, i, seat, terms, player, weights, flip, slopes, units, errors, told, index, value):
        """How far the net was off before the turn, given what it tells now or what came out."""
        now, then = told[i, 1], told[i, 0]
        if s.over:
            outcome(s, 1 - seat, terms.head, now)
        else:
            count = inputs(s, seat, player.encoding, index, value)
            forward(player, weights, index, value, count, slopes[i], told[i, 2])
            for k in range(player.outputs):
                now[k] = told[i, 2, flip[0, k]]
                if flip[1, k]:
                    now[k] = np.float32(1.0) - now[k]
        for k in range(player.outputs):
            errors[i, k] = (now[k] - then[k]) * then[k] * (np.float32(1.0) - then[k])
        last = player.offset + (player.inputs + 1) * player.hidden
        for h in range(subwarp_rank(), player.hidden, subwarp_size()):
            total = np.float32(0.0)
            for k in range(player.outputs):
                total += errors[i, k] * weights[last + k * player.hidden + h]
            slopes[i, h] = total * units[i, h] * (np.float32(1.0) - units[i, h])

    @kernel
    def turns(first, last, begun, deals, states, terms, players, weights, flip, dense, slopes, units, errors, told, float_scratch,
              int_scratch, index, value):  # fmt: skip
        """A turn of each of these games; those that are over begin anew with the next."""
        for i in range(first, last):
            goes_on = turn(i, states[i], begun[i], deals[i], terms[0], players[0], weights, flip, dense, slopes, units, errors,
                           told, float_scratch, int_scratch, index, value)  # fmt: skip
            begun[i] = goes_on
            if not goes_on:
                deals[i] += len(deals)

    return turn, turns


@inline_kernel
def spread(index, value, count, dense):
    """Inputs by number as a row of all; each lane writes those that are its own."""
    for k in range(subwarp_rank(), len(dense), subwarp_size()):
        dense[k] = np.float32(0.0)
    for k in range(count):
        if index[k] % subwarp_size() == subwarp_rank():
            dense[index[k]] = value[k]


@kernel
def gradient(first, last, player, dense, slopes, units, errors, change):
    """Add up over all games, in their order, what the rows `first` to `last` of the net should change: inputs, then the bias of
    the hidden units, then each output's."""
    hidden, inputs = player.hidden, player.inputs
    edge = (inputs + 1) * hidden
    for row in range(first, last):
        for h in range(hidden):
            change[row * hidden + h] = np.float32(0.0)
        for i in range(len(dense)):
            if row < inputs:
                if dense[i, row] != 0.0:
                    add_scaled(change, row * hidden, slopes[i], 0, dense[i, row], hidden)
            elif row == inputs:
                add_scaled(change, row * hidden, slopes[i], 0, np.float32(1.0), hidden)
            else:
                add_scaled(change, row * hidden, units[i], 0, errors[i, row - inputs - 1], hidden)
    if last > inputs + 1 + player.outputs - 1:
        for k in range(player.outputs):
            total = np.float32(0.0)
            for i in range(len(dense)):
                total += errors[i, k]
            change[edge + player.outputs * hidden + k] = total


@inline_kernel
def moved(weight, change, mean, square, rate, k):
    """Adam: a weight's next value; its running means are kept in `mean` and `square`."""
    mean[k] = MEAN * mean[k] + (1.0 - MEAN) * change
    square[k] = SQUARE * square[k] + (1.0 - SQUARE) * change * change
    return np.float32(weight + rate * mean[k] / (math.sqrt(square[k]) + LITTLE))


@kernel
def correct(weights, change, mean, square, rate, games):
    """Move every weight by Adam's rule."""
    for k in range(len(change)):
        weights[k] = moved(weights[k], change[k] / games, mean, square, rate, k)


def adjusted(rate: float, count: int) -> float:
    """A rate of the `count`th correction, made up for running means that began at nothing."""
    return float(rate * math.sqrt(1.0 - SQUARE**count) / (1.0 - MEAN**count))


class BatchedTD:
    """A net and the games that it learns from. All that survives a stop is in `kept`."""

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
            "states": np.zeros(
                games, launcher.template.dtype
            ),  # zeros between fields, too: a checkpoint has every byte
        }
        self.kept["states"][:] = launcher.template
        self.count = 0

    def learn(self, rates: list[float], threads: int | None = None) -> None:
        """A turn of every game and a correction for each of these rates."""
        adapted = [adjusted(rate, self.count + 1 + i) for i, rate in enumerate(rates)]
        backend = IN_USE.get()
        learn_there = getattr(backend, "learn_batched_td", None)
        if learn_there:
            learn_there(self, adapted)
        else:
            self._learn_here(adapted, threads or threads_available())
        self.count += len(rates)

    def scratch(self) -> dict[str, tuple[tuple[int, ...], type]]:
        """The arrays that a turn fills, by name: shape and kind."""
        games, told = len(self.kept["begun"]), self.player[0]
        inputs, hidden, outputs = int(told["inputs"]), int(told["hidden"]), int(told["outputs"])
        shapes = {
            "dense": (games, inputs),
            "slopes": (games, hidden),
            "units": (games, hidden),
            "errors": (games, outputs),
            "told": (games, 3, outputs),
            "change": (len(self.kept["weights"]),),
        }
        return {name: (shape, np.float32) for name, shape in shapes.items()}

    def _learn_here(self, rates: list[float], threads: int) -> None:
        kept = self.kept
        scratch: dict[str, np.ndarray] = {name: np.zeros(*shape) for name, shape in self.scratch().items()}
        filled = (scratch["dense"], scratch["slopes"], scratch["units"], scratch["errors"])
        told = self.player[0]
        rows = int(told["inputs"]) + 1 + int(told["outputs"])
        games = len(kept["begun"])

        def play(chunks: Iterator[tuple[int, int]]) -> None:
            work = self._room()
            for first, last in chunks:
                with np.errstate(over="ignore"):
                    self.kernels[1](first, last, kept["begun"], kept["deals"], records(kept["states"]), records(self.terms),
                                    records(self.player), kept["weights"], self.flip, *filled, scratch["told"], *work)  # fmt: skip

        def add(chunks: Iterator[tuple[int, int]]) -> None:
            for first, last in chunks:
                gradient(first, last, records(self.player)[0], *filled, scratch["change"])

        with announced(f"{self.launcher.name}-abreast"):
            for rate in rates:
                share_out(games, max(1, min(CHUNK, games // (4 * threads))), threads, play)
                share_out(rows, max(1, rows // (4 * threads)), threads, add)
                correct(kept["weights"], scratch["change"], kept["mean"], kept["square"], rate, games)

    def _room(self) -> tuple[np.ndarray, ...]:
        """One thread's working room."""
        inputs = int(self.player[0]["inputs"])
        return (
            np.zeros(self.launcher.float_scratch(int(self.player[0]["hidden"])), np.float32),
            np.zeros(self.launcher.int_scratch, np.int64),
            np.zeros(inputs, np.int64),
            np.zeros(inputs, np.float32),
        )
