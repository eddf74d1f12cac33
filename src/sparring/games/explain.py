"""Why a player chose its move: the numbers that it compared, and what its net saw.

A game tells it by `Game.thinking`, in plain NumPy beside the kernels that play: the same policies, written to be read. What is
compared is left as a net's last sums, as kernels leave it, and squashed to be shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from sparring.kernel.records import records

NOW, AFTER = "now", "after the move"
MOST_INPUTS = 2048  # more than any encoding has


class NetEvaluator(Protocol):
    """A net that can be asked about rows of inputs."""

    kind: str
    encoding: str
    inputs: int

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """All its outputs, row by row."""

    def sums(self, inputs: np.ndarray) -> np.ndarray:
        """Its first output of each row, without the last step where that step only squashes."""

    def squashed(self, sums: np.ndarray) -> np.ndarray:
        """The first outputs that such sums stand for."""


@dataclass(frozen=True)
class Evaluator:
    """A player that is asked: its policy, and its nets by their roles. A net that is no team's has no role: ''."""

    policy: str
    networks: Mapping[str, NetEvaluator]


@dataclass(frozen=True)
class Decision:
    """When it chose."""

    before: np.ndarray  # the state, an array of one
    after: np.ndarray  # the same as choosing left it
    legal: tuple[int, ...]
    move: int  # that was chosen
    handed: tuple[Any, ...]  # to the kernel that chose, beside the state: the player, weights, working room

    @property
    def s(self) -> Any:
        """The state as kernels want it."""
        return records(self.before)[0]

    @property
    def told(self) -> Any:
        """The state with its fields by name."""
        return self.before[0]

    @property
    def seat(self) -> int:
        return int(self.before[0]["turn"])


@dataclass(frozen=True)
class MoveValues:
    """What a player thought of a state: the values of the moves it compared, the more the better; other moves it did not weigh."""

    values: Mapping[int, float]
    note: str  # what a value means, in a sentence
    role: str | None = None  # of the net that decided, if one did
    inputs: np.ndarray | None = None  # what that net saw,
    seen: str = NOW  # and when


Explain = Callable[[Evaluator, Decision], MoveValues | None]  # None for players that compare nothing


def shown(network: NetEvaluator, sums: Mapping[int, float], note: str) -> tuple[dict[int, float], str]:
    """Sums of moves as the values to show, and what those mean: the net's outputs unless these no longer tell moves apart."""
    found = np.array(list(sums.values()), float)
    values = network.squashed(found)
    if len(np.unique(values)) < len(np.unique(found)):
        values, note = found, f"{note}; as a sum before the network's last step, which would make them equal"
    return dict(zip(sums, values.tolist(), strict=True)), note


def dense(kernel: Callable[..., int], s: Any, seat: int, encoding: int, inputs: int) -> np.ndarray:
    """All the inputs that a kernel tells, by number and value, of those other than 0."""
    index, value = np.zeros(MOST_INPUTS, np.int64), np.zeros(MOST_INPUTS, np.float32)
    count = kernel(s, seat, encoding, index, value)
    row = np.zeros(inputs)
    np.add.at(row, index[:count], value[:count])
    return row
