"""Threads for the server's work, so that it always answers: for quick work, players, slow work, and judges.

Kernels release the interpreter lock while they compute. Compiling does not: a game that was never compiled on this machine is
first compiled by a separate process.
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
from sparring.games import ALLOWED, Game, find_game, known_games, name_game, name_of
from sparring.games.game import legal_moves, play_move, start_game
from sparring.kernel.compiler import CACHE, INTERPRETED, announced, outside_hash
from sparring.web.refusals import log

T = TypeVar("T")
MOVES, BATCHES = "moves", "batches"  # what a separate process compiles
POOLS = {"quick": 3, "players": 4, "slow": 2, "judges": 1}  # threads
POLITE = 5  # how far processes of ours step back behind the server


class Work:
    """The threads, and which games are ready to be played."""

    def __init__(self) -> None:
        self.pools = {name: ThreadPoolExecutor(count, name) for name, count in POOLS.items()}
        self.preparing: dict[str, asyncio.Task[None]] = {}
        self.preparing_batches: dict[str, asyncio.Task[None]] = {}

    async def quick(self, function: Callable[..., T], *arguments: Any) -> T:
        """Work of milliseconds: a person's move, a picture."""
        return await self._run("quick", function, *arguments)

    async def players(self, function: Callable[..., T], *arguments: Any) -> T:
        """A player's move."""
        return await self._run("players", function, *arguments)

    async def slow(self, function: Callable[..., T], *arguments: Any) -> T:
        """Work that takes longer: explanations, replays, curves."""
        return await self._run("slow", function, *arguments)

    async def judges(self, function: Callable[..., T], *arguments: Any) -> T:
        """Work of seconds or minutes that must not keep anything else waiting: the judgement of a game."""
        return await self._run("judges", function, *arguments)

    async def _run(self, pool: str, function: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.pools[pool], function, *arguments)

    def ready(self, family: str) -> bool:
        """Whether a game can be played at once."""
        task = self.preparing.get(family)
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    def prepare(self, family: str) -> "asyncio.Task[None]":
        """Compile a game, or load its compiled code; once."""
        if family not in self.preparing:
            self.preparing[family] = asyncio.create_task(self._prepare(family))
        return self.preparing[family]

    def prepare_batches(self, family: str) -> "asyncio.Task[None]":
        """The same for whole batches of games, which a judge plays against itself; once."""
        if family not in self.preparing_batches:
            self.preparing_batches[family] = asyncio.create_task(self._prepare_batches(find_game(family)))
        return self.preparing_batches[family]

    async def _prepare_batches(self, game: Game) -> None:
        if not INTERPRETED and not (CACHE / f"{game.family}.ready").exists():
            await self._compile(game, BATCHES)
        await self.slow(game.launcher.prepare)

    async def prepare_all(self) -> None:
        """Prepare one game after the other."""
        for family in known_games():
            await asyncio.wait({self.prepare(family)})

    async def _prepare(self, family: str) -> None:
        game = find_game(family)
        # Loading code that was compiled for single moves, or for batches, takes a second; compiling takes a minute.
        names = [ready_name(game), *([] if _outside(game) else [family])]
        if not INTERPRETED and not any((CACHE / f"{name}.ready").exists() for name in names):
            await self._compile(game, MOVES)
        await self.slow(warm, game)

    async def _compile(self, game: Game, what: str) -> None:
        """Compile a game by a separate process."""
        words = sys.executable, "-m", "sparring.web.executor", name_of(game), what
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        process = await asyncio.create_subprocess_exec(*words, **quiet)  # type: ignore[arg-type]
        try:
            if await process.wait():
                log.error("%s could not be compiled by a separate process", game.family)
        except asyncio.CancelledError:
            if process.returncode is None:
                process.kill()
            raise

    async def close(self) -> None:
        tasks = [*self.preparing.values(), *self.preparing_batches.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for pool in self.pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


def ready_name(game: Game) -> str:
    """The mark of compiled code; that of a game outside the package changes with its files."""
    return f"{game.family}-by-hand{_outside(game)}"


def _outside(game: Game) -> str:
    start = game.rules.start
    return outside_hash(getattr(start, "py_func", start))


def warm(game: Game) -> None:
    """Compile the kernels that single moves need, or load them."""
    state = start_game(game, 1, 0, 0, min(game.rules.seats))
    chooser = Chooser(game, find_player(game, game.builtin[0]))
    legal_moves(game, state)
    play_move(game, state, chooser.choose(state))


def compile_alone(name: str, what: str) -> None:
    """Compile a game in this process, which ends with its parent. Of several such processes, one does the work."""
    os.nice(POLITE)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    game = find_game(name)
    if what == BATCHES:
        with alone(CACHE / f"{game.family}.lock"):
            game.launcher.prepare()
        return
    with alone(CACHE / f"{ready_name(game)}.lock"), announced(ready_name(game)):
        warm(game)


def name_allowed() -> None:
    """Import the games that the user has allowed, so that files can mention them by their own names."""
    for name in filter(None, os.environ.get(ALLOWED, "").split(",")):
        name_game(name)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other process holds this file, where the system supports it."""
    with path.open("wb") as file:
        with suppress(ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    compile_alone(*sys.argv[1:3])
