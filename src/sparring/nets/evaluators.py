"""Evaluators: networks of every kind evaluated on many rows of inputs, by the plain formulas in double precision.

Nodes have the keys of genomes: inputs -1, -2, ..., outputs 0, 1, ..., then hidden nodes, layer by layer.
"""

from collections.abc import Mapping

import numpy as np
from scipy.special import expit

from sparring.errors import UserError
from sparring.kernel.network import MONOTONE, SIGMOID, STEEP, other_activation
from sparring.nets.dense import Net
from sparring.nets.genome import AGGREGATIONS, Genome

Nodes = dict[int, np.ndarray]  # each node's value, row by row


def activations(net: Net, inputs: np.ndarray) -> dict[int, float]:
    """The value of every input and of every node that the outputs need."""
    return {key: float(values[0]) for key, values in net_evaluator(net).nodes(inputs[None].astype(float)).items()}


def net_evaluator(net: Net) -> "DenseEvaluator | LinearEvaluator | GraphEvaluator":
    """The evaluator of a network."""
    if net.parts:
        raise UserError(f"a team of networks has no single value; evaluate its parts: {', '.join(net.parts)}")
    if net.genome:
        return GraphEvaluator(net.genome, net.encoding)
    kinds = {"linear": LinearEvaluator, "deep": DeepEvaluator}
    return kinds.get(net.kind, DenseEvaluator)(net)


def input_nodes(inputs: np.ndarray) -> Nodes:
    """The inputs by their keys."""
    return {-1 - number: column for number, column in enumerate(inputs.T)}


class LinearEvaluator:
    """Linear layers; the value is the sum of the last layer's units."""

    def __init__(self, net: Net) -> None:
        self.kind, self.encoding, self.inputs, self.outputs = net.kind, net.encoding, net.inputs, net.shape[-1]
        self.tensors = {name: tensor.astype(float) for name, tensor in net.tensors().items()}

    def layers(self, inputs: np.ndarray) -> list[np.ndarray]:
        """The units of each layer."""
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
        return input_nodes(inputs) | dict(enumerate(np.concatenate([last, *hidden], axis=1).T))


class DenseEvaluator(LinearEvaluator):
    """A hidden layer and outputs of sigmoids."""

    def layers(self, inputs: np.ndarray) -> list[np.ndarray]:
        hidden, sums = reference_sums(self.tensors, inputs)
        return [hidden, expit(sums)]

    def values(self, inputs: np.ndarray) -> np.ndarray:
        return self.layers(inputs)[-1]

    def sums(self, inputs: np.ndarray) -> np.ndarray:
        return reference_sums(self.tensors, inputs)[1][:, 0]

    def squashed(self, sums: np.ndarray) -> np.ndarray:
        return np.asarray(expit(sums))


class DeepEvaluator(DenseEvaluator):
    """Layers of ReLU units, then outputs of sigmoids: what `sparring.kernel.deep` computes in kernels."""

    def _sums(self, inputs: np.ndarray) -> list[np.ndarray]:
        """The sums of each layer's units."""
        matrices, biases = ([tensor for tensor in self.tensors.values() if tensor.ndim == n] for n in (2, 1))
        found = [weighted(inputs, matrices[0].T) + biases[0]]
        for matrix, bias in zip(matrices[1:], biases[1:], strict=True):
            found.append(np.maximum(found[-1], 0) @ matrix.T + bias)
        return found

    def layers(self, inputs: np.ndarray) -> list[np.ndarray]:
        *hidden, last = self._sums(inputs)
        return [*(np.maximum(sums, 0) for sums in hidden), expit(last)]

    def sums(self, inputs: np.ndarray) -> np.ndarray:
        return np.asarray(self._sums(inputs)[-1][:, 0])


