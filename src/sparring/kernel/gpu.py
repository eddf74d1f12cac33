"""Kernels of the GPU: the outermost loops, around the games' own kernels. Imported only where a GPU is used.

State and working room lie in each thread's local memory; nets that fit lie in the memory that a block of threads shares.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for a name that NumPy 2.5 no longer has
    setattr(np, "row_stack", np.vstack)  # noqa: B010

from sparring.kernel.batched_td import moved
from sparring.kernel.launch import Launcher, forget
from sparring.kernel.random import key, normal_pair
from sparring.kernel.subwarp import SIMULATED, numba_cuda, subwarp_sum, unwrap_simulator

cuda = numba_cuda()

REGISTERS = 128  # of a thread: so many that a multiprocessor's 65,536 are enough for 512 threads


def gpu_kernel(function: Callable[..., None]) -> Any:
    """A kernel for the GPU. Its arithmetic is single precision's, but divisions may be off by the last digit."""
    options = {} if SIMULATED else {"cache": True, "max_registers": REGISTERS}
    return cuda.jit(fastmath=True, **options)(function)


@cuda.jit(device=True)
def place():
    """Which thread of its block this is."""
    return cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x


@cuda.jit(device=True)
def threads():
    """How many threads its block has."""
    return cuda.blockDim.x * cuda.blockDim.y


def batch_on_gpu(launcher: Launcher, float_scratch: int, int_scratch: int, near: bool) -> Any:
    """The loop over games: every group of lanes takes the next game whenever it is done with one."""
    start, choose, apply = launcher.kernels
    state = numba.from_dtype(launcher.template.dtype)

    @gpu_kernel
    def run(jobs, players, weights, template, tallies, moves, cursor):
        if near:
            nets = cuda.shared.array(0, numba.float32)
            for k in range(place(), weights.shape[0], threads()):
                nets[k] = weights[k]
            cuda.syncthreads()
        else:
            nets = unwrap_simulator(weights)
        states = unwrap_simulator(cuda.local.array(1, state))
        scratch = unwrap_simulator(cuda.local.array(float_scratch, numba.float32))
        numbers = unwrap_simulator(cuda.local.array(int_scratch, numba.int64))
        work, table, counted = unwrap_simulator(jobs), unwrap_simulator(players), unwrap_simulator(tallies)
        forget(numbers)
        states[0] = unwrap_simulator(template)[0]
        s = states[0]
        first = cuda.threadIdx.x == 0
        i = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
        if i >= work.shape[0]:
            return
        job, n = work[i], 0
        start(s, job.seed, job.deal, job.luck, job.seats)
        while True:
            move = choose(s, table[job.player[s.turn]], nets, scratch, numbers)
            if first and moves.shape[0] > 0:
                moves[i, n] = move
            n += 1
            apply(s, move)
            if s.over != 0:
                if first:
                    counted[i] = s.tally
                i = subwarp_sum(cuda.atomic.add(cursor, 0, 1) if first else 0)
                if i >= work.shape[0]:
                    return
                job, n = work[i], 0
                start(s, job.seed, job.deal, job.luck, job.seats)

    return run


MOVED, REPLACED, MUTATED = range(3)  # in the order of sparring.learn.coevolution.CHANGES


