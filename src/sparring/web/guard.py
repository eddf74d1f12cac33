"""Checks of every request: origin, token, size and person.

Every request needs the server's token: other users of this machine reach loopback too. A page of another site cannot send
requests on a person's behalf (its Origin differs), nor through a host name of its own that resolves to this machine (on
loopback, Host must be a loopback name). A new visitor gets a random id in a cookie; the server keeps only its hash.
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
from starlette.responses import RedirectResponse

from sparring.web.refusals import largest, refused, too_large

PERSON, TOKEN = "sparring", "sparring-token"  # cookies; that of the token ends with the port, which browsers ignore
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
    """Refuses bad requests and sets `scope["person"]` for the others."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], token: str | None, local: bool) -> None:
        self.app, self.token, self.local = app, token, local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        cookies = read_cookies(request.headers)
        reason = self.refusal(request, cookies)
        if reason:
            scope.setdefault("extensions", {})
            await refused(request, *reason)(scope, receive, _with_headers(send, "", scope))
            return
        if self.token and scope["path"] == "/" and b"token=" in scope.get("query_string", b""):
            moved = RedirectResponse("/", 303, HEADERS)  # the token moves from the address to a cookie
            secure = scope.get("scheme") == "https"
            moved.set_cookie(_token_cookie(request), self.token, YEAR, httponly=True, samesite="lax", secure=secure)
            await moved(scope, receive, send)
            return
        known = cookies.get(PERSON, "")
        known = known if PLAIN_ID.fullmatch(known) else ""
        person = known or secrets.token_urlsafe(24)
        scope["person"] = hashlib.sha256(person.encode()).hexdigest()[:32]
        new = not known and request.headers.get("sec-fetch-site") != "cross-site"
        await self.app(scope, receive, _with_headers(send, person if new else "", scope))

    def refusal(self, request: HTTPConnection, cookies: dict[str, str]) -> tuple[int, str] | None:
        """Why a request is refused: a status and a sentence."""
        headers, host = request.headers, request.headers.get("host", "")
        if self.local and not is_loopback(_host_part(host, "hostname")):
            return 421, "this server answers only to 127.0.0.1 and localhost"
        foreign = headers.get("origin", f"http://{host}") not in (f"http://{host}", f"https://{host}")
        if foreign or (headers.get("sec-fetch-site") == "cross-site" and request.scope["path"] != "/"):
            return 403, "another site may not send requests on your behalf"
        length = headers.get("content-length", "0")
        most = largest(request.scope["path"])
        if not length.isdecimal() or len(length) > 12 or int(length) > most:
            return 413, too_large(most).sentence
        if self.token is not None and not self.has_token(request, cookies):
            return 401, "this server requires its token: open the address that it printed when it started"
        return None

    def has_token(self, request: HTTPConnection, cookies: dict[str, str]) -> bool:
        offered = [
            cookies.get(_token_cookie(request), ""),
            request.headers.get("authorization", "").removeprefix("Bearer "),
        ]
        if request.scope["path"] == "/":
            offered.append(QueryParams(request.scope.get("query_string", b"")).get("token", ""))
        return any(compare_digest(word.encode(), (self.token or "").encode()) for word in offered)


def read_cookies(headers: Headers) -> dict[str, str]:
    """The cookies of a request; none if they are malformed."""
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _host_part(host: str, part: str) -> str:
    """The host name or the port of a Host header."""
    try:
        return str(getattr(urlsplit(f"//{host}"), part) or "")
    except ValueError:
        return ""


def _token_cookie(request: HTTPConnection) -> str:
    return f"{TOKEN}-{_host_part(request.headers.get('host', ''), 'port')}"


def _with_headers(send: Send, person: str, scope: Scope) -> Send:
    """Send a response with our default headers, and with the cookie of a new person."""

    async def send_with(message: MutableMapping[str, Any]) -> None:
        if message["type"] in ("http.response.start", "websocket.accept"):
            headers = MutableHeaders(raw=list(message.get("headers", [])))
            if message["type"] == "http.response.start":
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            if person:
                secure = "; Secure" if scope.get("scheme") in ("https", "wss") else ""
                cookie = f"{PERSON}={person}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict{secure}"
                headers.append("set-cookie", cookie)
            message["headers"] = headers.raw
        await send(message)

    return send_with
