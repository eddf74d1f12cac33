"""Games with programs of others: one move at a time, one game after the other, each kept in a journal once it is finished.

A journal is a file of JSON lines, {"game": 17, "moves": [...]}, by the number of the job. Whatever stops a match, be it the
program, Ctrl-C or a kill, costs the game in hand; the same command replays what is kept and goes on. Once all games are
played the journal is deleted.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import numpy as np

from sparring.arena.play import Keep, Progress, played
from sparring.arena.players import Chooser, Contestant
from sparring.errors import Failure, Stopped, UserError, unwritable
from sparring.games import Game
from sparring.games.game import play_move, start_game

UNFINISHED = "unfinished"  # the folder of journals, beside the runs

Choose = Callable[[np.ndarray], int]


def play_outside(
    game: Game,
    jobs: np.ndarray,
    contestants: list[Contestant],
    progress: Progress | None,
    keep: Keep | None,
    folder: Path | None,
) -> np.ndarray:
    """Play every job; returns the tallies. `keep` hears of the games when all are finished, so that a log has all or none."""
    game.launcher.prepare()
    tallies, games = np.zeros(len(jobs), game.rules.tally), []
    names = [contestant.name for contestant in contestants]
    with journal_in(folder, game, jobs, contestants) as journal, seated(game, contestants) as choosers:
        for number, job in enumerate(jobs):
            state, moves = replayed(game, job, journal.kept.get(number)) or played_out(game, job, choosers, names)
            journal.add(number, moves)
            tallies[number] = state[0]["tally"]
            games.append(played(job, np.array([*moves, -1])))
            if progress:
                progress(number + 1, len(jobs))
        if keep:
            keep(games)
    return tallies


@contextmanager
def seated(game: Game, contestants: list[Contestant]) -> Iterator[list[Choose]]:
    """How each contestant is asked for its move. Programs are started once, and ended however this ends."""
    with ExitStack() as stack:
        choosers: list[Choose] = []
        for contestant in contestants:
            if contestant.external:
                choosers.append(stack.enter_context(closing(contestant.external())).choose)
            else:
                choosers.append(Chooser(game, contestant).choose)
        yield choosers


def begun(game: Game, job: np.void) -> np.ndarray:
    """A job's game about to begin."""
    return start_game(game, int(job["seed"]), int(job["deal"]), int(job["luck"]), int(job["seats"]))


def played_out(game: Game, job: np.void, choosers: list[Choose], names: list[str]) -> tuple[np.ndarray, list[int]]:
    """A job's game: its last state and its moves."""
    state, moves = begun(game, job), []
    while not state[0]["over"]:
        who = int(job["player"][state[0]["turn"]])
        moves.append(choosers[who](state))
        try:
            play_move(game, state, moves[-1])
        except UserError:
            raise Failure(f"{names[who]}: chose {moves[-1]}, which is no legal move") from None
    return state, moves


def replayed(game: Game, job: np.void, moves: list[int] | None) -> tuple[np.ndarray, list[int]] | None:
    """A job's game from its moves; None if there are none, or if they do not lead to its end."""
    if moves is None:
        return None
    state = begun(game, job)
    try:
        for move in moves:
            play_move(game, state, move)
    except UserError:
        return None
    return (state, moves) if state[0]["over"] else None


class Journal:
    """Finished games by the numbers of their jobs, on disk where a path is given."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._append("")  # a place that cannot be written is found out now
        self.kept = _read(path) if path else {}

    def add(self, number: int, moves: list[int]) -> None:
        """Keep a game, unless it is kept already."""
        if self.kept.get(number) != moves:
            # The end of a line stands before it: it ends a line that was cut, too.
            self._append("\n" + json.dumps({"game": number, "moves": moves}))
            self.kept[number] = moves

    def _append(self, text: str) -> None:
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="ascii") as file:
                file.write(text)
        except OSError as error:
            raise unwritable(self.path, error, "make room") from None

    def delete(self) -> None:
        """Delete the file, and its folder if nothing else is in it."""
        if self.path:
            self.path.unlink(missing_ok=True)
            with suppress(OSError):
                self.path.parent.rmdir()


def _read(path: Path) -> dict[int, list[int]]:
    """What a journal keeps; lines that were cut or damaged keep nothing."""
    kept = {}
    for line in path.read_bytes().splitlines():
        with suppress(ValueError, TypeError, KeyError, OverflowError, RecursionError):
            told = json.loads(line)
            kept[int(told["game"])] = list(map(int, told["moves"]))
    return kept


@contextmanager
def journal_in(folder: Path | None, game: Game, jobs: np.ndarray, contestants: list[Contestant]) -> Iterator[Journal]:
    """The journal of these games. Deleted at the end; what stops it sooner says how many games are kept."""
    journal = Journal(folder / journal_name(game, jobs, contestants) if folder else None)

    def advice() -> str:
        count = sum(number in journal.kept for number in range(len(jobs)))
        return f"; {count} of {len(jobs)} games are kept; go on with the same command" if folder and count else ""

    try:
        yield journal
    except Failure as error:
        raise Failure(f"{error}{advice()}") from None
    except KeyboardInterrupt:
        if advice():
            raise Stopped(f"stopped{advice()}") from None
        raise
    else:
        journal.kept.clear()
    finally:
        if not journal.kept:
            journal.delete()


def journal_name(game: Game, jobs: np.ndarray, contestants: list[Contestant]) -> str:
    """A name for exactly these games by exactly these players."""
    digest = hashlib.sha256(f"{game.name} {game.rules.version}".encode() + jobs.tobytes())
    for contestant in contestants:
        digest.update(f"{contestant.name} {contestant.policy}\n".encode())
        if contestant.net:
            digest.update(repr(contestant.net.description()).encode() + contestant.net.weights.tobytes())
    return f"{game.family}-{digest.hexdigest()[:16]}.jsonl"