def evolve_on_gpu(launcher: Launcher, float_scratch: int, int_scratch: int) -> Any:
    """Epochs of coevolution by the rule `score`, one block for each trial: its games side by side, then the change of its nets.

    No trial waits for another's longest game. Row 0 of `players` is the trial's player, 1 its opponent, 2 the benchmark; `seeds`
    has those of the deals (training, benchmark) and of the mutations.
    """
    start, choose, apply = launcher.kernels
    state = numba.from_dtype(launcher.template.dtype)

    @gpu_kernel
    def run(seeds, nets, players, template, first, epochs, pairs, threshold, move, mutation, sign, tallies, changes):
        trial, trials, size = cuda.blockIdx.x, cuda.gridDim.x, nets.shape[1]
        near = cuda.shared.array(0, numba.float32)
        for k in range(place(), size, threads()):
            near[k] = nets[trial, k]
            near[size + k] = nets[trials + trial, k]
        cuda.syncthreads()
        states = unwrap_simulator(cuda.local.array(1, state))
        scratch = unwrap_simulator(cuda.local.array(float_scratch, numba.float32))
        numbers = unwrap_simulator(cuda.local.array(int_scratch, numba.int64))
        table, counted, weights = unwrap_simulator(players), unwrap_simulator(tallies), unwrap_simulator(near)
        states[0] = unwrap_simulator(template)[0]
        s = states[0]
        game, subwarp_rank = cuda.threadIdx.y, cuda.threadIdx.x
        setting = 0 if game < 2 * pairs[0] else 1
        number = game - setting * 2 * pairs[0]
        rival = 1 + setting
        for epoch in range(epochs):
            forget(numbers)
            if number < 2 * pairs[setting]:
                turned = number % 2
                step = first + epoch
                start(
                    s, seeds[trial, setting], number // 2 + step * pairs[setting], number + 2 * step * pairs[setting], 2
                )
                while s.over == 0:
                    row = 0 if s.turn == turned else rival
                    apply(s, choose(s, table[row], weights, scratch, numbers))
                if subwarp_rank == 0:
                    counted[trial, epoch, game] = s.tally
            cuda.syncthreads()
            lead = 0.0
            for k in range(2 * pairs[0]):
                score = counted[trial, epoch, k].score
                lead += score[k % 2] - score[1 - k % 2]
            lead *= sign / (2 * pairs[0])
            change, worse = MUTATED, 1
            if abs(lead) > threshold:
                worse = 1 if lead > 0.0 else 0
                change = REPLACED if abs(lead) > 2 * threshold else MOVED
            better = 1 - worse if change != MUTATED else worse
            to, source = worse * size, better * size
            if change == MOVED:
                for k in range(place(), size, threads()):
                    weights[to + k] += move * (weights[source + k] - weights[to + k])
            else:
                stream = key(seeds[trial, 2], first + epoch)
                for k in range(2 * place(), size, 2 * threads()):
                    one, two = normal_pair(stream, k)
                    weights[to + k] = weights[source + k] + mutation * numba.float32(one)
                    if k + 1 < size:
                        weights[to + k + 1] = weights[source + k + 1] + mutation * numba.float32(two)
            if place() == 0:
                changes[trial, change] += 1
            cuda.syncthreads()
        for k in range(place(), size, threads()):
            nets[trial, k] = weights[k]
            nets[trials + trial, k] = weights[size + k]

    return run


def turns_on_gpu(launcher: Launcher, turn: Any, float_scratch: int, int_scratch: int, inputs: int) -> Any:
    """A turn of every game of a batch that learns (see kernel/abreast.py), a group of lanes to each."""
    state = numba.from_dtype(launcher.template.dtype)

    @gpu_kernel
    def run(begun, deals, states, terms, players, weights, flip, dense, slopes, units, errors, told):
        i = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
        here = i < begun.shape[0]
        mine = unwrap_simulator(cuda.local.array(1, state))
        scratch = unwrap_simulator(cuda.local.array(float_scratch, numba.float32))
        numbers = unwrap_simulator(cuda.local.array(int_scratch, numba.int64))
        index = unwrap_simulator(cuda.local.array(inputs, numba.int64))
        value = unwrap_simulator(cuda.local.array(inputs, numba.float32))
        kept = unwrap_simulator(states)
        forget(numbers)
        goes_on = False
        if here:
            mine[0] = kept[i]
            shared = (
                unwrap_simulator(weights),
                unwrap_simulator(flip),
                unwrap_simulator(dense),
                unwrap_simulator(slopes),
            )
            filled = (unwrap_simulator(units), unwrap_simulator(errors), unwrap_simulator(told))
            goes_on = turn(i, mine[0], begun[i], deals[i], unwrap_simulator(terms)[0], unwrap_simulator(players)[0],
                           *shared, *filled, scratch, numbers, index, value)  # fmt: skip
        cuda.syncthreads()
        if here and cuda.threadIdx.x == 0:
            kept[i] = mine[0]
            begun[i] = goes_on
            if not goes_on:
                deals[i] += begun.shape[0]

    return run


@cuda.jit(fastmath=True)
def gradient_on_gpu(hidden, inputs, outputs, dense, slopes, units, errors, change):
    """As kernel/abreast.py's `gradient`, a thread for each weight: the games in their order."""
    k = cuda.grid(1)
    if k >= change.shape[0]:
        return
    row, h = k // hidden, k % hidden
    total = numba.float32(0.0)
    if row < inputs:
        for i in range(dense.shape[0]):
            total += dense[i, row] * slopes[i, h]
    elif row == inputs:
        for i in range(dense.shape[0]):
            total += slopes[i, h]
    elif row < inputs + 1 + outputs:
        for i in range(dense.shape[0]):
            total += errors[i, row - inputs - 1] * units[i, h]
    else:
        for i in range(dense.shape[0]):
            total += errors[i, h]
    change[k] = total


@cuda.jit
def correct_on_gpu(weights, change, mean, square, rate, games):
    """As kernel/abreast.py's `correct`, a thread for each weight."""
    k = cuda.grid(1)
    if k < change.shape[0]:
        weights[k] = moved(weights[k], change[k] / games, mean, square, rate, k)
