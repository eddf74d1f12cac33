"""Game logs: a header line, then games in the game's notation, separated by blank lines.

The header is optional when reading, so games written elsewhere in the same notation can be replayed. A file whose suffix
is one of the game's other formats is written and read in that format.
"""

import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from sparring.arena.play import SEATINGS, seatings
from sparring.errors import UserError, cut, writing
from sparring.games import GAMES, Game, Played, find_game
from sparring.nets.files import replace_file
from sparring.reading import MOST_LOG, read_text

MARK = "# sparring log "
CONTROL = re.compile(r"[^ -~\n\t]")


@dataclass(frozen=True)
class Header:
    """A log's first line. Games are in the order of deals, each deal in every seating or only in the given one."""

    game: str
    rules: int
    seed: int
    players: list[str]
    seating: str = "every"


class LogWriter:
    """Writes games in batches. A stop loses at most the batch being written and never leaves half a game."""

    def __init__(self, path: Path, game: Game, seed: int, players: list[str], seating: str = "every") -> None:
        header = asdict(Header(game.name, game.rules.version, seed, players, seating))
        if seating == "every":
            del header["seating"]
        first = MARK + json.dumps(header) + "\n"
        new = not path.exists()
        if not new and not _contains_only(path, first):
            raise UserError(f"{path}: exists already; choose another name")
        self.path, self.game, self.players, self.seating = path, game, players, seating
        self.format = game.view.formats.get(path.suffix)
        self.games: list[str] = []  # only for formats that are written as a whole
        self._append(first if new and self.format is None else "")

    def keep(self, games: list[Played]) -> None:
        """Append a batch of games."""
        texts = [self.game.view.game_text(game) for game in games]
        if self.format is None:
            self._append("".join(f"\n{text}\n" for text in texts))
            return
        self.games += texts
        orders = seatings(len(self.players), self.seating)
        names = [[self.players[i] for i in orders[n % len(orders)]] for n in range(len(self.games))]
        replace_file(self.path, self.format[0](self.games, names).encode("ascii", "replace"))

    def _append(self, text: str) -> None:
        with writing(self.path, "earlier games are saved; free some space, then use another log"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab", buffering=0) as file:
                end, rest = file.seek(0, os.SEEK_END), text.encode("ascii")
                try:
                    while rest:
                        rest = rest[file.write(rest) :]
                except OSError:
                    file.truncate(end)
                    raise


def _contains_only(path: Path, text: str) -> bool:
    """Whether a file contains only this text: the log of a match that was stopped before its first game ended."""
    try:
        return path.stat().st_size == len(text) and path.read_text(encoding="ascii") == text
    except (OSError, UnicodeDecodeError):
        return False


@dataclass(frozen=True)
class Log:
    """A log as read: the players and every game as text."""

    path: Path
    game: Game
    header: Header | None
    games: list[str]
    seated: list[list[str]] | None = None  # the players of each game by seat, if the format has them

    def index(self, number: int) -> int:
        """The index of a game by its number from 1."""
        if number > len(self.games):
            raise UserError(f"{self.path}: has {len(self.games)} games; --game {number} is too large")
        return number - 1

    def place(self, number: int) -> str:
        return f"{self.path.name}, game {number + 1}"

    def names(self, number: int) -> list[str]:
        """The players of a game by seat."""
        seats = self._moves(number)[0]
        if self.seated:
            return self.seated[number]
        if self.header is None:
            return [f"seat {seat}" for seat in range(seats)]
        orders = seatings(seats, self.header.seating)
        return [self.header.players[i] for i in orders[number % len(orders)]]

    def played(self, number: int) -> Played | None:
        """The game with its deal, or None if the log has no header."""
        if self.header is None:
            return None
        seats, moves = self._moves(number)
        deal = number // len(seatings(seats, self.header.seating))
        game = Played(self.header.seed, deal, number, seats, moves)
        if self.game.view.game_text(game) != self.games[number]:
            raise UserError(f"{self.place(number)}: does not fit line 1; delete line 1 to replay it without its deal")
        return game

    def _moves(self, number: int) -> tuple[int, tuple[int, ...]]:
        seats, moves = self.game.view.read_moves(self.games[number], self.place(number))
        if self.header and seats != len(self.header.players):
            raise UserError(f"{self.place(number)}: {seats} seats, but line 1 names {len(self.header.players)} players")
        return seats, moves

    def tallies(self) -> np.ndarray:
        """The tally of every game, computed from its text."""
        return np.concatenate([self.game.view.game_tally(text, self.place(i)) for i, text in enumerate(self.games)])


def read_log(path: Path, game: Game | None = None) -> Log:
    """Read a log of `game`, or of a built-in game: without a header, the first whose notation fits."""
    text = read_text(path, "a game log", "ascii", MOST_LOG)
    if CONTROL.search(text):
        raise UserError(f"{path}: not a game log: it has control characters")
    for known in [game] if game else map(find_game, GAMES):
        if path.suffix in known.view.formats:
            games, seated = known.view.formats[path.suffix][1](text, path.name)
            return Log(path, known, None, games, seated)
    header = None
    if text.startswith(MARK):
        first, _, text = text.partition("\n")
        header = _read_header(first, path, game)
    games = [part for part in text.strip("\n").split("\n\n") if part]
    if not games:
        raise UserError(f"{path}: contains no games")
    if game is None:
        game = find_game(header.game) if header else _guess_game(games[0], path)
    return Log(path, game, header, games)


def _guess_game(text: str, path: Path) -> Game:
    for game in map(find_game, GAMES):
        try:
            game.view.read_moves(text, f"{path.name}, game 1")
            return game
        except UserError as error:
            reason = error
    raise UserError(f"{path.name}: not in the notation of {', '.join(GAMES)}; name the game with --of: {reason}")


def _read_header(line: str, path: Path, game: Game | None) -> Header:
    try:
        header = Header(**json.loads(line.removeprefix(MARK)))
    except (ValueError, TypeError, RecursionError) as error:
        raise UserError(f"{path}, line 1: not a log header ({error})") from None
    known = list(GAMES) if game is None else [game.name]  # a log must not make us import the module it names
    if str(header.game) not in known and (game or str(header.game).partition(":")[0] not in known):
        raise UserError(f"{path}, line 1: game {cut(header.game)} is not one of {', '.join(known)}; name it with --of")
    if type(header.seed) is not int or not 0 <= header.seed < 2**64:
        raise UserError(f"{path}, line 1: seed = {cut(header.seed)}: must be a whole number from 0 to 2^64 - 1")
    if type(header.players) is not list or not all(type(name) is str and name.isprintable() for name in header.players):
        raise UserError(f"{path}, line 1: players = {cut(header.players)}: must be a list of printable names")
    if header.seating not in SEATINGS:
        raise UserError(f"{path}, line 1: seating = {cut(header.seating)}: must be one of {', '.join(SEATINGS)}")
    version = (game or find_game(header.game)).rules.version
    if header.rules != version:
        raise UserError(f"{path}: uses rules version {header.rules} of {header.game}; this is version {version}")
    return header
