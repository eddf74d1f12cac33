"""What a checkpoint must be before a training goes on from it. Its digest is no secret, so that its numbers may be anybody's.

Kernels trust their callers: a wrong shape, an index out of range or a weight that overflows would crash or hang them. So every
array is compared with what the training itself would write.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from sparring.games import Game

MOST = 1e26  # of real numbers: sums of larger ones overflow, or are below what players take for the worst of all
COUNT = 2**53  # of whole numbers, which count something
# Adam's mean is at most 7.3 times the root of its mean square (Cauchy and Schwarz, with its usual 0.9 and 0.999).
ADAM = 60.0


class Damaged(Exception):
    """What is wrong with a checkpoint, in a few words."""


@dataclass(frozen=True)
class Numbers:
    """What an array must be: its type, its shape, and the range of its numbers."""

    kind: np.dtype
    shape: tuple[int, ...]
    least: float = -MOST
    most: float = MOST
    gaps: bool = False  # whether some may be missing (NaN)

    @classmethod
    def like(cls, array: np.ndarray) -> "Numbers":
        """As an array that the training has: real numbers that are finite, or counts."""
        found = cls(array.dtype, array.shape)
        return found if array.dtype.kind == "f" else found.within(0, COUNT)

    @classmethod
    def counts(cls, *shape: int) -> "Numbers":
        """Whole numbers that count something."""
        return cls(np.dtype(np.int64), shape, 0, COUNT)

    @classmethod
    def reals(cls, *shape: int) -> "Numbers":
        """Real numbers in double precision."""
        return cls(np.dtype(np.float64), shape)

    def within(self, least: float, most: float) -> "Numbers":
        """The same in another range, ends included."""
        return replace(self, least=least, most=most)

    def check(self, name: str, array: np.ndarray) -> None:
        """Refuse an array that is something else."""
        if array.dtype != self.kind or array.shape != self.shape:
            found, wanted = (f"{kind} of shape {list(shape)}" for kind, shape in
                             ((array.dtype, array.shape), (self.kind, self.shape)))  # fmt: skip
            raise Damaged(f"{shown(name)} is {found}, not {wanted}")
        with np.errstate(invalid="ignore"):
            fits = (array >= self.least) & (array <= self.most)
        if not (fits | np.isnan(array) if self.gaps else fits).all():
            raise Damaged(f"{shown(name)} has a number that is not from {self.least:g} to {self.most:g}")


def shown(name: str) -> str:
    """An array's name in one line, whatever it is."""
    return repr(name[:60])


def check_numbers(arrays: Mapping[str, np.ndarray], expected: Mapping[str, Numbers]) -> None:
    """Refuse arrays other than the expected, none missing and none beside them."""
    for name in sorted({*arrays} ^ {*expected}):
        raise Damaged(f"{shown(name)} is {'missing' if name in expected else 'not expected'}")
    for name, numbers in expected.items():
        numbers.check(name, arrays[name])


def check_adam(name: str, mean: np.ndarray, square: np.ndarray, lost: float = 0.0) -> None:
    """Refuse running means that no gradients have, and that would throw weights far away; `lost` is what squares lack."""
    if not (mean.astype(float) ** 2 <= ADAM * (square.astype(float) + lost)).all():
        raise Damaged(f"{shown(name)} has a mean larger than its mean square allows")


def check_states(name: str, game: Game, states: np.ndarray, going: np.ndarray) -> None:
    """Refuse states under other rules than the game's, and those of games that go on which no game can come to."""
    rules = states.dtype.names and "rules" in states.dtype.names
    if rules and not same(states["rules"], game.template["rules"]):
        raise Damaged(f"{shown(name)} has a game under other rules")
    states = states[going]
    if not np.isin(states["turn"], range(max(game.rules.seats))).all() or (states["over"] != 0).any():
        raise Damaged(f"{shown(name)} has a game that goes on and is nobody's turn")
    if game.learning.check_state and (fault := game.learning.check_state(states, game.template)):
        raise Damaged(f"{shown(name)} has a game with {fault}")


def same(some: np.ndarray, one: np.ndarray) -> bool:
    """Whether records are all like one, but for the bytes between their fields."""
    if some.dtype.names:
        return all(same(some[field], one[field]) for field in some.dtype.names)
    return bool((some == one).all())
