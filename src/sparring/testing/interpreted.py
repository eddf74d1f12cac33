"""Compares interpreted with compiled play: the same jobs in another process, whose kernels are plain Python."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from sparring.arena.players import pack_players
from sparring.errors import UserError
from sparring.games import GAMES, Game, find_game, name_game, name_of
from sparring.games.benchmark import benchmark_of
from sparring.games.game import with_rules
from sparring.kernel.compiler import INTERPRETED
from sparring.testing.cast import cast, differing, one_job


def check_interpreted_agrees(game: Game, seed: int, deal: int) -> None:
    """Interpreted and compiled kernels make the same moves, in one game of each player against a built-in one."""
    where = module_of(game)
    if quick := benchmark_of(game).quick:
        game, where = with_rules(game, quick), f"{where}{',' if ':' in where else ':'}{quick}"
    everyone = cast(game, seed)
    table, weights = pack_players(game, everyone)
    seats = game.rules.seats[0]
    jobs = np.concatenate([one_job(seed, deal, deal, [row] + [0] * (seats - 1)) for row in range(len(everyone))])
    here, here_moves = game.launcher.play(jobs, table, weights, threads=1, keep_moves=True)
    there, there_moves = play_elsewhere(where, jobs, table, weights)
    same = (here_moves == there_moves).all(axis=1)
    assert same.all(), _parting(game, [c.name for c in everyone], here_moves, there_moves, same)
    wrong = differing(here, there)
    assert not wrong, f"{game.name}: the same moves give another tally when interpreted: {wrong}"


def _parting(game: Game, names: list[str], here: np.ndarray, there: np.ndarray, same: np.ndarray) -> str:
    """Which games differ, and where."""
    words = []
    for row in np.flatnonzero(~same):
        move = int(np.argmax(here[row] != there[row]))
        words.append(f"{names[row]} at move {move}: {here[row, move]} against {there[row, move]}")
    return f"{game.name}: interpreted and compiled play differ: {'; '.join(words)}"


def play_elsewhere(
    name: str, jobs: np.ndarray, table: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Tallies and moves of the jobs, played in a process that interprets if this one compiles, and the reverse."""
    with tempfile.TemporaryDirectory() as folder:
        work, result = Path(folder) / "jobs.npz", Path(folder) / "games.npz"
        np.savez(work, jobs=jobs, table=table, weights=weights)
        mode = {"SPARRING_INTERPRET": "0" if INTERPRETED else "1", "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "sparring.testing", name, "--play", str(work), str(result)]
        done = subprocess.run(command, env=os.environ | mode, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{name}: interpreted play failed:\n{done.stderr[-2000:]}"
        with np.load(result, allow_pickle=False) as answer:
            return answer["tallies"], answer["moves"]


def module_of(game: Game) -> str:
    """The name, module or file by which another process finds this game."""
    if game.family in GAMES and find_game(game.name) is game:
        return game.name
    if (named := name_of(game)) != game.family:
        return named
    for name, module in list(sys.modules.items()):
        if "." in name and getattr(module, "__dict__", {}).get("GAME") is game:
            return name
    raise UserError(f"{game.name}: no imported package.module defines it as GAME, so another process cannot find it")


def play_file(module: str, work: Path, result: Path) -> None:
    """Play the jobs of one file and write tallies and moves to another, in the other process."""
    game = name_game(module)
    with np.load(work, allow_pickle=False) as arrays:
        jobs, table, weights = arrays["jobs"], arrays["table"], arrays["weights"]
    tallies, moves = game.launcher.play(jobs, table, weights, threads=1, keep_moves=True)
    np.savez(result, tallies=tallies, moves=moves)
