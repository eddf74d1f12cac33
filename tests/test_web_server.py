"""`sparring serve` in a process of its own: killed and started again, crowded, with trainings, in reach of others."""

import asyncio
import json
import os
import socket
import time

import pytest
import websockets
from benchmarks import tables_left
from benchmarks.server import Server

from sparring.web.runners import Runners
from sparring.web.server import address_of
from sparring.web.sockets import MOST
from sparring.web.trainer import progress_path
from web_server import Served, move, next_turn, sit, wait_for


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("server") / "runs"


@pytest.fixture(scope="module")
def served(runs):
    server = Served(runs)
    yield server
    server.end()


def follow(served, client, path):
    return served.follow(path, cookie=f"sparring={client.cookies['sparring']}")


def test_a_server_killed_in_the_middle_of_a_game_finds_it_again(served):
    with served.browser() as browser:
        told = sit(browser, seed=6)
        for _ in range(5):
            assert move(browser, told).status_code == 200
            told = wait_for(lambda id=told["id"]: next_turn(browser, id))
        cookie = browser.cookies["sparring"]
    served.kill_and_start_again()
    with served.browser() as browser:
        assert browser.get(f"/api/tables/{told['id']}").json()["legal"] == []  # somebody else
        browser.cookies.clear()
        browser.cookies.set("sparring", cookie)
        found = wait_for(lambda: next_turn(browser, told["id"]))
        same = ("number", "svg", "legal", "seat", "names")
        assert {key: found[key] for key in same} == {key: told[key] for key in same}
        assert [table["id"] for table in browser.get("/api/tables").json()] == [told["id"]]
        assert move(browser, found).json()["number"] > found["number"]


def test_tables_that_people_left_are_measured(served, runs, monkeypatch):
    async def at_once(server):
        """Without waiting for what the server does in the background."""

    monkeypatch.setattr(Server, "until_idle", at_once)
    server = Server(served.process.pid, served.address, served.token, runs, set())
    found = asyncio.run(tables_left.measure(server, ["golf"], 6))
    assert (found["tables"], found["moves"], found["first_goes_on"]) == (6, 6, True)
    assert found["files"] >= 6 and found["memory_mib.most"] >= found["memory_mib.before"] > 10
    assert [count for count, _ in found["memory_mib.by_tables"]] == [1, 2, 3, 4, 5, 6]


def test_a_thousand_sockets_are_refused_and_the_game_goes_on(served):
    with served.browser() as browser:
        told = sit(browser, seed=7)
        path = f"/ws/tables/{told['id']}"
        statuses, answered, numbers = asyncio.run(crowd(served, browser, told, path))
        assert statuses.count(503) == 1000 - MOST
        assert statuses.count(101) == MOST
        assert set(numbers) == {1}
        assert answered["number"] == 1
        asyncio.run(check_free(served, browser, path))
    log = served.logged()
    assert log.count("refused with 503") >= 1000 - MOST
    assert "Traceback" not in log


async def crowd(served, browser, told, path):
    """A thousand watchers knock; who got in hears of a move, and the person at the table still gets a line of their own."""
    gate, held, statuses = asyncio.Semaphore(50), [], []

    async def knock():
        async with gate:
            try:
                line = await served.follow(path)
                held.append(line)
                statuses.append(101)
            except websockets.InvalidStatus as refused:
                assert list(json.loads(refused.response.body)) == ["error"]
                statuses.append(refused.response.status_code)

    idle = [socket.create_connection(served.address.removeprefix("http://").split(":")) for _ in range(100)]
    await asyncio.gather(*(knock() for _ in range(1000)))
    for line in held:
        await line.recv()
    async with follow(served, browser, path) as own:
        assert json.loads(await own.recv())["seat"] == 0
        answer = await asyncio.to_thread(move, browser, told)
        numbers = [json.loads(await line.recv())["number"] for line in [own, *held[:20]]]
    for line in held:
        line.transport.abort()  # they vanish without a word
    for connection in idle:
        connection.close()
    return statuses, answer.json(), numbers


