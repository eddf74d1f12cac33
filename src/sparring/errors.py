"""What a person did wrong, said in one line."""

import errno
import sys
from pathlib import Path


class UserError(Exception):
    """Bad input: the message names the thing and the place and says what would be right. Exit status 2."""


class Failure(Exception):
    """Something failed that is not the user's doing, such as a full disk. Exit status 1."""


class Stopped(Exception):
    """Ctrl-C was pressed; the message says how to go on. Exit status 130."""


def unwritable(path: Path, error: OSError, advice: str) -> UserError | Failure:
    """The error for a file that cannot be written: a full disk is nobody's doing, a wrong place is."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return Failure(f"{path}: cannot be written ({error.strerror}); {advice}")
    return UserError(f"{path}: cannot be written ({error.strerror}); choose another place")


def remark(text: str) -> None:
    """Something worth knowing that stops nothing: one line beside the results."""
    print(text, file=sys.stderr)
