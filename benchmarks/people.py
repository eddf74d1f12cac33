"""People at real games: response times of moves and the server's memory, on loopback.

python benchmarks/people.py --people 50 --minutes 5

Everyone plays one game after another against its default opponent, thinks for a second or so, and makes any legal move. A move's
time is from the request to the response, which has the opponent's answer if that comes soon.
"""

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

THINKING = 1.0  # seconds between two moves of a person, on average
PATIENCE = 0.2  # seconds between two looks at a table where others move


class Person:
    """Plays games until the end of the measurement."""

    def __init__(self, number: int, address: str, token: str, games: list[str]) -> None:
        bearer = {"authorization": f"Bearer {token}"}
        self.browser = httpx.AsyncClient(base_url=address, timeout=120, headers=bearer)
        self.dice, self.games = random.Random(number), games
        self.times: list[float] = []
        self.finished = self.refused = 0

    async def play(self, until: float) -> None:
        async with self.browser:
            while time.monotonic() < until:
                body = {"game": self.dice.choice(self.games), "opponents": []}
                made = await self.browser.post("/api/tables", json=body)
                assert made.status_code == 200, made.text
                await self.play_game(f"/api/tables/{made.json()['id']}", until)
                await self.browser.post(f"/api/tables/{made.json()['id']}/leave", json={})

    async def play_game(self, place: str, until: float) -> None:
        table = await self.look(place)
        while not table["over"] and time.monotonic() < until:
            if not table["legal"]:
                await asyncio.sleep(PATIENCE)
                table = await self.look(place)
                continue
            await asyncio.sleep(self.dice.uniform(0, 2 * THINKING))
            body = {"move": self.dice.choice(table["legal"])["move"], "number": table["number"]}
            began = time.perf_counter()
            answer = await self.browser.post(f"{place}/move", json=body)
            self.times.append(time.perf_counter() - began)
            self.refused += answer.status_code != 200
            table = answer.json() if answer.status_code == 200 else await self.look(place)
        self.finished += table["over"]

    async def look(self, place: str) -> dict[str, Any]:
        found: dict[str, Any] = (await self.browser.get(place)).json()
        return found


def memory(pid: int, what: str = "VmRSS") -> float:
    """The memory of a process now, or the most that it had (VmHWM), in MiB."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


async def measure(pid: int, address: str, token: str, people: int, minutes: float) -> dict[str, float]:
    async with httpx.AsyncClient(base_url=address, timeout=600, headers={"authorization": f"Bearer {token}"}) as first:
        games = [game["name"] for game in (await first.get("/api/games")).json()]
        for game in games:  # each is compiled, or loaded
            made = (await first.post("/api/tables", json={"game": game, "opponents": []})).json()
            while not (await first.get(f"/api/tables/{made['id']}")).json()["text"]:
                await asyncio.sleep(0.5)
    before, until = memory(pid), time.monotonic() + 60 * minutes
    crowd = [Person(number, address, token, games) for number in range(people)]
    await asyncio.gather(*(person.play(until) for person in crowd))
    times = sorted(seconds for person in crowd for seconds in person.times)
    hundredths = statistics.quantiles(times, n=100)
    return {
        "people": people,
        "minutes": minutes,
        "moves": len(times),
        "games_finished": sum(person.finished for person in crowd),
        "moves_refused": sum(person.refused for person in crowd),
        "move_ms.p50": 1000 * statistics.median(times),
        "move_ms.p99": 1000 * hundredths[98],
        "move_ms.most": 1000 * times[-1],
        "memory_mib.before": before,
        "memory_mib.after": memory(pid),
        "memory_mib.most": memory(pid, "VmHWM"),
        "load": os.getloadavg()[0],
    }


def main(people: int, minutes: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        words = ["serve", "--no-open", "--no-train", "--port", "0", "--runs", str(Path(folder) / "runs")]
        server = subprocess.Popen(
            [sys.executable, "-m", "sparring", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            found = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
            assert found
            address, token = found[0].split("/?token=")
            return asyncio.run(measure(server.pid, address, token, people, minutes))
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=5.0)
    given = parser.parse_args()
    print(json.dumps({name: round(value, 1) for name, value in main(given.people, given.minutes).items()}))
