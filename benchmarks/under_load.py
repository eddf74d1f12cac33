"""The tests on a busy machine: `python -m benchmarks.under_load --busy 14 --workers 6 --times 3` prints JSON.

`make test` runs several times in a row beside processes that compute without pause. With six workers, 14 of them make a load of 20
on two cores, and each worker gets a tenth of a core. With fewer workers and more busy processes a worker gets as little, but a run
takes longer. A niceness above 0 gives the tests more than an equal share of the cores; the load is the same. The load average is
that of the last minute, looked at every ten seconds of a run after its first two minutes.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import mean
from typing import Any

from benchmarks.processes import ROOT

LOOK, SETTLED = 10.0, 120.0  # seconds between two looks at the load, and before the first
COMPUTE = "while True: sum(range(100_000))"
COUNTED = re.compile(r"(\d+) (passed|failed|skipped|errors?)\b")


@contextmanager
def busy(number: int, niceness: int) -> Iterator[None]:
    """Keep the machine busy with some processes."""
    start = ["nice", "-n", str(niceness), sys.executable, "-c", COMPUTE]
    processes = [subprocess.Popen(start) for _ in range(number)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def watch_load(loads: list[float], ended: threading.Event) -> None:
    """Note the load average until the run has ended."""
    wait = SETTLED
    while not ended.wait(wait):
        loads.append(os.getloadavg()[0])
        wait = LOOK


def tested(workers: int) -> dict[str, Any]:
    """Run the tests once: what they counted, and under which load."""
    loads: list[float] = []
    ended, began = threading.Event(), time.monotonic()
    watcher = threading.Thread(target=watch_load, args=(loads, ended))
    watcher.start()
    # The Makefile starts a worker more than there are cores.
    command = ["make", "test", f"CORES={workers - 1}"]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    minutes = (time.monotonic() - began) / 60
    ended.set()
    watcher.join()
    lines = run.stdout.splitlines()
    summary = next((line for line in reversed(lines) if COUNTED.search(line)), "")
    print("\n".join(lines[-60:]), file=sys.stderr, flush=True)
    return {
        **dict.fromkeys(("passed", "failed", "skipped"), 0),
        **{what: int(count) for count, what in COUNTED.findall(summary)},
        "green": run.returncode == 0,
        "failures": [line for line in lines if line.startswith(("FAILED", "ERROR"))],
        "minutes": round(minutes, 1),
        "load": {f.__name__: round(f(loads), 1) for f in (min, mean, max)} if loads else None,
    }


def main() -> None:
    """Run the tests under load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--busy", type=int, default=17, help="processes that compute without pause")
    parser.add_argument("--workers", type=int, default=(os.cpu_count() or 1) + 1, help="processes that run tests")
    parser.add_argument("--niceness", type=int, default=0, help="of these processes, 0 to 19")
    parser.add_argument("--times", type=int, default=3, help="runs in a row")
    given = parser.parse_args()
    with busy(given.busy, given.niceness):
        runs = [tested(given.workers) for _ in range(given.times)]
    machine = {"workers": given.workers, "cores": os.cpu_count()}
    found = {"busy": given.busy, "niceness": given.niceness, **machine, "runs": runs}
    print(json.dumps(found | {"green": all(run["green"] for run in runs)}))


if __name__ == "__main__":
    main()
