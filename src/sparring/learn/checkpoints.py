"""The check of a checkpoint before a training resumes from it. Its digest is public, so its numbers are not trusted.

Kernels trust their callers: a wrong shape, an index out of range or a weight that overflows would crash or hang them.
Every array is therefore compared with what the training itself would write.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparring.games import Game

MOST = 1e26  # largest real number: sums of larger ones overflow, or fall below the value that players use for "worst"
RECORDED = "recorded/"  # begins the names of arrays with curves that a learner records itself
COUNT = 2**53  # largest count
# Adam's mean is at most 7.3 times the root of its mean square (Cauchy-Schwarz, with the usual 0.9 and 0.999).
ADAM = 60.0


class Damaged(Exception):
    """A fault of a checkpoint, in a few words."""


class Saved(NamedTuple):
    """An array that a checkpoint holds, and the range of its numbers; by default finite numbers, or counts."""

    array: np.ndarray
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Numbers:
    """The properties that an array must have: type, shape, and the range of its numbers."""

    kind: np.dtype
    shape: tuple[int, ...]
    least: float = -MOST
    most: float = MOST
    gaps: bool = False  # whether numbers may be missing (NaN)

    @classmethod
    def like(cls, array: np.ndarray, least: float | None = None, most: float | None = None) -> "Numbers":
        """The properties of an array that the training has."""
        low, high = (-MOST, MOST) if array.dtype.kind == "f" else (0, COUNT)
        return cls(array.dtype, array.shape, low if least is None else least, high if most is None else most)

    @classmethod
    def counts(cls, *shape: int) -> "Numbers":
        """Whole numbers that count something."""
        return cls(np.dtype(np.int64), shape, 0, COUNT)

    @classmethod
    def reals(cls, *shape: int) -> "Numbers":
        """Real numbers in double precision."""
        return cls(np.dtype(np.float64), shape)

    def within(self, least: float, most: float) -> "Numbers":
        """The same numbers in another range, ends included."""
        return replace(self, least=least, most=most)

    def check(self, name: str, array: np.ndarray) -> None:
        """Raise Damaged for an array with other properties."""
        if array.dtype != self.kind or array.shape != self.shape:
            found, wanted = (f"{kind} of shape {list(shape)}" for kind, shape in
                             ((array.dtype, array.shape), (self.kind, self.shape)))  # fmt: skip
            raise Damaged(f"{shown(name)} is {found}, not {wanted}")
        with np.errstate(invalid="ignore"):
            fits = (array >= self.least) & (array <= self.most)
        if not (fits | np.isnan(array) if self.gaps else fits).all():
            raise Damaged(f"{shown(name)} has a number that is not from {self.least:g} to {self.most:g}")


def shown(name: str) -> str:
    """An array's name on one line, whatever it contains."""
    return repr(name[:60])


def check_numbers(arrays: Mapping[str, np.ndarray], expected: Mapping[str, Numbers]) -> None:
    """Raise Damaged for arrays that differ from the expected ones, are missing or are not expected."""
    for name in sorted({*arrays} ^ {*expected}):
        raise Damaged(f"{shown(name)} is {'missing' if name in expected else 'not expected'}")
    for name, numbers in expected.items():
        numbers.check(name, arrays[name])


def check_adam(name: str, mean: np.ndarray, square: np.ndarray, lost: float = 0.0) -> None:
    """Raise Damaged for running means that no gradients produce; `lost` is what rounding to 0 took from the squares."""
    if not (mean.astype(float) ** 2 <= ADAM * (square.astype(float) + lost)).all():
        raise Damaged(f"{shown(name)} has a mean larger than its mean square allows")


def check_states(name: str, game: Game, states: np.ndarray, going: np.ndarray) -> None:
    """Raise Damaged for states under other rules than the game's, and for unfinished games that cannot occur."""
    rules = states.dtype.names and "rules" in states.dtype.names
    if rules and not same(states["rules"], game.template["rules"]):
        raise Damaged(f"{shown(name)} has a game under other rules")
    if "seats" in (states.dtype.names or ()) and (states["seats"] != game.rules.seats[0]).any():
        raise Damaged(f"{shown(name)} has a game of another number of seats")
    states = states[going]
    if not np.isin(states["turn"], range(game.rules.seats[0])).all() or (states["over"] != 0).any():
        raise Damaged(f"{shown(name)} has a game that is not over and has no seat to move")
    if game.learning.check_state and (fault := game.learning.check_state(states, game.template)):
        raise Damaged(f"{shown(name)} has a game with {fault}")


def same(some: np.ndarray, one: np.ndarray) -> bool:
    """Whether all records equal one, apart from the bytes between their fields."""
    if some.dtype.names:
        return all(same(some[field], one[field]) for field in some.dtype.names)
    return bool((some == one).all())


def with_present_names(arrays: dict[str, np.ndarray], expected: Mapping[str, Numbers]) -> dict[str, np.ndarray]:
    """A checkpoint's arrays, those of earlier versions under their present names.

    Versions before 0.8 kept recorded curves under another first word: a missing name is given to the only unexpected array
    that differs from it in that word.
    """
    found = dict(arrays)
    for name in (name for name in expected if name.startswith(RECORDED) and name not in arrays):
        older = [
            other for other in found if other not in expected and other.partition("/")[2] == name.removeprefix(RECORDED)
        ]
        if len(older) == 1:
            found[name] = found.pop(older[0])
    return found
