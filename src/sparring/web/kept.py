"""Games that were played, as a replay needs them: of logs, of other programs' files, and of finished tables."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from sparring.arena.analysis import analyse_played, analysis_options
from sparring.arena.players import Contestant
from sparring.arena.session import Session
from sparring.games import Game, Played
from sparring.games.analysis import Frame, GameAnalysis
from sparring.lab.analysis import analyst_of, foreign_games, game_reading
from sparring.lab.log import Log, read_log
from sparring.web.refusals import LARGEST_FILE, Refusal

LARGEST_LOG = 64 * 1024 * 1024  # bytes that are read
MOST_DEEP = 2000  # moves of a game that is judged beyond the first level: a move may take a second, and others wait


@dataclass(frozen=True)
class Kept:
    """A stored game. If its deal is not known there are only its frames; a game's analyst can judge it if it is `foreign`."""

    game: Game
    names: list[str]
    played: Played | None = None
    frames: list[Frame] = field(default_factory=list)
    foreign: Any = None  # as the game's analyst reads it
    seat: int | None = None  # of the person who asks, if they played
    count: int = 1  # games of the file

    def analysed(self, judge: Contestant | str, level: str) -> GameAnalysis:
        """The analysis; moves are numbered as frames are."""
        self._check_length(level)
        if self.played:
            return analyse_played(self.game, self.played, self.names, judge, level)
        if self.foreign is None:
            raise Refusal(422, "this log does not say what was dealt, so its games cannot be judged")
        options = analysis_options(self.game, judge, level, None)
        return analyst_of(self.game).analyse([self.foreign], options).games[0]

    def _check_length(self, level: str) -> None:
        """Refuse to judge a very long game deeply."""
        moves, analyst = len(self.played.moves) if self.played else len(self.frames), self.game.presentation.analyst
        if analyst and level not in ("", analyst.levels[0]) and moves > MOST_DEEP:
            raise Refusal(422, f"a game of {moves} moves is judged here at level {analyst.levels[0]} only")

    def frame(self, move: int) -> int:
        """The frame that shows the position before a move."""
        if self.played:
            return move
        return next(number for number, frame in enumerate(self.frames) if frame.move == move)

    def rules_before(self, number: int) -> str:
        """Rules under which seat 0 decides as at a frame; empty where a game cannot begin there."""
        if self.foreign is None or number >= len(self.frames):
            return ""
        return analyst_of(self.game).rules_before(self.foreign, self.frames[number].move)

    def replay(self, wide: bool) -> dict[str, Any]:
        """The game as the page shows it, move by move; `wide` as it looks in a wide window."""
        facts = {"game": self.game.name, "names": self.names, "games": self.count}
        if self.played is None:
            frames = [{"said": each.said, "svg": each.svg, "turn": each.turn, "move": None} for each in self.frames]
            result = analyst_of(self.game).outcome(self.foreign) if self.foreign else None
            return facts | {"moves": None, "frames": frames, "result": result, "judged": self.foreign is not None}
        session = Session(self.game, self.names, self.played.seed, self.played.deal, self.played.luck)
        draw = self.game.view.wide_table if wide else self.game.view.table
        moves = self.played.moves
        frames = [
            {
                "said": said,
                "svg": draw(shown, None, session.names),
                "turn": None if session.over else session.turn,
                "move": move,
            }
            for move, (said, shown) in zip((None, *moves), session.replay(moves), strict=True)
        ]
        result = session.result(self.seat)
        return facts | {"moves": len(moves), "frames": frames, "result": result, "judged": True}


def kept_in(path: Path, number: int) -> Kept:
    """A game of a file, by its number from 0."""
    facts = path.stat()
    if facts.st_size > LARGEST_LOG:
        raise Refusal(413, f"this log is too large to be shown here; see it with: sparring replay {path.name}")
    small = facts.st_size <= LARGEST_FILE
    game, games, log = _remembered(path, facts.st_mtime_ns) if small else _read(path)
    if number >= len(games):
        raise Refusal(404, f"this log has {len(games)} games")
    if log is None:
        return _foreign(game, games[number], len(games))
    played, names = log.played(number), log.names(number)
    if played:
        return Kept(game, names, played, count=len(games))
    if game.presentation.analyst:
        return _foreign(game, analyst_of(game).read_text(games[number], log.place(number), names), len(games))
    shown = game.view.frames(games[number], log.place(number), names)
    frames = [Frame(said, svg, move, None) for move, (said, svg) in enumerate(shown)]
    return Kept(game, names, frames=frames, count=len(games))


@lru_cache(maxsize=500)
def listed_facts(path: Path, changed: int) -> dict[str, Any]:
    """What a list says of a file: its game, how many games it has, and who plays the first."""
    game, games, log = _remembered(path, changed)
    names = log.names(0) if log else analyst_of(game).names(games[0])
    return {"game": game.name, "games": len(games), "title": " and ".join(names)}


@lru_cache(maxsize=8)
def _remembered(path: Path, changed: int) -> tuple[Game, list[Any], Log | None]:
    return _read(path)


def _read(path: Path) -> tuple[Game, list[Any], Log | None]:
    """The games of a file: of another program, or of a log."""
    reader = game_reading(path)
    if reader:
        return reader, foreign_games(reader, path), None
    log = read_log(path)
    return log.game, log.games, log


def _foreign(game: Game, read: Any, count: int) -> Kept:
    analyst = analyst_of(game)
    return Kept(game, list(analyst.names(read)), frames=list(analyst.frames(read)), foreign=read, count=count)
