"""The arithmetic limit of one core: streams of multiply-adds that the compiler vectorises.

`python -m benchmarks.peak` prints operations per second; a multiply-add counts as two. It also measures the main work of
kernels alone: sigmoids, and multiply-adds over rows as long as a network's.
"""

import json
import time
from collections.abc import Callable
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.processes import answer
from sparring.kernel.vectors import add_scaled, apply_sigmoid

LONG = 256  # numbers of a stream, which stay in the first-level cache
DEEP = 6  # multiply-adds per number before it is stored: with more, separate ones wait for each other
ROUNDS = 7  # the fastest counts: a limit is what was reached once
ENOUGH = 0.02  # seconds per round
MATRIX = 1024
# Lengths of rows of sigmoids: hidden units of conquest, golf and backgammon; golf's kinds at six places; long rows.
ROWS = (6, 27, 40, 90, 256, 2048)
WIDE = "-prefer-256-bit"  # LLVM avoids the widest vectors on processors where they lower the clock


def peak_figures() -> dict[str, float]:
    """Operations per second: as usually compiled, with the widest vectors, and in a matrix product."""
    features = f"{llvmlite.binding.get_host_cpu_features().flatten()},{WIDE}"
    wide: dict[str, float] = answer("peak", NUMBA_CPU_FEATURES=features)
    figures = {f"{name}.widest_vectors": value for name, value in wide.items()}
    return streams() | figures | {"peak.matrix_product.operations_per_second": matrix_product()}


def streams() -> dict[str, float]:
    """Fused multiply-adds, multiply-adds rounded separately, and sigmoids in rows."""
    fused, separate = operations_of(stream(fastmath={"contract"}), stream())
    found = {"peak.fused.operations_per_second": fused, "peak.separate.operations_per_second": separate}
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


def operations_of(*runs: Callable[..., None]) -> list[float]:
    """Operations a second of each, measured in turns."""
    seconds = fastest(*(lambda times, run=run: run(np.ones(LONG, np.float32), times) for run in runs))  # type: ignore[misc]
    return [2 * DEEP * LONG / each for each in seconds]


def fastest(*runs: Callable[[int], None]) -> list[float]:
    """Seconds per call of each, in the fastest of several alternating rounds."""
    counts = [enough(run) for run in runs]
    rounds = [[timed(run, times) / times for run, times in zip(runs, counts, strict=True)] for _ in range(ROUNDS)]
    return [min(values) for values in zip(*rounds, strict=True)]


def enough(run: Callable[[int], None]) -> int:
    """The number of calls that takes long enough to time."""
    run(1)
    times = 1
    while timed(run, times) < ENOUGH:
        times *= 2
    return times


def timed(run: Callable[[int], None], times: int) -> float:
    """Seconds of this thread's processor time."""
    began = time.thread_time()
    run(times)
    return time.thread_time() - began


def matrix_product() -> float:
    """Operations per second of NumPy's hand-written library in single precision."""
    a, b = (np.random.default_rng(n).random((MATRIX, MATRIX), np.float32) for n in range(2))

    def run(times: int) -> None:
        for _ in range(times):
            a @ b

    with threadpool_limits(1):
        return float(2 * MATRIX**3 / fastest(run)[0])


# The main work of kernels, alone.


@numba.njit(error_model="numpy")
def only_sigmoids(x, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        apply_sigmoid(x, 0, x.size)


@numba.njit(error_model="numpy")
def only_sums(x, row, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        add_scaled(x, 0, row, 0, np.float32(1e-6), x.size)


def seconds_of_sigmoid(width: int) -> float:
    """Seconds per sigmoid in a row of this width."""
    return fastest(lambda times: only_sigmoids(np.ones(width, np.float32), times))[0] / width


def seconds_of_sum(width: int) -> float:
    """Seconds per multiply-add in a row of this width."""
    row = np.ones(width, np.float32)
    return fastest(lambda times: only_sums(np.ones(width, np.float32), row, times))[0] / width


if __name__ == "__main__":
    print(json.dumps(streams()))
