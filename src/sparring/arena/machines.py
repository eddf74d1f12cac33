"""The machines of a Ray cluster: connecting, their resources, and whether they run the same code."""

import logging
import os
import socket
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from sparring.errors import UserError, remark
from sparring.kernel.launch import threads_available

LOCAL = "local"  # Ray's name for a new cluster on this machine
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"  # HTTP/2 preface, the protocol of Ray
SETTINGS = 4  # the type of the frame that answers it


def import_ray() -> ModuleType:
    """Import Ray (extra `cluster`) with its messages reduced, and workers that get as much of a busy machine as we do."""
    os.environ.setdefault("RAY_worker_niceness", "0")  # Ray's 15 leaves them next to nothing there
    for name in ("USAGE_STATS_ENABLED", "DEDUP_LOGS", "COLOR_PREFIX", "ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"):
        os.environ.setdefault(f"RAY_{name}", "0")
    try:
        return import_module("ray")
    except ImportError:
        raise UserError("backend = 'ray': Ray is not installed; run: pip install 'sparring[cluster]'") from None


def connect(ray: ModuleType) -> bool:
    """Join the cluster of RAY_ADDRESS, or start one; returns False if this was done before."""
    if ray.is_initialized():
        return False
    address = os.environ.get("RAY_ADDRESS", "")
    options: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": True}
    if address and address != LOCAL:
        _check_reachable(address)
    else:
        address = LOCAL
        options |= {"num_cpus": threads_available(), "include_dashboard": False}
        remark("no RAY_ADDRESS: a cluster is started on this machine alone")
    try:
        ray.init(address, **options)
    except (OSError, RuntimeError, ValueError) as error:
        raise UserError(f"backend = 'ray': {address}: {first_line(error)}") from None
    return True


def _check_reachable(address: str) -> None:
    """Refuse an address where no Ray listens: Ray itself would try for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdecimal() or os.environ.get("RAY_USE_TLS") == "1":
        return  # a word of Ray's, such as auto, or a server that needs a certificate
    try:
        with socket.create_connection((host, int(port)), timeout=10) as line:
            line.sendall(GREETING)
            if line.recv(9)[3:4] != bytes([SETTINGS]):
                raise OSError("another program listens there")
    except (OSError, OverflowError) as error:
        raise UserError(f"backend = 'ray': no cluster at RAY_ADDRESS = {address} ({error})") from None


def first_line(error: Exception) -> str:
    """The first line of an error's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def shares(machines: list[dict[str, float]]) -> tuple[int, int, int]:
    """The number of workers, and the cores and GPUs of each."""
    if not machines:
        raise UserError("backend = 'ray': no machine of the cluster has a free core")
    with_gpu = [machine for machine in machines if machine.get("GPU", 0) >= 1]
    if with_gpu:
        cores = min(machine["CPU"] // machine["GPU"] for machine in with_gpu)
        return sum(int(machine["GPU"]) for machine in with_gpu), max(1, int(cores)), 1
    cores = int(min(machine["CPU"] for machine in machines))
    return sum(int(machine["CPU"] // cores) for machine in machines), cores, 0


def stamper() -> Callable[[], dict[str, str]]:
    """A function that identifies the code on a machine.

    A nested function is sent by value: the other machine may have another version of this module, or none.
    """

    def stamp() -> dict[str, str]:
        import hashlib
        import importlib.metadata
        import pathlib
        import platform

        try:
            sparring = importlib.import_module("sparring")
        except ImportError:
            return {}
        package, digest = pathlib.Path(str(sparring.__file__)).parent, hashlib.sha256()
        for path in sorted([*package.rglob("*.py"), *package.rglob("*.csv")]):
            digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
        others = {name: importlib.metadata.version(name) for name in ("numba", "numpy", "scipy")}
        versions = {"sparring": sparring.__version__, "python": platform.python_version(), **others}
        return versions | {"sources": digest.hexdigest()}

    return stamp


@cache
def stamp_here() -> dict[str, str]:
    """The stamp of this machine's code."""
    return stamper()()


def difference(there: dict[str, str], here: dict[str, str]) -> str:
    """How a machine's code differs from ours."""
    advice = "install the same on every machine"
    if not there:
        return f"has no sparring; {advice}"
    name = next(name for name in here if there.get(name) != here[name])
    if name == "sources":
        return f"has other sources of sparring {here['sparring']} than this machine; {advice}"
    return f"has {name} {there.get(name)}, and this machine {here[name]}; {advice}"
