"""How long a new process takes to its first finished match: with nothing compiled, and with the compiled code at hand."""

import os
import subprocess
import sys
import tempfile
import time

from sparring.games import GAMES

WARM = 3  # times, of which the median is told
MATCH = "import sparring; sparring.match({name!r}, 'random', 'random', pairs=1)"


def start_figures(games: list[str] | None = None) -> dict[str, float]:
    """Seconds; each game is compiled into an empty folder of its own."""
    found = {"import_seconds": usual("import sparring", os.environ)}
    for name in games or GAMES:
        with tempfile.TemporaryDirectory() as folder:
            told, code = os.environ | {"SPARRING_CACHE": folder}, MATCH.format(name=name)
            found[f"{name}.start_seconds.nothing_compiled"] = timed(code, told)
            found[f"{name}.start_seconds"] = usual(code, told)
    return found


def usual(code: str, told: "os._Environ[str] | dict[str, str]") -> float:
    return sorted(timed(code, told) for _ in range(WARM))[WARM // 2]


def timed(code: str, told: "os._Environ[str] | dict[str, str]") -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=dict(told), check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began
