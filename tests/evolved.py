"""Dense nets as genomes: what an evolved net must play alike."""

from dataclasses import replace

import numpy as np

from sparring.games import Game
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.genome import Genome, Link, Node

STEEP = 5.0  # an evolved sigmoid is of five times its sum


def dense_net(game: Game, encoding: str, hidden: int, seed: int, outputs: int = 1, policy: str = "net") -> Net:
    """A random dense net."""
    shape = (game.policies.encodings[encoding], hidden, outputs)
    weights = np.float32(0.5) * gaussian(size(shape), seed, "evolved")
    return Net(
        game.family, game.rules.version, encoding, shape, weights, policy=policy, input_major=game.policies.input_major
    )


def as_genome(net: Net) -> Genome:
    """The same function as nodes and connections."""
    inputs, hidden, outputs = net.shape
    parts = net.tensors()
    nodes = np.zeros(outputs + hidden, Node)
    nodes["key"], nodes["response"] = np.arange(outputs + hidden), 1.0
    nodes["bias"] = np.concatenate([parts["output.bias"], parts["hidden.bias"]]) / STEEP
    links = [(-1 - i, outputs + h, parts["hidden.weight"][h, i]) for h in range(hidden) for i in range(inputs)]
    links += [(outputs + h, k, parts["output.weight"][k, h]) for k in range(outputs) for h in range(hidden)]
    table = np.zeros(len(links), Link)
    for number, (source, target, weight) in enumerate(sorted(links)):
        table[number] = (source, target, number, 1, weight / STEEP)
    return Genome(inputs, outputs, nodes, table)


def evolved_twin(net: Net) -> Net:
    """A net of kind graph that computes what a dense one does."""
    twin = Net.evolved(net.game, net.rules, net.encoding, as_genome(net), net.input_major, policy=net.policy)
    return replace(twin, ancestry=("a dense net's twin",))
