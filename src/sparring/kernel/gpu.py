"""Kernels of the GPU: the outermost loops, around the games' own kernels. Imported only where a GPU is used.

State and scratch arrays are in each thread's local memory. Nets that fit are in the memory that the threads of a block share.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for a name that NumPy 2.5 no longer has
    setattr(np, "row_stack", np.vstack)  # noqa: B010

from sparring.kernel.batched_td import Batch, Scratch, Task
from sparring.kernel.coevolution import MOVED, MUTATED, decide, move_towards, mutate
from sparring.kernel.compiler import kernel
from sparring.kernel.dense import DOUBLE, adam, sum_bias, sum_row
from sparring.kernel.launch import Launcher, forget
from sparring.kernel.random import key
from sparring.kernel.subwarp import SIMULATED, meet_warp, numba_cuda, subwarp_sum, unwrap_simulator

cuda = numba_cuda()
REGISTERS = 128  # of a thread: the 65,536 of a multiprocessor are then enough for 512 threads


def gpu_kernel(function: Callable[..., None]) -> Any:
    """Compile a kernel for the GPU. Its arithmetic is in single precision, but divisions may be off by the last digit."""
    options = {} if SIMULATED else {"cache": True, "max_registers": REGISTERS}
    return cuda.jit(fastmath=True, **options)(function)


@cuda.jit(device=True)
def place():
    """The number of this thread in its block."""
    return cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x


@cuda.jit(device=True)
def threads():
    """The number of threads of a block."""
    return cuda.blockDim.x * cuda.blockDim.y


@cuda.jit(device=True)
def copy_together(target, at, source):
    """Copy an array; the threads of a block share the work."""
    for k in range(place(), source.shape[0], threads()):
        target[at + k] = source[k]


def batch_on_gpu(launcher: Launcher, choose: Any, float_scratch: int, int_scratch: int, near: bool) -> Any:
    """The loop over games: every subwarp takes the next game when it has finished one."""
    start, _, apply = launcher.kernels
    state = numba.from_dtype(launcher.template.dtype)

    @gpu_kernel
    def run(jobs, players, weights, template, tallies, moves, cursor):
        if near:
            nets = cuda.shared.array(0, numba.float32)
            copy_together(nets, 0, weights)
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
            meet_warp()  # or a game that has ended waits for the others of the warp to end

    return run


def pair_player(launcher: Launcher) -> Any:
    """A game between row 0 of a table and another, made of the game's own kernels."""
    start, choose, apply = launcher.kernels

    @kernel
    def play(s, seed, deal, luck, turned, rival, table, weights, scratch, numbers):
        start(s, seed, deal, luck, 2)
        while s.over == 0:
            apply(s, choose(s, table[0 if s.turn == turned else rival], weights, scratch, numbers))

    return play


@cuda.jit(device=True)
def lead_of(tallies, games, sign):
    """The lead in points per game of the player that has seat 0 in even games."""
    lead = 0.0
    for k in range(games):
        lead += tallies[k].score[k % 2] - tallies[k].score[1 - k % 2]
    return sign * lead / games


@cuda.jit(device=True)
def change_nets(weights, size, worse, change, terms, stream):
    """Change side `worse` of two nets that lie one behind the other; the threads of a block share the weights."""
    better = worse if change == MUTATED else 1 - worse
    if change == MOVED:
        move_towards(weights, worse * size, better * size, size, terms[1], place(), threads())
    else:
        mutate(weights, worse * size, better * size, size, terms[2], stream, place(), threads())


