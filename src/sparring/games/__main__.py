"""`python -m sparring.games [GAME ...]`: compile games for this machine now, so that later starts find it done.

Each game compiles in a process of its own, as many at a time as there are cores.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from sparring.games import GAMES, find_game
from sparring.kernel.launch import threads_available


def compile_in_process(name: str) -> None:
    subprocess.run([sys.executable, "-m", "sparring.games", name], check=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        for name in sys.argv[1:]:
            find_game(name).launcher.prepare()
    else:
        with ThreadPoolExecutor(threads_available()) as pool:
            list(pool.map(compile_in_process, GAMES))
