"""People at real games: response times of moves and the server's memory, on loopback.

python -m benchmarks.people --people 50 --minutes 5 --server-cores 0,1 --client-cores 2

Everyone plays one game after another against its default opponent, thinks for a second or so, and makes any legal move. A move's
time is from the request to the response, which has the opponent's answer if that comes soon. The people come when all games are
compiled and the server is idle.
"""

import asyncio
import json
import os
import random
import statistics
import time
from typing import Any

from benchmarks.processes import at_least
from benchmarks.server import Server, options, placed, serving

THINKING = 1.0  # seconds between two moves of a person, on average
PATIENCE = 0.2  # seconds between two looks at a table where others move


class Person:
    """Plays games until the end of the measurement."""

    def __init__(self, number: int, server: Server, games: list[str]) -> None:
        self.browser = server.browser()
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


async def measure(server: Server, games: list[str], people: int, minutes: float) -> dict[str, float]:
    """The times of moves, and the server's memory."""
    games = await server.prepare(games)
    before, used, others, began = server.memory(), server.core_seconds(), server.others_seconds(), time.monotonic()
    crowd = [Person(number, server, games) for number in range(people)]
    await asyncio.gather(*(person.play(began + 60 * minutes) for person in crowd))
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
        "memory_mib.after": server.memory(),
        "memory_mib.most": server.memory("VmHWM"),
        "cores.server": (server.core_seconds() - used) / (time.monotonic() - began),
        **({"cores.others": (server.others_seconds() - others) / (time.monotonic() - began)} if server.cores else {}),
        "load": os.getloadavg()[0],
    }


def main() -> None:
    """Print what was measured as JSON."""
    parser = options(__doc__ or "")
    parser.add_argument("--people", type=at_least(1, int), default=50)
    parser.add_argument("--minutes", type=at_least(0.5), default=5.0)
    given = parser.parse_args()
    where = placed(given.server_cores)
    with serving(given.server_cores, given.client_cores) as server:
        found = asyncio.run(measure(server, given.games, given.people, given.minutes))
    print(json.dumps({"machine": where} | {name: round(value, 2) for name, value in found.items()}))


if __name__ == "__main__":
    main()
