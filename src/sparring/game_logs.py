"""Logs of games: replays, and the matches that they make. Part of the Python API."""

from pathlib import Path

from sparring.arena.match import Match, judge
from sparring.arena.play import seatings
from sparring.errors import UserError
from sparring.games import name_game
from sparring.lab.log import Log, read_log
from sparring.reading import as_path

Place = str | Path


def replay(log: Place, number: int = 1, *, round: int = 0, game: str = "") -> list[str]:
    """A game of a log, by its number from 1, as texts turn by turn; only one round of it where `round` is given."""
    found = _log(log, game)
    i = found.index(number)
    frames = list(found.game.view.replay(found.games[i], found.place(i), found.names(i), found.played(i)))
    if round:
        begins = tuple(f"round {round}{end}" for end in (",", ":", " "))
        frames = [frame for frame in frames if frame.startswith(begins)]
    if not frames:
        raise UserError(f"{log}: game {number} has no round {round}")
    return frames


def log_statistics(log: Place, game: str = "") -> Match:
    """The match that a log's games make, computed from their notation alone."""
    found = _log(log, game)
    if found.header is None:
        raise UserError(f"{log}: its first line does not say who played; a log of sparring match --log does")
    header = found.header
    orders = len(seatings(len(header.players), header.seating))
    if len(found.games) % orders:
        raise UserError(f"{log}: {len(found.games)} games, but every deal is played in {orders} seatings")
    deals = len(found.games) // orders
    return judge(found.game, header.players, found.tallies(), header.seed, deals, seating=header.seating)


def _log(log: Place, game: str) -> Log:
    return read_log(as_path(log, "log"), name_game(game) if game else None)