def evolve_on_gpu(launcher: Launcher, float_scratch: int, int_scratch: int) -> Any:
    """Epochs of coevolution by the rule `score` (see `Backend.evolve`), one block per trial.

    No trial waits for the longest game of another.
    """
    play = pair_player(launcher)
    state = numba.from_dtype(launcher.template.dtype)

    @gpu_kernel
    def run(seeds, nets, players, template, epochs, pairs, terms, tallies, changes):
        trial, trials, size = cuda.blockIdx.x, cuda.gridDim.x, nets.shape[1]
        near = cuda.shared.array(0, numba.float32)
        copy_together(near, 0, nets[trial])
        copy_together(near, size, nets[trials + trial])
        cuda.syncthreads()
        states = unwrap_simulator(cuda.local.array(1, state))
        scratch = unwrap_simulator(cuda.local.array(float_scratch, numba.float32))
        numbers = unwrap_simulator(cuda.local.array(int_scratch, numba.int64))
        table, counted, weights = unwrap_simulator(players), unwrap_simulator(tallies), unwrap_simulator(near)
        states[0] = unwrap_simulator(template)[0]
        s = states[0]
        game = cuda.threadIdx.y
        setting = 0 if game < 2 * pairs[0] else 1
        number, count = game - setting * 2 * pairs[0], pairs[setting]
        for epoch in range(epochs[1]):
            step = epochs[0] + epoch
            forget(numbers)
            if number < 2 * count:
                deal, luck = number // 2 + step * count, number + 2 * step * count
                play(s, seeds[trial, setting], deal, luck, number % 2, 1 + setting, table, weights, scratch, numbers)
                if cuda.threadIdx.x == 0:
                    counted[trial, epoch, game] = s.tally
            cuda.syncthreads()
            worse, change = decide(lead_of(counted[trial, epoch], 2 * pairs[0], terms[3]), terms[0])
            change_nets(weights, size, worse, change, terms, key(seeds[trial, 2], step))
            if place() == 0:
                changes[trial, change] += 1
            cuda.syncthreads()
        copy_together(nets[trial], 0, weights[:size])
        copy_together(nets[trials + trial], 0, weights[size : 2 * size])

    return run


def turns_on_gpu(launcher: Launcher, turn: Any, float_scratch: int, int_scratch: int, inputs: int) -> Any:
    """A turn of every game of a batch that learns (see kernel/batched_td.py), a subwarp for each."""
    state = numba.from_dtype(launcher.template.dtype)

    @gpu_kernel
    def run(begun, deals, states, task, batch):
        i = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
        here = i < begun.shape[0]
        mine = unwrap_simulator(cuda.local.array(1, state))
        scratch = Scratch(
            unwrap_simulator(cuda.local.array(float_scratch, numba.float32)),
            unwrap_simulator(cuda.local.array(int_scratch, numba.int64)),
            unwrap_simulator(cuda.local.array(inputs, numba.int64)),
            unwrap_simulator(cuda.local.array(inputs, numba.float32)),
        )
        kept = unwrap_simulator(states)
        forget(scratch.ints)
        goes_on = False
        if here:
            mine[0] = kept[i]
            goes_on = turn(i, mine[0], begun[i], deals[i], unwrapped_task(task), unwrapped_batch(batch), scratch)
        cuda.syncthreads()
        if here and cuda.threadIdx.x == 0:
            kept[i] = mine[0]
            begun[i] = goes_on
            if not goes_on:
                deals[i] += begun.shape[0]

    return run


@cuda.jit(device=True)
def unwrapped_task(task):
    """A task as kernels read it."""
    terms, player = unwrap_simulator(task[0]), unwrap_simulator(task[1])
    return Task(terms, player, unwrap_simulator(task[2]), unwrap_simulator(task[3]))


@cuda.jit(device=True)
def unwrapped_batch(batch):
    """A batch as kernels read it."""
    dense, slopes, hidden = unwrap_simulator(batch[0]), unwrap_simulator(batch[1]), unwrap_simulator(batch[2])
    return Batch(dense, slopes, hidden, unwrap_simulator(batch[3]), unwrap_simulator(batch[4]))


@cuda.jit(fastmath=True)
def gradient_on_gpu(players, batch, change):
    """The `gradient` of kernel/batched_td.py, a thread per weight."""
    k = cuda.grid(1)
    if k >= change.shape[0]:
        return
    player, ours = unwrap_simulator(players)[0], unwrapped_batch(batch)
    row, h = k // player.hidden, k % player.hidden
    if row < player.inputs + 1 + player.outputs:
        total = unwrap_simulator(cuda.local.array(1, numba.float32))
        total[0] = numba.float32(0.0)
        sum_row(player, row, h, 1, ours, total, 0)
        change[k] = total[0]
    else:
        change[k] = sum_bias(ours, h)


@cuda.jit
def correct_on_gpu(weights, change, mean, square, rate, games):
    """The `correct` of kernel/batched_td.py, a thread per weight."""
    k = cuda.grid(1)
    if k < change.shape[0]:
        weights[k] = adam(weights[k], change[k] / games, mean, square, k, rate, DOUBLE)
