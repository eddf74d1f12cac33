"""A deep network in PyTorch: values of many positions in half precision, and corrections by Adam as a CUDA graph."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch

from sparring.errors import remark
from sparring.kernel.dense import MEAN, SQUARE

CHUNK = 1 << 18  # rows of a matrix product: below 32,000 starting it takes longer
ALIGNED = 8  # inputs are padded to a multiple, as matrix products in half precision need
LEAST = 1e-8
LATE = 1e9  # steps after which Adam's running means need no correction
PIECES = 36  # of the weights, each corrected by a block of threads: as many as PyTorch takes at a time
NAMES = ("weights", "average", "mean", "square")


def padded(inputs: int) -> int:
    """The length of a row of inputs."""
    return -(-inputs // ALIGNED) * ALIGNED


class Layers(NamedTuple):
    """A flat array and, in it, each layer's matrix (a row per unit of the layer before) and biases."""

    flat: Any
    matrices: list[Any]
    biases: list[Any]


def layers_of(flat: Any, shape: tuple[int, ...]) -> Layers:
    """The layers in a flat array."""
    matrices, biases, at = [], [], 0
    for before, units in pairwise(shape):
        matrices.append(flat[at : at + before * units].view(before, units))
        at += before * units
        biases.append(flat[at : at + units])
        at += units
    return Layers(flat, matrices, biases)


