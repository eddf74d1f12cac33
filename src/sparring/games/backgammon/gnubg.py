"""GNU Backgammon as a player, through its socket for external players.

One line asks and one line answers, at 0-ply about 4,000 times per second. It plays without noise, cubeless unless there is a cube
or a match. If every win counts 1, we tell it that this is the last game of a match. Its 0-ply evaluates the positions after its
own plays. It values matches by its own match equity table.
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
from sparring.games.backgammon.notation import legal_here, read_play
from sparring.games.backgammon.plays import BAR, CHECKERS, OFF
from sparring.games.backgammon.rules import BEAVER, BEAVERED, DOUBLED, NOBODY, OVER, REFUSE, RESIGNED
from sparring.games.backgammon.stakes_view import has_stakes

ELSEWHERE = "/usr/games"  # Debian's folder, often not on the PATH
LIMIT = 20.0  # seconds to start, and for each answer
LONGEST, QUOTED = 256, 60  # bytes of an answer, and of a wrong one in an error message
HOST = "127.0.0.1"

COMMANDS = Path(__file__).with_name("gnubg-commands.txt")

# A watcher kills the program when our end of its standard input closes, even if we are killed by SIGKILL.
WATCHED = """\
exec 3<&0 </dev/null
{ read -r _ <&3 || { kill -9 $$; rm -rf -- "$1"; }; } &
exec "$0" -t -q -r -c "$1/commands" 3<&-
"""


class Gnubg:
    """A running GNU Backgammon. `plies` is its lookahead; no answer takes longer than `limit` seconds."""

    def __init__(self, plies: int = 0, limit: float = LIMIT) -> None:
        self.plies, self.limit, self.cubeful = plies, limit, False
        self._open()

    def _open(self) -> None:
        """Start the program."""
        program, port = find_program(), _free_port()
        with ExitStack() as undo:
            folder = Path(undo.enter_context(TemporaryDirectory(prefix="sparring-gnubg-", ignore_cleanup_errors=True)))
            cubeful = "on" if self.cubeful else "off"
            (folder / "commands").write_text(COMMANDS.read_text().format(plies=self.plies, port=port, cubeful=cubeful))
            self._process = _start(program, folder)
            undo.callback(_end, self._process)
            self._socket = undo.enter_context(self._connected(port))
            self._undo = undo.pop_all()

    def choose(self, state: np.ndarray) -> int:
        """The move of the seat to move."""
        s: Any = state[0]
        if has_stakes(s) != self.cubeful:  # the program's settings are those of its start
            self.close()
            self.cubeful = not self.cubeful
            self._open()
        if s["phase"] == RESIGNED:
            return REFUSE
        answer = self._ask(board_line(s, (int(s["dice"][0]), int(s["dice"][1]))))
        if answer == "beaver" and BEAVER not in legal_here(s):
            answer = "take"
        try:
            return read_play(s, answer or "pass")
        except UserError as error:
            raise Failure(f"gnubg: answered {answer[:QUOTED]!r}, which is not a legal play: {error}") from None

    def evaluate(self, state: np.ndarray) -> float:
        """The cubeless equity of the side on roll, before it rolls."""
        s: Any = state[0]
        question = f"evaluation fibsboard {board_line(s, (0, 0))} plies {self.plies} cubeless prune on jacobyrule off"
        answer = self._ask(question)
        try:
            win, _gammon, _backgammon, _gammon_lost, _backgammon_lost, equity = map(float, answer.split())
        except ValueError:
            raise Failure(f"gnubg: answered {answer[:QUOTED]!r}, which is not an evaluation") from None
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
            found.close()  # we connected to ourselves: the system gave us the port that we called
        raise Failure(f"gnubg: did not listen within {self.limit:g} s of its start")

    def _ask(self, line: str) -> str:
        """Send a line and return the answer."""
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
            return f"gnubg: exited (status {self._process.wait(1.0)})"
        except subprocess.TimeoutExpired:
            return "gnubg: closed the connection"


def find_program() -> str:
    """The path of the program: SPARRING_GNUBG, else found on the PATH."""
    given = os.environ.get("SPARRING_GNUBG")
    if given:
        found = shutil.which(given)
        if found is None:
            raise UserError(f"SPARRING_GNUBG = {given}: not an executable program")
    else:
        found = shutil.which("gnubg", path=os.pathsep.join((os.environ.get("PATH", os.defpath), ELSEWHERE)))
        if found is None:
            raise UserError("gnubg: not installed; on Debian: apt install gnubg")
    return os.path.abspath(found)


def installed() -> bool:
    """Whether the program can be started."""
    try:
        return bool(find_program())
    except UserError:
        return False


def board_line(s: Any, dice: tuple[int, int]) -> str:
    """A state in FIBS board format, with dice or (0, 0) before the roll; the side on roll is `me`, even if it has doubled."""
    seat = int(1 - s["turn"] if s["phase"] == DOUBLED else s["turn"])
    mine, theirs = (s["board"][each].tolist() for each in (seat, 1 - seat))
    if sum(mine) != CHECKERS or sum(theirs) != CHECKERS:
        raise UserError(f"gnubg: plays with {CHECKERS} checkers per side, not with {sum(mine)} and {sum(theirs)}")
    points = [-theirs[BAR], *(mine[point] - theirs[BAR - point] for point in range(1, BAR)), mine[BAR]]
    length = int(s["rules"]["length"]) or int(s["rules"]["single"])  # gammons do not count in the last game of a match
    first = seat if s["phase"] == DOUBLED else 1 - seat  # it reads the scores the other way round unless it is doubled
    score = (length, int(s["points"][first]), int(s["points"][1 - first]))
    doubled = int(s["phase"] in (DOUBLED, BEAVERED))
    value = int(s["cube"]) * (2 if s["phase"] == BEAVERED else 1)
    may_double = [int(s["owner"] in (NOBODY, each)) for each in (seat, 1 - seat)]
    cube = (0, 0, value, *may_double, doubled)  # after the opponent's dice
    after_crawford = int(s["crawford"] == OVER)
    return ":".join(
        map(str, ("board:me:op", *score, *points, 1, *dice, *cube, 1, -1, 0, 25, mine[OFF], theirs[OFF],
                  mine[BAR], theirs[BAR], 0, 0, after_crawford, 1))
    )  # fmt: skip


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        return int(taken.getsockname()[1])


def _start(program: str, folder: Path) -> "subprocess.Popen[bytes]":
    """Start the program in a session and home folder of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    environment |= {"HOME": str(folder), "LC_ALL": "C"}
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
    process.communicate(b"\n")  # ends the watcher


EXTERNAL: Mapping[str, Callable[[], Gnubg]] = {
    "gnubg": Gnubg,
    "gnubg-1ply": partial(Gnubg, 1),
    "gnubg-2ply": partial(Gnubg, 2),
}
