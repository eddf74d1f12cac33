"""Memory that games take: what a game's job and tally are, and how much a process grows while it plays many at once.

`python -m benchmarks.memory GAME GAMES` is the process that is measured; the games are random players'.
"""

import sys
from pathlib import Path

from benchmarks.apart import answer
from benchmarks.entries import ENTRIES
from sparring.arena.players import find_players, pack_players
from sparring.games import find_game
from sparring.kernel.launch import Job
from sparring.lab.bench import benchmark_jobs

GAMES = 50_000


def memory_figures(games: int = GAMES) -> dict[str, float]:
    """Bytes of a game, and megabytes that a million would take at the rate at which the process grew."""
    found: dict[str, float] = {}
    for name in dict.fromkeys(entry.name for entry in ENTRIES):
        found[f"{name}.bytes_per_game"] = Job.itemsize + find_game(name).rules.tally.itemsize
        if not Path("/proc/self/clear_refs").exists():
            continue
        found[f"{name}.grown_megabytes_per_million_games"] = answer("memory", name, str(games)) / games
    return found


def grown(name: str, games: int) -> int:
    """By how many bytes this process has been larger at most than before it played."""
    game = find_game(name)
    table, weights = pack_players(game, find_players(game, ["random"] * 2))
    game.launcher.play(benchmark_jobs(game, 1), table, weights)
    Path("/proc/self/clear_refs").write_text("5")  # the most so far is as much as now: compiling took more
    before = most_memory()
    game.launcher.play(benchmark_jobs(game, games // len(benchmark_jobs(game, 1))), table, weights)
    return most_memory() - before


def most_memory() -> int:
    """The most bytes that this process has had; Linux tells."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return 1024 * int(line.split()[1])


if __name__ == "__main__":
    print(grown(sys.argv[1], int(sys.argv[2])))
