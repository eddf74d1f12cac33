"""How far networks' play is from the arithmetic limit of a core, and where the rest of the time goes.

The same games are counted (interpreted) and timed (compiled). Then their moves are replayed with more and more of the work
of choosing them.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks.counted import counted
from benchmarks.entries import ENTRIES, GIN, HEARTS, Entry
from benchmarks.parts import parts_of, replay
from benchmarks.peak import fastest, peak_figures, seconds_of_sigmoid, seconds_of_sum
from sparring.arena.players import pack_players
from sparring.games import Game
from sparring.lab.bench import benchmark_jobs


class Counted(NamedTuple):
    """Which games are counted, and the row length of most sums and sigmoids; 0 for the hidden units."""

    deals: int
    row: int = 0
    name: str = ""  # if shorter games are counted than are measured elsewhere


COUNTED = {
    "golf": Counted(4, row=90),  # six places, fifteen kinds
    "backgammon": Counted(4),
    "conquest": Counted(1, name="conquest:rounds=20"),
    GIN: Counted(4),
    HEARTS: Counted(2),
}


def limit_figures() -> dict[str, float]:
    found = peak_figures()
    for entry in ENTRIES:
        if entry.figure == "net":
            found |= game_figures(entry, COUNTED[entry.name])
    return found


def game_figures(entry: Entry, how: Counted) -> dict[str, float]:
    """Operations of a game, seconds of its parts, and the moves of counted and compiled play, which must agree."""
    entry = entry._replace(name=how.name or entry.name)
    players, game = entry.players(), entry.game
    counts = counted(entry.name, players, how.deals)
    jobs = benchmark_jobs(game, how.deals)
    table, weights = pack_players(game, players)
    kept = game.launcher.play(jobs, table, weights, 1, keep_moves=True)[1]
    each = {kind: counts.get(kind, 0) / counts["games"] for kind in ("sums", "products", "quotients", "sigmoids")}
    operations = sum(each.values()) + (counts["of_a_sigmoid"] - 1) * each["sigmoids"]
    seconds, parts = timed_parts(game, jobs, table, weights, kept)
    row = how.row or int(table["hidden"].max())
    found = each | {
        "operations": operations,
        "seconds": seconds,
        "operations_per_second": operations / seconds,
        "sigmoids_alone_seconds": each["sigmoids"] * seconds_of_sigmoid(row),
        "multiply_adds_alone_seconds": max(each["sums"], each["products"]) * seconds_of_sum(row),
        "moves_counted": counts["moves"] / counts["games"],
        "moves_played": float((kept >= 0).sum()) / len(jobs),
    }
    found |= {f"part.{part}": share for part, share in parts.items()}
    return {f"{entry.name}.limit.{what}": float(value) for what, value in found.items()}


def timed_parts(
    game: Game, jobs: np.ndarray, table: np.ndarray, weights: np.ndarray, kept: np.ndarray
) -> tuple[float, dict[str, float]]:
    """Seconds per game, and the additional seconds of each part."""
    names, work = parts_of(game)
    run, scratch = replay(game.rules.start, work, game.rules.apply), game.launcher.scratch(table)
    runs = [partial(repeat, run, (jobs, table, weights, *scratch, kept, part)) for part in range(len(names))]
    whole, *times = fastest(partial(repeat, game.launcher.play, (jobs, table, weights, 1)), *runs)
    each = np.diff(times, prepend=0.0) / len(jobs)
    return whole / len(jobs), dict(zip(names, each.tolist(), strict=True))


def repeat(call: Callable[..., object], given: tuple[Any, ...], times: int) -> None:
    for _ in range(times):
        call(*given)
