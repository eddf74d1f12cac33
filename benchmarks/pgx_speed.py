"""Speed of pgx: its vectorised backgammon, compiled by JAX, between random players.

A step of pgx moves one checker, so its random player chooses among steps where ours chooses among whole plays.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

BATCH = 64  # games at once on a CPU: 16 to 256 are equally fast, thousands are slower
STEPS = 64  # of every game, in one call
AHEAD = 13  # calls until games are at different stages; a game takes about 200 steps

Batch = Callable[[Any, int], tuple[Any, Any]]  # games and a seed to games and the number that ended


def pgx_random(seconds: float) -> float | None:
    """Games per second of random players on one core, without compilation; None if pgx is not installed."""
    with one_core():
        try:
            return running().games_per_second(seconds)
        except ImportError:
            return None


@contextmanager
def one_core() -> Iterator[None]:
    """Pin this process to one core. JAX starts its threads at first use, so they inherit it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@cache
def running() -> "Running":
    """Games on the CPU."""
    jax: Any = import_module("jax")
    jax.config.update("jax_platforms", "cpu")
    return Running(BATCH)


class Running:
    """So many games at once, at different stages, on JAX's device."""

    def __init__(self, batch: int) -> None:
        jax: Any = import_module("jax")
        self.play, start = compiled(jax, batch)
        self.games, self.seed = start, 0
        for _ in range(AHEAD):
            self.step()
        jax.block_until_ready(self.games)

    def step(self) -> int:
        """Play STEPS steps of every game; how many games ended."""
        self.games, ended = self.play(self.games, self.seed)
        self.seed += 1
        return int(ended)

    def games_per_second(self, seconds: float) -> float:
        """Measured over at least so long."""
        finished, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            finished += self.step()
        return finished / (time.perf_counter() - began)


def compiled(jax: Any, batch: int) -> tuple[Batch, Any]:
    """A compiled call that plays many steps of many games, and as many games at their beginning."""
    game = import_module("pgx").make("backgammon")
    step = import_module("pgx.experimental").auto_reset(game.step, game.init)

    def turn(state: Any, key: Any) -> Any:
        mine, luck = jax.random.split(key)
        allowed = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step(state, jax.random.categorical(mine, allowed), luck)

    def turns(games: Any, key: Any) -> tuple[Any, Any]:
        games = jax.vmap(turn)(games, jax.random.split(key, batch))
        return games, games.terminated.sum()

    def play(games: Any, seed: Any) -> tuple[Any, Any]:
        games, ended = jax.lax.scan(turns, games, jax.random.split(jax.random.PRNGKey(seed), STEPS))
        return games, ended.sum()

    call: Batch = jax.jit(play)
    return call, jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.PRNGKey(0), batch))
