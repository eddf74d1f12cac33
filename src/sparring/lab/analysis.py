"""Analyses the games of a file: a log of ours, or a file of another program that the game's analyst reads."""

from pathlib import Path
from typing import Any

from sparring.arena.analysis import analyse_played, analysis_options
from sparring.arena.players import Entrant
from sparring.errors import UserError
from sparring.games import GAMES, Game, find_game
from sparring.games.analysis import Analysis, Analyst, Progress, add_up
from sparring.lab.log import Log, read_log
from sparring.reading import read_bytes

MOST_FILE = 1 << 26  # bytes of another program's file


def analyse_file(
    path: Path,
    game: Game | None = None,
    number: int = 0,
    player: Entrant = "",
    level: str = "",
    progress: Progress | None = None,
) -> Analysis:
    """The analysis of a file's games, or of one by its number from 1; see `sparring.analyse`."""
    reader = game_reading(path, game)
    if reader is None:
        return _analyse_log(read_log(path, game), number, player, level, progress)
    games = foreign_games(reader, path)
    chosen = _one(games, number, path) if number else games
    return analyst_of(reader).analyse(chosen, analysis_options(reader, player, level, progress))


def game_reading(path: Path, game: Game | None = None) -> Game | None:
    """The game whose analyst reads files of this kind; None for logs of ours."""
    for known in [game] if game else map(find_game, GAMES):
        analyst = known.presentation.analyst
        if analyst and path.suffix.lower() in analyst.suffixes:
            return known
    return None


def foreign_games(game: Game, path: Path) -> list[Any]:
    """The games of another program's file, as the game's analyst reads them."""
    return list(analyst_of(game).read(_decoded(path), path.name))


def analyst_of(game: Game) -> Analyst:
    """The analyst of a game that has one."""
    analyst = game.presentation.analyst
    assert analyst is not None
    return analyst


def _decoded(path: Path) -> str:
    """The text of a file in UTF-8 or, as older programs write it, in Latin-1."""
    data = read_bytes(path, MOST_FILE)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _one(games: list[Any], number: int, path: Path) -> list[Any]:
    if number > len(games):
        raise UserError(f"{path}: has {len(games)} games; --game {number} is too large")
    return games[number - 1 : number]


def _analyse_log(log: Log, number: int, player: Entrant, level: str, progress: Progress | None) -> Analysis:
    chosen = [log.index(number)] if number else range(len(log.games))
    analyst = log.game.presentation.analyst
    if analyst:
        read = [analyst.read_text(log.games[i], log.place(i), log.names(i)) for i in chosen]
        return analyst.analyse(read, analysis_options(log.game, player, level, progress))
    found = []
    for done, i in enumerate(chosen):
        played = log.played(i)
        if played is None:
            raise UserError(f"{log.place(i)}: line 1, which says the deal, is missing, so it cannot be analysed")
        found.append(analyse_played(log.game, played, log.names(i), player, level, log.place(i)))
        if progress:
            progress(done + 1, len(chosen))
    return Analysis(tuple(found), add_up(found))
