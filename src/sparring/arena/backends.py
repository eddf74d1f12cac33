"""Backends by name: `cpu`, this machine's cores; `cuda`, its GPU; `ray`, a cluster; `auto`, the GPU where there is one."""

from collections.abc import Iterator
from contextlib import contextmanager

from sparring.errors import UserError
from sparring.kernel.backend import CPU, IN_USE, Backend

BACKENDS = ("cpu", "cuda", "ray", "auto")


def find_backend(word: str) -> Backend:
    """A backend by its name."""
    if word not in BACKENDS:
        raise UserError(f"backend = {word!r}: must be one of {', '.join(BACKENDS)}")
    if word in ("cuda", "auto"):
        from sparring.kernel.cuda import Cuda, why_not

        return Cuda() if word == "cuda" or not why_not() else CPU
    if word == "ray":
        from sparring.arena.cluster import Cluster

        return Cluster()
    return CPU


@contextmanager
def use_backend(word: str) -> Iterator[None]:
    """Use this backend until the block ends, then close it."""
    backend = find_backend(word)
    token = IN_USE.set(backend)
    try:
        yield
    finally:
        IN_USE.reset(token)
        backend.close()
