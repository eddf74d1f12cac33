"""Kernels compile for a GPU where none is: numba-cuda types and lowers them for compute capability 9.0, without NVIDIA's compiler.

The simulated GPU runs plain Python, which accepts what a GPU does not. Skipped where numba-cuda is not installed.
"""

import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

pytestmark = pytest.mark.skipif(find_spec("numba_cuda") is None, reason="numba-cuda is not installed")

BATCHES = [
    "backgammon~random,random", "backgammon~champion-40,pubeval", "gin:rules=full,length=hand~champion-26,simple",
    "golf~greedier,random", "hearts~rule-based,rule-based,random,random", "conquest:rounds=25~champion,greedy",
]  # fmt: skip


@pytest.mark.parametrize("what", [*BATCHES, "stages"])
def test_kernels_compile_for_a_gpu(what: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, what], capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 0, done.stderr[-2000:]


class Device:
    """What the compiler asks of a GPU."""

    compute_capability, id = (9, 0), 0


def compile_kernel(kernel, arguments) -> None:
    import numba.cuda.compiler as compiler
    import numba.cuda.dispatcher as dispatcher
    from numba import types

    for module in (compiler, dispatcher):
        module.get_current_device = lambda: Device
    signature = tuple(types.int64 if isinstance(each, int) else typed(each) for each in arguments)
    compiler.compile_cuda(kernel.py_func, types.void, signature, cc=Device.compute_capability, fastmath=True)


def typed(argument):
    """The type of an array on a GPU, or of a tuple of them."""
    import numba
    from numba import types

    if isinstance(argument, tuple):
        return types.Tuple([typed(each) for each in argument])
    kind = numba.from_dtype(argument.dtype)
    return types.Array(kind, argument.ndim, "C")


def compile_batch(name: str, players: list[str]) -> None:
    """The loop over games of these players."""
    from sparring.arena.play import paired_jobs
    from sparring.arena.players import find_players, pack_players
    from sparring.games import find_game
    from sparring.kernel.cuda import NEAR, work_of
    from sparring.kernel.gpu import batch_on_gpu

    game = find_game(name)
    table, weights = pack_players(game, find_players(game, players))
    jobs = paired_jobs(1, np.arange(len(players)) % 2, 1)
    launcher = game.launcher
    kernel = batch_on_gpu(launcher, launcher.chooser(table), *work_of(launcher, table), weights.nbytes <= NEAR)
    results = np.zeros(1, launcher.tally), np.empty((0, 1), np.int16), np.zeros(1, np.int64)
    compile_kernel(kernel, (jobs, table, weights, launcher.template, *results))


def compile_stages() -> None:
    """The stages of deep TD."""
    from sparring.games import find_game
    from sparring.kernel.gpu_stages import stages_on_gpu
    from sparring.learn.deep_td import DeepTDOptions, DeepTDTraining

    game = find_game("backgammon")
    options = DeepTDOptions(layers="3-2", games=4, minibatch=4, minibatch_end=4, turns=1, step_turns=1)
    td = DeepTDTraining(game, options, 1, 1).learning[0]
    expand, encode, play = stages_on_gpu(td.stages, td.launcher.template.dtype, td.branching, td.shape[0])
    one, two = (np.zeros(n, np.int32) for n in (1, 2))
    rows, values = np.zeros((1, 1), np.float16), np.zeros((1, 1), np.float32)
    lists = np.zeros(1, np.int64), one, one, two, two
    found = (*lists, np.zeros(1, np.int8), values, rows, values)
    samples = values, values, np.zeros(1, np.float32)
    compile_kernel(expand, (td.games.states, 1, *lists))
    compile_kernel(encode, (td.games.states, 1, found, td.terms))
    compile_kernel(play, (tuple(td.games), 1, found, samples, td.terms, td.flip))


if __name__ == "__main__":
    if sys.argv[1] == "stages":
        compile_stages()
    else:
        compile_batch(sys.argv[1].split("~")[0], sys.argv[1].split("~")[1].split(","))
