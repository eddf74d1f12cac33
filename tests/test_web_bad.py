"""Bad requests: each is refused with a status and one sentence, logged, and disturbs no game."""

import json
import logging

import httpx
import pytest
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from sparring.web.refusals import LARGEST
from web_server import PLACE, another, application, move, sit, socket

DEEP = "[" * 30_000 + "]" * 30_000


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bad")
    (folder / "outside.log").write_text("secret")
    (folder / "outside.html").write_text("<title>secret</title>")
    runs = folder / "runs"
    runs.mkdir()
    (runs / "leads-out.log").symlink_to(folder / "outside.log")
    (runs / "leads-out.html").symlink_to(folder / "outside.html")
    (runs / "folder-out").symlink_to(folder)
    (runs / "report.html").write_text("<title>A &amp; B</title><script>1</script>")
    (runs / "broken.log").write_text("nothing of ours")
    (runs / "binary.log").write_bytes(b"\xff\xfe")
    return runs


@pytest.fixture(scope="module")
def client(runs):
    with application(runs) as browser:
        yield browser


@pytest.fixture(scope="module")
def table(client):
    return sit(client, seed=1)


@pytest.fixture(autouse=True)
def undisturbed(client, table):
    """After every bad request the game is as it was, and goes on."""
    yield
    assert client.get(f"/api/tables/{table['id']}").json() == table


def check_refused(answer, status, caplog):
    assert answer.status_code in (status if isinstance(status, tuple) else (status,)), answer.text
    assert list(answer.json()) == ["error"]
    sentence = answer.json()["error"]
    assert sentence
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    logged = [line for line in caplog.records if line.name == "sparring.web" and line.levelno >= logging.WARNING]
    assert any(sentence in line.getMessage() for line in logged)
    return sentence


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"null", 400),
        (b"[]", 400),
        (b'"golf"', 400),
        (DEEP.encode(), 400),
        (('{"game":' + DEEP + "}").encode(), 400),
        (b'{"game": NaN}', 400),
        (b'{"game": "golf", "seed": 1e400}', 422),
        (b'{"game": "golf", "seed": ' + b"9" * 5000 + b"}", 400),
        (b'{"game": "golf", "seed": 99999999999999999999}', 422),
        (b'{"game": "golf", "seed": -1}', 422),
        (b'{"game": "golf", "seed": 1.5}', 422),
        (b'{"game": "golf", "seed": true}', 422),
        (b'{"game": "golf", "seat": 2}', 422),
        (b'{"game": "golf", "seat": "0x1"}', 422),
        (b'{"game": "golf", "people": 0}', 422),
        (b'{"game": "golf", "people": 99}', 422),
        (b'{"game": "golf", "opponents": "random"}', 422),
        (b'{"game": "golf", "opponents": [1]}', 422),
        (b'{"game": "golf", "opponents": ["random", "random", "random", "random"]}', 422),
        (b'{"game": "golf", "opponent": ["random"]}', 422),
        (b'{"game": ["golf"]}', 422),
        (b'{"game": "golf\\u0000"}', 422),
        (b'{"game": "%s"}' % (b"g" * 1000), 422),
        (b'{"game": "os"}', 422),
        (b'{"game": "os.path"}', 422),
        (b'{"game": "sparring.games.golf"}', 422),
        (b'{"game": "golf", "rules": "holes=1"}', 422),
        (b'{"game": "hearts", "rules": "rounds=-1"}', 422),
        (b'{"game": "hearts", "rules": "rounds"}', 422),
        (b'{"game": "conquest", "rules": "map=/etc/passwd"}', 422),
        (b'{"game": "conquest", "rules": "map=../outside.log"}', 422),
        (b'{"game": "conquest", "rules": "map=no-such-file"}', 422),
    ],
)
def test_a_table_that_cannot_be(client, caplog, body, status):
    answer = client.post("/api/tables", content=body, headers={"content-type": "application/json"})
    sentence = check_refused(answer, status, caplog)
    assert "root:" not in sentence


def test_a_rule_that_names_a_file_says_the_same_whether_it_is_there_or_not(client, tmp_path):
    said = []
    (tmp_path / "there").write_text("secret")
    for name in ("there", "not-there"):
        body = {"game": "conquest", "rules": f"map={tmp_path / name}"}
        said.append(client.post("/api/tables", json=body).json()["error"].replace(name, "NAME"))
    assert said[0] == said[1]
    assert "secret" not in said[0]


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../outside.log",
        "runs/../outside",
        "runs//etc",
        "runs/folder-out/runs",
        "runs/.",
        "runs/",
        "net",
        "gnubg",
        "greedier@5",
        "random+1ply",
        "monte-carlo@999999",
        "a\x00b",
        "x" * 600,
        "",
    ],
)
def test_players_that_may_not_be_named(client, caplog, name):
    answer = client.post("/api/tables", json={"game": "golf", "opponents": [name]})
    check_refused(answer, (404, 422), caplog)


