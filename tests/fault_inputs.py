"""Mutated inputs of every kind: each is refused in one line or accepted, within ten seconds; kernels check bounds.

`python tests/fault_inputs.py --inputs 100000` prints a line for each kind, each failure with the command that repeats it, and
a sum; its status is 1 if anything failed. Without `--unchecked` kernels are compiled with bounds checks into a cache of their own,
which takes some minutes once. Every kind is run by a process of its own, which is started again after a crash or a hang.
"""

import argparse
import os
import random
import select
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

SECONDS = 10.0  # that one input may take
MEMORY = 12 << 30  # bytes of address space of a process
SOUND = 30  # inputs that are tried first as they are: they compile what is needed
FAILED = ("traceback", "crash", "hang")


def work(kind: str, first: int, last: int, folder: Path) -> None:
    """Spoil and try inputs; prints a word before and after each."""
    import resource

    from fault_kinds import KINDS
    from mutations import SPOILING

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    out = os.fdopen(os.dup(1), "w", buffering=1)  # whatever else is printed goes elsewhere
    os.dup2(2, 1)
    spoil = KINDS[kind](folder)
    SPOILING[0] = False
    for number in range(SOUND):
        end_of(spoil, kind, number)
    SPOILING[0] = True
    for number in range(first, last):
        out.write(f"begin {number}\n")
        out.write(f"end {end_of(spoil, kind, number)}\n")


def end_of(spoil: Callable[[random.Random], Any], kind: str, number: int) -> str:
    """What becomes of an input, in a word; after `traceback`, what was raised."""
    from sparring.errors import Failure, UserError
    from sparring.web.refusals import Refusal

    try:
        return spoil(random.Random(f"{kind} {number}")) or "accepted"
    except (UserError, Failure, Refusal) as error:
        line = str(error)
        return "refused" if line.isprintable() and len(line) <= 1000 else f"traceback no short line: {line[:300]!r}"
    except MemoryError:
        return "refused"
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno}"
        return f"traceback {type(error).__name__}: {str(error)[:200]!r} at {place}"


def environment(checked: bool) -> dict[str, str]:
    """With bounds checks, kernels are compiled without optimising, into a cache of their own."""
    from sparring.kernel.compiler import CACHE

    own = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONWARNINGS": "ignore", "SPARRING_THREADS": "1"}
    if checked:
        own |= {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0", "SPARRING_CACHE": str(CACHE.parent / "bounds-checked")}
    return os.environ | own


class Kind:
    """The inputs of one kind, tried by processes one after another."""

    def __init__(self, kind: str, first: int, count: int, checked: bool, seconds: float) -> None:
        self.kind, self.next, self.last, self.seconds = kind, first, first + count, seconds
        self.environment = environment(checked)
        self.found: Counter[str] = Counter()
        self.failures: list[str] = []

    def run(self) -> None:
        while self.next < self.last:
            with tempfile.TemporaryDirectory(prefix="sparring-faults-") as folder:
                self._process(folder)

    def _process(self, folder: str) -> None:
        words = [sys.executable, __file__, "--work", self.kind, str(self.next), str(self.last), folder]
        log = open(Path(folder) / "stderr", "wb+")  # noqa: SIM115
        os.mkdir(Path(folder) / "work")
        words[-1] = str(Path(folder) / "work")
        process = subprocess.Popen(
            words, bufsize=0, stdout=subprocess.PIPE, stderr=log, env=self.environment, cwd=folder
        )
        assert process.stdout is not None
        busy, began = False, self.next
        while True:
            ready, _, _ = select.select([process.stdout], [], [], self.seconds if busy else None)
            if not ready:
                process.kill()
                self._count("hang", f"longer than {self.seconds:g} s")
                break
            word, _, rest = process.stdout.readline().decode().strip().partition(" ")
            if word == "end":
                self._count(*rest.partition(" ")[::2])
            if not word:
                break
            busy = word == "begin"
        process.stdout.close()
        process.wait()
        log.seek(0)
        words_of_end = log.read()[-1500:].decode(errors="replace")
        log.close()
        if busy and process.returncode not in (0, -9):
            self._count("crash", f"status {process.returncode}: {words_of_end}")
        elif not busy and process.returncode:
            raise SystemExit(f"{self.kind}: could not begin or go on ({process.returncode}):\n{words_of_end}")
        assert self.next > began, f"{self.kind}: no input was tried:\n{words_of_end}"

    def _count(self, end: str, why: str = "") -> None:
        self.found[end] += 1
        if end in FAILED:
            again = f"python tests/fault_inputs.py --kinds {self.kind} --first {self.next} --inputs 1"
            self.failures.append(f"{end}: {why}\n    {again}")
            print(self.failures[-1], flush=True)
        self.next += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000, help="how many, shared evenly by the kinds")
    parser.add_argument("--kinds", default="", help="only these, separated by commas")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input of each kind")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="that one input may take")
    parser.add_argument("--unchecked", action="store_true", help="with the usual kernels, which check no bounds")
    given = parser.parse_args()
    from fault_kinds import KINDS

    kinds = given.kinds.split(",") if given.kinds else list(KINDS)
    total: Counter[str] = Counter()
    for number, kind in enumerate(kinds):
        count = (given.inputs + number) // len(kinds)
        began, tried = time.monotonic(), Kind(kind, given.first, count, not given.unchecked, given.seconds)
        tried.run()
        ends = ", ".join(f"{n} {end}" for end, n in sorted(tried.found.items()))
        print(f"{kind}: {sum(tried.found.values())} inputs in {time.monotonic() - began:.0f} s: {ends}", flush=True)
        total += tried.found
    failed = [f"{total[end]} {words}" for end, words in
              zip(FAILED, ("tracebacks", "crashes", f"hangs over {given.seconds:g} s"), strict=True)]  # fmt: skip
    print(f"{sum(total.values())} inputs, {', '.join(failed)}")
    return 1 if any(total[end] for end in FAILED) else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
    else:
        sys.exit(main())
