"""Arrays of records and tables of small numbers, as kernels see them when compiled and when interpreted.

Compiled, they are what NumPy made. Interpreted, a record's fields must be reached by attribute as in compiled code, and
small whole numbers must widen as they do there instead of overflowing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.kernel.compiler import INTERPRETED


class Cells(np.ndarray):
    """An array whose whole numbers come out as Python's, which do not overflow: compiled code widens them likewise."""

    def __getitem__(self, index: Any) -> Any:
        return widened(super().__getitem__(index))


class Fields(np.record):  # type: ignore[misc]
    """A record whose fields come before NumPy's own attributes, so that a state may have a field named `round`."""

    def __getattribute__(self, name: str) -> Any:
        field = (super().__getattribute__("dtype").fields or {}).get(name)
        return super().__getattribute__(name) if field is None else widened(self.getfield(*field[:2]))


def widened(value: Any) -> Any:
    """A field or cell as compiled code sees it. Streams of random numbers (uint64) stay as they are: they do wrap round."""
    if value.dtype.names:
        return value.view((Fields, value.dtype))
    if isinstance(value, np.ndarray):
        return value.view(Cells)
    return int(value) if isinstance(value, np.integer) and not isinstance(value, np.uint64) else value


def records(array: np.ndarray) -> np.ndarray:
    """An array of records as kernels read it: interpreted code reaches its fields by attribute. Other arrays stay as they are."""
    return array.view(np.dtype((Fields, array.dtype))) if INTERPRETED and array.dtype.names else array


def call_kernel(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a kernel from Python. Interpreted, its streams of random numbers wrap round without a warning."""
    with np.errstate(over="ignore"):
        return function(*(records(one) if isinstance(one, np.ndarray) else one for one in arguments))


def lookup(values: list[int], kind: type = np.int8) -> np.ndarray:
    """A table of small numbers that kernels read."""
    table: np.ndarray = np.array(values, kind)
    return table.view(Cells) if INTERPRETED else table
