"""Refused requests (a status and one logged sentence), and strict reading of request bodies and queries."""

import json
import logging
import math
import os
from collections.abc import Mapping
from typing import Any, NoReturn

from fastapi import Request, WebSocket
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection

from sparring.errors import Failure, UserError
from sparring.options import nearest

LARGEST = 64 * 1024  # bytes of a request's body
LARGEST_FILE = 512 * 1024  # bytes of a file of games
FILES = "/api/imports"  # takes files
LONGEST = 500  # characters of a string in it
UNKNOWN = 4404  # close code of a socket that is not found

log = logging.getLogger("sparring.web")


class Refusal(Exception):
    """A request that is refused."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


def not_found(what: str) -> Refusal:
    return Refusal(404, f"there is no such {what} here")


def refused(connection: HTTPConnection, status: int, sentence: str) -> JSONResponse:
    """Log a refused request on one line and return its response."""
    method = connection.scope.get("method", "socket")
    log.warning("refused with %d: %s %s: %s", status, method, ascii(connection.scope["path"])[:200], _line(sentence))
    return JSONResponse({"error": _line(sentence)}, status)


def _line(sentence: str) -> str:
    return " ".join(str(sentence).split())[:LONGEST]


async def answer(request: Request | WebSocket, error: Exception) -> JSONResponse | None:
    """The response to a request that raised an error."""
    method = request.scope.get("method", "socket")
    if isinstance(error, Refusal):
        response = refused(request, error.status, error.sentence)
        if isinstance(request, WebSocket) and error.status == 404:
            await request.accept()
            await request.close(UNKNOWN, error.sentence)  # browsers pass a close code to the page, but not a status
            return None
        return response
    if isinstance(error, UserError | Failure):
        return refused(request, 422 if isinstance(error, UserError) else 500, _without_folder(request, str(error)))
    if isinstance(error, FileNotFoundError):  # somebody deleted it after it was looked up
        return refused(request, 404, "a file was deleted just now; try again")
    if isinstance(error, HTTPException):
        reasons = {404: "there is no such page or resource", 405: f"the method {method} is not allowed here"}
        return refused(request, error.status_code, reasons.get(error.status_code, str(error.detail)))
    log.error("failed: %s %s", method, ascii(request.url.path)[:200], exc_info=error)
    return JSONResponse({"error": "an internal error occurred and nothing was changed; see the server's log"}, 500)


def _without_folder(request: Request | WebSocket, sentence: str) -> str:
    """A sentence that names files as they are named within the folder of runs; where that is concerns nobody else."""
    runs = request.app.state.registry.runs
    for folder in (runs.resolve(), runs.absolute(), runs):
        sentence = sentence.replace(f"{folder}{os.sep}", "")
    return sentence


def largest(path: str) -> int:
    """The bytes that a request of a path may have."""
    return LARGEST_FILE if path == FILES else LARGEST


async def read_raw(request: Request) -> bytes:
    """The bytes of a request's body."""
    data, most = b"", largest(request.scope["path"])
    try:
        async for part in request.stream():
            data += part
            if len(data) > most:
                raise too_large(most)
    except ClientDisconnect:
        raise Refusal(400, "the connection was closed in the middle of the request") from None
    return data


def too_large(most: int) -> Refusal:
    return Refusal(413, f"a request may have at most {most:,} bytes")


async def read_body(request: Request) -> "Payload":
    """The JSON object in a request's body; an empty body is an empty object."""
    data = await read_raw(request)
    try:
        values = json.loads(data, parse_constant=_refuse_constant) if data else {}
    except (ValueError, RecursionError):
        raise Refusal(400, "the request's body is not valid JSON") from None
    if type(values) is not dict:
        raise Refusal(400, "the request's body must be a JSON object")
    return Payload(values)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def query(request: Request, *keys: str) -> "Payload":
    """The query of a request's address."""
    return Payload(dict(request.query_params)).only(*keys)


class Payload:
    """The values of a request by key; a value of the wrong type or range is refused."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = dict(values)

    def only(self, *keys: str) -> "Payload":
        """Refuse other keys than these."""
        for key in self.values:
            if key not in keys:
                known = nearest(key[:40], list(keys)) if keys else "no keys are expected"
                raise Refusal(422, f"{key[:40]!r}: unknown key; {known}")
        return self

    def _get(self, key: str, default: Any) -> Any:
        value = self.values.get(key)
        return default if value is None else value

    def text(self, key: str, default: str | None = None) -> str:
        value = self._get(key, default)
        if not _is_text(value):
            raise Refusal(422, f"{key}: must be a string of at most {LONGEST} characters")
        return str(value)

    def texts(self, key: str, most: int) -> list[str]:
        value = self._get(key, [])
        if type(value) is not list or len(value) > most or not all(map(_is_text, value)):
            raise Refusal(422, f"{key}: must be a list of at most {most} strings")
        return list(value)

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """An integer; a query has it as digits."""
        value = self._get(key, default)
        if type(value) is str and value.isascii() and value.isdecimal() and len(value) < 20:
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            raise Refusal(422, f"{key}: must be an integer from {low} to {high}")
        return value

    def wholes(self, key: str, most: int) -> list[int]:
        value = self._get(key, [])
        if type(value) is not list or len(value) > most or not all(type(each) is int for each in value):
            raise Refusal(422, f"{key}: must be a list of at most {most} integers")
        return list(value)

    def number(self, key: str, low: float, high: float, default: float) -> float:
        value = self._get(key, default)
        if type(value) not in (int, float) or not low <= value <= high or not math.isfinite(value):
            raise Refusal(422, f"{key}: must be a number from {low:g} to {high:g}")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        value = self.values.get(key, default)
        if type(value) is not bool:
            raise Refusal(422, f"{key}: must be true or false")
        return value

    def table(self, key: str) -> dict[str, Any]:
        value = self._get(key, {})
        if type(value) is not dict or len(value) > 100:
            raise Refusal(422, f"{key}: must be an object of names and values")
        return dict(value)


def _is_text(value: Any) -> bool:
    return type(value) is str and len(value) <= LONGEST and value.isprintable()
