"""The arithmetic limit of one core, measured: streams of multiply-adds that the compiler turns into vectors, and nothing else.

`python -m benchmarks.peak` prints operations a second, a multiply-add counted as two. What kernels do much of is measured alone
too: sigmoids, and multiply-adds over rows as long as a network's.
"""

import json
import time
from collections.abc import Callable
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.apart import answer
from sparring.kernel.vectors import add_scaled, apply_sigmoid

LONG = 256  # numbers of a stream: they stay in the nearest memory
DEEP = 6  # multiply-adds of each number before it is put back: with more, separate ones wait for each other
ROUNDS = 7  # of which the quickest counts: a limit is what was reached once
ENOUGH = 0.02  # seconds of a round
MATRIX = 1024
ROWS = (
    6,
    27,
    40,
    90,
    256,
    2048,
)  # of sigmoids: hidden units of conquest, golf, backgammon; golf's kinds at six places; long ones
WIDE = "-prefer-256-bit"  # LLVM keeps to half of the widest vectors where using them has lowered the clock


def peak_figures() -> dict[str, float]:
    """Operations a second: as compilers usually have it, with the widest vectors, and of a matrix product."""
    features = f"{llvmlite.binding.get_host_cpu_features().flatten()},{WIDE}"
    wide: dict[str, float] = answer("peak", NUMBA_CPU_FEATURES=features)
    figures = {f"{name}.widest_vectors": value for name, value in wide.items()}
    return streams() | figures | {"peak.matrix_product.operations_per_second": matrix_product()}


def streams() -> dict[str, float]:
    """Multiply-adds as one operation of the processor, and as the two that rounding step by step demands; and sigmoids, in rows."""
    found = {
        "peak.fused.operations_per_second": operations_of(stream(fastmath={"contract"})),
        "peak.separate.operations_per_second": operations_of(stream()),
    }
    return found | {f"peak.sigmoids_per_second.row_{n}": 1 / seconds_of_sigmoid(n) for n in ROWS}


def stream(**options: Any) -> Callable[..., None]:
    @numba.njit(error_model="numpy", **options)
    def run(x, times):  # type: ignore[no-untyped-def]
        factor, more = np.float32(0.999), np.float32(0.001)
        for _ in range(times):
            for i in range(x.size):
                value = x[i]
                for _ in range(DEEP):
                    value = value * factor + more
                x[i] = value

    return run


def operations_of(run: Callable[..., None]) -> float:
    return 2 * DEEP * LONG / quickest(lambda times: run(np.ones(LONG, np.float32), times))[0]


def quickest(*runs: Callable[[int], None]) -> list[float]:
    """Seconds that once of each takes, in the quickest of several rounds of many times, round by round in turns."""
    counts = [enough(run) for run in runs]
    rounds = [[timed(run, times) / times for run, times in zip(runs, counts, strict=True)] for _ in range(ROUNDS)]
    return [min(values) for values in zip(*rounds, strict=True)]


def enough(run: Callable[[int], None]) -> int:
    """How many times are worth timing."""
    run(1)
    times = 1
    while timed(run, times) < ENOUGH:
        times *= 2
    return times


def timed(run: Callable[[int], None], times: int) -> float:
    """Of this thread's own time, which what else the machine does is no part of."""
    began = time.thread_time()
    run(times)
    return time.thread_time() - began


def matrix_product() -> float:
    """Single precision, by the library that NumPy has, which is written for the processor by hand."""
    a, b = (np.random.default_rng(n).random((MATRIX, MATRIX), np.float32) for n in range(2))

    def run(times: int) -> None:
        for _ in range(times):
            a @ b

    with threadpool_limits(1):
        return float(2 * MATRIX**3 / quickest(run)[0])


# What kernels are made of, alone.


@numba.njit(error_model="numpy")
def only_sigmoids(x, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        apply_sigmoid(x, 0, x.size)


@numba.njit(error_model="numpy")
def only_sums(x, row, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        add_scaled(x, 0, row, 0, np.float32(1e-6), x.size)


def seconds_of_sigmoid(width: int) -> float:
    """One of a row of so many."""
    return quickest(lambda times: only_sigmoids(np.ones(width, np.float32), times))[0] / width


def seconds_of_sum(width: int) -> float:
    """One multiply-add of a row of so many."""
    row = np.ones(width, np.float32)
    return quickest(lambda times: only_sums(np.ones(width, np.float32), row, times))[0] / width


if __name__ == "__main__":
    print(json.dumps(streams()))
