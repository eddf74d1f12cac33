"""Parts of kernels that are not compiled on their own."""

import numba

from sparring.kernel.compiler import INTERPRETED, Function, kernel_hash


def fragment(function: Function) -> Function:
    """A part of kernels: Numba copies its source into each kernel that calls it.

    A kernel that calls another holds a copy of its code, and so of all that it calls, and optimises it again. Where few lines stand
    around something large, such as a game's `choose`, those copies are most of the time of compiling.
    """
    if INTERPRETED:
        return function
    copied: Function = numba.njit(inline="always")(function)  # type: ignore[assignment]
    copied._set_uuid(f"{function.__module__}.{function.__qualname__} {kernel_hash(function)}")  # type: ignore[attr-defined]
    return copied