async def check_free(served, browser, path):
    """Lines of those who vanished are free again."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        try:
            async with served.follow(path) as line:
                assert json.loads(await line.recv())["number"] == 1
                return
        except websockets.InvalidStatus:
            await asyncio.sleep(0.2)
    raise AssertionError("no line became free")


def test_a_run_is_started_seen_to_learn_stopped_and_gone_on_with_after_a_restart(served, runs):
    options = {"epochs": "100000", "seed": "4"}
    body = {"game": "golf", "learner": "coevolution", "name": "first", "trials": 2, "options": options}
    with served.browser() as browser:
        assert browser.post("/api/runs", json=body).json() == {"name": "first"}
        assert browser.post("/api/runs", json=body).status_code == 422  # the name is taken
        assert browser.post("/api/runs/first/resume", json={}).status_code == 409
        seen = asyncio.run(watch_run(served, browser))
        assert seen["steps"] == 100_000
        assert seen["games_per_second"] > 0
        curve = seen["curves"]["benchmark.player.score"]
        assert len(curve["steps"]) == len(curve["mean"]) == len(curve["trials"][1])
        assert curve["mean"][-1] < curve["mean"][0]  # fewer points are better: it has learned
        process = json.loads((runs / "processes" / "first.json").read_text())["pid"]
        assert os.getpriority(os.PRIO_PROCESS, process) > os.getpriority(os.PRIO_PROCESS, 0)
    served.kill_and_start_again()
    with served.browser() as browser:
        (told,) = browser.get("/api/runs").json()
        assert told["running"]  # the training outlived the server
        stop(browser)
        assert browser.post("/api/runs/first/stop", json={}).status_code == 409
        stopped = browser.get("/api/runs/first").json()
        assert stopped["step"] >= curve["steps"][-1]
        assert browser.post("/api/runs/first/resume", json={}).json()["running"]
        wait_for(lambda: browser.get("/api/runs/first").json()["step"] > stopped["step"], 600)
        stop(browser)


def stop(browser):
    assert browser.post("/api/runs/first/stop", json={}).status_code == 200
    wait_for(lambda: not browser.get("/api/runs/first").json()["running"])


async def watch_run(served, browser):
    """Follow a run over its socket until it has a curve to speak of."""
    async with follow(served, browser, "/ws/runs/first") as line:
        while True:
            told = json.loads(await asyncio.wait_for(line.recv(), 600))
            assert told["running"], told
            curve = told["curves"].get("benchmark.player.score", {"steps": []})
            if len(curve["steps"]) >= 8:
                return told


def test_a_run_that_is_finished_has_a_champion_who_can_be_played_and_is_rated(served):
    with served.browser() as browser:
        body = {"game": "golf", "name": "short", "trials": 1, "options": {"epochs": 60}}
        assert browser.post("/api/runs", json=body).status_code == 200
        told = wait_for(lambda: done(browser.get("/api/runs/short").json()), 600)
        assert told["champion"] == "runs/short"
        assert told["pictures"][0]["svg"].startswith("<svg")
        assert browser.post("/api/runs/short/resume", json={}).status_code == 409
        assert "runs/short" in [player["name"] for player in browser.get("/api/players?game=golf").json()]
        assert sit(browser, opponents=["runs/short"])["names"] == ["you", "short"]
        ratings = browser.get("/api/ratings?game=golf").json()
        assert ratings["players"] == ["random", "short"]  # one name for a run's champion
        best = {row["name"]: row["value"] for row in ratings["rating"]}
        assert best["short"] > best["random"]
        assert ratings["table"][1][0] > 0.5


def done(told):
    return told if told["finished"] and not told["running"] else None


def test_a_process_that_took_a_training_s_number_is_not_taken_for_it(tmp_path):
    runners = Runners(tmp_path)
    runners.folder.mkdir()
    for told in (
        {"name": "x", "pid": os.getpid(), "born": "1"},
        {"name": "x", "pid": 1},
        {"name": "x", "pid": "1"},
        {"name": "x"},
    ):
        (runners.folder / "x.json").write_text(json.dumps(told))
        assert not runners.running("x")


def test_names_of_runs_that_begin_alike_do_not_meet_in_one_file(tmp_path):
    runners, ends = Runners(tmp_path), ("json", "log")
    names = ("a", "a.progress", "a.json", "a.log", "a.progress.json")
    paths = [runners._file(name, end) for name in names for end in ends] + [progress_path(tmp_path, n) for n in names]
    assert len(set(paths)) == 3 * len(names)


def test_in_reach_of_others_it_asks_for_a_token_and_says_so(runs):
    server = Served(runs, "--host", "0.0.0.0")
    try:
        assert "token" in server.more
        assert len(server.token) >= 32
        port = server.address.rpartition(":")[2]
        server.address = f"http://127.0.0.1:{port}"
        check_token(server)
    finally:
        assert server.end() == 0


def check_token(server):
    with server.browser(headers={}) as browser:
        assert browser.get("/api/games").status_code == 401
        assert browser.get("/", params={"token": server.token}).status_code == 303
        assert browser.get("/api/games").status_code == 200
    with server.browser(headers={"cookie": f"sparring-token-1={server.token}"}) as browser:
        assert browser.get("/api/games").status_code == 401  # the cookie of a server on another port
    assert server.token not in server.logged()


def test_on_loopback_it_asks_for_a_token_too_and_its_files_are_private(served, runs):
    assert len(served.token) >= 32
    check_token(served)
    with served.browser() as browser:
        sit(browser)
        assert browser.get("/api/games", headers={"host": "evil.example"}).status_code == 421
    private = [runs / "tables", runs / "processes", runs / "results.sqlite", runs / "processes/token"]
    private += (runs / "tables").iterdir()
    assert {path.stat().st_mode & 0o077 for path in private} == {0} and len(private) > 4
    token = served.token
    served.kill_and_start_again()
    assert served.token == token  # an open page goes on


def test_trainings_can_be_switched_off(tmp_path):
    server = Served(tmp_path / "runs", "--no-train")
    try:
        with server.browser() as browser:
            assert browser.get("/api/learners?game=golf").json() == []
            for path in ("/api/runs", "/api/runs/x/stop", "/api/runs/x/resume"):
                refused = browser.post(path, json={})
                assert (refused.status_code, refused.json()) == (
                    403,
                    {"error": "trainings are switched off on this page"},
                )
    finally:
        assert server.end() == 0


def test_the_browser_is_led_to_the_address_by_a_private_file(tmp_path, monkeypatch, capsys):
    from sparring.cli import serve as command

    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(command.webbrowser, "open", opened.append)
    monkeypatch.setattr(command, "serve", lambda runs, host, port, ready, trainings: ready("http://x/?token=secret"))
    before = os.umask(0o077)
    try:
        command.serve_page(tmp_path, "127.0.0.1", 1, True, True)
    finally:
        os.umask(before)
    assert "http://x/?token=secret" in capsys.readouterr().out
    assert opened == [(tmp_path / "processes/open.html").as_uri()]
    assert "url=http://x/?token=secret" in (tmp_path / "processes/open.html").read_text()
    assert (tmp_path / "processes/open.html").stat().st_mode & 0o077 == 0


def test_a_port_that_is_taken_is_one_line(runs, capsys):
    from sparring.cli import main

    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "--no-open", "--port", str(taken.getsockname()[1]), "--runs", str(runs)]) == 2
    assert capsys.readouterr().err.startswith("sparring: --host 127.0.0.1 --port")


def test_addresses_are_such_as_browsers_take():
    assert address_of("127.0.0.1", 8421, "t") == "http://127.0.0.1:8421/?token=t"
    assert address_of("::1", 80, "t") == "http://[::1]:80/?token=t"
    assert address_of("0.0.0.0", 80, "t") == f"http://{socket.gethostname()}:80/?token=t"
