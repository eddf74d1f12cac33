"""Requests that are refused: a status and one sentence, logged; and what requests say, read with suspicion."""

import json
import logging
import math
from collections.abc import Mapping
from typing import Any, NoReturn

from fastapi import Request
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from sparring.errors import Failure, UserError
from sparring.options import nearest

LARGEST = 64 * 1024  # bytes of a request's body
LONGEST = 500  # characters of a text in it

log = logging.getLogger("sparring.web")


class Refusal(Exception):
    """A request that is refused."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


def not_found(what: str) -> Refusal:
    return Refusal(404, f"there is no such {what} here")


def refused(connection: HTTPConnection, status: int, sentence: str) -> JSONResponse:
    """The answer to a request that is refused, which is logged. What it asks for is written so that it stays one line."""
    method = connection.scope.get("method", "socket")
    log.warning("refused with %d: %s %s: %s", status, method, ascii(connection.scope["path"])[:200], _line(sentence))
    return JSONResponse({"error": _line(sentence)}, status)


def _line(sentence: str) -> str:
    return " ".join(str(sentence).split())[:LONGEST]


async def answer(request: Request, error: Exception) -> JSONResponse:
    """Every error as the answer it gets."""
    if isinstance(error, Refusal):
        return refused(request, error.status, error.sentence)
    if isinstance(error, UserError):
        return refused(request, 422, str(error))
    if isinstance(error, HTTPException):
        words = {404: "there is nothing here by this name", 405: f"this is not to be asked with {request.method}"}
        return refused(request, error.status_code, words.get(error.status_code, str(error.detail)))
    if isinstance(error, Failure):
        return refused(request, 500, str(error))
    log.error("failed: %s %s", request.method, ascii(request.url.path)[:200], exc_info=error)
    return JSONResponse({"error": "something failed here, and nothing was changed; the server's log has more"}, 500)


async def read_body(request: Request) -> "Told":
    """The JSON object that a request carries; none is an empty one."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > LARGEST:
            raise Refusal(413, f"a request carries at most {LARGEST:,} bytes")
    try:
        told = json.loads(data, parse_constant=_no_number) if data else {}
    except (ValueError, RecursionError):
        raise Refusal(400, "the request carries no JSON that can be read") from None
    if type(told) is not dict:
        raise Refusal(400, "the request must carry a JSON object")
    return Told(told)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


class Told:
    """What a request says, key by key; whatever is of the wrong kind is refused."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = dict(values)

    def only(self, *keys: str) -> "Told":
        """Refuse keys that are not among these."""
        for key in self.values:
            if key not in keys:
                raise Refusal(
                    422, f"{key[:40]!r}: unknown key; {nearest(key[:40], list(keys)) if keys else 'none is needed'}"
                )
        return self

    def text(self, key: str, usual: str | None = None) -> str:
        value = self.values.get(key, usual)
        value = usual if value is None else value
        if type(value) is not str or len(value) > LONGEST or not value.isprintable():
            raise Refusal(422, f"{key}: must be a text of at most {LONGEST} characters")
        return value

    def texts(self, key: str, most: int) -> list[str]:
        value = self.values.get(key)
        value = [] if value is None else value
        right = type(value) is list and len(value) <= most
        if not right or any(type(word) is not str or len(word) > LONGEST or not word.isprintable() for word in value):
            raise Refusal(422, f"{key}: must be a list of at most {most} texts")
        return list(value)

    def whole(self, key: str, low: int, high: int, usual: int | None = None) -> int:
        """A whole number; in a query it is written in digits."""
        value = self.values.get(key)
        value = usual if value is None else value
        if type(value) is str and value.isascii() and value.isdecimal() and len(value) < 20:
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            raise Refusal(422, f"{key}: must be a whole number from {low} to {high}")
        return value

    def number(self, key: str, low: float, high: float, usual: float) -> float:
        value = self.values.get(key)
        value = usual if value is None else value
        if type(value) not in (int, float) or not low <= value <= high or not math.isfinite(value):
            raise Refusal(422, f"{key}: must be a number from {low:g} to {high:g}")
        return float(value)

    def flag(self, key: str, usual: bool) -> bool:
        value = self.values.get(key, usual)
        if type(value) is not bool:
            raise Refusal(422, f"{key}: must be true or false")
        return value

    def table(self, key: str) -> dict[str, Any]:
        value = self.values.get(key)
        value = {} if value is None else value
        if type(value) is not dict or len(value) > 100:
            raise Refusal(422, f"{key}: must be an object of names and values")
        return dict(value)


def query(request: Request, *keys: str) -> Told:
    """What stands behind the question mark."""
    return Told(dict(request.query_params)).only(*keys)
