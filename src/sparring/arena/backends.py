"""Backends by name: `cpu`, this machine's cores; `cuda`, its GPU; `ray`, a cluster; `auto`, the GPU where there is one."""

from collections.abc import Iterator
from contextlib import contextmanager

from sparring.errors import UserError
from sparring.kernel.backend import IN_USE, Backend

BACKENDS = ("cpu", "cuda", "ray", "auto")


def find_backend(word: str) -> Backend | None:
    """A backend by its name; None for this machine's cores."""
    if word not in BACKENDS:
        raise UserError(f"backend = {word!r}: must be one of {', '.join(BACKENDS)}")
    if word in ("cuda", "auto"):
        from sparring.kernel import cuda

        return cuda.Cuda() if word == "cuda" or not cuda.why_not() else None
    if word == "ray":
        from sparring.arena.cluster import Cluster

        return Cluster()
    return None


@contextmanager
def using(word: str) -> Iterator[None]:
    """Play on this backend until the block ends."""
    token = IN_USE.set(find_backend(word))
    try:
        yield
    finally:
        IN_USE.reset(token)