@pytest.mark.parametrize(
    "search",
    [
        "monte-carlo@1001",
        "monte-carlo@0",
        "monte-carlo@-1",
        "monte-carlo@" + "9" * 400,
        "careful+search@1001",
        "careful+search@3s",
        "careful+search",
        "careful+flat@5+flat@5",
        "x+flat@5",
    ],
)
def test_players_that_would_search_for_ages(client, caplog, search):
    check_refused(client.post("/api/tables", json={"game": "gin", "opponents": [search]}), 422, caplog)


@pytest.mark.parametrize("id", ["x", "a" * 24, "A" * 200, "%2e%2e%2fetc", "..", "%00", "🂡" * 24])
def test_forged_tables_are_not_found(client, caplog, id):
    check_refused(client.get(f"/api/tables/{id}/hint"), 404, caplog)
    check_refused(client.post(f"/api/tables/{id}/move", json={"move": 0, "number": 0}), 404, caplog)


@pytest.mark.parametrize(
    "path",
    [
        "/reports/../outside.html",
        "/reports/%2e%2e/outside.html",
        "/reports/..%2foutside.html",
        "/reports//etc/passwd",
        "/reports/leads-out.html",
        "/reports/folder-out/outside.html",
        "/reports/results.sqlite",
        "/reports/report.html%00",
        "/api/logs/../outside.log",
        "/api/logs/%2e%2e/outside.log",
        "/api/logs/leads-out.log",
        "/api/logs/folder-out/outside.log",
        "/api/logs/results.sqlite",
        "/api/logs/tables/nothing.json",
        "/api/logs/none.log/mistakes",
        "/api/runs/../outside",
        "/api/runs/%2e%2e",
        "/api/runs/folder-out",
        "/api/runs/tables",
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/api/nothing",
        "/.git/config",
    ],
)
def test_files_outside_are_not_found(client, caplog, path):
    answer = client.get(path)
    check_refused(answer, 404, caplog)
    assert "secret" not in answer.text
    assert "import" not in answer.text


def test_logs_that_are_none_of_ours_are_refused_and_the_rest_listed(client, caplog):
    check_refused(client.get("/api/logs/broken.log"), 422, caplog)
    check_refused(client.get("/api/logs/binary.log"), 422, caplog)
    names = [log["name"] for log in client.get("/api/logs").json()]
    assert "leads-out.log" not in names


def test_reports_are_listed_by_title_and_served_shut_off(client):
    assert {"name": "report.html", "title": "A & B"} in client.get("/api/reports").json()
    answer = client.get("/reports/report.html")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts")
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_page_comes_with_a_strict_policy(client):
    answer = client.get("/api/games")
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert "script-src" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_bodies_that_are_too_large_are_refused_with_and_without_their_length(client, caplog):
    large = json.dumps({"game": "g" * (LARGEST + 1)})
    check_refused(client.post("/api/tables", content=large), 413, caplog)
    caplog.clear()
    check_refused(client.post("/api/tables", content=(b" " * 1000 for _ in range(70))), 413, caplog)
    check_refused(client.post("/api/tables", content=b"{}", headers={"content-length": "x"}), 413, caplog)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8421", "127.0.0.1.evil.example", "", "[::1", "10.0.0.1"]
)
def test_other_names_of_this_machine_are_refused(client, caplog, host):
    check_refused(client.get("/api/games", headers={"host": host}), 421, caplog)


