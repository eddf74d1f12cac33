"""Connections that send half a request, or nothing, or too much: closed in time, one line each in the log, others served."""

import asyncio
import socket
import threading
from contextlib import contextmanager

import pytest
import uvicorn

from sparring.web import server as web
from sparring.web.server import configure, create_app, listen
from web_server import wait_for

HOST = b"Host: 127.0.0.1\r\n"
GET = b"GET /api/learners HTTP/1.1\r\n" + HOST + b"\r\n"
POST = b"POST /api/tables HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
HALVES = {
    "nothing": b"",
    "half a line": b"GET /api/lea",
    "half the headers": b"GET / HTTP/1.1\r\nHost: x\r\nX-More: ",
    "half a body": POST + b"Content-Length: 1000\r\n\r\n{",
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n400\r\n{",
    "another request by half": GET + b"GET /api/lea",
}


@pytest.fixture
def hurry(monkeypatch):
    """Patience ends when this is called, so that a test whose own thread is slow is not taken for a slow client."""
    monkeypatch.setattr(web, "SILENCE", 300.0)
    monkeypatch.setattr(web, "LOOK", 0.1)
    return lambda seconds=0.1: monkeypatch.setattr(web, "SILENCE", seconds)


@contextmanager
def running(app):
    """The server in a thread; the port."""
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(configure(app))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        wait_for(lambda: server.started)
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(300)
        assert not thread.is_alive()


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=300)


def until_closed(connection):
    """All bytes until the server closes; a connection that stays open is an error."""
    found = b""
    try:
        while part := connection.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found


def check_log(caplog):
    assert not [record for record in caplog.records if record.exc_info or "Traceback" in record.getMessage()]


@pytest.mark.parametrize("half", HALVES)
def test_half_a_request_is_not_waited_for(half, hurry, tmp_path, caplog):
    with running(create_app(tmp_path, warm=False)) as port, connect(port) as slow:
        slow.sendall(HALVES[half])
        hurry()
        answered = until_closed(slow)
        hurry(300.0)
        assert (b"200 OK" in answered) == HALVES[half].startswith(GET)
        with connect(port) as other:
            other.sendall(GET)
            assert other.recv(12) == b"HTTP/1.1 200"
    check_log(caplog)
    assert any("sent no whole request" in record.getMessage() for record in caplog.records)


def test_a_body_that_trickles_is_not_waited_for(hurry, tmp_path, caplog):
    with running(create_app(tmp_path, warm=False)) as port, connect(port) as slow:
        slow.sendall(POST + b"Content-Length: 60000\r\n\r\n")
        hurry()
        slow.settimeout(0.05)
        for _ in range(6000):
            try:
                slow.sendall(b" ")
                if not slow.recv(10):
                    break
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break
        else:
            raise AssertionError("it was waited for")
    check_log(caplog)


def test_a_response_that_takes_long_is_waited_for(hurry):
    async def app(scope, receive, send):
        if scope["type"] == "http":
            await asyncio.sleep(1.5)
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    with running(app) as port, connect(port) as patient:
        patient.sendall(GET)
        hurry()
        assert patient.recv(12) == b"HTTP/1.1 204"


def test_a_response_that_nobody_reads_is_not_kept(hurry, caplog):
    ended = threading.Event()

    async def app(scope, receive, send):
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            for _ in range(1000):
                await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
            ended.set()

    with running(app) as port, connect(port) as deaf:
        deaf.sendall(GET)
        hurry()
        assert ended.wait(300)
    assert any("read no response" in record.getMessage() for record in caplog.records)


def test_an_aborted_request_is_one_line_in_the_log(tmp_path, caplog):
    with running(create_app(tmp_path, warm=False)) as port:
        with connect(port) as hasty:
            hasty.sendall(HALVES["half a body"])
        wait_for(lambda: "closed in the middle of the request" in caplog.text)
    check_log(caplog)


@pytest.mark.parametrize("data", [b"\r\n" * 9 + b"X" * 40_000, b"GET / HTTP/1.1\r\n" + b"X-A: " + b"a" * 20_000])
def test_headers_that_are_too_long_are_refused(data, tmp_path, caplog):
    with running(create_app(tmp_path, warm=False)) as port, connect(port) as long:
        long.sendall(data)
        assert until_closed(long)[:12] in (b"HTTP/1.1 400", b"")
    check_log(caplog)


def test_nonsense_after_a_request_is_quiet(tmp_path, caplog):
    with running(create_app(tmp_path, warm=False)) as port, connect(port) as odd:
        odd.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n")
        until_closed(odd)
    check_log(caplog)
