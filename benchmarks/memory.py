"""Memory of games: the size of a game's job and tally, and the growth of a process that plays many games at once.

`python -m benchmarks.memory GAME GAMES` is the measured process; it plays random players.
"""

import sys
from pathlib import Path

from benchmarks.entries import ENTRIES
from benchmarks.processes import answer
from sparring.arena.players import find_players, pack_players
from sparring.games import find_game
from sparring.kernel.launch import Job
from sparring.lab.bench import benchmark_jobs

GAMES = 50_000


def memory_figures(games: int = GAMES) -> dict[str, float]:
    """Bytes per game, and megabytes per million games, extrapolated from the growth of a process."""
    found: dict[str, float] = {}
    for name in dict.fromkeys(entry.name for entry in ENTRIES):
        found[f"{name}.bytes_per_game"] = Job.itemsize + find_game(name).rules.tally.itemsize
        if not Path("/proc/self/clear_refs").exists():
            continue
        found[f"{name}.grown_megabytes_per_million_games"] = answer("memory", name, str(games)) / games
    return found


def grown(name: str, games: int) -> int:
    """The growth of this process's peak memory in bytes while it plays."""
    game = find_game(name)
    table, weights = pack_players(game, find_players(game, ["random"] * 2))
    game.launcher.play(benchmark_jobs(game, 1), table, weights)
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak: compiling took more
    before = peak_memory()
    game.launcher.play(benchmark_jobs(game, games // len(benchmark_jobs(game, 1))), table, weights)
    return peak_memory() - before


def peak_memory() -> int:
    """The peak memory of this process in bytes (Linux)."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return 1024 * int(line.split()[1])


if __name__ == "__main__":
    print(grown(sys.argv[1], int(sys.argv[2])))
