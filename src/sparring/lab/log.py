"""Game logs: a line that says what they are, then games in the game's own notation, a blank line between games.

The first line is optional on reading: games written elsewhere in the same notation can be replayed too. A file whose name
ends as one of a game's other formats (backgammon's .mat) is written and read in that format.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.play import SEATINGS, seatings
from sparring.errors import UserError, unwritable
from sparring.games import GAMES, Game, Played, find_game
from sparring.nets.files import replace_file

MARK = "# sparring log "


@dataclass(frozen=True)
class Header:
    """What a log's first line says. Games stand deal by deal, each deal in every seating or only in the given one."""

    game: str
    rules: int
    seed: int
    players: list[str]
    seating: str = "every"


class LogWriter:
    """Writes games in batches: a stop loses at most the batch being written, and never a whole game's half."""

    def __init__(self, path: Path, game: Game, seed: int, players: list[str], seating: str = "every") -> None:
        told = asdict(Header(game.name, game.rules.version, seed, players, seating))
        if seating == "every":
            del told["seating"]
        first = MARK + json.dumps(told) + "\n"
        fresh = not path.exists()
        if not fresh and not _holds_just(path, first):
            raise UserError(f"{path}: exists already; choose another name")
        self.path, self.game, self.players, self.seating = path, game, players, seating
        self.format = formats(game).get(path.suffix)
        self.games: list[str] = []  # kept only for formats that are written as a whole
        self._append(first if fresh and self.format is None else "")

    def keep(self, games: list[Played]) -> None:
        """Append a batch of games."""
        texts = [self.game.view.game_text(game) for game in games]
        if self.format is None:
            self._append("".join(f"\n{text}\n" for text in texts))
            return
        self.games += texts
        orders = seatings(len(self.players), self.seating)
        names = [[self.players[i] for i in orders[n % len(orders)]] for n in range(len(self.games))]
        replace_file(self.path, self.format[0](self.games, names).encode("ascii"))

    def _append(self, text: str) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab", buffering=0) as file:
                whole, rest = file.seek(0, os.SEEK_END), text.encode("ascii")
                try:
                    while rest:
                        rest = rest[file.write(rest) :]
                except OSError:
                    file.truncate(whole)
                    raise
        except OSError as error:
            raise unwritable(
                self.path, error, "the games before are kept: make room, then play again to another log"
            ) from None


def _holds_just(path: Path, text: str) -> bool:
    """Whether a file holds this and no more: the log of a match that was stopped before it had a game to log."""
    try:
        return path.stat().st_size == len(text) and path.read_text(encoding="ascii") == text
    except (OSError, UnicodeDecodeError):
        return False


def formats(game: Game) -> Mapping[str, Any]:
    """A game's formats beside its own notation: the end of a file's name, and how to write and how to read such a file."""
    return game.view.formats


@dataclass(frozen=True)
class Log:
    """A log that was read: who played and every game as text."""

    path: Path
    game: Game
    header: Header | None
    games: list[str]
    seated: list[list[str]] | None = None  # who sat where in each game, where the format says so

    def index(self, number: int) -> int:
        """Where the game of this number, from 1, stands among the games."""
        if number > len(self.games):
            raise UserError(f"{self.path}: has {len(self.games)} games; --game {number} is beyond them")
        return number - 1

    def place(self, number: int) -> str:
        return f"{self.path.name}, game {number + 1}"

    def names(self, number: int) -> list[str]:
        """Who sat where in a game."""
        seats = self._moves(number)[0]
        if self.seated:
            return self.seated[number]
        if self.header is None:
            return [f"seat {seat}" for seat in range(seats)]
        orders = seatings(seats, self.header.seating)
        return [self.header.players[i] for i in orders[number % len(orders)]]

    def played(self, number: int) -> Played | None:
        """The game with its deal, where the first line says what the deal was."""
        if self.header is None:
            return None
        seats, moves = self._moves(number)
        deal = number // len(seatings(seats, self.header.seating))
        game = Played(self.header.seed, deal, number, seats, moves)
        if self.game.view.game_text(game) != self.games[number]:
            raise UserError(
                f"{self.place(number)}: not the game that line 1 says; delete line 1 to replay it without its deal"
            )
        return game

    def _moves(self, number: int) -> tuple[int, tuple[int, ...]]:
        seats, moves = self.game.view.read_moves(self.games[number], self.place(number))
        if self.header and seats != len(self.header.players):
            raise UserError(f"{self.place(number)}: {seats} seats, but line 1 names {len(self.header.players)} players")
        return seats, moves

    def tallies(self) -> np.ndarray:
        """What the rules count, from the text alone."""
        return np.concatenate([self.game.view.game_tally(text, self.place(i)) for i, text in enumerate(self.games)])


def read_log(path: Path, game: Game | None = None) -> Log:
    """Read a log of `game`, or of one of our own: one without a first line is of the first whose notation it is."""
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not a game log: it is not plain text") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    for known in [game] if game else map(find_game, GAMES):
        if path.suffix in formats(known):
            games, seated = formats(known)[path.suffix][1](text, path.name)
            return Log(path, known, None, games, seated)
    header = None
    if text.startswith(MARK):
        first, _, text = text.partition("\n")
        header = _read_header(first, path, game)
    games = [part for part in text.strip("\n").split("\n\n") if part]
    if not games:
        raise UserError(f"{path}: holds no games")
    if game is None:
        game = find_game(header.game) if header else _guess_game(games[0], path)
    return Log(path, game, header, games)


def _guess_game(text: str, path: Path) -> Game:
    for game in map(find_game, GAMES):
        try:
            game.view.read_moves(text, f"{path.name}, game 1")
            return game
        except UserError as error:
            said = error
    raise UserError(
        f"{path.name}: in no game's notation that is known here ({', '.join(GAMES)}); name it with --of: {said}"
    )


def _read_header(line: str, path: Path, game: Game | None) -> Header:
    try:
        told = json.loads(line.removeprefix(MARK))
        header = Header(**told)
    except (ValueError, TypeError, RecursionError) as error:
        raise UserError(f"{path}, line 1: not a log's first line ({error})") from None
    known = list(GAMES) if game is None else [game.name]  # looking further would import a module that a file names
    if str(header.game) not in known and (game or str(header.game).partition(":")[0] not in known):
        raise UserError(f"{path}, line 1: game {header.game!r} is not among {', '.join(known)}; name it with --of")
    if type(header.seed) is not int or not 0 <= header.seed < 2**64:
        raise UserError(f"{path}, line 1: seed = {header.seed!r}: must be a whole number from 0 to 2^64 - 1")
    if type(header.players) is not list or any(type(name) is not str for name in header.players):
        raise UserError(f"{path}, line 1: players = {header.players!r}: must be a list of names")
    if header.seating not in SEATINGS:
        raise UserError(f"{path}, line 1: seating = {header.seating!r}: must be one of {', '.join(SEATINGS)}")
    version = (game or find_game(header.game)).rules.version
    if header.rules != version:
        raise UserError(
            f"{path}: played under rules version {header.rules} of {header.game}; this is version {version}"
        )
    return header
