"""How soon the page answers a move, for every level of every game, with the server on one core.

python benchmarks/answers.py [GAME ...] [--moves 40]

A person makes any legal move. The time is from the request until it is the person's turn again and all opponents have moved; moves
after which the same person goes on are left out. `computed_ms` is the median computing time of the server process itself, without
the processes in which games are compiled: what an answer takes where nothing else runs. `median_ms` is what a clock shows, which
on a busy machine is more. External programs compute elsewhere, so only the clock counts for them.
"""

import argparse
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

from sparring.games import find_game

LOOK = 0.01  # seconds between two looks at a table where others still move


def computed(pid: int) -> float:
    """The seconds of computing that the threads of a process have used."""
    return sum(int(path.read_text().split()[0]) for path in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def ready(browser: httpx.Client, place: str) -> dict[str, Any]:
    """The table as soon as the person is to move, or the game is over."""
    while True:
        table: dict[str, Any] = browser.get(place).json()
        if table["over"] or table["legal"]:
            return table
        time.sleep(LOOK)


def measure(browser: httpx.Client, pid: int, game: dict[str, Any], player: str, moves: int) -> dict[str, Any]:
    """The median times of moves against one level."""
    dice, taken, used = random.Random(1), [], []
    place, table = "", {"over": True}
    while len(taken) < moves:
        if table["over"]:
            count = game["seats"][0] - 1
            body = {
                "game": game["name"],
                "rules": game["people"],
                "opponents": [player] * count,
                "seed": dice.randrange(10**6),
            }
            place = f"/api/tables/{browser.post('/api/tables', json=body).raise_for_status().json()['id']}"
            table = ready(browser, place)
            continue
        chosen = dice.sample(table["legal"], table["together"])
        body = {"moves": [each["move"] for each in chosen], "number": table["number"]}
        before, began = computed(pid), time.perf_counter()
        after = browser.post(f"{place}/move", json=body).raise_for_status().json()
        if not (after["over"] or after["legal"]):
            after = ready(browser, place)
        seconds = time.perf_counter() - began
        if after["number"] > table["number"] + len(chosen):
            taken.append(seconds)
            used.append(computed(pid) - before)
        table = after
    times = {"median_ms": 1000 * statistics.median(taken), "p95_ms": 1000 * statistics.quantiles(taken, n=20)[-1]}
    return {name: round(value, 1) for name, value in times.items()} | {
        "computed_ms": round(1000 * statistics.median(used), 1)
    }


def main(names: list[str], moves: int) -> None:
    """Start a server on one core, and print the times of each level as JSON."""
    rows = []
    core = min(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "sparring", "serve", "--no-open", "--no-train", "--port", "0", "--runs", folder]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  preexec_fn=lambda: os.sched_setaffinity(0, {core}))  # fmt: skip
        try:
            found = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
            assert found
            address, token = found[0].split("/?token=")
            bearer = {"authorization": f"Bearer {token}"}
            with httpx.Client(base_url=address, timeout=600, headers=bearer) as browser:
                for game in browser.get("/api/games").json():
                    external = find_game(game["name"]).policies.external
                    for level in game["levels"] if not names or game["name"] in names else []:
                        times = measure(browser, server.pid, game, level["player"], moves)
                        facts = {"game": game["name"], "level": level["name"], "player": level["player"],
                                 "external": level["player"] in external}  # fmt: skip
                        rows.append(facts | times | {"load": round(os.getloadavg()[0], 1)})
                        print(rows[-1], file=sys.stderr, flush=True)
        finally:
            server.terminate()
            server.wait(60)
    print(json.dumps({"moves": moves, "levels": rows} | slowest(rows)))


def slowest(rows: list[dict[str, Any]]) -> dict[str, float]:
    """The longest median of the strongest levels, and of all others; without programs that compute elsewhere."""
    strongest = {row["game"]: row["player"] for row in rows if not row["external"]}
    inside = [row for row in rows if not row["external"]]
    last = [row["computed_ms"] for row in inside if strongest[row["game"]] == row["player"]]
    rest = [row["computed_ms"] for row in inside if strongest[row["game"]] != row["player"]]
    return {"strongest_ms": max(last), "others_ms": max(rest, default=0.0)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--moves", type=int, default=40)
    given = parser.parse_args()
    main(given.games, given.moves)
