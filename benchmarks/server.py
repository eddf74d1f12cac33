"""`sparring serve` in a process of its own, to be measured: where it runs, what memory it has, and when it is idle."""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from sparring.lab.bench import machine

LOOK = 2.0  # seconds between two looks at what the server uses
IDLE = 0.1  # of a core
SETTLED = 3  # looks in a row at an idle server


@dataclass
class Server:
    """A running server."""

    pid: int
    address: str
    token: str
    runs: Path
    cores: set[int]  # where it runs; empty if anywhere

    def browser(self, timeout: float = 120) -> httpx.AsyncClient:
        """A browser without a cookie: a new person."""
        return httpx.AsyncClient(
            base_url=self.address, timeout=timeout, headers={"authorization": f"Bearer {self.token}"}
        )

    def memory(self, what: str = "VmRSS") -> float:
        """The memory of the server now, or the most that it had (VmHWM), in MiB."""
        found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{self.pid}/status").read_text())
        return int(found[1]) / 1024 if found else 0.0

    def core_seconds(self) -> float:
        """What the server has used so far; the processes that compile for it are not counted."""
        return sum(map(int, facts(str(self.pid))[11:13])) / os.sysconf("SC_CLK_TCK")

    def others_seconds(self) -> float:
        """What others have used so far of the cores to which the server is pinned; it has them to itself if that does not grow."""
        return busy_seconds(self.cores) - self.core_seconds()

    def compiles(self) -> bool:
        """Whether a process compiles for the server."""
        running = (facts(name) for name in os.listdir("/proc") if name.isdecimal())
        return any(words[1:2] == [str(self.pid)] for words in running)

    async def until_idle(self) -> None:
        """Wait until the server has finished what it does in the background: compiling, and learning what values mean."""
        before, looks = self.core_seconds(), 0
        while looks < SETTLED:
            await asyncio.sleep(LOOK)
            now = self.core_seconds()
            looks = looks + 1 if now - before < IDLE * LOOK and not self.compiles() else 0
            before = now

    async def prepare(self, games: list[str]) -> list[str]:
        """Open a table of each game, or of these, so that each is compiled or loaded; the games by name."""
        async with self.browser(600) as first:
            games = games or [game["name"] for game in (await first.get("/api/games")).json()]
            for game in games:
                answer = await first.post("/api/tables", json={"game": game, "opponents": []})
                if answer.status_code != 200:
                    sys.exit(f"{game}: {answer.text}")
                made = answer.json()
                while not (await first.get(f"/api/tables/{made['id']}")).json()["text"]:
                    await asyncio.sleep(0.5)
        await self.until_idle()
        return games


def facts(pid: str) -> list[str]:
    """A process's state, parent and more, as /proc has them; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def busy_seconds(numbers: set[int]) -> float:
    """How long these cores have worked, for whomever."""
    lines = (line.split() for line in Path("/proc/stat").read_text().splitlines())
    worked = {
        words[0]: sum(map(int, words[1:9])) - int(words[4]) - int(words[5]) for words in lines if "cpu" in words[0]
    }
    return sum(worked.get(f"cpu{number}", 0) for number in numbers) / os.sysconf("SC_CLK_TCK")


def cores(text: str) -> set[int]:
    """Cores of this machine by number, from `0,1`."""
    numbers = {int(word) for word in text.split(",") if word}
    if not numbers <= os.sched_getaffinity(0):
        raise ValueError
    return numbers


def options(description: str) -> argparse.ArgumentParser:
    """The options of every command that measures a server."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=[], help="only these games")
    parser.add_argument("--server-cores", type=cores, default=set(), help="run the server on these cores, as 0,1")
    parser.add_argument("--client-cores", type=cores, default=set(), help="run the people on these cores")
    return parser


@contextmanager
def serving(server_cores: Collection[int] = (), client_cores: Collection[int] = ()) -> Iterator[Server]:
    """Start a server on these cores, and run the people on those; without numbers anywhere."""
    anywhere = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder) / "runs"
        words = ["serve", "--no-open", "--no-train", "--port", "0", "--runs", str(runs)]
        os.sched_setaffinity(0, server_cores or anywhere)  # the server inherits it
        server = subprocess.Popen(
            [sys.executable, "-m", "sparring", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        os.sched_setaffinity(0, client_cores or anywhere)
        try:
            found = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
            assert found, "the server did not start"
            address, _, token = found[0].partition("/?token=")
            yield Server(server.pid, address, token, runs, set(server_cores))
        finally:
            os.sched_setaffinity(0, anywhere)
            server.kill()
            server.wait()


def placed(server_cores: Collection[int]) -> str:
    """The machine, and where the server runs on it."""
    model, count = machine().rpartition(", ")[0], len(server_cores)
    pinned = f", server pinned to {count}" if count else ", shared with other work"
    return f"{model}, {os.cpu_count()} cores{pinned}"
