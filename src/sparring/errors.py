"""Errors that users see, each in one line."""

import errno
import reprlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unicodedata import category


class OneLine(Exception):
    """An error whose message is one line of at most 1000 characters, without control characters."""

    def __init__(self, message: str = "") -> None:
        line = plain(" ".join(message.split("\n")))
        super().__init__(line if len(line) <= MOST_LINE else f"{line[: MOST_LINE - 300]} ... {line[-290:]}")


class UserError(OneLine):
    """Bad input. The message names the thing and the place and says what would be right. Exit status 2."""


class Failure(OneLine):
    """A failure that the user did not cause, such as a full disk. Exit status 1."""


class Stopped(OneLine):
    """Ctrl-C was pressed. The message says how to resume. Exit status 130."""


LONGEST = 80  # characters of a value in an error message
MOST_LINE = 1000  # characters of a message
_BRIEF = reprlib.Repr()
_BRIEF.maxlevel, _BRIEF.maxdict = 2, 3
_BRIEF.maxstring = _BRIEF.maxother = _BRIEF.maxlong = LONGEST - 3


def cut(value: object) -> str:
    """The repr of a value on one line, cut to 80 characters."""
    try:
        text = _BRIEF.repr(value)
    except ValueError:  # Python writes no integer of thousands of digits
        text = f"a large {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def cut_text(text: str) -> str:
    """A text, escaped and cut like a value but without quotes."""
    return cut(text)[1:-1]


def plain(text: str) -> str:
    """A text that does nothing to a terminal but fill its lines: control characters are escaped."""
    return "".join(
        sign if sign.isprintable() or sign == "\n" or category(sign) == "Zs" else cut_text(sign) for sign in text
    )


@contextmanager
def errors_at(place: str) -> Iterator[None]:
    """In this block, messages of UserErrors begin with a place."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{place}{error}") from None


@contextmanager
def writing(path: Path, advice: str) -> Iterator[None]:
    """In this block, errors of the system become `unwritable`."""
    try:
        yield
    except OSError as error:
        raise unwritable(path, error, advice) from None


def unwritable(path: Path, error: OSError, advice: str) -> UserError | Failure:
    """The error for a file that cannot be written: a Failure if the disk is full or broken, else a UserError."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return Failure(f"{path}: cannot be written ({error.strerror}); {advice}")
    return UserError(f"{path}: cannot be written ({error.strerror}); choose another place")


def remark(text: str) -> None:
    """Print a line of information to standard error."""
    print(plain(text), file=sys.stderr)
