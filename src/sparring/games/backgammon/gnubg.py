"""GNU Backgammon as a player: the program, started without a screen and asked through its socket for external players.

One line is asked and one answered, at 0-ply about 4,000 times a second. Cubeless, without noise, and to win: where every
win counts 1 it is told that this is the last game of a match. What it calls 0-ply values the positions after its own plays.
"""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from sparring.errors import Failure, UserError
from sparring.games.backgammon.notation import read_play
from sparring.games.backgammon.rules import BAR, CHECKERS, OFF

ELSEWHERE = "/usr/games"  # where Debian has it; often not on the PATH
LIMIT = 20.0  # seconds that it may take to start, and for each answer
LONGEST, QUOTED = 256, 60  # bytes of an answer, and how much of a wrong one is said
HOST = "127.0.0.1"

# Its own defaults are 2-ply with the cube and Jacoby's rule, and other moves.
COMMANDS = """\
set jacoby off
set automatic game off
set automatic roll off
set automatic move off
set automatic bearoff off
set confirm new off
set confirm save off
set sound enable off
set display off
set threads 1
set evaluation chequer eval plies {plies}
set evaluation chequer eval cubeful off
set evaluation chequer eval deterministic on
set evaluation chequer eval noise 0
set evaluation chequer eval prune on
external localhost:{port}
"""

# Left alone it would listen for ever: whatever ends us, even SIGKILL, ends what we write to it, and then its watcher ends it.
WATCHED = """\
exec 3<&0 </dev/null
{ read -r _ <&3 || { kill -9 $$; rm -rf -- "$1"; }; } &
exec "$0" -t -q -r -c "$1/commands" 3<&-
"""


class Gnubg:
    """The program, running. `plies` is how far it looks ahead; no wait is longer than `limit` seconds."""

    def __init__(self, plies: int = 0, limit: float = LIMIT) -> None:
        self.plies, self.limit = plies, limit
        program, port = find_program(), _free_port()
        with ExitStack() as undo:
            folder = Path(undo.enter_context(TemporaryDirectory(prefix="sparring-gnubg-", ignore_cleanup_errors=True)))
            (folder / "commands").write_text(COMMANDS.format(plies=plies, port=port))
            self._process = _start(program, folder)
            undo.callback(_end, self._process)
            self._socket = undo.enter_context(self._connected(port))
            self._undo = undo.pop_all()

    def choose(self, state: np.ndarray) -> int:
        """The play of the seat whose turn it is."""
        s: Any = state[0]
        answer = self._ask(board_line(s, (int(s["dice"][0]), int(s["dice"][1]))))
        try:
            return read_play(s, answer or "pass")
        except UserError as error:
            raise Failure(f"gnubg: answered {answer[:QUOTED]!r}, which is no legal play: {error}") from None

    def evaluate(self, state: np.ndarray) -> float:
        """The equity of the side on roll, before it rolls and without the cube: what it can expect to win."""
        s: Any = state[0]
        question = f"evaluation fibsboard {board_line(s, (0, 0))} plies {self.plies} cubeless prune on jacobyrule off"
        answer = self._ask(question)
        try:  # win, win by a gammon or a backgammon, lose by either, equity
            win, _, _, _, _, equity = map(float, answer.split())
        except ValueError:
            raise Failure(f"gnubg: answered {answer[:QUOTED]!r}, which is no evaluation") from None
        return 2 * win - 1 if s["rules"]["single"] else equity

    def close(self) -> None:
        """End the program and remove its folder."""
        self._undo.close()

    def _connected(self, port: int) -> socket.socket:
        deadline = time.monotonic() + self.limit
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise Failure(self._ended())
            try:
                found = socket.create_connection((HOST, port), self.limit)
            except OSError:
                time.sleep(0.02)
                continue
            if found.getsockname() != found.getpeername():
                return found
            found.close()  # it was ourselves: the system had lent us the very port that we called
        raise Failure(f"gnubg: did not listen within {self.limit:g} s of its start")

    def _ask(self, line: str) -> str:
        """Its one line of answer to a line."""
        deadline, answer = time.monotonic() + self.limit, b""
        try:
            self._socket.sendall(f"{line}\n".encode("ascii"))
            while not answer.endswith(b"\n") and len(answer) < LONGEST:
                self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
                part = self._socket.recv(LONGEST)
                if not part:
                    raise Failure(self._ended())
                answer += part
        except TimeoutError:
            raise Failure(f"gnubg: did not answer within {self.limit:g} s") from None
        except OSError:
            raise Failure(self._ended()) from None
        return answer.decode("ascii", "replace").strip()

    def _ended(self) -> str:
        try:
            return f"gnubg: ended by itself (exit status {self._process.wait(1.0)})"
        except subprocess.TimeoutExpired:
            return "gnubg: broke off the conversation"


def find_program() -> str:
    """The program's path: SPARRING_GNUBG says it, or else it is looked for."""
    told = os.environ.get("SPARRING_GNUBG")
    if told:
        found = shutil.which(told)
        if found is None:
            raise UserError(f"SPARRING_GNUBG = {told}: no program that can be run")
    else:
        found = shutil.which("gnubg", path=os.pathsep.join((os.environ.get("PATH", os.defpath), ELSEWHERE)))
        if found is None:
            raise UserError("gnubg: not installed; on Debian: apt install gnubg")
    return os.path.abspath(found)


def board_line(s: Any, dice: tuple[int, int]) -> str:
    """A state as the program is told of it, with dice or (0, 0) before the roll; the side whose turn it is is `me`."""
    mine, theirs = (s["board"][seat].tolist() for seat in (s["turn"], 1 - s["turn"]))
    if sum(mine) != CHECKERS or sum(theirs) != CHECKERS:
        raise UserError(f"gnubg: plays with {CHECKERS} checkers a side, not with {sum(mine)} and {sum(theirs)}")
    points = [-theirs[BAR], *(mine[point] - theirs[BAR - point] for point in range(1, BAR)), mine[BAR]]
    length = 1 if s["rules"]["single"] else 0  # of the match: in its last game gammons count for nothing
    cube = (0, 0, 1, 1, 1, 0)  # their dice, then worth 1, both may double, nobody has: else it answers about the cube
    return ":".join(
        map(str, ("board:me:op", length, 0, 0, *points, 1, *dice, *cube, 1, -1, 0, 25, mine[OFF], theirs[OFF],
                  mine[BAR], theirs[BAR], 0, 0, 0, 1))
    )  # fmt: skip


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        return int(taken.getsockname()[1])


def _start(program: str, folder: Path) -> "subprocess.Popen[bytes]":
    """Start the program with a home of its own, away from the terminal's Ctrl-C, which is ours."""
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    environment |= {"HOME": str(folder), "LC_ALL": "C"}  # numbers with points
    return subprocess.Popen(
        ["/bin/sh", "-c", WATCHED, program, str(folder)],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.communicate(b"\n")  # to the watcher: nothing is left to do


EXTERNAL: Mapping[str, Callable[[], Gnubg]] = {
    "gnubg": Gnubg,
    "gnubg-1ply": partial(Gnubg, 1),
    "gnubg-2ply": partial(Gnubg, 2),
}
