"""The GPU: the same kernels, compiled by numba-cuda, with thousands of games at once; only results are copied back.

The threads of a subwarp (`Policies.subwarp`) share one game.
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sparring.errors import Failure, UserError
from sparring.kernel.backend import CPU, Backend, Evolution, Games
from sparring.kernel.compiler import announced, enclosed_numbers
from sparring.kernel.cuda_matches import batch_size, no_results, play_shares, roll_out_staged
from sparring.kernel.launch import DEEP, Launcher
from sparring.kernel.subwarp import SIMULATED, numba_cuda

if TYPE_CHECKING:
    from sparring.kernel.batched_td import BatchedTD
    from sparring.kernel.deep_td import DeepTD, Turn

BLOCK = 8 if SIMULATED else 128  # threads that share a copy of the nets
RESIDENT = 8 if SIMULATED else 512  # threads of a multiprocessor that fit its fast memory
MOST_THREADS = 512  # of a block: as many as there are registers for
NEAR = 48 * 1024  # bytes of nets that a block can share
ROOM = 512 * 1024  # bytes of local memory of a thread
MOST_JOBS = 1 << 21  # games of one launch
STEP = 16  # hidden units by which scratch memory grows: every size is compiled separately


@cache
def why_not() -> str:
    """Why no GPU can be used here, in one line; empty where one can."""
    try:
        cuda = numba_cuda()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = bool(cuda.is_available())
    except Exception as error:  # a broken driver may raise anything
        return f"numba-cuda does not work here ({_first_line(error)}); install sparring[cuda], or use --backend cpu"
    missing = "no NVIDIA GPU that numba-cuda can use is here; use --backend cpu, or auto to take what there is"
    return "" if found else missing


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


@contextmanager
def gpu_work() -> Iterator[None]:
    """Turn errors of the driver into one line; other errors pass."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Grid size")  # the last games of a batch leave most of a GPU idle
            yield
    except (*_driver_errors(), *_torch_errors()) as error:
        raise _failure(error) from None
    except RuntimeError as error:
        if not _is_of_driver(error):
            raise
        raise _failure(error) from None


def _failure(error: BaseException) -> Failure:
    kept = "what was saved is kept: go on with --backend cpu, or resume when it is back"
    return Failure(f"the GPU failed: {_first_line(error)}; {kept}")


@cache
def _driver_errors() -> tuple[type[Exception], ...]:
    """The exceptions of numba-cuda for errors of the driver; they depend on its version."""
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


def _torch_errors() -> tuple[type[Exception], ...]:
    """The exceptions of PyTorch for errors of the driver, where it is in use."""
    names = ("OutOfMemoryError", "AcceleratorError")
    return tuple(getattr(sys.modules["torch"], name) for name in names if hasattr(sys.modules.get("torch"), name))


def _is_of_driver(error: RuntimeError) -> bool:
    """Whether an error is one of those of CUDA's libraries, for which PyTorch has no class."""
    return str(error).startswith(("CUDA error", "CUDA driver error", "cuBLAS", "cuDNN"))


def out_of_memory(error: BaseException) -> bool:
    """Whether the driver has run out of memory."""
    words = str(error).lower().replace("_", " ")
    return any(word in words for word in ("out of memory", "alloc failed")) or isinstance(error, MemoryError)


