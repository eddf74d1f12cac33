"""Nets of every kind to be asked about many inputs at once: by the plain formulas, in double precision, for people and for checks.

Nodes have the keys of genomes: inputs -1, -2, ..., outputs 0, 1, ..., then hidden nodes, layer by layer.
"""

import numpy as np
from scipy.special import expit

from sparring.errors import UserError
from sparring.kernel.network import MONOTONE, SIGMOID, STEEP, other_activation
from sparring.nets.dense import Net, reference_sums, weighted
from sparring.nets.genome import AGGREGATIONS, Genome

Nodes = dict[int, np.ndarray]  # each node's value, row by row


def activations(net: Net, inputs: np.ndarray) -> dict[int, float]:
    """The value of every input, and of every node that the outputs need."""
    return {key: float(values[0]) for key, values in net_evaluator(net).nodes(inputs[None].astype(float)).items()}


def net_evaluator(net: Net) -> "Dense | Linear | Graph":
    """A net as one that can be asked."""
    if net.parts:
        raise UserError(f"a team of nets has no one value; ask its parts: {', '.join(net.parts)}")
    return Graph(net, net.genome) if net.genome else Linear(net) if net.kind == "linear" else Dense(net)


class _Asked:
    def __init__(self, net: Net) -> None:
        self.kind, self.encoding, self.inputs, self.outputs = net.kind, net.encoding, net.inputs, net.shape[-1]
        self.tensors = {name: tensor.astype(float) for name, tensor in net.tensors().items()}

    def seen(self, inputs: np.ndarray) -> Nodes:
        return dict(zip(range(-1, -1 - self.inputs, -1), inputs.T, strict=True))


class Dense(_Asked):
    """Two layers of sigmoids."""

    def hidden(self, inputs: np.ndarray) -> np.ndarray:
        return reference_sums(self.tensors, inputs)[0]

    def values(self, inputs: np.ndarray) -> np.ndarray:
        return np.asarray(expit(reference_sums(self.tensors, inputs)[1]))

    def sums(self, inputs: np.ndarray) -> np.ndarray:
        return np.asarray(reference_sums(self.tensors, inputs)[1][:, 0])

    def squashed(self, sums: np.ndarray) -> np.ndarray:
        return np.asarray(expit(sums))

    def nodes(self, inputs: np.ndarray) -> Nodes:
        both = np.concatenate([self.values(inputs), self.hidden(inputs)], axis=1)
        return self.seen(inputs) | dict(enumerate(both.T))


class Linear(_Asked):
    """Layers of sums; the last layer's units are added up."""

    def layers(self, inputs: np.ndarray) -> list[np.ndarray]:
        found = [inputs]
        for matrix in self.tensors.values():
            found.append(found[-1] @ matrix.T)
        return found[1:]

    def values(self, inputs: np.ndarray) -> np.ndarray:
        return np.asarray(self.layers(inputs)[-1].sum(axis=1, keepdims=True))

    def sums(self, inputs: np.ndarray) -> np.ndarray:
        return self.values(inputs)[:, 0]

    def squashed(self, sums: np.ndarray) -> np.ndarray:
        return sums

    def nodes(self, inputs: np.ndarray) -> Nodes:
        *hidden, last = self.layers(inputs)
        return self.seen(inputs) | dict(enumerate(np.concatenate([last, *hidden], axis=1).T))


class Graph(_Asked):
    """What a genome stands for."""

    def __init__(self, net: Net, genome: Genome) -> None:
        super().__init__(net)
        self.enabled = genome.links[genome.links["enabled"] != 0]
        self.genes = {int(node["key"]): node for node in genome.nodes}
        self.order: list[int] = []  # the nodes that the outputs need, each after those that feed it
        for key in range(self.outputs):
            self._arrange(key)
        self.first = np.zeros((self.inputs, len(self.order)))  # what each input counts to each node
        self.links: list[list[tuple[int, float]]] = [
            [] for _ in self.order
        ]  # into each node, from others: key and weight
        for number, key in enumerate(self.order):
            self._weigh(number, key)

    def _arrange(self, key: int) -> None:
        if key >= 0 and key not in self.order:
            for source in self.enabled["source"][self.enabled["target"] == key].tolist():
                self._arrange(source)
            self.order.append(key)

    def _weigh(self, number: int, key: int) -> None:
        """A node's weights, its response and the mean among them."""
        node, links = self.genes[key], self.enabled[self.enabled["target"] == key]
        share = max(1, len(links)) if AGGREGATIONS[node["aggregation"]] == "mean" else 1
        weights = (float(node["response"]) * links["weight"].astype(float) / share).tolist()
        for source, weight in zip(links["source"].tolist(), weights, strict=True):
            if source < 0:
                self.first[-1 - source, number] = weight
            else:
                self.links[number].append((source, weight))

    def _totals(self, inputs: np.ndarray) -> tuple[Nodes, Nodes]:
        """Every node's sum, and its value."""
        totals: Nodes = {}
        values: Nodes = {}
        seen = weighted(inputs, self.first)
        for number, key in enumerate(self.order):
            fed = sum(weight * values[source] for source, weight in self.links[number])
            totals[key] = float(self.genes[key]["bias"]) + seen[:, number] + fed
            values[key] = activated(int(self.genes[key]["activation"]), totals[key])
        return totals, values

    def values(self, inputs: np.ndarray) -> np.ndarray:
        values = self._totals(inputs)[1]
        return np.stack([values[key] for key in range(self.outputs)], axis=1)

    def sums(self, inputs: np.ndarray) -> np.ndarray:
        totals, values = self._totals(inputs)
        return totals[0] if self._rises else values[0]

    @property
    def _rises(self) -> bool:
        return bool(self.genes[0]["activation"] < MONOTONE)

    def squashed(self, sums: np.ndarray) -> np.ndarray:
        return activated(int(self.genes[0]["activation"]), sums) if self._rises else sums

    def nodes(self, inputs: np.ndarray) -> Nodes:
        return self.seen(inputs) | self._totals(inputs)[1]


def activated(code: int, sums: np.ndarray) -> np.ndarray:
    """Units' values of their sums, by the number of their activation."""
    if code == SIGMOID:
        return np.asarray(expit(np.clip(float(STEEP) * sums, -60, 60)))
    return np.array([other_activation(code, float(x)) for x in np.ravel(sums)]).reshape(np.shape(sums))
