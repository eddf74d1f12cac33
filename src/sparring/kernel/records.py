"""Arrays of records and tables of small numbers, as compiled and as interpreted kernels read them.

Compiled kernels read NumPy's arrays. Interpreted ones need access to a record's fields by attribute, and small integers that
widen, as they do in compiled code, instead of overflowing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.kernel.compiler import INTERPRETED


class Cells(np.ndarray):
    """An array whose integers are read as Python's, which do not overflow; compiled code widens them too."""

    def __getitem__(self, index: Any) -> Any:
        return widened(super().__getitem__(index))


class Fields(np.record):  # type: ignore[misc]
    """A record whose fields come before NumPy's own attributes, so that a state may have a field named `round`."""

    def __getattribute__(self, name: str) -> Any:
        field = (super().__getattribute__("dtype").fields or {}).get(name)
        return super().__getattribute__(name) if field is None else widened(self.getfield(*field[:2]))


def widened(value: Any) -> Any:
    """A field or cell as compiled code reads it. Streams of random numbers (uint64) stay as they are: they wrap round."""
    if value.dtype.names:
        return value.view((Fields, value.dtype))
    if isinstance(value, np.ndarray):
        return value.view(Cells)
    return int(value) if isinstance(value, np.integer) and not isinstance(value, np.uint64) else value


def records(array: np.ndarray) -> np.ndarray:
    """An array of records as kernels read it; any other array stays as it is."""
    return array.view(np.dtype((Fields, array.dtype))) if INTERPRETED and array.dtype.names else array


def call_kernel(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a kernel from Python. Interpreted, its streams of random numbers wrap round without a warning."""
    if not INTERPRETED:
        return function(*arguments)
    with np.errstate(over="ignore"):
        return function(*map(as_argument, arguments))


def as_argument(value: Any) -> Any:
    """A kernel's argument as it reads it: an array, a named tuple of arrays, or a number."""
    if isinstance(value, tuple):
        return type(value)(*map(as_argument, value))
    return records(value) if isinstance(value, np.ndarray) else value


def lookup(values: list[int], kind: type = np.int8) -> np.ndarray:
    """A table of small numbers that kernels read."""
    table: np.ndarray = np.array(values, kind)
    return table.view(Cells) if INTERPRETED else table
