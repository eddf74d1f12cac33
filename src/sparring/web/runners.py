"""Trainings as processes: started, stopped and gone on with from the page. They outlive the server, which finds them again."""

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

from sparring.nets.files import replace_file
from sparring.web.refusals import Refusal
from sparring.web.trainer import FOLDER, progress_path

MOST_RUNNING = 2


class Runners:
    """The processes that train, by the names of their runs. A file for each says which process it is."""

    def __init__(self, runs: Path) -> None:
        self.runs, self.folder = runs, runs / FOLDER
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.lock = threading.Lock()

    def start(self, name: str) -> None:
        """Train a run from where it is; refused while it is being trained, or while too many are."""
        with self.lock:
            if self.running(name):
                raise Refusal(409, f"{name}: is learning already")
            busy = [other for other in self._known() if self.running(other)]
            if len(busy) >= MOST_RUNNING:
                raise Refusal(409, f"{' and '.join(busy)} are learning; stop one first, or wait")
            self.folder.mkdir(parents=True, exist_ok=True)
            command = [sys.executable, "-m", "sparring.web.trainer", str(self.runs), name]
            with self._file(name, "log").open("wb") as said:
                child = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
                )
            self.children[name] = child
            told = {"name": name, "pid": child.pid, "born": _born(child.pid)}
            replace_file(self._file(name, "json"), json.dumps(told).encode())

    def stop(self, name: str) -> None:
        """Ask a training to stop, as Ctrl-C does: it finishes its step and saves everything."""
        pid = self._pid(name)
        if pid is None:
            raise Refusal(409, f"{name}: is not being trained from here")
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)

    def running(self, name: str) -> bool:
        return self._pid(name) is not None

    def progress(self, name: str) -> dict[str, Any]:
        """What a training has written down last; nothing of one that was not started here."""
        return _read(progress_path(self.runs, name))

    def trouble(self, name: str) -> str:
        """What a process that has ended said last, if that was an error."""
        child = self.children.get(name)
        if child is None or not child.poll():
            return ""
        with suppress(OSError):
            lines = self._file(name, "log").read_text(errors="replace").strip().splitlines()
            return lines[-1][:500] if lines else ""
        return ""

    def _known(self) -> list[str]:
        files = self.folder.glob("*.json")
        return [str(told["name"]) for told in map(_read, files) if "name" in told]

    def _pid(self, name: str) -> int | None:
        """The process of a run, if it lives and is the one that was started."""
        child = self.children.get(name)
        if child is not None and child.poll() is not None:
            return None
        told = _read(self._file(name, "json"))
        pid, born = told.get("pid"), told.get("born")
        if type(pid) is not int or pid < 2 or not _alive(pid) or _born(pid) != born:
            return None
        return pid

    def _file(self, name: str, end: str) -> Path:
        return self.folder / f"{quote(name, safe='')}.{end}"


def _read(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return told if type(told) is dict else {}


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _born(pid: int) -> str:
    """When a process was started, where the system says so: a number that is used again is not taken for it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "dead" if stat[0] == "Z" else stat[19]
