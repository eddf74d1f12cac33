"""Launchers: play a whole batch of games on every core.

Input is a list of jobs, a table of players and one flat array of weights. A job's outcome depends on the job and its players
alone, so the number of threads and the order of work change nothing.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from sparring.kernel.backend import Games, backend_for
from sparring.kernel.compiler import announced, inline_kernel, kernel
from sparring.kernel.records import call_kernel

SEATS = 4  # the most seats any game has

# One game to play: its deal, the streams of its players' random choices, and which player (a row of the table) has which seat.
Job = np.dtype(
    [("seed", np.uint64), ("deal", np.int64), ("luck", np.int64), ("seats", np.int64), ("player", np.int64, (SEATS,))],
    align=True,
)

SIGMOID, LINEAR, GRAPH, TEAM, _, DEEP = range(6)  # kinds of nets, in the order of sparring.nets.dense.KINDS
LAYERS = 8  # the most layers of a net
DEEP_PLACES = 4  # of the size of a deep net's widest layer, in the scratch memory: see sparring.kernel.deep

# A player: its policy and encoding by number, the size of its net, and where that lies in the array of weights.
Player = np.dtype(
    [
        ("policy", np.int64),
        ("strength", np.int64),  # how much its policy searches, where it does
        ("playouts", np.int64),  # of a search by `sparring.search` around its policy; 0 for none
        ("method", np.int64),  # of that search,
        ("playout", np.int64),  # the policy of its playouts,
        ("cut", np.int64),  # and the moves after which they are cut off; 0 for none
        ("encoding", np.int64),
        ("kind", np.int64),
        ("inputs", np.int64),
        ("hidden", np.int64),  # units of the first layer
        ("outputs", np.int64),  # units of the last
        ("depth", np.int64),  # how many layers
        ("layers", np.int64, (LAYERS,)),  # their units
        ("offset", np.int64),
        ("tables", np.int64),  # where the numbers begin that its policy reads besides the net; 0 for none
    ],
    align=True,
)

REMEMBERED = 2 * SEATS  # integers of the scratch by which a policy knows what it has cached
CHUNK = 64  # the most games that a thread takes at first
# Of a thread's later chunks. Between chunks a thread holds Python's lock for microseconds: with chunks of a tenth of a millisecond,
# sixteen threads waited for each other.
CHUNK_SECONDS = 0.002
MOST_HELPERS = 10_000  # threads of a process besides those that launch: no limit in practice


@inline_kernel
def forget(int_scratch):
    """Drop what a policy has cached, because the weights have changed.

    Scratch arrays are the same from move to move, so a policy can cache results there, with keys among the first integers,
    which begin as zeros. The rest may hold anything.
    """
    for k in range(min(REMEMBERED, int_scratch.size)):
        int_scratch[k] = 0


def batch(start: Any, choose: Any, apply: Any) -> Callable[..., None]:
    """The loop over games, made of one game's kernels."""

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


def scratch_floats(float_scratch: Callable[[int], int], players: np.ndarray) -> int:
    """How many floats the players of a table need: what their game says for the widest first layer, then those of deep nets.

    `sparring.kernel.deep` uses the end of the scratch memory, whatever lies before it.
    """
    deep = players["layers"][players["kind"] == DEEP]
    return float_scratch(int(players["hidden"].max())) + DEEP_PLACES * int(deep.max(initial=0))


def threads_available() -> int:
    """The number of cores this process may use, or `SPARRING_THREADS`."""
    wish = os.environ.get("SPARRING_THREADS", "")
    if wish.isdecimal() and len(wish) < 5 and int(wish) > 0:
        return int(wish)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def helpers() -> ThreadPoolExecutor:
    """The threads of all launches, which are kept. Starting a thread takes as long as a short launch.

    A pool starts one only where none is idle, so there are as many as launches have needed at the same time.
    """
    return ThreadPoolExecutor(MOST_HELPERS, "sparring")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=helpers.cache_clear)  # a fork has none of its parent's threads


