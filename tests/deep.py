"""Random deep nets."""

import numpy as np

from sparring.games import Game
from sparring.nets.dense import Net, gaussian, size, tensor_shapes


def deep_weights(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Normal weights, small enough that sums stay of one scale from layer to layer."""
    weights, first = gaussian(size(shape, "deep"), seed, "deep"), 0
    for units, *before in tensor_shapes(shape, "deep").values():
        count = units * before[0] if before else units
        weights[first : first + count] *= (2 / before[0]) ** 0.5 if before else 0.5
        first += count
    return weights


def deep_net(
    game: Game, encoding: str, hidden: tuple[int, ...], seed: int, outputs: int = 1, policy: str = "net"
) -> Net:
    """A random deep net with these hidden layers."""
    shape = (game.policies.encodings[encoding], *hidden, outputs)
    weights = deep_weights(shape, seed)
    return Net(game.family, game.rules.version, encoding, shape, weights, kind="deep", policy=policy)
