"""The decorators over Numba, and the folder where compiled code is kept.

`SPARRING_INTERPRET=1` runs every kernel as plain Python: to debug, to measure coverage, and to check that compiled and
interpreted play agree.
"""

import atexit
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding
import numba
import numpy as np

from sparring.errors import UserError

INTERPRETED = os.environ.get("SPARRING_INTERPRET") == "1"
PACKAGE = Path(__file__).resolve().parent.parent
# Nets are small: a loop of 26 numbers is too short for LLVM's default of several vectors per step, and ran number by number. One
# vector per step takes half the time.
llvmlite.binding.set_option("sparring", "-force-vector-interleave=1")
COMPILED_FOLDERS = ("kernel", "nets", "games", "search", "learn")


def compiled_sources() -> list[Path]:
    """The files that compiled code depends on: those with kernels, those they import from, and tables of numbers."""
    texts = {path: path.read_text() for folder in COMPILED_FOLDERS for path in (PACKAGE / folder).rglob("*.py")}
    found = {path for path, text in texts.items() if "from sparring.kernel.compiler import" in text}
    wanted = list(found)
    while wanted:
        for module in re.findall(r"^from sparring\.([\w.]+) import", texts[wanted.pop()], re.MULTILINE):
            path = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
            if path in texts and path not in found:
                found.add(path)
                wanted.append(path)
    return sorted(found | {path for folder in COMPILED_FOLDERS for path in (PACKAGE / folder).rglob("*.csv")})


def sources_hash() -> str:
    """A hash of these sources and this Numba, because Numba's own cache does not notice changes in called functions."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    for path in compiled_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels live: `SPARRING_CACHE`, else the user's cache directory, else (unwritable) a temporary one.

    Numba reads them as pickles, which can hold any code: a folder that others can write to is refused.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    base = Path(os.environ.get("SPARRING_CACHE") or Path(home) / "sparring")
    folder = base.absolute() / sources_hash()
    try:
        for made in (base, folder):
            made.mkdir(0o700, parents=True, exist_ok=True)
            _refuse_writable_by_others(made)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        fallback = Path(tempfile.mkdtemp(prefix="sparring-cache-"))
        atexit.register(shutil.rmtree, fallback, ignore_errors=True)
        return fallback


def _refuse_writable_by_others(folder: Path) -> None:
    found, owner = folder.stat(), getattr(os, "getuid", lambda: None)()
    if owner is not None and (found.st_uid != owner or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        remedy = f"chmod go-w {folder}" if found.st_uid == owner else "set SPARRING_CACHE to a folder of your own"
        raise UserError(f"{folder}: others can write to this folder of compiled code, and so have theirs run: {remedy}")


CACHE = cache_folder()
numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]


@cache
def outside_sources_hash(file: Path, module: str) -> str:
    """A hash of the sources of a game outside this package: the files of its package, or those in the folder of its module."""
    folder = file.parent
    beside = folder.rglob("*.py") if (folder / "__init__.py").exists() or "." in module else folder.glob("*.py")
    digest = hashlib.sha256(module.encode())  # cached code names its module
    for path in sorted(beside):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def outside_hash(function: Callable[..., Any]) -> str:
    """A hash of the sources of a game outside this package; empty for kernels of the package, whose hash names the cache."""
    file = Path(function.__code__.co_filename).resolve()
    return "" if PACKAGE in file.parents else outside_sources_hash(file, function.__module__)


Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function of plain Python and NumPy records; inside it nothing allocates and nothing raises."""
    return _compiled(function)


def inline_kernel(function: Function) -> Function:
    """A small kernel of inner loops, which is inlined: a real call passes every array as seven numbers."""
    return _compiled(function, forceinline=True)


def _compiled(function: Function, **options: Any) -> Function:
    if INTERPRETED:
        return function
    outside = outside_hash(function)
    numba.config.CACHE_DIR = str(CACHE / outside)  # type: ignore[attr-defined]
    # The default error model checks every division for zero, which forbids SIMD. Kernels do not allocate, so reference counting
    # is off: it took a tenth of the time of play and a quarter of that of learning.
    options |= {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    compiled: Function = numba.njit(**options)(function)
    # A stable identity lets closures over kernels hit the disk cache in later processes.
    compiled._set_uuid(f"{function.__module__}.{function.__qualname__} {outside}")  # type: ignore[attr-defined]
    return compiled


@contextmanager
def announced(name: str) -> Iterator[None]:
    """Print one line when `name` is compiled for the first time, with the seconds it took; later print nothing."""
    ready = CACHE / f"{name}.ready"
    if INTERPRETED or ready.exists():
        yield
        return
    print(f"compiling {name} for this machine, once ... ", end="", file=sys.stderr, flush=True)
    began = time.perf_counter()
    yield
    print(f"done in {time.perf_counter() - began:.1f} s", file=sys.stderr, flush=True)
    ready.touch()