class Chunks:
    """What is left of `count` things. Each thread takes a chunk when it has finished its last one."""

    def __init__(self, count: int, size: int, threads: int, seconds: float) -> None:
        self.count, self.size, self.threads, self.seconds = count, size, threads, seconds
        self.lock, self.next, self.stopped = threading.Lock(), 0, False

    def take(self, size: int) -> tuple[int, int]:
        """The next chunk (first, last) of at most `size`; an empty one at the end."""
        with self.lock:
            left = 0 if self.stopped else self.count - self.next
            if self.seconds:  # smaller ones towards the end, so that all threads end at the same time
                size = max(1, min(size, left // (2 * self.threads)))
            first, self.next = self.next, self.next + min(size, left)
            return first, self.next

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """One thread's chunks."""
        size = self.size
        while True:
            first, last = self.take(size)
            if first == last:
                return
            began = time.perf_counter()
            yield first, last
            if self.seconds:
                size = int(self.seconds * (last - first) / max(time.perf_counter() - began, 1e-9))

    def stop(self) -> None:
        """Let no thread take any more."""
        self.stopped = True


def share_out(
    count: int, size: int, threads: int, work: Callable[[Iterator[tuple[int, int]]], None], seconds: float = 0.0
) -> None:
    """Let this thread and helpers take chunks (first, last) of `size` out of `count` things.

    With `seconds`, the first chunks have `size` things and the later ones as many as take that long, but fewer towards the end.
    """
    chunks = Chunks(count, size, threads, seconds)

    def help_out() -> None:
        try:
            work(iter(chunks))
        except BaseException:
            chunks.stop()
            raise

    others: list[Future[None]] = []
    try:
        others.extend(helpers().submit(help_out) for _ in range(threads - 1))
        work(iter(chunks))
    finally:  # after Ctrl-C the threads finish their chunks and take no more
        chunks.stop()
        begun = [each for each in others if not each.cancel()]  # no one waits for helpers that come too late
        wait(begun)
    for each in begun:
        each.result()


def chunk_size(count: int, threads: int) -> int:
    """Games that a thread takes at first: few where there are few, so that no thread ends long after the others."""
    return max(1, min(CHUNK, count // (16 * threads)))


@dataclass(eq=False)
class Launcher:
    """Plays batches of one game. Made once per process and game; compiles, or loads compiled code, on first use."""

    name: str
    rules: str
    run: Callable[..., None]  # made by `batch`
    template: np.ndarray
    tally: np.dtype
    max_moves: int
    float_scratch: Callable[[int], int]
    int_scratch: int
    kernels: tuple[Any, ...] = ()  # that `run` is made of, for a GPU
    subwarp: tuple[int, int] = (1, 1)
    staged: Any = None  # a `MatchStages`, for games whose large networks a GPU plays in stages
    choose_for: Callable[[np.ndarray, np.void], Any] | None = None
    ready: bool = False

    def play(
        self,
        jobs: np.ndarray,
        players: np.ndarray,
        weights: np.ndarray,
        threads: int | None = None,
        keep_moves: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play every job. Returns a tally per job and, with `keep_moves`, its moves (each row ends with -1)."""
        return backend_for("play", self.name).play(self, Games(jobs, players, weights, threads, keep_moves))

    def play_here(
        self, jobs: np.ndarray, players: np.ndarray, weights: np.ndarray, threads: int | None, keep_moves: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same on this machine's cores."""
        self.prepare()
        tallies = np.zeros(len(jobs), self.tally)
        moves = np.full((len(jobs), self.max_moves + 1), -1, np.int16) if keep_moves else np.empty((0, 0), np.int16)
        wanted = min(threads or threads_available(), max(1, -(-len(jobs) // 2)))

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            scratch = self.scratch(players)
            for first, last in chunks:
                call_kernel(self.run, jobs, first, last, players, weights, *scratch, tallies, moves)

        share_out(len(jobs), chunk_size(len(jobs), wanted), wanted, work, CHUNK_SECONDS)
        return tallies, moves

    def chooser(self, players: np.ndarray) -> Any:
        """The kernel `choose` for these players: a GPU takes minutes to compile what others can do."""
        return self.choose_for(players, self.template[0]) if self.choose_for else self.kernels[1]

    def scratch(self, players: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One thread's own state and scratch arrays."""
        floats = scratch_floats(self.float_scratch, players)
        return self.template.copy(), np.zeros(floats, np.float32), np.zeros(self.int_scratch, np.int64)

    def prepare(self) -> None:
        """Compile, or load compiled code, by playing no game."""
        if not self.ready:
            with announced(self.name):
                table = np.zeros(1, Player)
                no_moves = np.empty((0, 0), np.int16)
                call_kernel(
                    self.run, np.zeros(1, Job), 0, 0, table, np.zeros(1, np.float32), *self.scratch(table),
                    np.zeros(1, self.tally), no_moves,
                )  # fmt: skip
            self.ready = True
