"""Matches that GNU Backgammon plays against itself, written as its files, with its own analysis where wanted."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sparring.games.backgammon.gnubg import find_program

# GNU Backgammon runs this as a Python script of its own. It plays on by itself; `play` helps where it waits.
SCRIPT = """
import gnubg
PLAYING = 1
def finish():
    for _ in range(10000):
        if gnubg.posinfo()["gamestate"] != PLAYING:
            return
        gnubg.command("play")
for command in {settings!r}:
    gnubg.command(command)
finish()
for _ in range({games} - 1):
    gnubg.command("new game")
    finish()
for command in {after!r}:
    gnubg.command(command)
"""
LIMIT = 600.0  # seconds


@dataclass(frozen=True)
class Setup:
    """A match to play: its length (0 for money), seed, the noise of both players' evaluations, and money rules."""

    length: int
    seed: int
    noise: tuple[float, float] = (0.0, 0.0)
    games: int = 4  # of a money session
    jacoby: bool = False
    beavers: bool = True

    def settings(self) -> list[str]:
        found = ["set display off", "set rng mersenne", f"set seed {self.seed}", "set automatic game off"]
        found += [f"set {name} on" for name in ("automatic roll", "automatic move", "automatic bearoff")]
        found += [
            f"set jacoby {'on' if self.jacoby else 'off'}",
            "set automatic doubles 0",
            f"set beavers {3 if self.beavers else 0}",
        ]
        if self.length:
            found.append("set automatic game on")
        for player, noise in enumerate(self.noise):
            found.append(f"set player {player} gnubg")
            for decision in ("chequerplay", "cubedecision"):
                found.append(f"set player {player} {decision} evaluation plies 0")
                found.append(f"set player {player} {decision} evaluation noise {noise}")
            found.append(f"set player {player} name {'Left' if player == 0 else 'Right'}")
        return [*found, f"new match {self.length}" if self.length else "new session"]


def play_match(setup: Setup, folder: Path, name: str, plies: int | None = None) -> None:
    """Play a match and write it as NAME.sgf, NAME.mat and, analysed with these plies, NAME.txt, NAME_002.txt and so on."""
    target, analyse = folder / name, plies is not None
    after = [f"set analysis {decision} evaluation plies {plies}" for decision in ("chequerplay", "cubedecision")]
    after = [*after, "set analysis luckanalysis plies 0", "analyse match"] if analyse else []
    after += [f"save match {target}.sgf", f"export match mat {target}.mat"]
    after += [f"export match text {target}.txt"] if analyse else []
    games = 1 if setup.length else setup.games
    with TemporaryDirectory(prefix="sparring-gnubg-") as home:
        script = Path(home) / "script.py"
        script.write_text(SCRIPT.format(settings=setup.settings(), games=games, after=after))
        subprocess.run(
            [find_program(), "-t", "-q", "-r", "-p", str(script)],
            cwd=home,
            env={"HOME": home, "LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/games"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LIMIT,
            check=True,
        )


LENGTHS = (7, 3, 0, 5, 11, 1, 9, 0, 2, 13, 7, 4)


def setups(count: int) -> list[Setup]:
    """Matches of many lengths and money sessions, strong and weak play."""
    noises = (0.0, 0.02, 0.1, 0.3)
    return [
        Setup(
            LENGTHS[number % len(LENGTHS)],
            number + 1,
            (noises[number % 4], noises[number // 4 % 4]),
            jacoby=number % 2 == 1,
        )
        for number in range(count)
    ]


def play_all(count: int, folder: Path) -> list[str]:
    """Play matches that the folder does not have yet; returns the names of all."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"match-{number:04d}" for number in range(count)]
    for name, setup in zip(names, setups(count), strict=True):
        if not (folder / f"{name}.mat").exists():
            play_match(setup, folder, name)
    return names
