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
from collections.abc import Callable, Iterable, Iterator
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


IMPORT = re.compile(r"^\s*from sparring\.([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)


@cache
def source_texts(package: Path) -> dict[Path, str]:
    """The files of the package that can hold kernels, or that kernels can take names from."""
    return {path: path.read_text() for folder in COMPILED_FOLDERS for path in (package / folder).rglob("*.py")}


@cache
def imported_files(path: Path, package: Path) -> set[Path]:
    """The files among these that a file takes names from."""
    texts, found = source_texts(package), set()
    for module, names in IMPORT.findall(texts[path]):
        place = package.joinpath(*module.split("."))
        parts = [place / f"{name}.py" for name in re.findall(r"\w+", names)]
        found.update(texts.keys() & {place.with_suffix(".py"), place / "__init__.py", *parts})
    return found


def with_imports(paths: Iterable[Path], package: Path) -> set[Path]:
    """Files and all that they take names from, directly or not."""
    found = set(paths)
    wanted = list(found)
    while wanted:
        new = imported_files(wanted.pop(), package) - found
        found |= new
        wanted += new
    return found


def hash_of(paths: Iterable[Path], package: Path) -> str:
    """A hash of sources, all tables of numbers and this Numba, whose own cache does not notice changes in called functions."""
    tables = {path for folder in COMPILED_FOLDERS for path in (package / folder).rglob("*.csv")}
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    version = package.glob("__init__.py")  # a new version may rename types of arguments, which the compiled code names
    for path in sorted(tables.union(version, paths)):
        digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def sources_hash(package: Path = PACKAGE) -> str:
    """A hash of all files that compiled code depends on: those with kernels, and those that they take names from."""
    texts = source_texts(package)
    kernels = (path for path, text in texts.items() if "from sparring.kernel.compiler import" in text)
    return hash_of(with_imports(kernels, package), package)


@cache
def module_hash(path: Path, package: Path = PACKAGE) -> str:
    """A hash of all files that the kernels of one module depend on, so that other modules' changes do not compile them again."""
    return hash_of(with_imports([path], package), package)


def cache_folder() -> Path:
    """Where compiled kernels live: `SPARRING_CACHE`, else the user's cache directory, else (unwritable) a temporary one.

    Numba reads them as pickles, which can hold any code: a folder that others can write to is refused.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    base = Path(os.environ.get("SPARRING_CACHE") or Path(home) / "sparring").absolute()
    try:
        _own_folder(base)
        with tempfile.TemporaryFile(dir=_own_folder(base / sources_hash())):
            return base / sources_hash()
    except OSError:
        fallback = Path(tempfile.mkdtemp(prefix="sparring-cache-"))
        atexit.register(shutil.rmtree, fallback, ignore_errors=True)
        return _own_folder(fallback / sources_hash())


def _own_folder(folder: Path) -> Path:
    folder.mkdir(0o700, parents=True, exist_ok=True)
    found, owner = folder.stat(), getattr(os, "getuid", lambda: None)()
    if owner is not None and (found.st_uid != owner or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        remedy = f"chmod go-w {folder}" if found.st_uid == owner else "set SPARRING_CACHE to a folder of your own"
        raise UserError(f"{folder}: others can write to this folder of compiled code, and so have theirs run: {remedy}")
    return folder


CACHE = cache_folder()  # marks of what is compiled; the kernels lie beside it, in a folder for each hash
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
    """A hash of the sources of a game outside this package; empty for kernels of the package."""
    file = source_file(function)
    return "" if PACKAGE in file.parents else outside_sources_hash(file, function.__module__)


def kernel_hash(function: Callable[..., Any]) -> str:
    """A hash of all sources that a kernel depends on."""
    return outside_hash(function) or module_hash(source_file(function))


def source_file(function: Callable[..., Any]) -> Path:
    """The file that defines a function."""
    return Path(function.__code__.co_filename).resolve()


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
    sources = kernel_hash(function)
    numba.config.CACHE_DIR = str(_own_folder(CACHE.parent / sources))  # type: ignore[attr-defined]
    # The default error model checks every division for zero, which forbids SIMD. Kernels do not allocate, so reference counting
    # is off: it took a tenth of the time of play and a quarter of that of learning.
    options |= {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    compiled: Function = numba.njit(**options)(function)
    # A stable identity lets closures over kernels hit the disk cache in later processes, until a kernel that they call changes.
    identity = f"{function.__module__}.{function.__qualname__}{enclosed_numbers(function)} {sources}"
    compiled._set_uuid(identity)  # type: ignore[attr-defined]
    return compiled


def enclosed_numbers(function: Callable[..., Any]) -> str:
    """The numbers that tell a kernel from others made by the same function; empty if it encloses none."""
    found = ""
    for cell in function.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:  # a kernel that is defined later
            continue
        found += f" {value}" if isinstance(value, int | float) else ""
    return found


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
