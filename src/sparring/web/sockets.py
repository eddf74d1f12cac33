"""Open sockets: their number is limited, and each has a queue of messages to send."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sparring.web.refusals import Refusal

MOST = 200  # open sockets
SEATED = 50  # more for players at their own tables, so that watchers cannot keep them out
EACH = 30  # per person
WAITING = 64  # queued messages; slow readers miss the oldest


class Line:
    """One open socket of a person."""

    def __init__(self, socket: WebSocket, person: str) -> None:
        self.socket, self.person = socket, person
        self.queue: asyncio.Queue[str] = asyncio.Queue(WAITING)

    def put(self, text: str) -> None:
        if self.queue.full():
            self.queue.get_nowait()
        self.queue.put_nowait(text)

    async def send_all(self) -> None:
        while True:
            await self.socket.send_text(await self.queue.get())


class Lines:
    """All open sockets."""

    def __init__(self) -> None:
        self.open = 0
        self.by_person: Counter[str] = Counter()

    @contextmanager
    def room(self, person: str, seated: bool) -> Iterator[None]:
        """Count one more socket; refused if there are too many."""
        if self.open >= MOST + SEATED * seated or self.by_person[person] >= EACH:
            raise Refusal(503, "too many connections are open; try again later")
        self.open += 1
        self.by_person[person] += 1
        try:
            yield
        finally:
            self.open -= 1
            self.by_person[person] -= 1
            if self.by_person[person] <= 0:
                del self.by_person[person]


async def hold(line: Line, *work: Callable[[], Awaitable[None]]) -> None:
    """Keep a socket open until the browser disconnects, and run `work` meanwhile. Messages from the browser are ignored."""
    tasks = [asyncio.ensure_future(job()) for job in (line.send_all, lambda: _until_closed(line.socket), *work)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.add_done_callback(_ignore_error)
            task.cancel()
        with suppress(RuntimeError, WebSocketDisconnect):
            if line.socket.client_state is WebSocketState.CONNECTED:
                await line.socket.close()


def _ignore_error(task: "asyncio.Future[None]") -> None:
    """Ignore errors of sending: the browser has disconnected."""
    if not task.cancelled():
        task.exception()


async def _until_closed(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
