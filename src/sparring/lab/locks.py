"""Locks on files, which the system releases when a process ends in whatever way."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from sparring.errors import UserError, cut_text, writing


def locked(file: IO[Any]) -> bool:
    """Lock a file until it is closed; False if another process has locked it. True where there are no locks."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        pass
    return True


@contextmanager
def held(path: Path, what: str) -> Iterator[None]:
    """Hold a lock file, which says who holds it; refused while another process does."""
    with writing(path, "free some space, then resume"):
        file = path.open("a+")
    with file:
        if not locked(file) or not os.fstat(file.fileno()).st_nlink:  # held, or removed by its holder just now
            file.seek(0)
            raise UserError(
                f"{what}: in use by {cut_text(file.read(200)) or 'another process'}; wait for it, or stop it"
            )
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()
