"""What differs on a GPU: several lanes, threads side by side, play one game in step, and share out the candidates of a move.

A block of threads is so many lanes wide (a power of two, 16 at most) and as many games high.

Every lane goes through the whole game, choosing and applying every move together with the others; only where candidates are
compared, or something long is searched, does each take every so-manyth, and then all learn what came out. On a core there is one
lane.
"""

import os
from importlib import import_module
from typing import Any

import numpy as np
from numba.core.target_extension import current_target
from numba.extending import overload

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"  # kernels for a GPU run as plain Python: with one lane


def numba_cuda() -> Any:
    """The module `numba.cuda`, imported where a GPU is used. It has no types: its names exist only inside kernels."""
    return import_module("numba.cuda")


def on_gpu() -> bool:
    """Whether this runs on a GPU: for loops that want another order there."""
    return SIMULATED


def subwarp_size() -> int:
    """How many lanes share a game."""
    return 1


def subwarp_rank() -> int:
    """Which of them this is."""
    return 0


def subwarp_best(value: Any, index: Any) -> Any:
    """The highest value of all lanes and its index; of equal ones the lowest index."""
    return value, index


def subwarp_sum(value: Any) -> Any:
    """The sum over all lanes."""
    return value


def unwrap_simulator(array: Any) -> Any:
    """An array as kernels want to see it: where a GPU is simulated, without the simulator's wrapping."""
    from sparring.kernel.records import records

    while not isinstance(array, np.ndarray):
        array = array._item if hasattr(array, "_item") else array._ary
    return records(array) if array.dtype.names else array


@overload(unwrap_simulator, target="generic")
def _nearby(array):
    return lambda array: array


@overload(on_gpu, target="generic")
def _on_gpu():
    return (lambda: True) if current_target() == "cuda" else (lambda: False)


@overload(subwarp_size, target="generic")
def _lanes():
    if current_target() != "cuda":
        return lambda: 1
    cuda = numba_cuda()

    return lambda: cuda.blockDim.x


@overload(subwarp_rank, target="generic")
def _lane():
    if current_target() != "cuda":
        return lambda: 0
    cuda = numba_cuda()

    return lambda: cuda.threadIdx.x


@overload(subwarp_best, target="generic")
def _best_of_lanes(value, index):
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
def _sum_of_lanes(value):
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
