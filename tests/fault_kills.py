"""Kills: trainings of every learner and the server in people's games are killed, go on, and end as if nothing had happened.

`python tests/fault_kills.py --kills 1000` kills trainings at random moments and at chosen ones (half-way through a write, before
and after a sync and a rename, inside and before a commit of the results store). Every run ends with the same bytes and
stored rows as one left alone. A tenth as many kills hit the server in a game, which every player finds again as it was.
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import sparring.lab.run as lab
from sparring.lab.run import create_run, open_run, train
from test_crafted_checkpoints import TINY, experiment
from test_runs import files, rows
from web_server import Served, move, next_turn, sit, wait_for

POINTS = (
    "random",
    "torn write",
    "before sync",
    "after sync",
    "before rename",
    "after rename",
    "in a transaction",
    "before commit",
)
MOST_KILLS = 4  # of one run


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def before(
    function: Callable[..., Any], number: int, last: Callable[..., None], after: bool = False
) -> Callable[..., Any]:
    """The function, killed before or after its n-th call."""
    calls = [0]

    def call(*given: Any, **named: Any) -> Any:
        calls[0] += 1
        if calls[0] == number and not after:
            last(*given)
        found = function(*given, **named)
        if calls[0] == number:
            last(*given)
        return found

    return call


def tear(number: int, *_: Any) -> None:
    """Leave half of an open file, and die."""
    with suppress(OSError):  # a folder
        os.ftruncate(number, os.fstat(number).st_size // 2)
    die()


def lay_trap(point: str, number: int) -> None:
    """Let this process die at its n-th passage of a point."""

    def dead(*_: Any) -> None:
        die()

    if point == "torn write":
        os.fsync = before(os.fsync, number, tear)
    elif point.endswith("sync"):
        os.fsync = before(os.fsync, number, dead, point.startswith("after"))
    elif point.endswith("rename"):
        Path.replace = before(Path.replace, number, dead, point.startswith("after"))  # type: ignore[method-assign]
    elif point != "random":
        name = "commit" if point == "before commit" else "after_cursor_execute"
        sa.event.listen(sa.Engine, name, before(lambda *_: None, number, dead))


def attempt(folder: Path, point: str, dice: random.Random, seconds: float) -> bool:
    """Resume a run in a process that is killed at this point; whether it was."""
    number, moment = dice.randint(1, 15), dice.uniform(0, seconds)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            lab.CHECKPOINT_SECONDS = 0.0
            lay_trap(point, number)
            train(open_run(folder), 1)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    if point == "random":
        time.sleep(moment)
        os.kill(child, signal.SIGKILL)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in (0, -signal.SIGKILL), f"{folder}: status {ended}"
    return ended != 0


def differences(one: tuple[Any, Any], other: tuple[Any, Any]) -> list[str]:
    """The files and tables that differ."""
    return [str(key) for a, b in zip(one, other, strict=True) for key in sorted({*a, *b}) if a.get(key) != b.get(key)]


def kill_trainings(kills: int, folder: Path) -> Counter[str]:
    """Kill trainings of all learners in turn; the number of kills by point, and of runs that differ."""
    found: Counter[str] = Counter()
    alone: dict[str, tuple[Any, Any]] = {}
    lasted: dict[str, float] = {}
    lab.CHECKPOINT_SECONDS = 0.0
    for name in TINY:
        run = create_run(experiment(name), folder / "alone" / name)
        train(run, 1)  # compiles
        began = time.monotonic()
        again = create_run(experiment(name), folder / "timed" / name)
        train(again, 1)
        lasted[name] = time.monotonic() - began
        alone[name] = files(run.folder), rows(run.folder.parent)
    dice, turn = random.Random(1), 0
    while sum(found[point] for point in POINTS) < kills:
        name, point = list(TINY)[turn % len(TINY)], POINTS[turn % len(POINTS)]
        run = create_run(experiment(name), folder / "killed" / str(turn))
        for _ in range(MOST_KILLS):
            killed = attempt(run.folder, point, dice, lasted[name])
            found[point] += killed
            if not killed:
                break
        train(open_run(run.folder), 1)
        if differing := differences((files(run.folder), rows(run.folder.parent)), alone[name]):
            found["differences"] += 1
            print(f"{name}, killed {point}: {', '.join(differing)}", flush=True)
        turn += 1
    found["runs"] = turn
    return found


def kill_server(kills: int, folder: Path) -> int:
    """Kill the server in games; the number of games that were not found again as they were."""
    served, dice, differing = Served(folder / "runs"), random.Random(2), 0
    same = ("number", "svg", "legal", "seat", "names")
    for number in range(kills):
        with served.browser() as browser:
            told = sit(browser, seed=number)
            for _ in range(dice.randrange(1, 9)):
                told = move(browser, told).json()
            cookie = browser.cookies["sparring"]
        served.kill_and_start_again()
        with served.browser(cookies={"sparring": cookie}) as browser:
            found = wait_for(lambda browser=browser, id=told["id"]: next_turn(browser, id))
            differing += {key: found[key] for key in same} != {key: told[key] for key in same}
    served.end()
    return differing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--games", type=int, help="kills of the server in people's games; default: a tenth as many")
    parser.add_argument("--learners", default="", help="only these, separated by commas")
    given = parser.parse_args()
    os.environ["SPARRING_THREADS"] = "1"  # a process with threads cannot be forked
    for name in [name for name in TINY if given.learners and name not in given.learners.split(",")]:
        del TINY[name]
    with tempfile.TemporaryDirectory(prefix="sparring-kills-") as folder:
        found = kill_trainings(given.kills, Path(folder))
        points = ", ".join(f"{found[point]} {point}" for point in POINTS)
        total = sum(found[point] for point in POINTS)
        print(
            f"{total} kills of {found['runs']} runs of {len(TINY)} trainings ({points}): {found['differences']} differences"
        )
        (Path(folder) / "server").mkdir()
        in_games = given.kills // 10 if given.games is None else given.games
        differing = kill_server(in_games, Path(folder) / "server") if in_games else 0
        print(f"{in_games} kills in people's games: {differing} differences")
    return 1 if found["differences"] + differing else 0


if __name__ == "__main__":
    sys.exit(main())
