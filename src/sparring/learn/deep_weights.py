"""The weights of deep networks as learners make them: the first ones, new ones for dead units, and those of a larger network."""

import math
from itertools import pairwise

import numpy as np

from sparring.nets.dense import gaussian


def layers_of(flat: np.ndarray, shape: tuple[int, ...]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Each layer's matrix, with a row per unit of the layer before, and its biases."""
    found, at = [], 0
    for before, units in pairwise(shape):
        biases = at + before * units
        found.append((flat[at:biases].reshape(before, units), flat[biases : biases + units]))
        at = biases + units
    return found


def revive(dead: list[np.ndarray], shape: tuple[int, ...], kept: dict[str, np.ndarray], fresh: np.ndarray) -> None:
    """Give dead hidden units new incoming weights, and outgoing weights of 0 (Sokar et al. 2023).

    No output changes, because a dead unit is 0. Adam forgets the gradients of these weights; their mean squares become those of the
    layer, because from 0 its first steps would be several times too long.
    """
    parts = {name: layers_of(kept[name], shape) for name in ("weights", "average", "mean", "square")}
    new = layers_of(fresh, shape)
    for layer, units in enumerate(dead):
        for name, of in parts.items():
            (incoming, biases), (outgoing, _) = of[layer], of[layer + 1]
            if name == "square":
                outgoing[units], incoming[:, units], biases[units] = outgoing.mean(), incoming.mean(), biases.mean()
            else:
                outgoing[units], biases[units] = 0, 0
                incoming[:, units] = 0 if name == "mean" else new[layer][0][:, units]


def he_weights(shape: tuple[int, ...], active: int, seed: int, *words: str | int) -> np.ndarray:
    """He et al. (2015), with the first layer scaled for its active inputs and small output weights; biases are 0."""
    parts = []
    for layer, (before, units) in enumerate(pairwise(shape)):
        deviation = math.sqrt(2 / (before if layer else active))
        if layer == len(shape) - 2:
            deviation = 0.1 / math.sqrt(before)
        parts += [
            np.float32(deviation) * gaussian(before * units, seed, *words, layer),
            np.zeros(units, np.float32),
        ]
    return np.concatenate(parts)


def grow(flat: np.ndarray, shape: tuple[int, ...], fresh: np.ndarray, wanted: tuple[int, ...]) -> np.ndarray:
    """The weights of a network with the outputs of a smaller one (Chen et al., "Net2Net", 2016).

    New units get their incoming weights from `fresh`; units that were there before, and outputs, do not hear them. A new layer
    repeats the units of the last hidden layer, which ReLU leaves as they are.
    """
    grown, old, more = fresh.copy(), layers_of(flat, shape), len(wanted) - len(shape)
    repeated = [(np.eye(shape[-2], dtype=np.float32), np.zeros(shape[-2], np.float32))] * more
    for (matrix, biases), (incoming, offsets) in zip(
        layers_of(grown, wanted), [*old[:-1], *repeated, old[-1]], strict=True
    ):
        rows, units = incoming.shape
        matrix[:, :units], biases[:units] = 0, offsets
        matrix[:rows, :units] = incoming
    return grown


def grows_into(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether `grow` makes a network of the wanted shape."""
    last = [shape[-2]] * (len(wanted) - len(shape))
    fits = len(wanted) >= len(shape) and (wanted[0], wanted[-1]) == (shape[0], shape[-1])
    return fits and all(new >= old for new, old in zip(wanted, [*shape[:-1], *last, shape[-1]], strict=True))