class GraphEvaluator:
    """The network of a genome. Rows of inputs are consecutive time steps if it is recurrent."""

    kind = "graph"

    def __init__(self, genome: Genome, encoding: str = "") -> None:
        self.encoding, self.inputs, self.outputs = encoding, genome.inputs, genome.outputs
        self.recurrent = genome.recurrent
        self.enabled = genome.links[genome.links["enabled"] != 0]
        self.genes = {int(node["key"]): node for node in genome.nodes}
        # The nodes that the outputs need, in topological order; all nodes if there may be none.
        self.order: list[int] = list(self.genes) if genome.recurrent else []
        for key in range(self.outputs):
            self._arrange(key)
        self.first = np.zeros((self.inputs, len(self.order)))  # weights from inputs to nodes
        self.links: list[list[tuple[int, float]]] = [[] for _ in self.order]  # into each node: source and weight
        for number, key in enumerate(self.order):
            self._read_weights(number, key)

    def _arrange(self, key: int) -> None:
        if key >= 0 and key not in self.order:
            for source in self.enabled["source"][self.enabled["target"] == key].tolist():
                self._arrange(source)
            self.order.append(key)

    def _read_weights(self, number: int, key: int) -> None:
        """Read a node's weights, multiplied by its response and divided for a mean."""
        node, links = self.genes[key], self.enabled[self.enabled["target"] == key]
        share = max(1, len(links)) if AGGREGATIONS[node["aggregation"]] == "mean" else 1
        weights = (float(node["response"]) * links["weight"].astype(float) / share).tolist()
        for source, weight in zip(links["source"].tolist(), weights, strict=True):
            if source < 0:
                self.first[-1 - source, number] = weight
            else:
                self.links[number].append((source, weight))

    def _evaluate(self, inputs: np.ndarray) -> tuple[Nodes, Nodes]:
        """Every node's sum and value."""
        if self.recurrent:
            return self._evaluate_steps(inputs)
        totals: Nodes = {}
        values: Nodes = {}
        from_inputs = weighted(inputs, self.first)
        for number, key in enumerate(self.order):
            from_nodes = sum(weight * values[source] for source, weight in self.links[number])
            totals[key] = float(self.genes[key]["bias"]) + from_inputs[:, number] + from_nodes
            values[key] = activated(int(self.genes[key]["activation"]), totals[key])
        return totals, values

    def _evaluate_steps(self, inputs: np.ndarray) -> tuple[Nodes, Nodes]:
        """Every node's sum and value in each time step; a node that nothing leads into stays 0."""
        totals, values = ({key: np.zeros(len(inputs)) for key in self.order} for _ in range(2))
        fed = set(self.enabled["target"].tolist())
        for step, row in enumerate(inputs @ self.first):
            for number, key in enumerate(self.order):
                if key in fed:
                    before = (weight * values[source][step - 1] for source, weight in self.links[number] if step)
                    totals[key][step] = float(self.genes[key]["bias"]) + row[number] + sum(before)
                    values[key][step] = activated(int(self.genes[key]["activation"]), totals[key][step])
        return totals, values

    @property
    def _monotone(self) -> bool:
        return bool(self.genes[0]["activation"] < MONOTONE)

    def values(self, inputs: np.ndarray) -> np.ndarray:
        values = self._evaluate(inputs)[1]
        return np.stack([values[key] for key in range(self.outputs)], axis=1)

    def sums(self, inputs: np.ndarray) -> np.ndarray:
        totals, values = self._evaluate(inputs)
        return totals[0] if self._monotone else values[0]

    def squashed(self, sums: np.ndarray) -> np.ndarray:
        return activated(int(self.genes[0]["activation"]), sums) if self._monotone else sums

    def nodes(self, inputs: np.ndarray) -> Nodes:
        return input_nodes(inputs) | self._evaluate(inputs)[1]


def weighted(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The first layer's sums, without inputs that are 0 in all rows."""
    used = inputs.any(axis=0)
    return np.asarray(inputs[:, used] @ weights[used])


def reference_sums(tensors: Mapping[str, np.ndarray], inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The hidden units of a sigmoid network and the sums of its outputs: what `sparring.kernel.dense` computes in kernels."""
    hidden = np.asarray(expit(weighted(inputs, tensors["hidden.weight"].T) + tensors["hidden.bias"]))
    return hidden, np.asarray(hidden @ tensors["output.weight"].T + tensors["output.bias"])


def activated(code: int, sums: np.ndarray) -> np.ndarray:
    """The values of units from their sums, by the number of their activation."""
    if code == SIGMOID:
        return np.asarray(expit(np.clip(float(STEEP) * sums, -60, 60)))
    return np.array([other_activation(code, float(x)) for x in np.ravel(sums)]).reshape(np.shape(sums))
