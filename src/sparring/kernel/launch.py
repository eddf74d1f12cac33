"""Launchers: play a whole batch of games on every core.

What is played is a list of jobs; who plays is a table of players over one flat array of weights. A job's outcome
depends on the job and its players alone, so the number of threads and the order of work change nothing.
"""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count as counting
from typing import Any

import numpy as np

from sparring.kernel.backend import IN_USE
from sparring.kernel.compiler import announced, inline_kernel, kernel
from sparring.kernel.records import call_kernel

SEATS = 4  # the most seats any game has

# One game to play: whose deal, whose luck, and which player (a row of the table of players) sits where.
Job = np.dtype(
    [("seed", np.uint64), ("deal", np.int64), ("luck", np.int64), ("seats", np.int64), ("player", np.int64, (SEATS,))],
    align=True,
)

SIGMOID, LINEAR, GRAPH, TEAM = range(4)  # kinds of nets, in the order of sparring.nets.dense.KINDS
LAYERS = 4  # the most layers of a net

# A player: its policy (and encoding) by number, what its net is like, and where it lies in the array of weights.
Player = np.dtype(
    [
        ("policy", np.int64),
        ("strength", np.int64),  # how much it searches, where it does
        ("encoding", np.int64),
        ("kind", np.int64),
        ("inputs", np.int64),
        ("hidden", np.int64),  # units of the first layer
        ("outputs", np.int64),  # units of the last
        ("depth", np.int64),  # how many layers
        ("layers", np.int64, (LAYERS,)),  # their units
        ("offset", np.int64),
    ],
    align=True,
)

REMEMBERED = 2 * SEATS  # integers of the working room by which a policy knows what it has reckoned before
CHUNK = 64  # the most games a thread takes at a time; fewer where there are few, so that no thread ends long after the others


@inline_kernel
def forget(int_scratch):
    """The weights have changed: what was reckoned by them is void.

    Working room is the same from move to move, so that a policy can remember there what it has reckoned: by keys among its first
    integers, which are zeros at first. Whatever else is in it may be anything.
    """
    for k in range(min(REMEMBERED, int_scratch.size)):
        int_scratch[k] = 0


def batch(start: Any, choose: Any, apply: Any) -> Callable[..., None]:
    """The loop over games, made of one game's own kernels."""

    @kernel
    def run(jobs, first, last, players, weights, states, float_scratch, int_scratch, tallies, moves):
        s = states[0]
        keep = moves.shape[0] > 0
        for i in range(first, last):
            job = jobs[i]
            start(s, job.seed, job.deal, job.luck, job.seats)
            n = 0
            while s.over == 0:
                move = choose(s, players[job.player[s.turn]], weights, float_scratch, int_scratch)
                if keep:
                    moves[i, n] = move
                    n += 1
                apply(s, move)
            if keep:
                moves[i, n] = -1
            tallies[i] = s.tally

    return run


def threads_available() -> int:
    """The number of cores this process may use, or `SPARRING_THREADS`."""
    wish = os.environ.get("SPARRING_THREADS", "")
    if wish.isdecimal() and int(wish) > 0:
        return int(wish)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_out(count: int, size: int, threads: int, work: Callable[[Iterator[tuple[int, int]]], None]) -> None:
    """Let threads take chunks of `size` out of `count` things, each whenever it is done with the last: (first, last)."""
    starts = counting(0, size)
    lock, stop = threading.Lock(), threading.Event()

    def chunks() -> Iterator[tuple[int, int]]:
        while True:
            with lock:
                first = next(starts)
            if first >= count or stop.is_set():
                return
            yield first, min(first + size, count)

    if threads == 1:
        work(chunks())
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            for future in [pool.submit(work, chunks()) for _ in range(threads)]:
                future.result()
        finally:  # after Ctrl-C the threads finish what they have in hand, and no more
            stop.set()


class Launcher:
    """Plays batches of one game. Made once per process and game; compiles (or finds the compiled code) on first use."""

    def __init__(
        self,
        name: str,
        rules: str,
        run: Callable[..., None],
        template: np.ndarray,
        tally: np.dtype,
        max_moves: int,
        float_scratch: Callable[[int], int],
        int_scratch: int,
        kernels: tuple[Any, ...] = (),
        subwarp: tuple[int, int] = (1, 1),
    ) -> None:
        self.name, self.rules, self.run, self.kernels, self.subwarp = name, rules, run, kernels, subwarp
        self.template, self.tally, self.max_moves = template, tally, max_moves
        self.float_scratch, self.int_scratch = float_scratch, int_scratch
        self.ready = False

    def play(
        self,
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        threads: int | None = None,
        keep_moves: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play every job. Returns a tally per job and, if kept, its moves (each row ends with -1)."""
        if backend := IN_USE.get():
            return backend.play(self, jobs, players, weights, threads, keep_moves)
        self.prepare()
        tallies = np.zeros(len(jobs), self.tally)
        moves = np.full((len(jobs), self.max_moves + 1), -1, np.int16) if keep_moves else np.empty((0, 0), np.int16)
        wanted = min(threads or threads_available(), max(1, -(-len(jobs) // 2)))

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            scratch = self._room(players)
            for first, last in chunks:
                call_kernel(self.run, jobs, first, last, players, weights, *scratch, tallies, moves)

        share_out(len(jobs), max(1, min(CHUNK, len(jobs) // (16 * wanted))), wanted, work)
        return tallies, moves

    def _room(self, players: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One thread's own state and working room."""
        float_scratch = self.float_scratch(int(players["hidden"].max()))
        return self.template.copy(), np.zeros(float_scratch, np.float32), np.zeros(self.int_scratch, np.int64)

    def prepare(self) -> None:
        """Compile, or find the compiled code, by playing no game at all."""
        if not self.ready:
            with announced(self.name):
                table = np.zeros(1, Player)
                no_moves = np.empty((0, 0), np.int16)
                call_kernel(
                    self.run, np.zeros(1, Job), 0, 0, table, np.zeros(1, np.float32), *self._room(table),
                    np.zeros(1, self.tally), no_moves,
                )  # fmt: skip
            self.ready = True
