"""Stores results: `python -m benchmarks.store NAME COMMAND ...` runs a command and writes results/NAME.json.

`python -m benchmarks.store NAME` measures a stored result again. The command begins with `sparring` or `python`. What it prints as
JSON is stored with the command itself, the commit, the seed, the machine (if the command prints it, what it says), the date, the
time it took and the hashes of the networks that played. A command that prints no JSON stores nothing, unless it is a training or a
re-run of a study. A match with another program, or a training, that was stopped is resumed; `resumed` then says that the time is
that of the last part. Ladders and null matches write their results themselves and go on with them.
docs/render_results.py puts the figures into the pages.
"""

import hashlib
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.processes import ROOT, commit
from sparring.arena.players import find_player
from sparring.errors import UserError
from sparring.games import name_game
from sparring.lab.bench import machine

RESULTS = ROOT / "results"
PRINTING = ("match", "tournament", "compare", "exploit", "bench")  # commands that print JSON
SILENT = ("train", "reproduce")  # whose time is stored
WRITING = (
    ["sparring", "ladder"],
    ["python", "-m", "benchmarks.luck_null"],
)  # commands that write results/NAME.json themselves


def nets(words: list[str]) -> dict[str, str]:
    """The networks among a command's players, each with a hash of its weights."""
    try:
        game, players = name_game(words[2]), words[3:]
    except (IndexError, UserError):
        return {}
    found = {}
    for name in players:
        try:
            net = find_player(game, name).net
        except UserError:
            continue
        if net is not None:
            found[name] = hashlib.sha256(net.weights.tobytes()).hexdigest()[:16]
    return found


def is_ours(words: list[str]) -> bool:
    """Whether these are the words of a command that can be measured."""
    return len(words) > 1 and words[0] in ("sparring", "python")


def program(words: list[str]) -> list[str]:
    """What runs a command's first word."""
    return [sys.executable, "-m", "sparring"] if words[0] == "sparring" else [sys.executable]


def printed(text: str) -> dict[str, Any] | None:
    """The JSON object that a command printed; None if it printed something else."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def measured(command: str, runs: Path) -> dict[str, Any]:
    """Run a command, which keeps its runs in a folder until it is finished; what it printed, how long it took, on what it ran."""
    words, resumed, measured_commit = shlex.split(command), runs.exists(), commit()
    if not is_ours(words):
        sys.exit(f"{command}: a command begins with sparring or python, and each word is an argument of its own")
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    more = ["--runs", str(runs)] if words[0] == "sparring" and words[1] not in ("compare", "bench") else []
    more += ["--json"] if words[0] == "sparring" and words[1] in PRINTING else []
    run = subprocess.run([*program(words), *words[1:], *more], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    shutil.rmtree(runs, ignore_errors=True)
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    result = printed(run.stdout)
    if result is None and (words[0] != "sparring" or words[1] not in SILENT):
        sys.exit(f"{command}: printed no JSON object, so nothing is stored")
    result = result or {}
    options = dict(zip(words, words[1:], strict=False))
    return {
        "command": command,
        "seed": int(options.get("--seed", 1)),
        "commit": measured_commit,
        "date": date.today().isoformat(),
        "machine": result.pop("machine", f"{machine()}, shared with other work"),
        "nets": nets(words),
        "seconds": round(seconds, 1),
        "core_seconds": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        **({"resumed": True} if resumed else {}),
        "result": result,
    }


def path_of(name: str) -> Path:
    """The file of a stored result."""
    return RESULTS / f"{name}.json"


def store(name: str, words: list[str]) -> None:
    """Measure and store one result; without a command, by the command that is stored."""
    path = path_of(name)
    if not words and not path.exists():
        sys.exit(f"{path}: not stored yet; name the command that measures it")
    command = shlex.join(words) if words else json.loads(path.read_text())["command"]
    words = shlex.split(command)
    if any(words[: len(start)] == start for start in WRITING):
        subprocess.run([*program(words), *words[1:]], cwd=ROOT, check=True)
    else:
        found = measured(command, ROOT / "runs" / f"store-{name}")
        path.write_text(json.dumps(found, indent=1) + "\n")
    print(f"results{os.sep}{path.name}: {command}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    store(sys.argv[1], sys.argv[2:])
