"""Dense networks of one hidden layer: sigmoid units, one output, as flat arrays of single-precision weights.

The order is the one kernels read: hidden weights (a row of inputs per unit), hidden biases, output weights, output bias.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import expit

from sparring.kernel.random import derive, normals


@dataclass(frozen=True)
class Net:
    """A network and where it comes from."""

    game: str
    rules: int
    encoding: str
    inputs: int
    hidden: int
    weights: np.ndarray
    learner: str = ""
    seed: int = 0
    ancestry: tuple[str, ...] = field(default=())

    def description(self) -> dict[str, Any]:
        """Everything but the weights, as it is kept in the file."""
        return {
            "game": self.game,
            "rules": self.rules,
            "encoding": self.encoding,
            "shape": [self.inputs, self.hidden, 1],
            "learner": self.learner,
            "seed": self.seed,
            "ancestry": list(self.ancestry),
        }

    def value(self, inputs: np.ndarray) -> float:
        """The network's value of dense inputs: the plain formula, for people and for checks."""
        hidden, bias, output, last = layers(self.weights, self.inputs, self.hidden)
        return float(expit(output @ expit(hidden.astype(float) @ inputs + bias) + last[0]))


def size(inputs: int, hidden: int) -> int:
    """The number of weights and biases."""
    return hidden * (inputs + 2) + 1


def layers(weights: np.ndarray, inputs: int, hidden: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Views of the flat array: hidden weights, hidden biases, output weights, output bias."""
    edge = hidden * inputs
    return (
        weights[:edge].reshape(hidden, inputs),
        weights[edge : edge + hidden],
        weights[edge + hidden : edge + 2 * hidden],
        weights[edge + 2 * hidden :],
    )


def gaussian(count: int, seed: int, *words: int | str) -> np.ndarray:
    """Standard normal numbers that follow from the seed and the words alone."""
    out = np.empty(count, np.float32)
    with np.errstate(over="ignore"):
        normals(np.uint64(derive(seed, *words)), out)
    return out
