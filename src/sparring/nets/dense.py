"""Networks as flat arrays of single-precision weights.

- `sigmoid`: one hidden layer of sigmoid units with biases, and sigmoid outputs. The order is the one kernels read: hidden
  weights (a row of inputs per unit or, where a game asks for columns, of units per input), hidden biases, output weights
  (a row of units per output), output biases.
- `linear`: any number of layers of plain sums without biases, each a row of the layer before per unit; the last layer's
  units are added up.
- `graph`: what a genome stands for (`sparring.nets.genome`); its shape counts the units that the outputs need.
- `team`: sigmoid nets for some of a game's roles, behind a head that says where each lies (`sparring.kernel.network`); its shape is
  that of the largest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from scipy.special import expit

from sparring.errors import UserError
from sparring.kernel.network import HEAD
from sparring.kernel.random import derive, normals
from sparring.nets.genome import Genome, express_one, network_size
from sparring.nets.genome import check as check_genome

KINDS = ("sigmoid", "linear", "graph", "team")
WIDEST = 16  # units of a layer of a linear net: kernels have room for so many
MOST_PLACES = 1 << 24  # numbers of a team: float32, in which its head says where nets lie, counts so far
FARTHEST = 10.0  # farther from 0 than any of `gaussian`, which are made of 24 bits
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Net:
    """A network and where it comes from."""

    game: str
    rules: int
    encoding: str
    shape: Shape  # inputs, then the units of each layer
    weights: np.ndarray
    learner: str = ""
    seed: int = 0
    ancestry: tuple[str, ...] = field(default=())
    kind: str = "sigmoid"
    policy: str = "net"  # how it chooses
    input_major: bool = False
    genome: Genome | None = None
    parts: Mapping[str, "Net"] = field(default_factory=dict)  # of a team: each role's net
    thresholds: Mapping[str, float] = field(default_factory=dict)  # of a team: above which roles that decide say yes

    @classmethod
    def team(
        cls, roles: Sequence[str], parts: "Mapping[str, Net]", thresholds: Mapping[str, float], **told: Any
    ) -> "Net":
        """Nets for some of the roles as one player."""
        kept = {role: parts[role] for role in roles if role in parts}
        head = team_head(roles, {role: net.shape for role, net in kept.items()})
        head[:, -1] = [thresholds.get(role, 0.0) if role in kept else 0.0 for role in roles]
        largest = max(kept.values(), key=lambda net: (net.hidden, net.inputs))
        weights = np.concatenate([head.ravel(), *(net.weights for net in kept.values())])
        facts: dict[str, Any] = {"game": largest.game, "rules": largest.rules, "encoding": largest.encoding}
        facts |= {"input_major": largest.input_major} | told
        return cls(**facts, shape=largest.shape, weights=weights, kind="team", parts=kept,
                   thresholds={role: float(thresholds[role]) for role in kept if role in thresholds})  # fmt: skip

    @classmethod
    def evolved(
        cls, game: str, rules: int, encoding: str, genome: Genome, input_major: bool, place: str = "genome", **more: Any
    ) -> "Net":
        """The network that a genome stands for; a UserError that begins with `place` where it stands for none."""
        check_genome(genome, place)
        weights, units = express_one(genome, input_major)
        shape = (genome.inputs, units, genome.outputs)
        return cls(game, rules, encoding, shape, weights, kind="graph", input_major=input_major, genome=genome, **more)

    @property
    def inputs(self) -> int:
        return self.shape[0]

    @property
    def hidden(self) -> int:
        return self.shape[1]

    def description(self) -> dict[str, Any]:
        """Everything but the weights, as it is kept in the file."""
        return {
            "game": self.game,
            "rules": self.rules,
            "encoding": self.encoding,
            "shape": list(self.shape),
            "kind": self.kind,
            "policy": self.policy,
            "learner": self.learner,
            "seed": self.seed,
            "ancestry": list(self.ancestry),
        } | (self._team_description() if self.kind == "team" else {})

    def _team_description(self) -> dict[str, Any]:
        parts = {role: {"encoding": net.encoding, "shape": list(net.shape)} for role, net in self.parts.items()}
        return {"parts": parts, "thresholds": dict(self.thresholds)}

    def tensors(self) -> dict[str, np.ndarray]:
        """The weights as matrices by name, each with a row per unit, and the biases; of an evolved net its genes."""
        if self.genome:
            return self.genome.tensors()
        if self.parts:
            return {
                f"{role}/{name}": tensor for role, net in self.parts.items() for name, tensor in net.tensors().items()
            }
        found: dict[str, np.ndarray] = {}
        first = 0
        for name, shape in tensor_shapes(self.shape, self.kind).items():
            part = self.weights[first : first + prod(shape)]
            turned = self.input_major and not found
            found[name] = part.reshape(shape[::-1]).T if turned else part.reshape(shape)
            first += prod(shape)
        return found

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """The network's outputs for dense inputs: the plain formula, for people and for checks."""
        if self.genome:
            return self.genome.values(inputs)
        if self.parts:
            raise UserError(f"a team of nets has no one value; ask its parts: {', '.join(self.parts)}")
        parts = {name: tensor.astype(float) for name, tensor in self.tensors().items()}
        if self.kind == "linear":
            for matrix in parts.values():
                inputs = matrix @ inputs
            return np.array([inputs.sum()])
        return np.asarray(expit(reference_sums(parts, inputs[None])[1][0]))

    def value(self, inputs: np.ndarray) -> float:
        """The first output."""
        return float(self.values(inputs)[0])


def weighted(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The first layer's sums for rows of inputs. Inputs that are 0 in all rows are left out: they are most."""
    used = inputs.any(axis=0)
    return np.asarray(inputs[:, used] @ weights[used])


def reference_sums(tensors: Mapping[str, np.ndarray], inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The hidden units of a sigmoid net and the sums of its outputs, for rows of inputs: the plain formula in double precision.

    `sparring.kernel.dense` computes the same in single precision, inside kernels.
    """
    hidden = expit(weighted(inputs, tensors["hidden.weight"].T) + tensors["hidden.bias"])
    return hidden, hidden @ tensors["output.weight"].T + tensors["output.bias"]


def team_head(roles: Sequence[str], shapes: Mapping[str, Shape]) -> np.ndarray:
    """The numbers that a team begins with, a row for each role; thresholds are left 0."""
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
    """The matrices and biases of a net, in the order in which they lie."""
    if kind == "linear":
        return {f"layer{n}.weight": (units, before) for n, (before, units) in enumerate(pairwise(shape), 1)}
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


def flat(tensors: dict[str, np.ndarray], input_major: bool) -> np.ndarray:
    """The weights as kernels read them, from matrices in the order of `tensor_shapes`."""
    first, *rest = tensors.values()
    return np.concatenate([(first.T if input_major else first).ravel(), *(tensor.ravel() for tensor in rest)])


def gaussian(count: int, seed: int, *words: int | str) -> np.ndarray:
    """Standard normal numbers that follow from the seed and the words alone."""
    out = np.empty(count, np.float32)
    with np.errstate(over="ignore"):
        normals(np.uint64(derive(seed, *words)), out)
    return out
