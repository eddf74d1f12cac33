"""How fast pgx plays: its vectorised backgammon, compiled by JAX for the processor, between random players.

A step of pgx moves one checker, so its random player chooses among the moves of a checker where ours chooses among whole plays.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

BATCH = 64  # games at once: from 16 to 256 are as fast, thousands are slower
STEPS = 64  # of every game, in one call
AHEAD = 13  # calls until games are no longer all of one age: they take about 200 steps

Batch = Callable[[Any, int], tuple[Any, Any]]  # the games and a seed, to the games and how many were finished


def pgx_random(seconds: float) -> float | None:
    """Games a second of random players on one core, compiling left out; None where it is not installed."""
    with one_core():
        try:
            play, games = ready()
        except ImportError:
            return None
        finished, began, seed = 0, time.perf_counter(), AHEAD
        while time.perf_counter() - began < seconds:
            seed += 1
            games, ended = play(games, seed)
            finished += int(ended)
        return finished / (time.perf_counter() - began)


@contextmanager
def one_core() -> Iterator[None]:
    """Keep to one core, and what is started meanwhile too: JAX starts its threads when it is first used."""
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
def ready() -> tuple[Batch, Any]:
    """Many steps of many games as one compiled call, and games of all ages."""
    jax: Any = import_module("jax")
    jax.config.update("jax_platforms", "cpu")  # whatever else the machine has
    game = import_module("pgx").make("backgammon")
    step = import_module("pgx.experimental").auto_reset(game.step, game.init)

    def turn(state: Any, key: Any) -> Any:
        mine, luck = jax.random.split(key)
        allowed = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step(state, jax.random.categorical(mine, allowed), luck)

    def turns(games: Any, key: Any) -> tuple[Any, Any]:
        games = jax.vmap(turn)(games, jax.random.split(key, BATCH))
        return games, games.terminated.sum()

    def play(games: Any, seed: Any) -> tuple[Any, Any]:
        games, ended = jax.lax.scan(turns, games, jax.random.split(jax.random.PRNGKey(seed), STEPS))
        return games, ended.sum()

    compiled: Batch = jax.jit(play)
    games = jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))
    for seed in range(AHEAD):
        games, _ = compiled(games, seed)
    return compiled, jax.block_until_ready(games)
