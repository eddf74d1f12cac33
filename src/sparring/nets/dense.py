"""Networks as flat arrays of float32 weights.

- `sigmoid`: one hidden layer of sigmoid units with biases, and sigmoid outputs. Order of the weights: hidden weights (a row of
  inputs per unit or, if the game wants them input-major, of units per input), hidden biases, output weights (a row of units
  per output), output biases.
- `linear`: any number of linear layers without biases, a row of the previous layer per unit; the value is the sum of the last
  layer's units.
- `graph`: the network of a genome (`sparring.nets.genome`); its shape counts the units that the outputs need.
- `recurrent`: the same with cycles, for tasks that are not games: policies of games have no memory.
- `deep`: layers of ReLU units with biases, and sigmoid outputs. Order of the weights: layer after layer, a row of units per unit
  of the layer before, then the biases.
- `team`: sigmoid networks for some of a game's roles, after a head with the offset of each (`sparring.kernel.network`); its
  shape is that of the largest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from math import prod
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.kernel.network import HEAD
from sparring.kernel.random import derive, normals
from sparring.nets.genome import Genome, express_one, network_size
from sparring.nets.genome import check as check_genome

KINDS = ("sigmoid", "linear", "graph", "team", "recurrent", "deep")
LINEAR_LAYERS = 4  # the most layers of a linear network
WIDEST = 16  # the most units of a layer of a linear network: the size of the kernels' scratch memory
MOST_PLACES = 1 << 24  # the most weights of a team: its head stores offsets as float32
FARTHEST = 10.0  # a bound of `gaussian`, which uses 24 random bits
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Net:
    """A network and its origin."""

    game: str
    rules: int
    encoding: str
    shape: Shape  # inputs, then the units of each layer
    weights: np.ndarray
    learner: str = ""
    seed: int = 0
    ancestry: tuple[str, ...] = field(default=())
    kind: str = "sigmoid"
    policy: str = "net"
    input_major: bool = False
    genome: Genome | None = None
    parts: Mapping[str, "Net"] = field(default_factory=dict)  # of a team: the network of each role
    thresholds: Mapping[str, float] = field(default_factory=dict)  # of a team: above which deciding roles say yes

    @classmethod
    def team(
        cls, roles: Sequence[str], parts: "Mapping[str, Net]", thresholds: Mapping[str, float], **metadata: Any
    ) -> "Net":
        """One player made of networks for some of the roles."""
        kept = {role: parts[role] for role in roles if role in parts}
        head = team_head(roles, {role: net.shape for role, net in kept.items()})
        head[:, -1] = [thresholds.get(role, 0.0) if role in kept else 0.0 for role in roles]
        largest = max(kept.values(), key=lambda net: (net.hidden, net.inputs))
        weights = np.concatenate([head.ravel(), *(net.weights for net in kept.values())])
        same = {name: getattr(largest, name) for name in ("game", "rules", "encoding", "shape", "input_major")}
        used = {role: float(thresholds[role]) for role in kept if role in thresholds}
        return cls(**(same | metadata), weights=weights, kind="team", parts=kept, thresholds=used)

    @classmethod
    def evolved(
        cls, game: str, rules: int, encoding: str, genome: Genome, input_major: bool, place: str = "genome", **more: Any
    ) -> "Net":
        """The network of a genome; a UserError that begins with `place` if the genome is not valid."""
        check_genome(genome, place)
        weights, units = express_one(genome, input_major)
        shape, kind = (genome.inputs, units, genome.outputs), "recurrent" if genome.recurrent else "graph"
        return cls(game, rules, encoding, shape, weights, kind=kind, input_major=input_major, genome=genome, **more)

    @property
    def inputs(self) -> int:
        return self.shape[0]

    @property
    def hidden(self) -> int:
        return self.shape[1]

    @property
    def units(self) -> str:
        """The number of hidden units as text; of a deep network layer by layer, such as 512-256."""
        return "-".join(map(str, self.shape[1:-1] if self.kind == "deep" else self.shape[1:2]))

    def description(self) -> dict[str, Any]:
        """Everything but the weights, as written to net files."""
        names = ("game", "rules", "encoding", "shape", "kind", "policy", "learner", "seed", "ancestry")
        found: dict[str, Any] = {name: getattr(self, name) for name in names}
        found |= {"shape": list(self.shape), "ancestry": list(self.ancestry)}
        if self.kind == "team":
            parts = {role: {"encoding": net.encoding, "shape": list(net.shape)} for role, net in self.parts.items()}
            found |= {"parts": parts, "thresholds": dict(self.thresholds)}
        return found

    def tensors(self) -> dict[str, np.ndarray]:
        """The weight matrices, with a row per unit, and the biases by name; for an evolved network its genes."""
        if self.genome:
            return self.genome.tensors()
        if self.parts:
            named = {role: net.tensors().items() for role, net in self.parts.items()}
            return {f"{role}/{name}": tensor for role, tensors in named.items() for name, tensor in tensors}
        found: dict[str, np.ndarray] = {}
        first = 0
        for name, shape in tensor_shapes(self.shape, self.kind).items():
            part = self.weights[first : first + prod(shape)]
            turned = self.kind == "deep" or (self.input_major and not found)
            found[name] = part.reshape(shape[::-1]).T if turned else part.reshape(shape)
            first += prod(shape)
        return found

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """The network's outputs for one row of dense inputs, in double precision."""
        from sparring.nets.evaluators import net_evaluator

        return np.asarray(net_evaluator(self).values(np.asarray(inputs, float)[None])[0])

    def value(self, inputs: np.ndarray) -> float:
        """The first output."""
        return float(self.values(inputs)[0])


