"""Tables that people leave: the server's memory, its files and how soon it opens another table, on loopback.

python -m benchmarks.tables_left --tables 10000 --server-cores 0,1 --client-cores 2

Every table is opened by a new person, who makes one move and never comes back. The games are taken in turn. At the end the
first person looks again: the table is read from its file, and the game goes on.
"""

import asyncio
import json
import os
import statistics
import sys
import time
from itertools import count
from typing import Any

from benchmarks.processes import at_least
from benchmarks.server import Server, options, placed, serving

TOGETHER = 8  # people who come at the same time
MARKS = 10  # how often memory is looked at
PATIENCE = 0.05  # seconds between two looks at a table where others move


class Crowd:
    """People who come one after another, each to one table."""

    def __init__(self, server: Server, games: list[str], tables: int) -> None:
        self.server, self.games, self.tables = server, games, tables
        self.numbers, self.times, self.moved = count(), list[float](), 0
        self.memory: list[list[float]] = []
        self.first: tuple[str, str] | None = None  # the first person's cookie and table

    async def come(self) -> None:
        while (number := next(self.numbers)) < self.tables:
            async with self.server.browser() as browser:
                table = await self.sit(browser, self.games[number % len(self.games)])
                await self.move(browser, table)
                if number == 0:
                    self.first = browser.cookies["sparring"], table["id"]
            if (number + 1) % max(1, self.tables // MARKS) == 0:
                self.memory.append([number + 1, round(self.server.memory(), 1)])
                print(f"{number + 1} tables: {self.memory[-1][1]} MiB", file=sys.stderr, flush=True)

    async def sit(self, browser: Any, game: str) -> dict[str, Any]:
        began = time.perf_counter()
        made = await browser.post("/api/tables", json={"game": game, "opponents": []})
        assert made.status_code == 200, made.text
        found: dict[str, Any] = (await browser.get(f"/api/tables/{made.json()['id']}")).json()
        self.times.append(time.perf_counter() - began)
        return found

    async def move(self, browser: Any, table: dict[str, Any]) -> None:
        """Make a move; another seat may begin."""
        place = f"/api/tables/{table['id']}"
        while not table["legal"] and not table["over"]:
            await asyncio.sleep(PATIENCE)
            table = (await browser.get(place)).json()
        body = {"move": table["legal"][0]["move"], "number": table["number"]}
        answer = await browser.post(f"{place}/move", json=body)
        self.moved += answer.status_code == 200

    async def goes_on(self) -> bool:
        """Whether the first person can go on with the first table."""
        assert self.first
        person, id = self.first
        async with self.server.browser() as browser:
            browser.cookies.set("sparring", person)
            found = await browser.get(f"/api/tables/{id}")
            moved = self.moved
            if found.status_code == 200:
                await self.move(browser, found.json())
            return self.moved == moved + 1


async def measure(server: Server, games: list[str], tables: int) -> dict[str, Any]:
    """The server's memory before, during and after; its files; the times."""
    crowd = Crowd(server, await server.prepare(games), tables)
    before, others, began = server.memory(), server.others_seconds(), time.monotonic()
    await asyncio.gather(*(crowd.come() for _ in range(TOGETHER)))
    seconds, others = time.monotonic() - began, server.others_seconds() - others
    await server.until_idle()
    after, files = server.memory(), [path.stat().st_size for path in (server.runs / "tables").glob("*.json")]
    return {
        "tables": tables,
        "moves": crowd.moved,
        "seconds": seconds,
        "open_ms.p50": 1000 * statistics.median(crowd.times),
        "open_ms.p99": 1000 * statistics.quantiles(crowd.times, n=100)[98],
        "memory_mib.before": before,
        "memory_mib.after": after,
        "memory_mib.most": server.memory("VmHWM"),
        "memory_mib.by_tables": sorted(crowd.memory),
        "files": len(files),
        "files_mib": sum(files) / 2**20,
        "first_goes_on": await crowd.goes_on(),
        **({"cores.others": others / seconds} if server.cores else {}),
        "load": os.getloadavg()[0],
    }


def main() -> None:
    """Print what was measured as JSON."""
    parser = options(__doc__ or "")
    parser.add_argument("--tables", type=at_least(2, int), default=10_000)
    given = parser.parse_args()
    where = placed(given.server_cores)
    with serving(given.server_cores, given.client_cores) as server:
        found = asyncio.run(measure(server, given.games, given.tables))
    rounded = {name: round(value, 2) if isinstance(value, float) else value for name, value in found.items()}
    print(json.dumps({"machine": where} | rounded))


if __name__ == "__main__":
    main()
