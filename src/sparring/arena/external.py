"""Matches with programs: one move at a time, one game after another, each written to a journal when it is finished.

A journal is a file of JSON lines, {"game": 17, "moves": [...]}, by the number of the job. Whatever stops a match (the program,
Ctrl-C, a kill) loses only the game in progress; the same command replays the journal and continues. The journal is deleted
once all games are played.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from sparring.arena.bots import BOT
from sparring.arena.play import Keep, Progress, Stopping
from sparring.arena.players import Contestant
from sparring.arena.session import Session, seated
from sparring.errors import Failure, Stopped, UserError, writing
from sparring.games import Game
from sparring.reading import check_file, read_bytes

MOST_JOURNAL = 1 << 30  # bytes of a journal
UNFINISHED = "unfinished"  # the folder of journals, beside the runs


def play_outside(
    game: Game,
    jobs: np.ndarray,
    contestants: list[Contestant],
    progress: Progress | None,
    keep: Keep | None,
    folder: Path | None,
    stopping: Stopping | None = None,
) -> np.ndarray:
    """Play every job, or as many as `stopping` wants; returns the tallies.

    `keep` gets the games when all are finished, so that a log has all or none.
    Without a journal where a player is a Python function: the same name may be another function the next time.
    """
    game.launcher.prepare()
    tallies, games = np.zeros(len(jobs), game.rules.tally), []
    folder = None if any(contestant.policy == BOT for contestant in contestants) else folder
    with journal_in(folder, game, jobs, contestants) as journal, seated(game, contestants) as movers:
        for number, job in enumerate(jobs):
            rows = job["player"][: job["seats"]].tolist()
            names, seats = [contestants[row].name for row in rows], {n: movers[row] for n, row in enumerate(rows)}
            session = Session(game, names, int(job["seed"]), int(job["deal"]), int(job["luck"]), seats)
            session = replayed(session, journal.kept.get(number))
            journal.add(number, session.play_out().moves)
            tallies[number] = session.state[0]["tally"]
            games.append(session.played)
            if progress:
                progress(number + 1, len(jobs))
            if (
                stopping
                and len(games) % stopping.every == 0
                and stopping.enough(tallies[number + 1 - stopping.every : number + 1])
            ):
                break
        if keep:
            keep(games)
    return tallies[: len(games)]


def replayed(session: Session, moves: list[int] | None) -> Session:
    """The session at the end of the game that these moves make; as it begins if they are no whole game."""
    with suppress(UserError):
        session.restart(moves or ())
        if session.over:
            return session
    session.restart()
    return session


class Journal:
    """Finished games by the numbers of their jobs, on disk where a path is given."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        if path and path.exists():
            check_file(path, MOST_JOURNAL)  # a pipe would wait
        self._append("")  # a place that cannot be written is refused now
        self.kept = _read(path) if path else {}

    def add(self, number: int, moves: list[int]) -> None:
        """Keep a game, unless it is kept already."""
        if self.kept.get(number) != moves:
            # The line break comes first: it also ends a line that was cut.
            self._append("\n" + json.dumps({"game": number, "moves": moves}))
            self.kept[number] = moves

    def _append(self, text: str) -> None:
        if self.path is None:
            return
        with writing(self.path, "make room"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="ascii") as file:
                file.write(text)

    def read_again(self) -> None:
        """Take what the file holds: an interrupt may have come between the writing of a game and its counting."""
        if self.path:
            self.kept = _read(self.path)

    def delete(self) -> None:
        """Delete the file, and its folder if nothing else is in it."""
        if self.path:
            self.path.unlink(missing_ok=True)
            with suppress(OSError):
                self.path.parent.rmdir()


def _read(path: Path) -> dict[int, list[int]]:
    """The games of a journal; lines that were cut or damaged are ignored."""
    kept = {}
    for line in read_bytes(path, MOST_JOURNAL).splitlines():
        with suppress(ValueError, TypeError, KeyError, OverflowError, RecursionError):
            entry = json.loads(line)
            kept[int(entry["game"])] = list(map(int, entry["moves"]))
    return kept


@contextmanager
def journal_in(folder: Path | None, game: Game, jobs: np.ndarray, contestants: list[Contestant]) -> Iterator[Journal]:
    """The journal of these games, deleted at the end. An error before that says how many games are kept."""
    journal = Journal(folder / journal_name(game, jobs, contestants) if folder else None)

    def advice() -> str:
        count = sum(number in journal.kept for number in range(len(jobs)))
        return f"; {count} of {len(jobs)} games are kept; resume with the same command" if folder and count else ""

    try:
        yield journal
    except Failure as error:
        if advice():
            raise Failure(f"{error}{advice()}") from None
        raise
    except KeyboardInterrupt:
        journal.read_again()
        if advice():
            raise Stopped(f"stopped{advice()}") from None
        raise
    else:
        journal.kept.clear()
    finally:
        if not journal.kept:
            journal.delete()


def journal_name(game: Game, jobs: np.ndarray, contestants: list[Contestant]) -> str:
    """A file name for exactly these games by exactly these players."""
    digest = hashlib.sha256(f"{game.name} {game.rules.version}".encode() + jobs.tobytes())
    for contestant in contestants:
        digest.update(f"{contestant.name} {contestant.policy}\n".encode())
        if contestant.net:
            digest.update(repr(contestant.net.description()).encode() + contestant.net.weights.tobytes())
    return f"{game.family}-{digest.hexdigest()[:16]}.jsonl"
