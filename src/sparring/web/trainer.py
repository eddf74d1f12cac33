"""`python -m sparring.web.trainer RUNS NAME`: the training process of a run that was started from the page.

It has a lower priority than the server, leaves it one core if there are several, and reports progress every two seconds.
"""

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from sparring.errors import Failure, Stopped, UserError
from sparring.kernel.launch import threads_available
from sparring.lab.run import Run, open_run, train
from sparring.lab.store import Store
from sparring.learn import Training
from sparring.nets.files import replace_file
from sparring.web.executor import POLITE, name_allowed

FOLDER = "processes"  # beside the runs
EVERY = 2.0  # seconds


def progress_path(runs: Path, name: str) -> Path:
    """The file with a training's progress."""
    return runs / FOLDER / f"{quote(name, safe='')}.progress"


class Reporter:
    """Writes a training's progress and its curves so far."""

    def __init__(self, runs: Path, name: str, run: Run) -> None:
        self.path, self.run, self.store = progress_path(runs, name), run, Store(run.folder.parent)
        self.began = self.last = time.monotonic()
        self.games = 0

    def report(self, training: Training, games: int) -> None:
        """Count a step's games, and write the progress if it is due."""
        self.games += games
        if time.monotonic() - self.last < EVERY:
            return
        progress = {
            "step": training.step,
            "steps": training.steps,
            "games_per_second": round(self.games / max(1e-9, time.monotonic() - self.began), 1),
            "headline": training.headline(),
        }
        replace_file(self.path, json.dumps(progress).encode())
        with suppress(UserError, Failure):  # a busy store: the next report or checkpoint writes the rest
            self.store.record_metrics(self.run.key, *training.curves())
        self.last = time.monotonic()


def main(runs: Path, name: str) -> int:
    """Train, and return the exit status. An error is one line in this process's log."""
    os.nice(POLITE)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):  # Linux may schedule sessions, not processes (autogroup)
            Path("/proc/self/autogroup").write_text(str(POLITE))
    try:
        name_allowed()
        run = open_run(runs / name)
        train(run, max(1, threads_available() - 1), Reporter(runs, name, run).report)
    except (UserError, Failure) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 1
    except Stopped:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
