"""The GPU: the same kernels, compiled for it by numba-cuda, with thousands of games at once and only results copied back.

A game whose nets share out their candidates (`Game.lanes`) is played by several lanes, any other by one.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sparring.errors import Failure, UserError
from sparring.kernel.compiler import announced
from sparring.kernel.launch import Launcher
from sparring.kernel.subwarp import SIMULATED, numba_cuda
from sparring.kernel.td_runner import TDRunner

if TYPE_CHECKING:
    from sparring.kernel.batched_td import BatchedTD

BLOCK = 8 if SIMULATED else 128  # threads that share a copy of the nets
RESIDENT = 8 if SIMULATED else 512  # threads of a multiprocessor that its fast memory is large enough for
MOST_THREADS = 512  # of a block: as many as there are registers for
NEAR = 48 * 1024  # bytes of nets that a block can share
ROOM = 512 * 1024  # bytes of local memory that a thread can have
MOST_JOBS = 1 << 21  # games of one launch
STEP = 16  # hidden units by which working room grows: every size is compiled for itself


@cache
def why_not() -> str:
    """Why games cannot be played on a GPU here, in one line; empty where they can."""
    try:
        cuda = numba_cuda()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = bool(cuda.is_available())
    except Exception as error:  # a driver that is broken fails in ways of its own
        return f"numba-cuda does not work here ({_first_line(error)}); install sparring[cuda], or use --backend cpu"
    return (
        ""
        if found
        else "no NVIDIA GPU that numba-cuda can use is here; use --backend cpu, or auto to take what there is"
    )


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


@contextmanager
def gpu_work() -> Iterator[None]:
    """Turn what the driver says into one line; what is not about the GPU passes."""
    try:
        yield
    except _driver_errors() as error:
        raise Failure(
            f"the GPU failed: {_first_line(error)}; what was saved is kept: go on with --backend cpu, or resume when it is back"
        ) from None


@cache
def _driver_errors() -> tuple[type[Exception], ...]:
    """What numba-cuda raises for errors of the driver: the class depends on its version."""
    from numba.cuda.cudadrv import driver
    from numba.cuda.cudadrv.error import CudaSupportError

    found = [CudaSupportError, getattr(driver, "CudaAPIError", None)]
    with suppress(ImportError):
        from cuda.core._utils.cuda_utils import CUDAError, NVRTCError

        found += [CUDAError, NVRTCError]
    with suppress(ImportError):
        from cuda.bindings.nvjitlink import nvJitLinkError

        found.append(nvJitLinkError)
    return tuple(error for error in found if error)


def out_of_memory(error: BaseException) -> bool:
    """Whether the driver has run out of memory."""
    return "OUT_OF_MEMORY" in str(error) or isinstance(error, MemoryError)


def work_of(launcher: "Launcher | TDRunner", hidden: int) -> tuple[int, int]:
    """Floats and integers of a thread's working room, rounded up; refused where a thread cannot have so much."""
    units = -(-max(1, hidden) // STEP) * STEP
    float_scratch, int_scratch = launcher.float_scratch(units), launcher.int_scratch
    size = 4 * float_scratch + 8 * int_scratch + launcher.template.itemsize
    if size > ROOM:
        raise UserError(
            f"a net of {hidden} hidden units needs {size // 1024} kB of working room a game on a GPU, which has "
            f"{ROOM // 1024}: use --backend cpu"
        )
    return float_scratch, int_scratch


def wide(launcher: Launcher, which: int) -> int:
    """How many lanes play a game; a simulated GPU has one."""
    return 1 if SIMULATED else launcher.subwarp[which]


class Cuda:
    """Plays on this machine's GPU."""

    name, slice = "cuda", 1 << 18

    def __init__(self) -> None:
        if reason := why_not():
            raise UserError(f"backend = 'cuda': {reason}")
        self.kernels: dict[tuple[Any, ...], Any] = {}

    def play(
        self,
        launcher: Launcher,
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        threads: int | None,
        keep_moves: bool,
    ) -> tuple[np.ndarray, np.ndarray]:
        """As `Launcher.play`, in batches that the GPU's memory holds: one that does not fit is cut in two."""
        tallies = np.zeros(len(jobs), launcher.tally)
        moves = np.full((len(jobs), launcher.max_moves + 1 if keep_moves else 0), -1, np.int16)
        size, first = min(MOST_JOBS, max(1, len(jobs))), 0
        if keep_moves:
            size = max(1, min(size, (1 << 30) // (2 * launcher.max_moves + 2)))
        while first < len(jobs):
            part = slice(first, first + size)
            try:
                self._launch(launcher, jobs[part], players, weights, tallies[part], moves[part], keep_moves)
            except Failure as error:
                if not out_of_memory(error) or size <= BLOCK:
                    raise
                size //= 2
                continue
            first += size
        return tallies, moves if keep_moves else np.empty((0, 0), np.int16)

    def _launch(
        self,
        launcher: Launcher,
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        tallies: np.ndarray,
        moves: np.ndarray,
        keep_moves: bool,
    ) -> None:
        from sparring.kernel.gpu import batch_on_gpu, cuda

        float_scratch, int_scratch = work_of(launcher, int(players["hidden"].max()))
        near = weights.nbytes <= NEAR and not SIMULATED
        key = (launcher.name, launcher.template.dtype, float_scratch, near)
        with gpu_work(), announced(f"{launcher.name}-cuda"):
            if key not in self.kernels:
                self.kernels[key] = batch_on_gpu(launcher, float_scratch, int_scratch, near)
            subwarp = wide(launcher, 0)
            processors = 1 if SIMULATED else cuda.get_current_device().MULTIPROCESSOR_COUNT
            blocks = min(-(-len(jobs) * subwarp // BLOCK), processors * RESIDENT // BLOCK)
            sent = [cuda.to_device(np.ascontiguousarray(a)) for a in (jobs, players, weights, launcher.template)]
            counted = cuda.device_array(len(tallies), tallies.dtype)
            kept = cuda.to_device(moves if keep_moves else np.empty((0, 1), np.int16))
            cursor = cuda.to_device(np.array([blocks * BLOCK // subwarp], np.int64))
            self.kernels[key][blocks, (subwarp, BLOCK // subwarp), 0, weights.nbytes if near else 0](
                *sent, counted, kept, cursor
            )
            counted.copy_to_host(tallies)
            if keep_moves:
                kept.copy_to_host(moves)

    def learn(
        self,
        td_runner: TDRunner,
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        target: np.ndarray,
        flip: np.ndarray,
        threads: int | None,
    ) -> None:
        """Lessons learn turn by turn, each from the last: cores are quicker at that. The learner td-batch is the GPU's."""
        td_runner.run_here(jobs, players, weights, target, flip, threads)

    def evolve(
        self,
        launcher: Launcher,
        seeds: np.ndarray,
        nets: np.ndarray,
        players: np.ndarray,
        first: int,
        epochs: int,
        pairs: tuple[int, int],
        terms: tuple[float, float, float, float],
    ) -> "tuple[np.ndarray, np.ndarray] | None":
        """Epochs of coevolution in every trial (see `evolve_on_gpu`), which change the nets in place.

        Returns the tallies by trial, epoch and game, and the changes made; None where a trial's nets or games are too many. Trials
        that the GPU's memory does not hold are cut in two.
        """
        trials, games, subwarp = len(nets) // 2, 2 * sum(pairs), wide(launcher, 1)
        while subwarp > 1 and games * subwarp > MOST_THREADS:
            subwarp //= 2
        if 8 * nets.shape[1] > NEAR or games > MOST_THREADS:
            return None
        found, at, size = [], 0, trials
        while at < trials:
            rows = np.arange(at, min(at + size, trials))
            both = np.concatenate([rows, trials + rows])
            part = nets[both]
            try:
                found.append(self._evolve(launcher, seeds[rows], part, players, first, epochs, pairs, terms, subwarp))
            except Failure as error:
                if not out_of_memory(error) or size == 1:
                    raise
                size //= 2
                continue
            nets[both] = part
            at += size
        tallies, changes = zip(*found, strict=True)
        return np.concatenate(tallies), np.concatenate(changes)

    def _evolve(
        self,
        launcher: Launcher,
        seeds: np.ndarray,
        nets: np.ndarray,
        players: np.ndarray,
        first: int,
        epochs: int,
        pairs: tuple[int, int],
        terms: tuple[float, float, float, float],
        subwarp: int,
    ) -> tuple[np.ndarray, np.ndarray]:
        from sparring.kernel.gpu import cuda, evolve_on_gpu

        trials, size, games = len(nets) // 2, nets.shape[1], 2 * sum(pairs)
        float_scratch, int_scratch = work_of(launcher, int(players["hidden"].max()))
        key = ("evolve", launcher.name, launcher.template.dtype, float_scratch)
        with gpu_work(), announced(f"{launcher.name}-evolution-cuda"):
            if key not in self.kernels:
                self.kernels[key] = evolve_on_gpu(launcher, float_scratch, int_scratch)
            tallies = cuda.device_array((trials, epochs, games), launcher.tally)
            changes = cuda.to_device(np.zeros((trials, 3), np.int64))
            moved = cuda.to_device(nets)
            sent = [cuda.to_device(a) for a in (seeds, players, launcher.template)]
            numbers = (first, epochs, cuda.to_device(np.array(pairs)), *(np.float32(x) for x in terms))
            self.kernels[key][trials, (subwarp, games), 0, 8 * size](
                sent[0], moved, *sent[1:], *numbers, tallies, changes
            )
            moved.copy_to_host(nets)
            return tallies.copy_to_host(), changes.copy_to_host()

    def learn_batched_td(self, batched_td: "BatchedTD", rates: list[float]) -> None:
        """Turns of many games, each followed by a correction, without leaving the GPU."""
        from sparring.kernel.gpu import correct_on_gpu, cuda, gradient_on_gpu, turns_on_gpu

        launcher, told = batched_td.launcher, batched_td.player[0]
        inputs, hidden, outputs = int(told["inputs"]), int(told["hidden"]), int(told["outputs"])
        float_scratch, int_scratch = work_of(launcher, hidden)
        key = ("abreast", launcher.name, launcher.template.dtype, float_scratch, inputs)
        with gpu_work(), announced(f"{launcher.name}-abreast-cuda"):
            if key not in self.kernels:
                self.kernels[key] = turns_on_gpu(launcher, batched_td.kernels[0], float_scratch, int_scratch, inputs)
            kept = {name: cuda.to_device(array) for name, array in batched_td.kept.items()}
            scratch = {name: cuda.to_device(np.zeros(*shape)) for name, shape in batched_td.scratch().items()}
            filled = [scratch[name] for name in ("dense", "slopes", "units", "errors")]
            common = [cuda.to_device(a) for a in (batched_td.terms, batched_td.player)]
            flip, games, size = (
                cuda.to_device(batched_td.flip),
                len(batched_td.kept["begun"]),
                len(batched_td.kept["weights"]),
            )
            subwarp = wide(launcher, 1)
            blocks, spread = -(-games * subwarp // BLOCK), -(-size // BLOCK)
            games_now = (kept["begun"], kept["deals"], kept["states"])
            for rate in rates:
                launch = self.kernels[key][blocks, (subwarp, BLOCK // subwarp)]
                launch(*games_now, *common, kept["weights"], flip, *filled, scratch["told"])
                gradient_on_gpu[spread, BLOCK](hidden, inputs, outputs, *filled, scratch["change"])
                correct_on_gpu[spread, BLOCK](
                    kept["weights"], scratch["change"], kept["mean"], kept["square"], rate, games
                )
            for name, array in kept.items():
                array.copy_to_host(batched_td.kept[name])
