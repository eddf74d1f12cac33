"""Mutated inputs of every kind: each is refused in one line or accepted, within ten seconds; kernels check bounds.

`python tests/fault_inputs.py --inputs 100000` prints a line for each kind, each failure with the command that repeats it, and
a sum; its status is 1 if anything failed. Without `--unchecked` kernels are compiled with bounds checks into a cache of their own,
which takes some minutes once. Every kind is run by a process of its own, which is started again after a crash or a hang.
With `--kept FILE` a stopped command goes on where it was, and kinds that failed begin anew if there is time; `--counted FILE ...`
takes over what other commands have counted, as they kept or stored it: of each kind the counts of one file, of counts with failures
if there are any, and of most inputs among those. The time of an input is that of the processor, so that other load does not matter.
With `--json` the status is 0, because the counts say what failed.
"""

import argparse
import json
import math
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
from functools import cache
from pathlib import Path
from typing import Any

from sparring.lab.bench import machine
from sparring.nets.files import replace_file

SECONDS = 10.0  # of a processor that one input may take
WAITING = 12  # times as long by the clock: it waits for something
MEMORY = 12 << 30  # bytes of address space of a process
SOUND = 30  # inputs that are tried first as they are: they compile what is needed
FAILED = ("traceback", "crash", "hang")
KEPT_SECONDS = 5.0  # between two writes of the counts
SHARED = ", shared with other work"  # said of a machine in a stored result


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


def processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


@cache
def present_commit() -> str:
    """The commit whose program is tried."""
    sys.path.append(str(Path(__file__).parent.parent))
    from benchmarks.processes import commit

    return commit()


@cache
def present_machine() -> str:
    """Where it is tried."""
    return machine()


class Kind:
    """The inputs of one kind, tried by processes one after another; `keep` is called after every few."""

    def __init__(self, kind: str, given: argparse.Namespace, count: int, keep: Callable[[], None]) -> None:
        self.kind, self.next, self.last, self.seconds = kind, given.first, given.first + count, given.seconds
        self.environment = environment(not given.unchecked)
        self.found: Counter[str] = Counter()
        self.failures: list[str] = []
        self.commits: list[str] = []
        self.machines: list[str] = []
        self.core_seconds, self.keep, self.kept, self.until = 0.0, keep, time.monotonic(), given.until
        self.checked = not given.unchecked

    def json(self) -> dict[str, Any]:
        """The counts, as they are kept."""
        failed = {end: self.found[end] for end in FAILED}
        ends = {"inputs": self.found.total(), **failed, "ends": dict(sorted(self.found.items()))}
        facts: dict[str, Any] = {"core_seconds": round(self.core_seconds, 1)}
        facts |= {"commits": self.commits, "machines": self.machines} | ({} if self.checked else {"unchecked": True})
        return ends | facts | ({"failures": self.failures} if self.failures else {})

    def go_on(self, kept: dict[str, Any]) -> None:
        """Count from where another command was; from the beginning if something failed and there is time to try again."""
        if kept and not (kept.get("failures") and self._goes_on()):
            self.found, self.failures = Counter(kept["ends"]), list(kept.get("failures", []))
            self.commits, self.machines = list(kept["commits"]), list(kept.get("machines", []))
            self.core_seconds, self.next = kept["core_seconds"], self.next + self.found.total()

    def run(self) -> None:
        while self._goes_on():
            with tempfile.TemporaryDirectory(prefix="sparring-faults-") as folder:
                self._process(folder)

    def _goes_on(self) -> bool:
        return self.next < self.last and time.monotonic() < self.until

    def _process(self, folder: str) -> None:
        words = [sys.executable, __file__, "--work", self.kind, str(self.next), str(self.last), folder]
        log = open(Path(folder) / "stderr", "wb+")  # noqa: SIM115
        os.mkdir(Path(folder) / "work")
        words[-1] = str(Path(folder) / "work")
        process = subprocess.Popen(
            words, bufsize=0, stdout=subprocess.PIPE, stderr=log, env=self.environment, cwd=folder
        )
        assert process.stdout is not None
        busy, began, used = False, self.next, 0.0
        while busy or self._begins(process):
            if busy and not self._answers(process, used):
                process.kill()
                self._count("hang", f"longer than {self.seconds:g} s, or waits")
                break
            word, _, rest = process.stdout.readline().decode().strip().partition(" ")
            if word == "end" and processor_seconds(process.pid) - used > self.seconds:
                self._count("hang", f"longer than {self.seconds:g} s")
            elif word == "end":
                self._count(*rest.partition(" ")[::2])
            if not word or (word == "end" and not self._goes_on()):
                break
            busy = word == "begin"
            used = processor_seconds(process.pid) if busy else 0.0
        if time.monotonic() >= self.until:
            process.kill()
        process.stdout.close()
        self.core_seconds += processor_seconds(process.pid)
        process.wait()
        log.seek(0)
        words_of_end = log.read()[-1500:].decode(errors="replace")
        log.close()
        if time.monotonic() >= self.until:
            return
        if busy and process.returncode not in (0, -9):
            self._count("crash", f"status {process.returncode}: {words_of_end}")
        elif not busy and process.returncode:
            raise SystemExit(f"{self.kind}: could not begin or go on ({process.returncode}):\n{words_of_end}")
        assert self.next > began, f"{self.kind}: no input was tried:\n{words_of_end}"

    def _begins(self, process: "subprocess.Popen[bytes]") -> bool:
        """Wait for the next input, or the end; False if there is no more time. Before the first one kernels are compiled."""
        left = None if math.isinf(self.until) else max(0.0, self.until - time.monotonic())
        return bool(select.select([process.stdout], [], [], left)[0])

    def _answers(self, process: "subprocess.Popen[bytes]", used: float) -> bool:
        """Wait for a word; False if the input takes too much of the processor, or waits for something."""
        since = time.monotonic()
        while not select.select([process.stdout], [], [], self.seconds)[0]:
            waited, worked = time.monotonic() - since, processor_seconds(process.pid) - used
            if worked > self.seconds or waited > WAITING * self.seconds:
                return False
        return True

    def _count(self, end: str, why: str = "") -> None:
        self.found[end] += 1
        self.commits += {present_commit()} - {*self.commits}
        self.machines += {present_machine()} - {*self.machines}
        if end in FAILED:
            again = f"python tests/fault_inputs.py --kinds {self.kind} --first {self.next} --inputs 1"
            self.failures.append(f"{end}: {why}\n    {again}")
            print(self.failures[-1], flush=True)
        self.next += 1
        if time.monotonic() - self.kept > KEPT_SECONDS:
            self.keep()
            self.kept = time.monotonic()


