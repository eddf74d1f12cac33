"""The stages of kernel/stages.py on a GPU: a thread per game or candidate. Imported only where a GPU is used."""

from functools import cache
from typing import Any

import numba
import numpy as np

from sparring.kernel.gpu import cuda, gpu_kernel
from sparring.kernel.stages import NOBODY, Candidates, Games, Samples, Stages
from sparring.kernel.subwarp import SIMULATED, unwrap_simulator
from sparring.kernel.traces import Ring

NARROW = 8 if SIMULATED else 64  # threads of a block: games, whose work differs
WIDE = 8 if SIMULATED else 128  # candidates
ROW_THREADS = 2 if SIMULATED else 64  # threads that copy a game's rows


@cuda.jit(device=True)
def unwrapped_games(games):
    """Games as kernels read them."""
    return Games(unwrap_simulator(games[0]), unwrap_simulator(games[1]), unwrap_simulator(games[2]))


@cuda.jit(device=True)
def unwrapped_candidates(found):
    """Candidates as kernels read them."""
    return Candidates(
        unwrap_simulator(found[0]), unwrap_simulator(found[1]), unwrap_simulator(found[2]), unwrap_simulator(found[3]),
        unwrap_simulator(found[4]), unwrap_simulator(found[5]), unwrap_simulator(found[6]), unwrap_simulator(found[7]),
        unwrap_simulator(found[8]),
    )  # fmt: skip


@cuda.jit(device=True)
def unwrapped_samples(samples):
    """Samples as kernels read them."""
    return Samples(unwrap_simulator(samples[0]), unwrap_simulator(samples[1]), unwrap_simulator(samples[2]))


@cuda.jit(device=True)
def unwrapped_ring(ring):
    """A ring as kernels read it."""
    return Ring(
        unwrap_simulator(ring[0]), unwrap_simulator(ring[1]), unwrap_simulator(ring[2]), unwrap_simulator(ring[3]),
        unwrap_simulator(ring[4]), unwrap_simulator(ring[5]),
    )  # fmt: skip


@cache
def ring_on_gpu(stages: Stages, outputs: int) -> Any:
    """A block of threads per game puts its sample into its ring, and replaces it by the one that leaves."""
    weigh = stages.tracing.weigh

    @gpu_kernel
    def remember(games, samples, ring, terms, flip):
        i, at = cuda.blockIdx.x, cuda.threadIdx.x
        left, kept = unwrapped_samples(samples), unwrapped_ring(ring)
        turns, inputs = kept.rows.shape[1], kept.rows.shape[2]
        now = kept.places[i] % turns
        while at < inputs:
            kept.rows[i, now, at] = left.rows[i, at]
            left.rows[i, at] = kept.rows[i, (now + 1) % turns, at]
            at += ROW_THREADS
        cuda.syncthreads()  # all have read the place, which changes
        if cuda.threadIdx.x == 0:
            mean = unwrap_simulator(cuda.local.array(outputs, numba.float32))
            following = unwrap_simulator(cuda.local.array(outputs, numba.float32))
            task = unwrap_simulator(terms), unwrap_simulator(flip)
            weigh(i, unwrapped_games(games), left, kept, task[0], task[1], mean, following)

    return remember


@cache
def chances_on_gpu(stages: Stages, state_type: np.dtype, outputs: int) -> tuple[Any, Any]:
    """Kernels that put a chance outcome into copies of all states, and that add what the best reply is worth there."""
    state, chance, add_reply = numba.from_dtype(state_type), stages.chance, stages.add_reply

    @gpu_kernel
    def draw(states, active, number, drawn, shares):
        i = cuda.grid(1)
        if i >= active:
            return
        mine = unwrap_simulator(cuda.local.array(1, state))
        mine[0] = unwrap_simulator(states)[i]
        unwrap_simulator(shares)[i] = chance(mine[0], number)
        unwrap_simulator(drawn)[i] = mine[0]

    @gpu_kernel
    def add(games, active, candidates, drawn, shares, terms, flip, means):
        i = cuda.grid(1)
        if i >= active:
            return
        kept, share = unwrapped_games(games), unwrap_simulator(shares)[i]
        if share > 0.0 and kept.movers[i] != NOBODY:
            mine = unwrap_simulator(cuda.local.array(1, state))
            target = unwrap_simulator(cuda.local.array(outputs, numba.float32))
            mine[0] = unwrap_simulator(drawn)[i]
            ours, task = unwrapped_candidates(candidates), (unwrap_simulator(terms), unwrap_simulator(flip))
            add_reply(i, mine[0], share, kept, ours, task[0], task[1], target, unwrap_simulator(means))

    return draw, add


@cache
def stages_on_gpu(stages: Stages, state_type: np.dtype, most_moves: int, inputs: int) -> tuple[Any, Any, Any]:
    """The stages expand, encode and play."""
    state, moves, after, play = numba.from_dtype(state_type), stages.moves, stages.after, stages.play

    @gpu_kernel
    def expand(states, active, cursor, first, counts, game, move):
        i = cuda.grid(1)
        if i >= active:
            return
        offered = unwrap_simulator(cuda.local.array(most_moves, numba.int16))
        count = moves(unwrap_simulator(states)[i], offered)
        at = cuda.atomic.add(cursor, 0, count)
        first[i] = at
        counts[i] = count
        if at + count <= game.shape[0]:
            for k in range(count):
                game[at + k] = i
                move[at + k] = offered[k]

    @gpu_kernel
    def encode(states, last, candidates, terms):
        c = cuda.grid(1)
        if c >= last:
            return
        ours = unwrapped_candidates(candidates)
        mine = unwrap_simulator(cuda.local.array(1, state))
        index = unwrap_simulator(cuda.local.array(inputs, numba.int64))
        value = unwrap_simulator(cuda.local.array(inputs, numba.float32))
        mine[0] = unwrap_simulator(states)[ours.game[c]]
        after(c, mine[0], ours, unwrap_simulator(terms), index, value)

    @gpu_kernel
    def plays(games, active, candidates, samples, terms, flip):
        i = cuda.grid(1)
        if i >= active:
            return
        kept, ours, left = unwrapped_games(games), unwrapped_candidates(candidates), unwrapped_samples(samples)
        mine = unwrap_simulator(cuda.local.array(1, state))
        index = unwrap_simulator(cuda.local.array(inputs, numba.int64))
        value = unwrap_simulator(cuda.local.array(inputs, numba.float32))
        mine[0] = kept.states[i]
        play(i, mine[0], kept, ours, left, unwrap_simulator(terms), unwrap_simulator(flip), index, value)
        kept.states[i] = mine[0]

    return expand, encode, plays
