"""What stands before every request: where it comes from, whether it has the token, how large it is, and who asks.

A page of another site cannot ask in a person's name (its Origin is another), nor under a name of its own that leads here
(on loopback, Host must be one of loopback's). Whoever comes first gets a random id in a cookie; only its hash is kept.
"""

import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from sparring.web.refusals import LARGEST, refused

PERSON, TOKEN = "sparring", "sparring-token"  # cookies
LOOPBACK = ("127.0.0.1", "localhost", "::1")
PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{22,64}")
YEAR = 365 * 24 * 3600
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'self'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def is_loopback(host: str) -> bool:
    return host in LOOPBACK


class Guard:
    """Refuses what may not pass, and tells the rest who is asking: `scope["person"]`."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], token: str | None) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        cookies = read_cookies(asked.headers)
        said = self.refusal(asked, cookies)
        if said:
            scope.setdefault("extensions", {})
            await refused(asked, *said)(scope, receive, _under(send, HEADERS, "", scope))
            return
        if self.enters(asked):
            await self.welcome(scope)(scope, receive, send)
            return
        known = cookies.get(PERSON, "")
        known = known if PLAIN_ID.fullmatch(known) else ""
        given = known or secrets.token_urlsafe(24)
        scope["person"] = hashlib.sha256(given.encode()).hexdigest()[:32]
        fresh = not known and asked.headers.get("sec-fetch-site") != "cross-site"
        await self.app(scope, receive, _under(send, HEADERS, given if fresh else "", scope))

    def refusal(self, asked: HTTPConnection, cookies: dict[str, str]) -> tuple[int, str] | None:
        """Why a request may not pass: a status and a sentence."""
        host = asked.headers.get("host", "")
        if self.token is None and not is_loopback(_name(host)):
            return 421, "this server is asked as 127.0.0.1 or localhost"
        origin = asked.headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, "another site may not ask in your name"
        if asked.headers.get("sec-fetch-site") == "cross-site" and asked.scope["path"] != "/":
            return 403, "another site may not ask in your name"
        length = asked.headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > LARGEST:
            return 413, f"a request carries at most {LARGEST:,} bytes"
        if self.token is not None and not self.has_token(asked, cookies):
            return 401, "this server asks for its token: open the address that it printed when it started"
        return None

    def has_token(self, asked: HTTPConnection, cookies: dict[str, str]) -> bool:
        offered = [cookies.get(TOKEN, ""), asked.headers.get("authorization", "").removeprefix("Bearer ")]
        if asked.scope["path"] == "/":
            offered.append(QueryParams(asked.scope.get("query_string", b"")).get("token", ""))
        return any(compare_digest(word.encode(), (self.token or "").encode()) for word in offered)

    def enters(self, asked: HTTPConnection) -> bool:
        """Whether a request brings the token in its address."""
        return bool(self.token) and asked.scope["path"] == "/" and b"token=" in asked.scope.get("query_string", b"")

    def welcome(self, scope: Scope) -> Response:
        """From then on the cookie has the token, not the address."""
        response = RedirectResponse("/", 303, HEADERS)
        secure = scope.get("scheme") == "https"
        response.set_cookie(TOKEN, self.token or "", YEAR, httponly=True, samesite="lax", secure=secure)
        return response


def read_cookies(headers: Headers) -> dict[str, str]:
    """The cookies of a request; of ones that cannot be read, none."""
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _name(host: str) -> str:
    """A Host header without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _under(send: Send, headers: dict[str, str], person: str, scope: Scope) -> Send:
    """Send an answer with these headers where it has none of its own, and with a new person's cookie."""

    async def send_with(message: MutableMapping[str, Any]) -> None:
        if message["type"] in ("http.response.start", "websocket.accept"):
            message.setdefault("headers", [])
            mutable = MutableHeaders(
                raw=message["headers"] if isinstance(message["headers"], list) else list(message["headers"])
            )
            if message["type"] == "http.response.start":
                for name, value in headers.items():
                    mutable.setdefault(name, value)
            if person:
                secure = "; Secure" if scope.get("scheme") in ("https", "wss") else ""
                told = f"{PERSON}={person}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict{secure}"
                mutable.append("set-cookie", told)
            message["headers"] = mutable.raw
        await send(message)

    return send_with
