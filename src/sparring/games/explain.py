"""Why a player chose its move: the values that it compared, and the inputs of its network.

A game defines `Presentation.explain`, which repeats the policies of its kernels in plain NumPy. It compares a network's output
sums, as the kernels do, and applies the output's sigmoid to show them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from sparring.kernel.records import records

NOW, AFTER = "now", "after the move"
MOST_INPUTS = 2048  # more than any encoding has


class NetEvaluator(Protocol):
    """A network that evaluates rows of inputs."""

    kind: str
    encoding: str
    inputs: int
    outputs: int

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """All outputs of each row."""

    def sums(self, inputs: np.ndarray) -> np.ndarray:
        """The first output of each row, before a monotone output activation."""

    def squashed(self, sums: np.ndarray) -> np.ndarray:
        """The first outputs for these sums."""


@dataclass(frozen=True)
class Evaluator:
    """A player: its policy, and its networks by role. The role of a single network is ''."""

    policy: str
    networks: Mapping[str, NetEvaluator]


@dataclass(frozen=True)
class Decision:
    """A state in which a player chose a move."""

    before: np.ndarray  # the state, an array of one
    after: np.ndarray  # the state after choosing, which may have changed the player's plans
    legal: tuple[int, ...]
    move: int  # the move chosen
    handed: tuple[Any, ...]  # the other arguments of the kernel that chose: player, weights, scratch

    @property
    def s(self) -> Any:
        """The state as a record for kernels."""
        return records(self.before)[0]

    @property
    def state(self) -> Any:
        """The state with its fields by name."""
        return self.before[0]

    @property
    def seat(self) -> int:
        return int(self.before[0]["turn"])


@dataclass(frozen=True)
class MoveValues:
    """The values of the moves that a player compared; higher is better."""

    values: Mapping[int, float]
    note: str  # what a value means, in a sentence
    role: str | None = None  # of the network that decided, if one did
    inputs: np.ndarray | None = None  # of that network
    seen: str = NOW  # whether these are of the state before or after the move


Explain = Callable[[Evaluator, Decision], MoveValues | None]  # None for players that compare no values


def shown(network: NetEvaluator, sums: Mapping[int, float], note: str) -> tuple[dict[int, float], str]:
    """The values to show for sums of moves, and their meaning: outputs, or the sums if outputs would be equal by rounding."""
    found = np.array(list(sums.values()), float)
    values = network.squashed(found)
    if len(np.unique(values)) < len(np.unique(found)):
        values, note = found, f"{note}; shown as sums before the network's last activation, which would make them equal"
    return dict(zip(sums, values.tolist(), strict=True)), note


def dense(kernel: Callable[..., int], s: Any, seat: int, encoding: int, inputs: int) -> np.ndarray:
    """All inputs, from a kernel that writes those other than 0 by number and value."""
    index, value = np.zeros(MOST_INPUTS, np.int64), np.zeros(MOST_INPUTS, np.float32)
    count = kernel(s, seat, encoding, index, value)
    row = np.zeros(inputs)
    np.add.at(row, index[:count], value[:count])
    return row
