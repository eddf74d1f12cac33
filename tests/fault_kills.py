"""Kills: trainings of every learner, sweeps and the server in people's games are killed, go on, and end as if nothing had happened.

`python tests/fault_kills.py --kills 1000` kills trainings at random moments and at chosen ones (half-way through a write, before
and after a sync and a rename, inside and before a commit of the results store). Every run ends with the same bytes and
stored rows as one left alone. A tenth as many kills hit the server in a game, every second while it makes a move; every player
finds the game again as it was. With `--kept FILE` a stopped command goes on where it was.

All processes are forks of this one, in which everything is compiled.
"""

import argparse
import json
import math
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
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import sqlalchemy as sa

import sparring
import sparring.lab.run as lab
from fault_inputs import present_commit
from fault_results import BASE, SWEEP
from sparring.lab.run import create_run, open_run, train
from sparring.nets.files import replace_file
from sparring.web import server
from sparring.web.table_registry import TableRegistry
from test_crafted_checkpoints import TINY, experiment
from test_runs import files, rows
from web_server import move, next_turn, sit, wait_for

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
SWEEPS = "sweep"  # is killed like a learner


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


@dataclass(frozen=True)
class Subject:
    """Something that is trained in a folder, is killed there and goes on."""

    name: str
    folder: Path

    def go_on(self) -> None:
        """Begin, or go on, and come to the end."""
        if self.name == SWEEPS:
            self._sweep()
        elif (self.folder / "x" / "experiment.toml").exists():
            train(open_run(self.folder / "x"), 1)
        else:
            train(create_run(experiment(self.name), self.folder), 1)

    def _sweep(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "base.toml").write_text(BASE)
        (self.folder / "x.toml").write_text(SWEEP)
        sparring.sweep(self.folder / "x.toml", runs=self.folder, threads=1)

    def left(self) -> tuple[Any, Any]:
        """All files and stored rows at the end."""
        return files(self.folder / "x"), {} if self.name == SWEEPS else rows(self.folder)


def attempt(subject: Subject, point: str, dice: random.Random, seconds: float) -> bool:
    """Go on in a process that is killed at this point; whether it was."""
    number, moment = dice.randint(1, 15), dice.uniform(0, seconds)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            lay_trap(point, number)
            subject.go_on()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    if point == "random":
        time.sleep(moment)
        os.kill(child, signal.SIGKILL)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in (0, -signal.SIGKILL), f"{subject}: status {ended}"
    return ended != 0


def differences(one: tuple[Any, Any], other: tuple[Any, Any]) -> list[str]:
    """The files and tables that differ."""
    return [str(key) for a, b in zip(one, other, strict=True) for key in sorted({*a, *b}) if a.get(key) != b.get(key)]


