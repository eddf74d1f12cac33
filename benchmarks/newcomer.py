"""Time from a fresh clone with an empty HOME to the first move in the browser: python benchmarks/newcomer.py [GAME].

Installs the package, starts `sparring serve` with an empty cache, and makes a move by clicks. Prints JSON: the seconds on the
clock and the core seconds of installing, compiling and serving, without those of the browser, until each step was done.
"""

import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from test_browser import BROWSER, Tab, playwright  # noqa: E402
from web_server import wait_for  # noqa: E402

PORT = 8499
LONGEST = 1800  # seconds that compiling may take on a busy machine
OURS = (
    "NUMBA_CACHE_DIR",
    "NUMBA_NUM_THREADS",
    "PYTHONPATH",
    "SPARRING_CACHE",
    "XDG_CACHE_HOME",
)  # that a newcomer does not set


def main(game: str) -> None:
    folder = Path(tempfile.mkdtemp())
    home = {key: value for key, value in os.environ.items() if key not in OURS} | {"HOME": str(folder / "home")}
    begun = time.monotonic()
    found: dict[str, Any] = {"load": round(os.getloadavg()[0], 1)}

    def report(what: str, pid: int = 0) -> None:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = used.ru_utime + used.ru_stime + (computed(pid) if pid else 0.0)
        found[what] = {"seconds": round(time.monotonic() - begun, 1), "core_seconds": round(spent, 1)}
        print(what, found[what], file=sys.stderr, flush=True)

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
        report("serving", server.pid)
        with playwright.sync_playwright() as driver:
            browser = driver.chromium.launch(**BROWSER)
            tab = Tab(browser, address[0])
            tab.context.set_default_timeout(1000 * LONGEST)
            tab.begin(game)
            report("table", server.pid)
            tab.play(random.Random(5), moves=tab.turn()["number"] + 1)
            report("moved", server.pid)
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder)
    print(json.dumps(found))


def computed(pid: int) -> float:
    """The core seconds of a process and of those that it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["golf"]))
