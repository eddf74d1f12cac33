"""What differs on a GPU: the threads of a subwarp play one game in step and share the candidates of a move.

A block of threads is as wide as a subwarp (a power of two, 16 at most) and as high as its number of games.

Every thread goes through the whole game and applies every move together with the others. Only where candidates are compared, or
something long is searched, each takes a part, and then all get the result. On a core a subwarp is one thread.
"""

import os
from importlib import import_module
from typing import Any

import numpy as np
from numba.core.target_extension import current_target
from numba.extending import overload

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"  # kernels for a GPU run as plain Python, with one thread


def numba_cuda() -> Any:
    """The module `numba.cuda`, imported where a GPU is used. It has no types: its names exist only inside kernels."""
    return import_module("numba.cuda")


def on_gpu() -> bool:
    """Whether this runs on a GPU: for loops whose best order is another there."""
    return SIMULATED


def subwarp_size() -> int:
    """How many threads share a game."""
    return 1


def subwarp_rank() -> int:
    """The number of this thread among them."""
    return 0


def subwarp_best(value: Any, index: Any) -> Any:
    """The highest value of all threads and its index; of equal ones the lowest index."""
    return value, index


def subwarp_sum(value: Any) -> Any:
    """The sum over all threads."""
    return value


def meet_warp() -> None:
    """Wait for the other threads of the warp: a compiler may otherwise let all wait until the last one leaves a loop."""


def unwrap_simulator(array: Any) -> Any:
    """An array as kernels read it: without the wrapper of a simulated GPU."""
    from sparring.kernel.records import records

    while not isinstance(array, np.ndarray):
        array = array._item if hasattr(array, "_item") else array._ary
    return records(array) if array.dtype.names else array


@overload(unwrap_simulator, target="generic")
def _unwrap_simulator(array):
    return lambda array: array


@overload(on_gpu, target="generic")
def _on_gpu():
    return (lambda: True) if current_target() == "cuda" else (lambda: False)


@overload(meet_warp, target="generic")
def _meet_warp():
    if current_target() != "cuda":
        return lambda: None
    cuda = numba_cuda()

    return lambda: cuda.syncwarp()


@overload(subwarp_size, target="generic")
def _subwarp_size():
    if current_target() != "cuda":
        return lambda: 1
    cuda = numba_cuda()

    return lambda: cuda.blockDim.x


@overload(subwarp_rank, target="generic")
def _subwarp_rank():
    if current_target() != "cuda":
        return lambda: 0
    cuda = numba_cuda()

    return lambda: cuda.threadIdx.x


@overload(subwarp_best, target="generic")
def _subwarp_best(value, index):
    if current_target() != "cuda":
        return lambda value, index: (value, index)
    cuda = numba_cuda()

    def best(value, index):
        mask = ((1 << cuda.blockDim.x) - 1) << (cuda.threadIdx.y * cuda.blockDim.x % 32)
        step = cuda.blockDim.x // 2
        while step > 0:
            other, which = cuda.shfl_xor_sync(mask, value, step), cuda.shfl_xor_sync(mask, index, step)
            if other > value or (other == value and which < index):
                value, index = other, which
            step //= 2
        return value, index

    return best


@overload(subwarp_sum, target="generic")
def _subwarp_sum(value):
    if current_target() != "cuda":
        return lambda value: value
    cuda = numba_cuda()

    def total(value):
        mask = ((1 << cuda.blockDim.x) - 1) << (cuda.threadIdx.y * cuda.blockDim.x % 32)
        step = cuda.blockDim.x // 2
        while step > 0:
            value += cuda.shfl_xor_sync(mask, value, step)
            step //= 2
        return value

    return total