def shared(kinds: list[str], inputs: int) -> dict[str, int]:
    """How many inputs of each kind: a fiftieth of each that takes long, and of the others evenly what is left."""
    from fault_kinds import COSTLY

    slow = [kind for kind in kinds if kind in COSTLY and len(kinds) > 1]
    quick = [kind for kind in kinds if kind not in slow] or [slow.pop()]
    rest = inputs - len(slow) * (inputs // 50)
    return {kind: (rest + n) // len(quick) for n, kind in enumerate(quick)} | dict.fromkeys(slow, inputs // 50)


def counted(paths: list[Path], unchecked: bool = False) -> dict[str, Any]:
    """The counts in files that commands kept, or that are stored: of each kind those with failures, or of most inputs.

    Counts of inputs that were tried with other kernels, with or without bounds checks, do not count.
    """

    def rank(counts: dict[str, Any]) -> tuple[bool, int]:
        return bool(counts.get("failures")) or any(counts.get(end) for end in FAILED), counts["inputs"]

    taken: dict[str, Any] = {}
    for path in paths:
        found = json.loads(path.read_text())
        machines = [found["machine"].removesuffix(SHARED)] if "machine" in found else []
        kinds = found.get("result", {"kinds": found}).get("kinds")
        if kinds is None:
            raise SystemExit(f"{path}: has no counts of mutated inputs")
        for kind, counts in kinds.items():
            if counts.get("unchecked", False) != unchecked:
                continue
            counts.setdefault("machines", machines if counts["inputs"] else [])
            if rank(counts) > rank(taken.get(kind, {"inputs": 0})):
                taken[kind] = counts
    return taken


def keep(path: Path | None, tried: dict[str, Kind], before: dict[str, Any]) -> None:
    """Write all counts into a file."""
    if path:
        counts = before | {kind: each.json() for kind, each in tried.items()}
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, (json.dumps(counts, indent=1) + "\n").encode())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000, help="how many; kinds that take long get fewer")
    parser.add_argument("--kinds", default="", help="only these, separated by commas")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input of each kind")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="that one input may take")
    parser.add_argument("--unchecked", action="store_true", help="with the usual kernels, which check no bounds")
    parser.add_argument("--kept", type=Path, help="keep counts in this file, and go on from them")
    parser.add_argument("--counted", type=Path, nargs="*", default=[], help="take over what these files have counted")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON, and everything else as errors")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so many; the same command goes on")
    given = parser.parse_args()
    given.until = time.monotonic() + 60 * given.minutes
    from fault_kinds import KINDS

    out = sys.stdout
    sys.stdout = sys.stderr if given.json else out
    before = counted([*given.counted, *(path for path in [given.kept] if path and path.exists())], given.unchecked)
    tried: dict[str, Kind] = {}
    for kind, count in shared(given.kinds.split(",") if given.kinds else list(KINDS), given.inputs).items():
        one = tried[kind] = Kind(kind, given, count, lambda: keep(given.kept, tried, before))
        one.go_on(before.get(kind, {}))
        one.run()
        one.keep()
        ends = ", ".join(f"{n} {end}" for end, n in sorted(one.found.items()))
        print(f"{kind}: {one.found.total()} inputs in {one.core_seconds:.0f} core seconds: {ends}", flush=True)
    total = sum((one.found for one in tried.values()), Counter[str]())
    words = ("tracebacks", "crashes", f"hangs over {given.seconds:g} s")
    failed = [f"{total[end]} {word}" for end, word in zip(FAILED, words, strict=True)]
    print(f"{total.total()} inputs, {', '.join(failed)}")
    if not total:
        raise SystemExit("no input was tried, and none was counted before")
    if given.json:
        kinds = {kind: one.json() for kind, one in tried.items()}
        print(json.dumps({"inputs": total.total(), **{end: total[end] for end in FAILED}, "kinds": kinds}), file=out)
    return 1 if any(total[end] for end in FAILED) and not given.json else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
    else:
        sys.exit(main())
