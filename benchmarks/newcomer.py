"""Time from a fresh clone with an empty HOME to a finished game in the browser: python benchmarks/newcomer.py [GAME].

Installs the package, starts `sparring serve` with an empty cache, and clicks through one game.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from test_browser import FOUND, Tab, playwright  # noqa: E402
from web_server import wait_for  # noqa: E402

PORT = 8499


def main(game: str) -> None:
    folder = Path(tempfile.mkdtemp())
    home = {**os.environ, "HOME": str(folder / "home")}
    home.pop("NUMBA_CACHE_DIR", None)
    begun = time.monotonic()

    def report(what: str) -> None:
        print(f"{what:28} {time.monotonic() - begun:6.1f} s", flush=True)

    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "sparring")], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = str(folder / "venv/bin/python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(folder / "sparring")], check=True, env=home)
    report("installed")
    command = [python, "-m", "sparring", "serve", "--port", str(PORT), "--no-open"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=folder, env=home, stdout=log, stderr=subprocess.STDOUT)
    try:
        address = wait_for(lambda: re.search(r"http://\S+", (folder / "log").read_text()))
        report("serving")
        with playwright.sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=FOUND, args=["--no-sandbox"] if os.geteuid() == 0 else [])
            tab = Tab(browser, address[0])
            tab.begin(game)
            report("at the table")
            clicks = tab.play(random.Random(5))
            report(f"game over, {clicks} clicks")
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["golf"]))