def work_of(launcher: Launcher, players: np.ndarray) -> tuple[int, int]:
    """Floats and integers of a thread's scratch memory, rounded up; an error where a thread cannot have that much."""
    if (players["kind"] == DEEP).any():
        raise UserError("deep nets play on cores: use --backend cpu")
    units = -(-max(1, int(players["hidden"].max())) // STEP) * STEP
    float_scratch, int_scratch = launcher.float_scratch(units), launcher.int_scratch
    size = 4 * float_scratch + 8 * int_scratch + launcher.template.itemsize
    if size > ROOM:
        raise UserError(
            f"a net of {players['hidden'].max()} hidden units needs {size // 1024} kB of scratch memory per game on a "
            f"GPU, which has {ROOM // 1024}: use --backend cpu"
        )
    return float_scratch, int_scratch


def wide(launcher: Launcher, which: int) -> int:
    """How many threads share a game; a simulated GPU has one."""
    return 1 if SIMULATED else launcher.subwarp[which]


def threads_per_game(launcher: Launcher, players: np.ndarray) -> int:
    """How many threads play a game of a batch: one where no player values candidates with a network."""
    return wide(launcher, 0) if players["inputs"].any() else 1


class Cuda(Backend):
    """This machine's GPU. TD(lambda) corrects the weights turn by turn, which cores do faster: it is not among the capabilities."""

    name, slice = "cuda", 1 << 18
    capabilities = frozenset({"play", "learn_batched", "learn_deep", "evolve", "roll_out"})

    def __init__(self) -> None:
        super().__init__()
        if reason := why_not():
            raise UserError(f"backend = 'cuda': {reason}")
        self.kernels: dict[tuple[Any, ...], Any] = {}

    def play(self, launcher: Launcher, games: Games) -> tuple[np.ndarray, np.ndarray]:
        """See `Launcher.play`. Games of deep networks are played in stages (kernel/deep_matches.py), or on cores."""
        return play_shares(self, launcher, games)

    def batches(self, staged: bool) -> int:
        """See `Backend.batches`: more where stages play, which need many games."""
        return 9 if staged and self.has_torch() else 1

    def roll_out(self, work: Any) -> tuple[np.ndarray, np.ndarray]:
        """See `Backend.roll_out`: deep networks in stages."""
        if not work.staged:
            self.remark_once("rollouts of networks that are not deep run on this machine's cores")
        elif self.has_torch():
            return roll_out_staged(work)
        found: tuple[np.ndarray, np.ndarray] = work.play_here()
        return found

    def has_torch(self) -> bool:
        """Whether PyTorch can be imported; a remark says what runs on cores where it cannot."""
        try:
            import torch  # noqa: F401
        except Exception as error:  # a broken installation may raise anything
            why = f"PyTorch does not work here ({_first_line(error)}); install sparring[deep]"
            self.remark_once(f"deep networks play on this machine's cores: {why}")
            return False
        return True

    def play_threads(self, launcher: Launcher, games: Games) -> tuple[np.ndarray, np.ndarray]:
        """A thread or a subwarp for each game. A batch that the GPU's memory does not hold is cut in two."""
        jobs, keep_moves = games.jobs, games.keep_moves
        tallies, moves = no_results(launcher, len(jobs), keep_moves)
        size, first = batch_size(launcher, keep_moves, min(MOST_JOBS, max(1, len(jobs)))), 0
        while first < len(jobs):
            part = slice(first, first + size)
            try:
                self._launch(launcher, games._replace(jobs=jobs[part]), tallies[part], moves[part])
            except Failure as error:
                if not out_of_memory(error) or size <= BLOCK:
                    raise
                size //= 2
                continue
            first += size
        return tallies, moves

    def _launch(self, launcher: Launcher, games: Games, tallies: np.ndarray, moves: np.ndarray) -> None:
        from sparring.kernel.gpu import batch_on_gpu, cuda

        jobs, players, weights, _, keep_moves = games
        float_scratch, int_scratch = work_of(launcher, players)
        near = weights.nbytes <= NEAR and not SIMULATED
        choose = launcher.chooser(players)
        key = (launcher.name, launcher.template.dtype, float_scratch, near, choose)
        flags = enclosed_numbers(getattr(choose, "py_func", choose)).replace(" ", "-")
        with gpu_work(), announced(f"{launcher.name}{flags}-cuda"):
            if key not in self.kernels:
                self.kernels[key] = batch_on_gpu(launcher, choose, float_scratch, int_scratch, near)
            subwarp = threads_per_game(launcher, players)
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

    def evolve(self, launcher: Launcher, work: Evolution) -> tuple[np.ndarray, np.ndarray] | None:
        """See `Backend.evolve`. Trials that the GPU's memory does not hold are cut in two."""
        nets, trials, games, subwarp = work.nets, len(work.nets) // 2, 2 * sum(work.pairs), wide(launcher, 1)
        while subwarp > 1 and games * subwarp > MOST_THREADS:
            subwarp //= 2
        if 8 * nets.shape[1] > NEAR or games > MOST_THREADS:
            self.remark_once(
                "a trial's nets or games do not fit a block: epochs run one by one, changes of nets on the cores"
            )
            return None
        found, at, size = [], 0, trials
        while at < trials:
            rows = np.arange(at, min(at + size, trials))
            both = np.concatenate([rows, trials + rows])
            part = work._replace(seeds=work.seeds[rows], nets=nets[both])
            try:
                found.append(self._evolve(launcher, part, subwarp))
            except Failure as error:
                if not out_of_memory(error) or size == 1:
                    raise
                size //= 2
                continue
            nets[both] = part.nets
            at += size
        tallies, changes = zip(*found, strict=True)
        return np.concatenate(tallies), np.concatenate(changes)

    def _evolve(self, launcher: Launcher, work: Evolution, subwarp: int) -> tuple[np.ndarray, np.ndarray]:
        from sparring.kernel.gpu import cuda, evolve_on_gpu

        seeds, nets, players, first, epochs, pairs, terms = work
        trials, size, games = len(nets) // 2, nets.shape[1], 2 * sum(pairs)
        float_scratch, int_scratch = work_of(launcher, players)
        key = ("evolve", launcher.name, launcher.template.dtype, float_scratch)
        with gpu_work(), announced(f"{launcher.name}-evolution-cuda"):
            if key not in self.kernels:
                self.kernels[key] = evolve_on_gpu(launcher, float_scratch, int_scratch)
            tallies = cuda.device_array((trials, epochs, games), launcher.tally)
            changes = cuda.to_device(np.zeros((trials, 3), np.int64))
            moved = cuda.to_device(nets)
            sent = [cuda.to_device(a) for a in (seeds, players, launcher.template)]
            numbers = ((first, epochs), pairs, tuple(np.float32(x) for x in terms))
            self.kernels[key][trials, (subwarp, games), 0, 8 * size](
                sent[0], moved, *sent[1:], *numbers, tallies, changes
            )
            moved.copy_to_host(nets)
            return tallies.copy_to_host(), changes.copy_to_host()

    def learn_batched(self, batched_td: "BatchedTD", rates: list[float], threads: int | None) -> None:
        """Turns of many games, each followed by a correction, without leaving the GPU."""
        from sparring.kernel.gpu import correct_on_gpu, cuda, gradient_on_gpu, turns_on_gpu

        launcher, inputs = batched_td.launcher, batched_td.sizes[0]
        float_scratch, int_scratch = work_of(launcher, batched_td.player)
        key = ("batched", launcher.name, launcher.template.dtype, float_scratch, inputs)
        with gpu_work(), announced(f"{launcher.name}-batched-td-cuda"):
            if key not in self.kernels:
                self.kernels[key] = turns_on_gpu(launcher, batched_td.kernels[0], float_scratch, int_scratch, inputs)
            kept = {name: cuda.to_device(array) for name, array in batched_td.kept.items()}
            terms, player, flip = (cuda.to_device(a) for a in (batched_td.terms, batched_td.player, batched_td.flip))
            batch = tuple(cuda.to_device(array) for array in batched_td.batch())
            games, size = len(batched_td.kept["begun"]), len(batched_td.kept["weights"])
            change = cuda.to_device(np.zeros(size, np.float32))
            subwarp = wide(launcher, 1)
            blocks, spread = -(-games * subwarp // BLOCK), -(-size // BLOCK)
            games_now, task = (kept["begun"], kept["deals"], kept["states"]), (terms, player, kept["weights"], flip)
            for rate in rates:
                self.kernels[key][blocks, (subwarp, BLOCK // subwarp)](*games_now, task, batch)
                gradient_on_gpu[spread, BLOCK](player, batch, change)
                correct_on_gpu[spread, BLOCK](kept["weights"], change, kept["mean"], kept["square"], rate, games)
            for name, array in kept.items():
                array.copy_to_host(batched_td.kept[name])

    def learn_deep(self, deep_td: "DeepTD", turns: "list[Turn]", threads: int | None) -> np.ndarray:
        """Moves of many games in lockstep, each followed by corrections, with matrix products by PyTorch."""
        if not deep_td.branching:
            self.remark_once("deep TD of games with hidden information runs on this machine's cores")
            return CPU.learn_deep(deep_td, turns, threads)
        try:
            from sparring.kernel.deep_torch import DeepOnGpu
        except ImportError as error:
            must = "install sparring[deep], or use --backend cpu"
            raise UserError(f"deep TD on a GPU needs PyTorch ({_first_line(error)}); {must}") from None
        try:
            with gpu_work(), announced(f"{deep_td.launcher.name}-deep-td-cuda"):
                deep_td.engine = deep_td.engine or DeepOnGpu(deep_td)
                found: np.ndarray = deep_td.engine.learn(turns)
                return found
        except Failure:
            deep_td.engine = None  # it stopped within a step; `kept` is as it was before
            raise
