"""What a person did wrong, said in one line."""

import errno
import reprlib
import sys
from pathlib import Path


class UserError(Exception):
    """Bad input: the message names the thing and the place and says what would be right. Exit status 2."""


class Failure(Exception):
    """Something failed that is not the user's doing, such as a full disk. Exit status 1."""


class Stopped(Exception):
    """Ctrl-C was pressed; the message says how to go on. Exit status 130."""


LONGEST = 80  # characters of a value that an error shows
_BRIEF = reprlib.Repr()
_BRIEF.maxlevel, _BRIEF.maxdict = 2, 3
_BRIEF.maxstring = _BRIEF.maxother = _BRIEF.maxlong = LONGEST - 3


def cut(value: object) -> str:
    """A value as an error shows it: as Python writes it, on one line and cut to 80 characters."""
    text = _BRIEF.repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def cut_text(text: str) -> str:
    """The same for a text, without quotes."""
    return cut(text)[1:-1]


def unwritable(path: Path, error: OSError, advice: str) -> UserError | Failure:
    """The error for a file that cannot be written: a full disk is nobody's doing, a wrong place is."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return Failure(f"{path}: cannot be written ({error.strerror}); {advice}")
    return UserError(f"{path}: cannot be written ({error.strerror}); choose another place")


def remark(text: str) -> None:
    """Something worth knowing that stops nothing: one line beside the results."""
    print(text, file=sys.stderr)
