"""Seconds from the start of a process to its first finished match, with an empty cache and with compiled code."""

import os
import subprocess
import sys
import tempfile
import time

from sparring.games import GAMES

WARM = 3  # repetitions; the median counts
MATCH = "import sparring; sparring.match({name!r}, 'random', 'random', pairs=1)"


def start_figures(games: list[str] | None = None) -> dict[str, float]:
    """Seconds; each game is compiled into an empty folder."""
    found = {"import_seconds": median("import sparring", os.environ)}
    for name in games or GAMES:
        with tempfile.TemporaryDirectory() as folder:
            environment, code = os.environ | {"SPARRING_CACHE": folder}, MATCH.format(name=name)
            found[f"{name}.start_seconds.nothing_compiled"] = timed(code, environment)
            found[f"{name}.start_seconds"] = median(code, environment)
    return found


def median(code: str, environment: "os._Environ[str] | dict[str, str]") -> float:
    return sorted(timed(code, environment) for _ in range(WARM))[WARM // 2]


def timed(code: str, environment: "os._Environ[str] | dict[str, str]") -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=dict(environment), check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began
