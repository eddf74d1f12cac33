"""Match files (.mat), the Jellyfish format that GNU Backgammon and other programs read and write.

     Game 1
     left : 0                       right : 0
      1)                             31: 8/5 6/5
      2) 64: 24/18 18/14             ...
          Wins 1 point

A column is a player, whoever begins. Players keep their columns from game to game, so that the score adds up: the left column
is seat 0 of the first game. When a game is read, the left column becomes seat 0.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sparring.errors import UserError
from sparring.games.backgammon.game_record import (
    Record,
    Turn,
    first_state,
    outcome,
    read_record,
    read_turn,
    result_text,
)
from sparring.games.backgammon.notation import Roll, steps_of
from sparring.games.backgammon.positions import STARTS, start_name
from sparring.games.backgammon.terms import Terms
from sparring.games.view import plural

LEFT_WIDTH, RIGHT_FROM = 27, 20  # the width of the left column when written; where the right column starts when read
VARIATIONS = {"standard": "Backgammon", "hypergammon": "HyperGammon (3)"}

BYTE_ORDER_MARK = "\ufeff"
SINGLE = '; [Scoring "single"]'  # our extension: a comment to other programs

VARIATION = re.compile(r";\s*\[Variation \"(.*)\"\]\s*", re.IGNORECASE)
IGNORED = re.compile(r"\s*(;.*|-?[0-9]+ point match.*)?", re.IGNORECASE)
GAME = re.compile(r"\s*Game\s+[0-9]+\s*", re.IGNORECASE)
NAMES = re.compile(r"\s*(\S.*?) : -?[0-9]+\s+(\S.*?) : -?[0-9]+\s*")
ROW = re.compile(r"\s*[0-9]+\).*")
CELL = re.compile(r"([1-6][1-6]):((?:(?![1-6]{2}:|\s+Wins\b).)*)", re.IGNORECASE)
CUBE = re.compile(r"\b(doubles|takes|drops|beavers|raccoons|redoubles)\b", re.IGNORECASE)
WINS = re.compile(r"\bWins\s+([0-9]{1,6})\s+points?\b", re.IGNORECASE)


def write_mat(games: list[str], names: list[list[str]]) -> str:
    """The text of a .mat file, from games in our notation and the names of seats 0 and 1 in each."""
    records = [read_record(game, f"game {number}") for number, game in enumerate(games, 1)]
    kinds = {(start_name(record.start), record.terms) for record in records}
    start, terms = next(iter(kinds), (None, Terms()))
    if len(kinds) != 1 or start not in VARIATIONS:
        raise UserError(f"a .mat file holds games of one kind, from {' or '.join(VARIATIONS)}; keep others in a log")
    if terms != Terms(terms.single):
        raise UserError(
            "a .mat file of games with a cube, of matches or with resignations cannot be written; keep them in a log"
        )
    head = [f'; [Variation "{VARIATIONS[start]}"]', *[SINGLE] * terms.single, "", " 0 point match", ""]
    parts = ["\n".join(head)]
    score = [0, 0]
    for number, (record, seated) in enumerate(zip(records, names, strict=True), 1):
        left = 1 if seated == names[0][::-1] and seated != names[0] else 0
        parts.append(_game_text(number, record, seated, left, score))
    return "\n".join(parts)


def _game_text(number: int, record: Record, seated: list[str], left: int, score: list[int]) -> str:
    """One game. `score` is the score of the columns so far and is updated."""
    won = outcome(record.end()[0])
    if won is None:
        raise UserError(f"game {number} is drawn, which a .mat file cannot express; keep it in a log")
    titles = [f"{_plain(seated[seat])} : {points}" for seat, points in zip((left, 1 - left), score, strict=True)]
    column = int(won.winner != left)
    score[column] += won.points
    return "\n".join(
        [
            f" Game {number}",
            f" {titles[0].ljust(LEFT_WIDTH + 3)} {titles[1]}",
            *_rows(record, left),
            " " * (6 + column * (LEFT_WIDTH + 1)) + f"Wins {plural(won.points, 'point')}",
            "",
        ]
    )


def _plain(name: str) -> str:
    """A name without spaces and colons, which most programs take for its end."""
    return "_".join(name.replace(":", "_").split()) or "unnamed"


def _rows(record: Record, left: int) -> Iterator[str]:
    """Two turns per line: dice and single steps, the spelling that every program reads."""
    cells = []
    for turn, state in zip(record.turns, record.states(), strict=False):
        steps = [f"{step.start}/{step.end}{'*' * step.hit}" for step in steps_of(Roll.of(state[0]), turn.move)]
        cells.append(f"{turn.rolled}: {' '.join(steps)}".rstrip())
    if record.turns[0].seat != left:
        cells.insert(0, "")
    for number, row in enumerate(range(0, len(cells), 2), 1):
        yield f"{number:3d}) {cells[row].ljust(LEFT_WIDTH)} {''.join(cells[row + 1 : row + 2])}".rstrip()


@dataclass
class ParsedGame:
    """A game in a .mat file: its names, turns as (line, column, dice and play), and points won."""

    start: str
    single: bool
    line: int
    names: list[str] = field(default_factory=list)
    turns: list[tuple[int, int, str]] = field(default_factory=list)
    points: int = 0


def read_mat(text: str, place: str) -> tuple[list[str], list[list[str]]]:
    """The games of a .mat file in our notation, and the names of seats 0 and 1 in each."""
    games: list[ParsedGame] = []
    start = "standard"
    for number, line in enumerate(text.removeprefix(BYTE_ORDER_MARK).expandtabs().splitlines(), 1):
        variation = VARIATION.fullmatch(line)
        if variation:
            start = _start(variation[1], f"{place}, line {number}")
        elif GAME.fullmatch(line):
            games.append(ParsedGame(start, SINGLE in text, number))
        elif not IGNORED.fullmatch(line):
            _read_line(games, number, line, f"{place}, line {number}")
    if not games:
        raise UserError(f"{place}: contains no games; a .mat file has a line 'Game 1' before the first")
    return [_played(game, place).text() for game in games], [game.names for game in games]


def _start(variation: str, place: str) -> str:
    for start, known in VARIATIONS.items():
        if variation.lower() in (known.lower(), start):
            return start
    raise UserError(f"{place}: unknown variation {variation!r}; known: {', '.join(VARIATIONS.values())}")


def _read_line(games: list[ParsedGame], number: int, line: str, place: str) -> None:
    """Read a line of names, turns or the result."""
    if not games:
        raise UserError(
            f"{place}: {line.strip()[:40]!r} is not understood: a .mat file begins with 'N point match', 'Game 1'"
        )
    if CUBE.search(line) and not NAMES.fullmatch(line):
        raise UserError(f"{place}: {CUBE.findall(line)[0].lower()}: games with a doubling cube are not supported")
    names, row, wins = NAMES.fullmatch(line), ROW.fullmatch(line), WINS.search(line)
    if names and not games[-1].names:
        games[-1].names = [names[1], names[2]]
    elif row or wins:
        games[-1].turns += _cells(line, number)
        games[-1].points = int(wins[1]) if wins else games[-1].points
    else:
        raise UserError(f"{place}: {line.strip()[:40]!r} is neither names, nor turns, nor a result")


def _cells(line: str, number: int) -> list[tuple[int, int, str]]:
    """The turns of a line: left and right, or one whose position gives its column."""
    cells = list(CELL.finditer(line))
    first = int(len(cells) == 1 and cells[0].start() >= RIGHT_FROM)
    return [(number, (first + n) % 2, f"{c[1]}: {c[2].strip() or 'pass'}") for n, c in enumerate(cells)]


def _played(game: ParsedGame, place: str) -> Record:
    """Play the game through."""
    where = f"{place}, line {game.line}"
    if not game.names or not game.turns:
        raise UserError(f"{where}: the game has no {'turns' if game.names else 'names, such as A : 0   B : 0'}")
    start = STARTS[game.start]
    state = first_state(start, Terms(), Turn(game.turns[0][1], (6, 6), 0))
    turns = [read_turn(state, f"{column} {text}", f"{place}, line {line}") for line, column, text in game.turns]
    if not state[0]["over"]:
        raise UserError(f"{where}: the game is unfinished; resigned and unfinished games are not supported")
    won = int(abs(state[0]["tally"]["score"][0]))
    if game.points not in (won, 1):  # 1 for a gammon if every win counts 1, as with the Jacoby rule
        raise UserError(f"{where}: wins {game.points} points, but the game ends with '{result_text(state[0])}'")
    return Record(start, Terms(game.single or game.points < won), tuple(turns))
