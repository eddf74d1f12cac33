"""The GPU: the same kernels, compiled for it by numba-cuda, with thousands of games at once."""

from sparring.errors import UserError
from sparring.kernel.backend import Backend


def why_not() -> str:
    """Why games cannot be played on a GPU here, in one line; empty where they can."""
    return "not yet"


class Cuda(Backend):
    """Plays on this machine's GPU."""

    name = "cuda"

    def __init__(self) -> None:
        if reason := why_not():
            raise UserError(f"backend = 'cuda': {reason}")
