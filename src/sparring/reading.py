"""Reading files that a user, an option or another file names: regular files up to a size. A device has no end, and a pipe waits."""

import os
import stat
from pathlib import Path

from sparring.errors import UserError, cut

MOST_SETTINGS = 1 << 20  # bytes of an experiment, a configuration or a small JSON file
MOST_LOG = 1 << 32  # bytes of a log of games
LEAST = 1 << 16  # bytes that are read where the system states no size
_FLAGS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)  # where a pipe took the file's place just now


def as_path(place: str | Path, what: str) -> Path:
    """A path that a caller gave as the argument `what`."""
    if not isinstance(place, (str, Path)):
        raise UserError(f"{what} = {cut(place)}: must be a path")
    return Path(place)


def check_file(path: Path, most: int | None = None) -> None:
    """Refuse what is not a regular file of at most so many bytes."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):  # a name may have characters that no file's has
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "not a regular file"
        raise UserError(f"{path}: cannot be read ({kind})")
    if most is not None and found.st_size > most:
        raise _too_large(path, most)


def read_bytes(path: Path, most: int = MOST_SETTINGS) -> bytes:
    """The content of a regular file of at most so many bytes."""
    check_file(path, most)
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _FLAGS)) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(min(most, max(size, LEAST)) + 1) or b""
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if len(data) > most:  # files that the system makes up have no size
        raise _too_large(path, most)
    return data


def read_text(path: Path, what: str, encoding: str = "utf-8", most: int = MOST_SETTINGS) -> str:
    """The text of a regular file; `what` says in an error what it must be."""
    try:
        text = read_bytes(path, most).decode(encoding)
    except UnicodeDecodeError:
        raise UserError(f"{path}: not {what}: not {encoding.upper()} text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _too_large(path: Path, most: int) -> UserError:
    size = f"{most >> 20} MiB" if most >= 1 << 20 else f"{most >> 10} KiB"
    return UserError(f"{path}: larger than {size}")