def team_head(roles: Sequence[str], shapes: Mapping[str, Shape]) -> np.ndarray:
    """The numbers at the beginning of a team's weights, a row for each role; thresholds are 0."""
    head = np.zeros((len(roles), HEAD), np.float32)
    first = head.size
    if first + sum(map(size, shapes.values())) > MOST_PLACES:
        raise UserError(f"a team of more than {MOST_PLACES} weights; its nets must have fewer units")
    for role, row in zip(roles, head, strict=True):
        if role in shapes:
            inputs, hidden, _ = shapes[role]
            row[:3] = first, hidden, first + (inputs + 1) * hidden
            first += size(shapes[role])
    return head


def tensor_shapes(shape: Shape, kind: str = "sigmoid") -> dict[str, tuple[int, ...]]:
    """The shapes of a network's matrices and biases, in the order of its weights."""
    if kind == "linear":
        return {f"layer{n}.weight": (units, before) for n, (before, units) in enumerate(pairwise(shape), 1)}
    if kind == "deep":
        layers = enumerate(pairwise(shape), 1)
        named = (((f"layer{n}.weight", (units, before)), (f"layer{n}.bias", (units,))) for n, (before, units) in layers)
        return dict(chain.from_iterable(named))
    inputs, hidden, outputs = shape
    return {
        "hidden.weight": (hidden, inputs),
        "hidden.bias": (hidden,),
        "output.weight": (outputs, hidden),
        "output.bias": (outputs,),
    }


def size(shape: Shape, kind: str = "sigmoid") -> int:
    """The number of weights and biases."""
    if kind == "graph":
        return int(network_size(shape[0], shape[2], shape[1]))
    return sum(map(prod, tensor_shapes(shape, kind).values()))


def flat(tensors: dict[str, np.ndarray], input_major: bool, kind: str = "sigmoid") -> np.ndarray:
    """The flat weights that kernels read, from matrices in the order of `tensor_shapes`."""
    first, *rest = tensors.values()
    turned = [tensor.T for tensor in rest] if kind == "deep" else rest
    return np.concatenate([(first.T if input_major or kind == "deep" else first).ravel(), *map(np.ravel, turned)])


def gaussian(count: int, seed: int, *words: int | str) -> np.ndarray:
    """Standard normal numbers determined by the seed and the words."""
    out = np.empty(count, np.float32)
    with np.errstate(over="ignore"):
        normals(np.uint64(derive(seed, *words)), out)
    return out