class Alone:
    """What is left of trainings that nobody killed, and how long they take."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.left, self.lasted = folder, dict[str, tuple[Any, Any]](), dict[str, float]()

    def see(self, name: str) -> None:
        """Train once to compile, and once to measure."""
        if name not in self.left:
            for kind in ("alone", "timed"):
                began, subject = time.monotonic(), Subject(name, self.folder / kind / name)
                subject.go_on()
                self.lasted[name] = time.monotonic() - began
            self.left[name] = subject.left()


def kill_trainings(kills: int, names: list[str], folder: Path, kept: "Kept") -> None:
    """Kill trainings in turn, at every point, until there are so many kills."""
    lab.CHECKPOINT_SECONDS = 0.0
    alone, counts = Alone(folder), kept.trainings
    while sum(sum(each[point] for point in POINTS) for each in counts.values()) < kills and not kept.late():
        turn = sum(each["runs"] for each in counts.values())
        name, point, dice = names[turn % len(names)], POINTS[turn // len(names) % len(POINTS)], random.Random(turn)
        alone.see(name)
        subject = Subject(name, folder / "killed" / str(turn))
        for _ in range(MOST_KILLS):
            killed = attempt(subject, point, dice, alone.lasted[name])
            counts[name][point] += killed
            if not killed:
                break
        subject.go_on()
        if differing := differences(subject.left(), alone.left[name]):
            counts[name]["differences"] += 1
            print(f"{name}, killed {point}: {', '.join(differing)}", flush=True)
        counts[name]["runs"] += 1
        kept.write()


class Forked:
    """`sparring serve` in a fork of this process. Its games are compiled, and it gives no hints."""

    def __init__(self, runs: Path) -> None:
        self.runs = runs
        self.start()

    def start(self) -> None:
        reading, writing = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            self._serve(writing)
        os.close(writing)
        with os.fdopen(reading) as said:
            place, _, self.token = said.readline().strip().partition("/?token=")
        assert self.token, "the server did not start"
        self.address = place

    def _serve(self, writing: int) -> None:
        try:
            log = os.open(self.runs.parent / "serve.log", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
            os.dup2(log, 2)
            server.create_app = partial(server.create_app, warm=False)  # type: ignore[assignment]
            TableRegistry.prepare_hints = lambda *_: _nothing()  # type: ignore[assignment, misc, method-assign]
            server.serve(self.runs, "127.0.0.1", 0, lambda address: _say(writing, address))
        finally:
            os._exit(1)

    def browser(self, **given: Any) -> httpx.Client:
        headers = {"authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=self.address, timeout=60, headers=headers, **given)

    def kill(self) -> None:
        os.kill(self.child, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1]) == -signal.SIGKILL, "it had ended before"


async def _nothing() -> None:
    pass


def _say(writing: int, address: str) -> None:
    with os.fdopen(writing, "w") as out:
        out.write(f"{address}\n")


def kill_server(kills: int, folder: Path, kept: "Kept") -> None:
    """Kill the server in games: between two moves, and while it makes one."""
    (folder / "server").mkdir()
    served, same = Forked(folder / "server" / "runs"), ("number", "svg", "legal", "seat", "names")
    while kept.games["kills"] < kills and not kept.late():
        dice, making = random.Random(kept.games["kills"]), kept.games["kills"] % 2 == 1
        with served.browser() as browser:
            shown = sit(browser, seed=kept.games["kills"])
            for _ in range(dice.randrange(1, 9)):
                move(browser, shown)
                shown = wait_for(lambda: next_turn(browser, shown["id"]))  # noqa: B023
            answer = move_and_kill(served, browser, shown, dice) if making else None
            if not making:
                served.kill()
            cookie = browser.cookies["sparring"]
        served.start()
        with served.browser(cookies={"sparring": cookie}) as browser:
            found = wait_for(lambda: next_turn(browser, shown["id"]))  # noqa: B023
        expected = answer or shown
        further = found["number"] > expected["number"] and making  # it had made the move, and players have moved
        alike = {key: found[key] for key in same} == {key: expected[key] for key in same}
        kept.games.update(kills=1, answered=answer is not None, differences=not (alike or further))
        kept.write()
    served.kill()


def move_and_kill(served: Forked, browser: httpx.Client, shown: Any, dice: random.Random) -> Any:
    """Kill the server while it makes a move; its answer, if it came."""
    answers: list[Any] = []

    def ask() -> None:
        with suppress(httpx.HTTPError):
            answers.append(move(browser, shown).json())

    thread = Thread(target=ask)
    thread.start()
    time.sleep(dice.uniform(0, 0.05))
    served.kill()
    thread.join()
    return answers[0] if answers else None


class Kept:
    """The counts, in a file if one is given."""

    def __init__(self, path: Path | None, names: list[str], minutes: float) -> None:
        self.path, self.commits, self.until = path, list[str](), time.monotonic() + 60 * minutes
        self.trainings: dict[str, Counter[str]] = {name: Counter() for name in names}
        self.games: Counter[str] = Counter()
        self.core_seconds, self.began = 0.0, used_seconds()
        if path and path.exists():
            known = json.loads(path.read_text())
            self.trainings |= {name: Counter(counts) for name, counts in known["trainings"].items()}
            self.games, self.commits, self.core_seconds = (
                Counter(known["games"]),
                known["commits"],
                known["core_seconds"],
            )
        if minutes and present_commit() not in self.commits:
            self.commits.append(present_commit())

    def json(self) -> dict[str, Any]:
        """All counts."""
        total = sum(self.trainings.values(), Counter[str]())
        kills = sum(total[point] for point in POINTS)
        facts: dict[str, Any] = {"kills": kills, "runs": total["runs"], "differences": total["differences"]}
        facts |= {"trainings": {name: dict(counts) for name, counts in self.trainings.items()}}
        games = {name: self.games[name] for name in ("kills", "answered", "differences")}
        seconds = round(self.core_seconds + used_seconds() - self.began, 1)
        return facts | {"games": games, "core_seconds": seconds, "commits": self.commits}

    def late(self) -> bool:
        """Whether there is no time left."""
        return time.monotonic() >= self.until

    def write(self) -> None:
        if self.path:
            replace_file(self.path, (json.dumps(self.json(), indent=1) + "\n").encode())


def used_seconds() -> float:
    """Processor seconds of this process and its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--games", type=int, help="kills of the server in people's games; default: a tenth as many")
    parser.add_argument("--learners", default="", help="only these, separated by commas")
    parser.add_argument("--kept", type=Path, help="keep counts in this file, and go on from them")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON, and everything else as errors")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so many; the same command goes on")
    given = parser.parse_args()
    os.environ["SPARRING_THREADS"] = "1"  # a process with threads cannot be forked
    names = [name for name in (*TINY, SWEEPS) if not given.learners or name in given.learners.split(",")]
    out = sys.stdout
    sys.stdout = sys.stderr if given.json else out
    kept = Kept(given.kept, names, given.minutes)
    with tempfile.TemporaryDirectory(prefix="sparring-kills-") as folder:
        kill_trainings(given.kills, names, Path(folder), kept)
        kill_server(given.kills // 10 if given.games is None else given.games, Path(folder), kept)
    found = kept.json()
    print(
        f"{found['kills']} kills of {found['runs']} runs of {len(kept.trainings)} trainings: {found['differences']} differences"
    )
    print(f"{found['games']['kills']} kills in people's games: {found['games']['differences']} differences")
    if given.json:
        print(json.dumps(found), file=out)
    return 1 if found["differences"] + found["games"]["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
