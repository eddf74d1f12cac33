"""Where computing is done, so that the server always answers: threads for what is quick, for players, and for what is slow.

Kernels let other threads run while they compute. Compiling does not: a game that was never compiled on this machine is
compiled by a process of its own first.
"""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from sparring.arena.players import Chooser, find_player
from sparring.games import GAMES, Game, find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.kernel.compiler import CACHE, INTERPRETED, announced
from sparring.web.refusals import log

T = TypeVar("T")
POLITE = 5  # how far processes of ours step back behind the server


class Work:
    """The threads, and which games are ready to be played."""

    def __init__(self) -> None:
        self.pools = {
            name: ThreadPoolExecutor(count, name) for name, count in (("quick", 3), ("players", 4), ("slow", 2))
        }
        self.preparing: dict[str, asyncio.Task[None]] = {}

    async def quick(self, function: Callable[..., T], *arguments: Any) -> T:
        """What takes milliseconds: a person's move, a picture."""
        return await self._run("quick", function, *arguments)

    async def players(self, function: Callable[..., T], *arguments: Any) -> T:
        """A player's move."""
        return await self._run("players", function, *arguments)

    async def slow(self, function: Callable[..., T], *arguments: Any) -> T:
        """What takes longer: thinking, replays, curves."""
        return await self._run("slow", function, *arguments)

    async def _run(self, pool: str, function: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.pools[pool], function, *arguments)

    def ready(self, family: str) -> bool:
        """Whether a game can be played at once."""
        task = self.preparing.get(family)
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    def prepare(self, family: str) -> "asyncio.Task[None]":
        """Compile a game, or load what is compiled; once."""
        if family not in self.preparing:
            self.preparing[family] = asyncio.create_task(self._prepare(family))
        return self.preparing[family]

    async def prepare_all(self) -> None:
        """One game after the other, unless a person wants one sooner."""
        for family in GAMES:
            await asyncio.wait({self.prepare(family)})

    async def _prepare(self, family: str) -> None:
        if not is_compiled(family):
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "sparring.web.executor",
                family,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
            try:
                if await process.wait():
                    log.error("%s could not be compiled by a process of its own", family)
            except asyncio.CancelledError:
                if process.returncode is None:
                    process.kill()
                raise
        await self.slow(warm, find_game(family))

    async def close(self) -> None:
        for task in self.preparing.values():
            task.cancel()
        await asyncio.gather(*self.preparing.values(), return_exceptions=True)
        for pool in self.pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


def ready_name(family: str) -> str:
    return f"{family}-by-hand"


def is_compiled(family: str) -> bool:
    """Whether loading a game takes a second, not a minute: it was compiled to be played by hand, or in batches."""
    return INTERPRETED or any((CACHE / f"{name}.ready").exists() for name in (family, ready_name(family)))


def warm(game: Game) -> None:
    """Compile what a game is played with move by move, or find it compiled."""
    state = start_game(game, 1, 0, 0, min(game.rules.seats))
    chooser = Chooser(game, find_player(game, game.builtin[0]))
    legal_moves(game, state)
    play_move(game, state, chooser.choose(state))


def compile_alone(family: str) -> None:
    """Compile a game in this process, which ends with the one that started it; of several at once, one does the work."""
    os.nice(POLITE)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with alone(CACHE / f"{ready_name(family)}.lock"), announced(ready_name(family)):
        warm(find_game(family))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other process holds this file, where the system can tell."""
    with path.open("wb") as file:
        with suppress(ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    compile_alone(sys.argv[1])
