"""A server to test against: the application in this process, or `sparring serve` in one of its own."""

import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from unittest.mock import patch

import httpx
import websockets
from fastapi.testclient import TestClient

from sparring.web import table_registry
from sparring.web.server import create_app

PLACE = "127.0.0.1:8421"
QUICK = "rounds=1,target=1000"  # rules of hearts under which a game is soon over


@contextmanager
def application(runs, **given):
    """The application, asked by one browser; `another` gives it a second. An answer waits for players however slow they are."""
    with (
        patch.object(table_registry, "PATIENCE", 300.0),
        TestClient(create_app(runs, warm=False, **given), base_url=f"http://{PLACE}") as client,
    ):
        yield client


def another(client):
    """Another browser, which has no cookie yet, of the same server: both are answered by one loop."""
    browser = TestClient(client.app, base_url=f"http://{PLACE}")
    browser.portal = client.portal
    return browser


def socket(client, path):
    return client.websocket_connect(f"ws://{PLACE}{path}")


def wait_for(what, seconds=1200.0):
    """Whatever is true of a function's answer, asked again and again."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"still not so after {seconds} s")


def sit(client, game="golf", opponents=("greedier",), **given):
    """A new table, as soon as its game is compiled."""
    made = client.post("/api/tables", json={"game": game, "opponents": list(opponents), **given})
    assert made.status_code == 200, made.text
    return ready(client, made.json()["id"])


def ready(client, id):
    def look():
        told = client.get(f"/api/tables/{id}").json()
        return told if told["text"] else None

    return wait_for(look)


def my_turn(client, told):
    """The table as soon as the person can move: another seat may begin."""

    def look():
        now = client.get(f"/api/tables/{told['id']}").json()
        return now if now["legal"] else None

    return wait_for(look)


def move(client, told, which=0, **changes):
    """Make one of the legal moves."""
    body = {"move": told["legal"][which]["move"], "number": told["number"], **changes}
    return client.post(f"/api/tables/{told['id']}/move", json=body)


def play_out(client, told):
    """Make the first legal move until the game is over."""
    id = told["id"]
    while not told["over"]:
        answer = move(client, told)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        if not told["over"] and not told["legal"]:
            told = wait_for(lambda: next_turn(client, id))
    return told


def next_turn(client, id):
    told = client.get(f"/api/tables/{id}").json()
    return told if told["over"] or told["legal"] else None


class Served:
    """`sparring serve` in a process of its own."""

    def __init__(self, runs, *words):
        self.command = [
            sys.executable,
            "-m",
            "sparring",
            "serve",
            "--no-open",
            "--port",
            "0",
            "--runs",
            str(runs),
            *words,
        ]
        self.log = (runs.parent / "serve.log").open("ab+")
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found, self.logged()
        self.address = found[0].partition("?")[0].rstrip("/")
        self.token = found[0].partition("token=")[2]
        self.more = self.process.stdout.readline()
        wait_for(self.answers)

    def kill_and_start_again(self):
        self.process.kill()
        assert self.process.wait(300) == -signal.SIGKILL
        self.process.stdout.close()
        self.start()

    def answers(self):
        try:
            return httpx.get(self.address, timeout=60).status_code in (200, 401, 404)
        except httpx.HTTPError:
            return False

    def logged(self):
        self.log.seek(0)
        return self.log.read().decode()

    @property
    def bearer(self):
        """The header with which a program shows the token."""
        return {"authorization": f"Bearer {self.token}"}

    def browser(self, **given):
        return httpx.Client(base_url=self.address, timeout=300, **{"headers": self.bearer} | given)

    def follow(self, path, **headers):
        place = f"{self.address.replace('http', 'ws')}{path}"
        return websockets.connect(place, additional_headers=self.bearer | headers, open_timeout=300, ping_timeout=None)

    def end(self):
        """Stop as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(300)
        self.process.stdout.close()
        self.log.close()
        return status
