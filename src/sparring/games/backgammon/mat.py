"""Match text (.mat), as Jellyfish began it and GNU Backgammon and others read and write it.

     Game 1
     left : 0                       right : 0
      1)                             31: 8/5 6/5
      2) 64: 24/18 18/14             ...
          Wins 1 point

A column is a player, whoever begins. Games between the same two keep their columns, so that the score adds up: the left
column is whoever sat in seat 0 in the first game, and a game that is read has the left column in seat 0.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sparring.errors import UserError
from sparring.games.backgammon.game_record import (
    Record,
    Turn,
    first_state,
    outcome,
    read_record,
    read_turn,
    result_text,
    write_record,
)
from sparring.games.backgammon.notation import Roll, steps_of
from sparring.games.backgammon.positions import STARTS, start_name

LEFT_WIDTH, RIGHT_FROM = 27, 20  # how wide we write the left column, and from where on a line we read the right one
VARIATIONS = {"standard": "Backgammon", "hypergammon": "HyperGammon (3)"}

BYTE_ORDER_MARK = "\ufeff"  # begins files that some editors on Windows have saved
SINGLE = '; [Scoring "single"]'  # our own: other programs take it for a remark

VARIATION = re.compile(r";\s*\[Variation \"(.*)\"\]\s*", re.IGNORECASE)
IGNORED = re.compile(r"\s*(;.*|-?[0-9]+ point match.*)?", re.IGNORECASE)
GAME = re.compile(r"\s*Game\s+[0-9]+\s*", re.IGNORECASE)
NAMES = re.compile(r"\s*(\S.*?) : -?[0-9]+\s+(\S.*?) : -?[0-9]+\s*")
ROW = re.compile(r"\s*[0-9]+\).*")
CELL = re.compile(r"([1-6][1-6]):((?:(?![1-6]{2}:|\s+Wins\b).)*)", re.IGNORECASE)
CUBE = re.compile(r"\b(doubles|takes|drops|beavers|raccoons|redoubles)\b", re.IGNORECASE)
WINS = re.compile(r"\bWins\s+([0-9]{1,6})\s+points?\b", re.IGNORECASE)


# Writing.


def write_mat(games: list[str], names: list[list[str]]) -> str:
    """A .mat file of games in our notation, with the names of seats 0 and 1 for each game."""
    records = [read_record(game, f"game {number}") for number, game in enumerate(games, 1)]
    kinds = {(start_name(record.start), record.single) for record in records}
    start, single = next(iter(kinds), (None, False))
    if len(kinds) != 1 or start not in VARIATIONS:
        raise UserError(f"a .mat file holds games of one kind, from {' or '.join(VARIATIONS)}; keep others in a log")
    head = [f'; [Variation "{VARIATIONS[start]}"]', *[SINGLE] * single, "", " 0 point match", ""]
    parts = ["\n".join(head)]
    score = [0, 0]
    for number, (record, seated) in enumerate(zip(records, names, strict=True), 1):
        left = 1 if seated == names[0][::-1] and seated != names[0] else 0
        parts.append(_game_text(number, record, seated, left, score))
    return "\n".join(parts)


def _game_text(number: int, record: Record, seated: list[str], left: int, score: list[int]) -> str:
    """One game; the score is what each column has won before, and goes on."""
    won = outcome(record.end()[0])
    if won is None:
        raise UserError(f"game {number} is drawn, which a .mat file cannot say; keep it in a log")
    titles = [f"{_plain(seated[seat])} : {points}" for seat, points in zip((left, 1 - left), score, strict=True)]
    column = int(won.winner != left)
    score[column] += won.points
    return "\n".join(
        [
            f" Game {number}",
            f" {titles[0].ljust(LEFT_WIDTH + 3)} {titles[1]}",
            *_rows(record, left),
            " " * (6 + column * (LEFT_WIDTH + 1)) + f"Wins {won.points} point{'s' * (won.points > 1)}",
            "",
        ]
    )


def _plain(name: str) -> str:
    """A name that cannot be taken for something else: a colon ends it, for most programs."""
    return "_".join(name.replace(":", "_").split()) or "unnamed"


def _rows(record: Record, left: int) -> Iterator[str]:
    cells = [_cell(state[0], turn) for turn, state in zip(record.turns, record.states(), strict=False)]
    if record.turns[0].seat != left:
        cells.insert(0, "")
    for number, row in enumerate(range(0, len(cells), 2), 1):
        yield f"{number:3d}) {cells[row].ljust(LEFT_WIDTH)} {''.join(cells[row + 1 : row + 2])}".rstrip()


def _cell(s: Any, turn: Turn) -> str:
    """Dice and steps one by one: the spelling that every program reads."""
    steps = [f"{step.start}/{step.end}{'*' * step.hit}" for step in steps_of(Roll.of(s), turn.move)]
    return f"{turn.dice[0]}{turn.dice[1]}: {' '.join(steps)}".rstrip()


# Reading.


@dataclass
class Found:
    """A game in a .mat file: who played it, its turns as (line, column, dice and play), and what was won."""

    start: str
    single: bool
    line: int
    names: list[str] = field(default_factory=list)
    turns: list[tuple[int, int, str]] = field(default_factory=list)
    points: int = 0


def read_mat(text: str, place: str) -> tuple[list[str], list[list[str]]]:
    """The games of a .mat file in our notation, and the names of seats 0 (the left column) and 1 for each."""
    games: list[Found] = []
    start = "standard"
    for number, line in enumerate(text.removeprefix(BYTE_ORDER_MARK).expandtabs().splitlines(), 1):
        variation = VARIATION.fullmatch(line)
        if variation:
            start = _start(variation[1], f"{place}, line {number}")
        elif GAME.fullmatch(line):
            games.append(Found(start, SINGLE in text, number))
        elif not IGNORED.fullmatch(line):
            _read_line(games, number, line, f"{place}, line {number}")
    if not games:
        raise UserError(f"{place}: holds no games: a .mat file has a line 'Game 1' before the first")
    return [write_record(_played(game, place)) for game in games], [game.names for game in games]


def _start(variation: str, place: str) -> str:
    for start, known in VARIATIONS.items():
        if variation.lower() in (known.lower(), start):
            return start
    raise UserError(f"{place}: variation {variation!r} is not played here; known: {', '.join(VARIATIONS.values())}")


def _read_line(games: list[Found], number: int, line: str, place: str) -> None:
    """A line of names, of turns, or of the result."""
    if not games:
        raise UserError(
            f"{place}: {line.strip()[:40]!r} is not understood: a .mat file begins with 'N point match', 'Game 1'"
        )
    if CUBE.search(line) and not NAMES.fullmatch(line):
        raise UserError(f"{place}: {CUBE.findall(line)[0].lower()}: this is cubeless play")
    names, row, wins = NAMES.fullmatch(line), ROW.fullmatch(line), WINS.search(line)
    if names and not games[-1].names:
        games[-1].names = [names[1], names[2]]
    elif row or wins:
        games[-1].turns += _cells(line, number)
        games[-1].points = int(wins[1]) if wins else games[-1].points
    else:
        raise UserError(f"{place}: {line.strip()[:40]!r} is neither names, nor turns, nor a result")


def _cells(line: str, number: int) -> list[tuple[int, int, str]]:
    """The turns of a line: left and right, or one whose column follows from where it stands."""
    cells = list(CELL.finditer(line))
    first = int(len(cells) == 1 and cells[0].start() >= RIGHT_FROM)
    return [(number, (first + n) % 2, f"{c[1]}: {c[2].strip() or 'pass'}") for n, c in enumerate(cells)]


def _played(game: Found, place: str) -> Record:
    """The game played through."""
    where = f"{place}, line {game.line}"
    if not game.names or not game.turns:
        raise UserError(f"{where}: the game has no {'turns' if game.names else 'names, such as A : 0   B : 0'}")
    start = STARTS[game.start]
    state = first_state(start, False, game.turns[0][1])
    turns = [read_turn(state, f"{column} {told}", f"{place}, line {line}") for line, column, told in game.turns]
    if not state[0]["over"]:
        raise UserError(f"{where}: the game is not played to its end; a resigned or unfinished game cannot be read")
    won = int(abs(state[0]["tally"]["score"][0]))
    if game.points not in (won, 1):  # 1 for a gammon where every win counts alike, as by the Jacoby rule
        raise UserError(f"{where}: wins {game.points} points, but the game ends with '{result_text(state[0])}'")
    return Record(start, game.single or game.points < won, tuple(turns))
