"""The web server and its application."""

import asyncio
import ipaddress
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import cast

import h11
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, ExceptionHandler
from uvicorn.protocols.http.h11_impl import H11Protocol

from sparring.errors import Failure, UserError, cut_text, writing
from sparring.lab.experiment import OWN
from sparring.lab.store import Store
from sparring.nets.files import replace_file
from sparring.reading import read_text
from sparring.web import imports, library, playing, replaying, training
from sparring.web.executor import Work
from sparring.web.guard import PLAIN_ID, Guard, is_loopback
from sparring.web.refusals import LARGEST, Refusal, answer, log, not_found
from sparring.web.runners import Runners
from sparring.web.sockets import Lines
from sparring.web.table_registry import TableRegistry
from sparring.web.trainer import FOLDER

STATIC = Path(__file__).parent / "static"
SILENCE = 15.0  # seconds within which a connection must send a whole request
LOOK = 5.0  # seconds between two looks at a connection
LONGEST_HEADERS = 16 * 1024  # bytes of a request's headers
FILES = 4096  # open files allowed; connections are files too


def create_app(
    runs: Path, token: str | None = None, warm: bool = True, local: bool = True, trainings: bool = True
) -> FastAPI:
    """The application for a folder of runs. With a token, every request must have it; `local` if it serves only loopback.

    Without `trainings`, none can be started, stopped or resumed from the page.
    """
    runs = runs.resolve()
    store = Store(runs)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        work = Work()
        registry = app.state.registry = TableRegistry(runs, store, work, Path.cwd() if local else None)
        app.state.runners, app.state.lines = Runners(runs), Lines()
        await work.slow(registry.load)
        tasks = [asyncio.create_task(registry.resume())]
        if warm:
            tasks.append(asyncio.create_task(work.prepare_all()))
        yield
        for task in tasks:
            task.cancel()
        registry.close()
        await work.close()

    app = FastAPI(title="Sparring", docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    for part in (playing, imports, replaying, training, library):
        app.include_router(part.router)
    app.add_api_route("/", index, methods=["GET"])
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False))
    for kind in (Refusal, UserError, Failure, FileNotFoundError, HTTPException, Exception):
        app.add_exception_handler(kind, cast(ExceptionHandler, answer))  # answers both requests and sockets
    app.add_middleware(Guard, token=token, local=local)
    app.state.trainings = trainings
    return app


async def index(request: Request) -> Response:
    if not (STATIC / "index.html").is_file():
        raise not_found("page")
    return FileResponse(STATIC / "index.html")


class Protocol(H11Protocol):
    """Closes connections that do not send a whole request in time, or do not read what they are sent."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.since = self.moved = self.loop.time()  # of the last whole request, and of bytes that were last read
        self.unread = 0
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self.timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # the response has begun already
            self.transport.abort()

    def _watch(self) -> None:
        self.timer = self.loop.call_later(LOOK, self._check)

    def _check(self) -> None:
        if self.transport.get_protocol() is not self:  # a socket now
            return
        now, unread = self.loop.time(), self.transport.get_write_buffer_size()
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self.since = now
        if not unread or unread != self.unread:
            self.moved, self.unread = now, unread
        if now - self.since > SILENCE or now - self.moved > 4 * SILENCE:
            log.warning("closed a connection that sent no whole request, or read no response")
            self.transport.abort()
        else:
            self._watch()


def serve(runs: Path, host: str, port: int, ready: Callable[[str], None], trainings: bool = True) -> None:
    """Serve until stopped. `ready` is called with the address, which contains the token. Files are private."""
    os.umask(0o077)
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    for noisy in ("httpx", "asyncio", "matplotlib", "numba"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    local = is_loopback(host)
    make_private(runs)
    token = lasting_token(runs / FOLDER / "token") if local else secrets.token_urlsafe(24)
    app = create_app(runs, token, local=local, trainings=trainings)
    allow_files()
    listening = listen(host, port)
    address = address_of(host, listening.getsockname()[1], token)
    ready(address)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(configure(app)).run([listening])


def make_private(runs: Path) -> None:
    """Create the server's own folders; nobody else may look into them."""
    for folder in (runs / name for name in OWN):
        with writing(folder, "free some space, then try again"):
            folder.mkdir(0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)


def lasting_token(path: Path) -> str:
    """The token of a server on loopback, kept in a file so that browsers find their games after a restart."""
    with suppress(UserError):
        if PLAIN_ID.fullmatch(known := read_text(path, "a token", "ascii")):
            return known
    token = secrets.token_urlsafe(24)
    replace_file(path, token.encode())
    return token


def configure(app: ASGIApp) -> uvicorn.Config:
    """The limits of the server."""
    return uvicorn.Config(
        app, http=Protocol, log_level="warning", access_log=False, server_header=False, ws_max_size=LARGEST,
        ws_per_message_deflate=False, timeout_graceful_shutdown=2, h11_max_incomplete_event_size=LONGEST_HEADERS,
    )  # fmt: skip


def listen(host: str, port: int) -> socket.socket:
    """Open the socket to listen on."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as failing:
            # asyncio sends small responses immediately only if the protocol is TCP
            found = failing.enter_context(socket.socket(family, kind, protocol))
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(place)
            found.listen(1024)
            failing.pop_all()  # it stays open
    except (OSError, OverflowError, ValueError) as error:  # ValueError: a name that is too long
        raise UserError(
            f"--host {cut_text(host)} --port {port}: cannot listen there ({error}); choose another"
        ) from None
    return found


def address_of(host: str, port: int, token: str) -> str:
    """The address for a browser."""
    with suppress(ValueError):
        if ipaddress.ip_address(host).is_unspecified:
            host = socket.gethostname()
        elif ":" in host:
            host = f"[{host}]"
    return f"http://{host}:{port}/?token={token}"


def allow_files() -> None:
    """Allow a thousand open sockets, if the system does: each is a file."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