@pytest.mark.parametrize("host", [PLACE, "localhost:8421", "[::1]:8421", "localhost"])
def test_loopback_is_answered(client, host):
    assert client.get("/api/games", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": f"http://{PLACE}.evil.example"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_other_sites_cannot_ask_in_a_persons_name(client, caplog, table, headers):
    body = {"move": table["legal"][0]["move"], "number": table["number"]}
    check_refused(client.post(f"/api/tables/{table['id']}/move", json=body, headers=headers), 403, caplog)
    asked = client.websocket_connect(f"ws://{PLACE}/ws/tables/{table['id']}", headers=headers)
    with pytest.raises(WebSocketDenialResponse) as denied, asked:
        pass
    assert denied.value.status_code == 403


def test_the_page_of_this_server_may_ask(client):
    assert client.get("/api/tables", headers={"origin": f"http://{PLACE}"}).status_code == 200


def test_a_person_is_known_by_a_cookie_that_scripts_and_other_sites_do_not_get(client):
    fresh = another(client)
    cookie = fresh.get("/api/games").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "set-cookie" not in fresh.get("/api/games").headers
    assert "set-cookie" not in another(client).get("/", headers={"sec-fetch-site": "cross-site"}).headers
    forged = another(client)
    forged.cookies.set("sparring", "short", domain="127.0.0.1")
    assert "set-cookie" in forged.get("/api/games").headers


def test_a_cookie_that_was_made_up_is_nobody(client, table):
    forged = another(client)
    forged.cookies.set("sparring", "A" * 32, domain="127.0.0.1")
    assert move(forged, table).status_code == 403
    kept = json.loads(client.app.state.registry.folder.joinpath(f"{table['id']}.json").read_text())
    forged.cookies.set("sparring", kept["owner"], domain="127.0.0.1")  # what lies on disk is not what opens the seat
    assert move(forged, table).status_code == 403


def test_with_a_token_everything_asks_for_it(runs, caplog):
    with application(runs, token="a-long-token-of-this-server", local=False) as browser:
        for path in ("/", "/api/games", "/static/style.css", "/reports/report.html", "/?token=wrong"):
            check_refused(browser.get(path, headers={"host": "lab.example"}), 401, caplog)
        with pytest.raises(WebSocketDenialResponse) as denied, socket(browser, "/ws/tables/x"):
            pass
        assert denied.value.status_code == 401
        bearer = {"authorization": "Bearer a-long-token-of-this-server"}
        assert browser.get("/api/games", headers=bearer).status_code == 200
        assert browser.get("/api/games", params={"token": "a-long-token-of-this-server"}).status_code == 401
        entered = browser.get("/", params={"token": "a-long-token-of-this-server"}, follow_redirects=False)
        assert (entered.status_code, entered.headers["location"]) == (303, "/")
        assert "HttpOnly" in entered.headers["set-cookie"]
        assert browser.get("/api/games").status_code == 200
        foreign = {"origin": "http://evil.example"}
        assert browser.post("/api/tables", json={"game": "golf"}, headers=foreign).status_code == 403
        assert "a-long-token" not in caplog.text


def test_sockets_of_tables_and_runs_that_are_not_there_are_closed(client):
    for path in ("/ws/tables/forged", f"/ws/tables/{'a' * 24}", "/ws/runs/none", "/ws/runs/..%2foutside"):
        with socket(client, path) as line, pytest.raises(WebSocketDisconnect) as closed:
            line.receive_text()
        assert closed.value.code == 4404


def test_one_person_cannot_take_all_sockets_and_lines_are_given_back(client, table):
    lines = client.app.state.lines
    lines.by_person[client_hash(client, table)] += 100
    with pytest.raises(WebSocketDenialResponse) as denied, socket(client, f"/ws/tables/{table['id']}"):
        pass
    assert denied.value.status_code == 503
    lines.by_person.clear()
    with socket(client, f"/ws/tables/{table['id']}") as line:
        assert line.receive_json()["number"] == 0
        assert lines.open == 1


def client_hash(client, table):
    return client.app.state.registry.find(table["id"]).owner


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "golf", "name": "../x"}, "name"),
        ({"game": "golf", "name": "tables"}, "name"),
        ({"game": "golf", "name": "x", "learner": "os"}, "learner"),
        ({"game": "golf", "name": "x", "trials": 0}, "trials"),
        ({"game": "golf", "name": "x", "trials": 10**9}, "trials"),
        ({"game": "golf", "name": "x", "options": []}, "options"),
        ({"game": "golf", "name": "x", "options": {"epochs": "many"}}, "epochs"),
        ({"game": "golf", "name": "x", "options": {"epochs": -1}}, "epochs"),
        ({"game": "golf", "name": "x", "options": {"epochs": [1]}}, "epochs"),
        ({"game": "golf", "name": "x", "options": {"benchmark": "/etc/passwd"}}, "benchmark"),
        ({"game": "golf", "name": "x", "options": {"nothing": 1}}, "nothing"),
        ({"game": "golf", "name": "x", "learner": "neat", "options": {"config": "/etc/passwd"}}, "files"),
        ({"game": "hearts", "name": "x", "learner": "curriculum", "options": {"before": "/etc/passwd"}}, "files"),
        ({"game": "os.path", "name": "x"}, "game"),
        ({"game": "golf", "name": "x", "seed": -1}, "seed"),
    ],
)
def test_runs_that_cannot_be_started(client, runs, caplog, body, words):
    sentence = check_refused(client.post("/api/runs", json=body), 422, caplog)
    assert words in sentence
    assert not (runs / "x").exists()


@pytest.mark.parametrize("path", ["/api/tables", "/api/watch", "/api/runs"])
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_other_ways_to_ask_are_refused(client, caplog, path, method):
    check_refused(client.request(method, path), 405, caplog)


@pytest.mark.parametrize(
    "words", ["game=-1", "game=1e9", "game=x", "game=0&game=&x=1", "number=9", "game=" + "9" * 5000, "game=٣"]
)
def test_queries_that_make_no_sense(client, caplog, words):
    check_refused(client.get(f"/api/logs/broken.log?{words}"), 422, caplog)


def test_what_is_logged_stays_one_line(client, caplog):
    client.get("/api/tables/x%0aERROR everything is lost")
    assert all("\n" not in line.getMessage() for line in caplog.records)


def test_too_many_games_of_one_person_are_refused(client, monkeypatch, caplog):
    monkeypatch.setattr("sparring.web.table_registry.MOST_OPEN", 2)
    mallory = another(client)
    answers = [mallory.post("/api/tables", json={"game": "golf", "opponents": ["random"]}) for _ in range(3)]
    assert [answer.status_code for answer in answers[:2]] == [200, 200]
    check_refused(answers[2], 429, caplog)


def test_httpx_does_not_tidy_paths_before_they_are_sent():
    assert "%2e%2e" in str(httpx.URL("http://x/reports/%2e%2e/outside.html"))