class TorchNet:
    """A network, its optimiser, and the samples that it learns from."""

    def __init__(self, shape: tuple[int, ...], games: int, device: str, decay: float = 0.0) -> None:
        torch.set_float32_matmul_precision("high")
        self.inputs, self.device, self.decay = shape[0], device, decay
        self.shape = (padded(shape[0]), *shape[1:])
        size = sum((before + 1) * units for before, units in pairwise(self.shape))
        self.parts = {name: layers_of(self._zeros(size), self.shape) for name in (*NAMES, "change")}
        self.half = torch.float16 if device == "cuda" else torch.float32
        self.copies = layers_of(torch.zeros(size, dtype=self.half, device=device), self.shape)
        self.last = torch.zeros(shape[-2], padded(2 * shape[-1]), dtype=self.half, device=device)
        self.rows = self._zeros(games, self.shape[0])
        self.targets, self.counted = self._zeros(games, self.shape[-1]), self._zeros(games)
        self.rates, self.shares = self._zeros(games), self._zeros(games)
        self.pieces = {name: list(part.flat.chunk(PIECES)) for name, part in self.parts.items()}
        self.late = [torch.tensor(LATE, device=device)] * len(self.pieces["change"])
        self.graphs: dict[tuple[int, int], Callable[[], Any]] = {}
        self.pool: Any = None

    def _zeros(self, *shape: int) -> torch.Tensor:
        return torch.zeros(shape, dtype=torch.float32, device=self.device)

    # The weights, as net files and checkpoints have them: without the rows of padding.

    def load(self, kept: dict[str, np.ndarray]) -> None:
        """Take weights and the optimiser's state."""
        real, first = self.inputs * self.shape[1], self.shape[0] * self.shape[1]
        for name in NAMES:
            flat, given = self.parts[name].flat, torch.from_numpy(kept[name])
            flat[:real] = given[:real].to(self.device)
            flat[first:] = given[real:].to(self.device)

    def store(self, kept: dict[str, np.ndarray]) -> None:
        """Write weights and the optimiser's state."""
        real, first = self.inputs * self.shape[1], self.shape[0] * self.shape[1]
        for name in NAMES:
            flat = self.parts[name].flat.cpu().numpy()
            kept[name][...] = np.concatenate([flat[:real], flat[first:]])

    # Values.

    def refresh(self) -> None:
        """Copy the weights to half precision; those of the outputs as two parts, which lose nothing that counts."""
        self.copies.flat.copy_(self.parts["weights"].flat)
        outputs, exact = self.shape[-1], self.parts["weights"].matrices[-1]
        self.last[:, :outputs] = exact
        self.last[:, outputs : 2 * outputs] = exact - self.last[:, :outputs]

    def value(self, rows: torch.Tensor, outputs: torch.Tensor) -> None:
        """Write the outputs for rows of inputs in half precision; sums are in single precision."""
        bias, count = self.parts["weights"].biases[-1], self.shape[-1]
        for first in range(0, len(rows), CHUNK):
            units = rows[first : first + CHUNK]
            for matrix, offsets in zip(self.copies.matrices[:-1], self.copies.biases[:-1], strict=True):
                units = torch._addmm_activation(offsets, units, matrix)
            sums = torch.mm(units, self.last, out_dtype=torch.float32) if units.is_cuda else units @ self.last
            torch.sigmoid(bias + sums[:, :count] + sums[:, count : 2 * count], out=outputs[first : first + CHUNK])

    # Learning.

    def _hidden(self, rows: torch.Tensor) -> list[torch.Tensor]:
        """The inputs and all hidden layers."""
        ours, found = self.parts["weights"], [rows]
        for matrix, bias in zip(ours.matrices[:-1], ours.biases[:-1], strict=True):
            found.append(torch._addmm_activation(bias, found[-1], matrix))
        return found

    def _correct(self, number: int, size: int) -> None:
        """Correction `number` of a turn, by `size` samples."""
        ours, change, now = self.parts["weights"], self.parts["change"], slice(number * size, (number + 1) * size)
        units = self._hidden(self.rows[now])
        sums = torch.addmm(ours.biases[-1], units[-1], ours.matrices[-1])
        slopes = (torch.sigmoid(sums) - self.targets[now]) * (self.counted[now, None] / size)
        for layer in range(len(ours.matrices) - 1, -1, -1):
            torch.mm(units[layer].t(), slopes, out=change.matrices[layer])
            torch.sum(slopes, 0, out=change.biases[layer])
            if layer:
                slopes = torch.ops.aten.threshold_backward(slopes @ ours.matrices[layer].t(), units[layer], 0)
        self._adam(self.rates[number], self.shares[number : number + 1])

    def _adam(self, rate: torch.Tensor, share: torch.Tensor) -> None:
        """Adam with decoupled weight decay. Rates are corrected for the first steps already, so PyTorch is given a late one."""
        weights, change, mean, square = (self.pieces[name] for name in ("weights", "change", "mean", "square"))
        torch._fused_adamw_(
            weights, change, mean, square, [], self.late, lr=rate, beta1=MEAN, beta2=SQUARE, weight_decay=self.decay,
            eps=LEAST, amsgrad=False, maximize=False,
        )  # fmt: skip
        self.parts["average"].flat.lerp_(self.parts["weights"].flat, share)

    def _corrections(self, count: int, size: int) -> None:
        for number in range(count):
            self._correct(number, size)

    def learn(self, size: int, rates: torch.Tensor, shares: torch.Tensor) -> None:
        """A correction for each of these rates, by `size` samples each."""
        count = len(rates)
        self.rates[:count], self.shares[:count] = rates, shares
        if (count, size) not in self.graphs:
            self.graphs[count, size] = self._captured(count, size)
        self.graphs[count, size]()

    def _captured(self, count: int, size: int) -> Callable[[], Any]:
        """A turn's corrections as one CUDA graph; elsewhere the same as calls."""
        calls = partial(self._corrections, count, size)
        if self.device != "cuda":
            return calls
        state = [self.parts[name].flat for name in NAMES]
        before = [tensor.clone() for tensor in state]
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):  # libraries take their memory at first use
                self._correct(0, size)
        torch.cuda.current_stream().wait_stream(side)
        graph, found = torch.cuda.CUDAGraph(), calls
        try:
            with torch.cuda.graph(graph, pool=self.pool):
                calls()
            self.pool, found = graph.pool(), graph.replay
        except RuntimeError as error:
            remark(f"PyTorch made no CUDA graph, so learning is slower: {str(error).splitlines()[0][:200]}")
        for tensor, old in zip(state, before, strict=True):
            tensor.copy_(old)
        return found

    def measure(self, games: int, measured: torch.Tensor) -> None:
        """Add to `measured` what `DeepTD.learn` returns of the last samples."""
        counted, last = self.counted[:games], self.parts["weights"]
        units = self._hidden(self.rows[:games])
        sums = torch.addmm(last.biases[-1], units[-1], last.matrices[-1])
        losses = torch.nn.functional.binary_cross_entropy_with_logits(sums, self.targets[:games], reduction="none")
        active = [counted @ (layer > 0).float() for layer in units[1:]]
        measured += torch.cat([*active, (counted @ losses.mean(1)).reshape(1), counted.sum().reshape(1)])
