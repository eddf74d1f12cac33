"""Locks on files, which the system releases when a process ends in whatever way."""

from typing import IO, Any


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
