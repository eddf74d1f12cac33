"""Calls of one function on several cores, one process with one thread each: the steps of one training depend on each other."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

Result = tuple[int, Any]  # the number of a call, and what it returned


def side_by_side(function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], workers: int) -> Iterator[Result]:
    """The results of a function of a module, as they come; at most `workers` processes, which begin with the first calls.

    Ctrl-C is left to the function: where it does not handle it, its process ignores it.
    """
    ignored = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ignored) as pool:
        futures = {pool.submit(function, *call): number for number, call in enumerate(calls)}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


class Orphaned(Exception):
    """The process that started this one has ended."""


def check_parent(parent: int) -> None:
    """Raise Orphaned in a process whose parent has ended."""
    if os.getpid() != parent and os.getppid() != parent:
        raise Orphaned
