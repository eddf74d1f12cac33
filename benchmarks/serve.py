"""Response times of the server: two people and twenty watchers at one table during a training, on loopback.

python benchmarks/serve.py            # a training started from the page
python benchmarks/serve.py --beside   # and one in a terminal, on all cores and with the server's priority
"""

import argparse
import asyncio
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import httpx
import websockets

WATCHERS = 20
MOVES = 200
EVERY = 0.05  # seconds between moves; people are slower
PATIENCE = 90  # seconds until the training must have started


async def main(beside: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder) / "runs"
        serve = [sys.executable, "-m", "sparring", "serve", "--no-open", "--port", "0", "--runs", str(runs)]
        train = [sys.executable, "-m", "sparring", "train", "golf", "--runs", str(runs), "--name", "beside"]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
        training = subprocess.Popen([*train, "--epochs", "1000000"], stderr=subprocess.DEVNULL) if beside else None
        try:
            found = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
            assert found
            return await measure(*found[0].split("/?token="))
        finally:
            for process in filter(None, (training, server)):
                process.kill()
                process.wait()
            end_training(runs / "processes" / "load.json")


def end_training(file: Path) -> None:
    """End the training, which outlives the server by design."""
    with suppress(OSError, ValueError):
        os.kill(json.loads(file.read_text())["pid"], signal.SIGKILL)


async def measure(address: str, token: str) -> dict[str, float]:
    """Median and 95th percentile in milliseconds of responses to moves, and of a watcher's wait for a move."""
    bearer = {"authorization": f"Bearer {token}"}
    async with (
        httpx.AsyncClient(base_url=address, timeout=120, headers=bearer) as ann,
        httpx.AsyncClient(base_url=address, timeout=120, headers=bearer) as bob,
    ):
        await until_up(ann)
        id = (await ann.post("/api/tables", json={"game": "golf", "opponents": [], "people": 2})).json()["id"]
        await bob.post(f"/api/tables/{id}/join", json={})
        body = {"game": "golf", "name": "load", "trials": 4, "options": {"epochs": 1_000_000}}
        assert (await ann.post("/api/runs", json=body)).status_code == 200
        began = time.monotonic()
        while not (await ann.get("/api/runs/load")).json()["games_per_second"] and time.monotonic() - began < PATIENCE:
            await asyncio.sleep(1)
        place = f"{address.replace('http', 'ws')}/ws/tables/{id}"
        lines = [await websockets.connect(place, additional_headers=bearer, open_timeout=60) for _ in range(WATCHERS)]
        seen: dict[int, list[float]] = {}
        watching = [asyncio.create_task(watch(line, seen)) for line in lines]
        answers, made = await play(id, ann, bob)
        await asyncio.sleep(1)
        for task in watching:
            task.cancel()
        speed = (await ann.get("/api/runs/load")).json()["games_per_second"]
        await ann.post("/api/runs/load/stop", json={})
        for line in lines:
            await line.close()
    waits = [moment - made[number] for number, moments in seen.items() if number in made for moment in moments]
    return {
        "moves": len(answers),
        "answer_ms.median": 1000 * statistics.median(answers),
        "answer_ms.p95": 1000 * statistics.quantiles(answers, n=20)[-1],
        "watcher_ms.median": 1000 * statistics.median(waits),
        "watcher_ms.p95": 1000 * statistics.quantiles(waits, n=20)[-1],
        "training_games_per_second": speed or 0.0,
    }


async def until_up(browser: httpx.AsyncClient) -> None:
    while True:
        try:
            await browser.get("/api/games")
            return
        except httpx.HTTPError:
            await asyncio.sleep(0.2)


async def watch(line: websockets.ClientConnection, seen: dict[int, list[float]]) -> None:
    async for text in line:
        seen.setdefault(json.loads(text)["number"], []).append(time.perf_counter())


async def play(id: str, ann: httpx.AsyncClient, bob: httpx.AsyncClient) -> tuple[list[float], dict[int, float]]:
    answers, began = [], {}
    for _ in range(MOVES):
        table = (await ann.get(f"/api/tables/{id}")).json()
        browser = ann if table["legal"] else bob
        table = table if table["legal"] else (await bob.get(f"/api/tables/{id}")).json()
        if table["over"]:
            break
        start = time.perf_counter()
        began[table["number"] + 1] = start
        move = {"move": table["legal"][-1]["move"], "number": table["number"]}
        answer = await browser.post(f"/api/tables/{id}/move", json=move)
        assert answer.status_code == 200, answer.text
        answers.append(time.perf_counter() - start)
        await asyncio.sleep(EVERY)
    return answers, began


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--beside", action="store_true", help="also train in a terminal, on all cores")
    print(json.dumps({name: round(value, 1) for name, value in asyncio.run(main(parser.parse_args().beside)).items()}))
