"""Trainings as processes, started, stopped and resumed from the page. They outlive the server, which finds them again."""

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sparring.errors import UserError
from sparring.nets.files import replace_file
from sparring.reading import read_bytes
from sparring.web.refusals import Refusal
from sparring.web.trainer import FOLDER, progress_path

MOST_RUNNING = 2


class Runners:
    """Training processes by the names of their runs. A file for each has its process id."""

    def __init__(self, runs: Path) -> None:
        self.runs, self.folder = runs, runs / FOLDER
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.lock = threading.Lock()

    def start(self, name: str) -> None:
        """Start or resume the training of a run; refused if it is running, or if too many are."""
        with self.lock:
            if self.running(name):
                raise Refusal(409, f"{name}: is already running")
            known = [str(process["name"]) for process in map(_read, self.folder.glob("*.json")) if "name" in process]
            busy = [other for other in known if self.running(other)]
            if len(busy) >= MOST_RUNNING:
                raise Refusal(409, f"{' and '.join(busy)} are running; stop one first, or wait")
            self.folder.mkdir(parents=True, exist_ok=True)
            command = [sys.executable, "-m", "sparring.web.trainer", str(self.runs), name]
            with self._file(name, "log").open("wb") as output:
                child = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
                )
            self.children[name] = child
            process = {"name": name, "pid": child.pid, "born": _born(child.pid)}
            replace_file(self._file(name, "json"), json.dumps(process).encode())

    def stop(self, name: str) -> None:
        """Stop a training as Ctrl-C does: it finishes its step and saves its progress."""
        pid = self._pid(name)
        if pid is None:
            raise Refusal(409, f"{name}: is not running")
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)

    def running(self, name: str) -> bool:
        return self._pid(name) is not None

    def progress(self, name: str) -> dict[str, Any]:
        """The last progress report of a training; empty if it was not started here."""
        return _read(progress_path(self.runs, name))

    def trouble(self, name: str) -> str:
        """The last line of output of a process that failed."""
        child = self.children.get(name)
        if child is None or not child.poll():
            return ""
        with suppress(OSError):
            lines = self._file(name, "log").read_text(errors="replace").strip().splitlines()
            return lines[-1][:500] if lines else ""
        return ""

    def _pid(self, name: str) -> int | None:
        """The process id of a run's training, if that process is still running."""
        child = self.children.get(name)
        if child is not None and child.poll() is not None:
            return None
        process = _read(self._file(name, "json"))
        pid = process.get("pid")
        same = type(pid) is int and pid > 1 and _alive(pid) and _born(pid) == process.get("born")
        return pid if same else None

    def _file(self, name: str, end: str) -> Path:
        return self.folder / f"{quote(name, safe='')}.{end}"


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(read_bytes(path))
    except (UserError, ValueError, RecursionError):
        return {}
    return values if type(values) is dict else {}


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _born(pid: int) -> str:
    """When a process was started, if the system says so; it distinguishes processes with the same id."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "dead" if stat[0] == "Z" else stat[19]
