"""Whole games as text: the map and the rules, one line per round, the result. The text alone determines the game.

    map duel, 500 rounds
    1: 0,0+ 5,5+
    2: 0,0>0,1:1 idle
    ...
    blue wins

An unnamed map is written out, rows separated by `/`; `goal all` and `author's reading` may follow. A round is blue's move and
red's (see notation.py); red's may be missing in the last round. The result is the winner, `stale` or `nobody wins`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.errors import UserError, errors_at
from sparring.games.conquest import rules
from sparring.games.conquest.maps import NAMES, Map, find_map, parse_map
from sparring.games.conquest.notation import SIDES, move_short, read_short
from sparring.games.game import Game, apply_move
from sparring.games.record_view import StatesRecord
from sparring.kernel.records import records

FIRST = re.compile(r"map ([^,]+), ([0-9]{1,4}) rounds(, goal all)?(, author's reading)?")
ROUND = re.compile(r"([0-9]{1,4}): (\S+)(?: (\S+))?")


@dataclass(frozen=True)
class Record(StatesRecord):
    """A game from its start to its end."""

    start: Map
    limit: int
    goal: int
    reading: int
    moves: tuple[int, ...]

    def states(self) -> Iterator[np.ndarray]:
        state = first_state(self.start, self.limit, self.goal, self.reading)
        for move in self.moves:
            yield state
            apply_move(rules, state, move)
        yield state

    def text(self) -> str:
        name = next((name for name in NAMES if find_map(name) == self.start), self.start.line())
        chosen = ", goal all" * (self.goal == rules.ALL) + ", author's reading" * (self.reading == rules.AUTHOR)
        lines = [f"map {name}, {self.limit} rounds{chosen}"]
        states = self.states()
        words = [move_short(state[0], move) for move, state in zip(self.moves, states, strict=False)]
        lines += [f"{n // 2 + 1}: {' '.join(words[n : n + 2])}" for n in range(0, len(words), 2)]
        return "\n".join([*lines, result_text(next(states)[0])])


def first_state(start: Map, limit: int, goal: int, reading: int = rules.TEXT) -> np.ndarray:
    """The state before the first move. The deal is 0, because the tally does not depend on it."""
    state = np.zeros(1, rules.State)
    setup: Any = state[0]["rules"]
    start.write(setup, reading)
    setup["limit"], setup["goal"] = limit, goal
    with np.errstate(over="ignore"):
        rules.start(records(state)[0], np.uint64(0), 0, 0, len(SIDES))
    return state


def record_of(game: Game, state: np.ndarray, moves: tuple[int, ...]) -> Record:
    """The game of these moves on this state's map."""
    setup: Any = state[0]["rules"]
    board = tuple(int(troops) for troops in setup["board"][: setup["tiles"]])
    start = Map(int(setup["rows"]), int(setup["columns"]), board)
    return Record(start, int(setup["limit"]), int(setup["goal"]), int(setup["reading"]), moves)


def winner(s: Any) -> int | None:
    """The winning seat, or None."""
    score = s["tally"]["score"].tolist()
    return score.index(1) if 1 in score else None


def result_text(s: Any) -> str:
    """The last line of a finished game."""
    won = winner(s)
    return f"{SIDES[won]} wins" if won is not None else "stale" if s["tally"]["stale"] else "nobody wins"


def read_record(text: str, place: str) -> Record:
    """Read a game and check every move; a UserError names the wrong line."""
    first, *lines = [line.strip() for line in text.split("\n")]
    chosen = _read_first(first, f"{place}, line 1")
    state = first_state(*chosen)
    moves: list[int] = []
    for number, line in enumerate(lines[:-1], 2):
        moves += _read_round(state, line, number - 1, f"{place}, line {number}")
    last, result = "".join(lines[-1:]), result_text(state[0])
    if not state[0]["over"]:
        raise UserError(f"{place}: the game is incomplete: its moves do not lead to an end")
    if last != result:
        raise UserError(f"{place}: the last line is {last[:40]!r}, but the game ends with '{result}'")
    return Record(*chosen, tuple(moves))


def _read_first(line: str, place: str) -> tuple[Map, int, int, int]:
    match = FIRST.fullmatch(line)
    if match is None:
        raise UserError(f"{place}: a game begins with a line such as 'map duel, 500 rounds', not {line[:40]!r}")
    named = match[1] in NAMES
    start = find_map(match[1]) if named else parse_map(match[1].split("/"), place, lambda row: f"{place}, row {row}")
    limit = int(match[2])
    if not 1 <= limit <= rules.LONGEST:
        raise UserError(f"{place}: {limit} rounds; a game has 1 to {rules.LONGEST}")
    if match[4] and start.tiles > rules.CORNER_TILES:
        raise UserError(f"{place}: the author's reading is for at most {rules.CORNER_TILES} tiles")
    return start, limit, rules.ALL if match[3] else rules.ELIMINATE, rules.AUTHOR if match[4] else rules.TEXT


def _read_round(state: np.ndarray, line: str, number: int, place: str) -> Iterator[int]:
    """Read the moves of a line and make them."""
    s: Any = state[0]
    match = ROUND.fullmatch(line)
    if match is None or int(match[1]) != number:
        raise UserError(f"{place}: {line[:40]!r} is not round {number}, such as '{number}: 0,0+ 5,5>5,4:1'")
    for word in match.groups()[1:]:
        if word is None:
            if not s["over"]:
                raise UserError(f"{place}: red's move is missing")
            continue
        if s["over"]:
            raise UserError(f"{place}: {word[:30]}: the game is over already")
        with errors_at(f"{place}: "):
            move = read_short(s, word)
        apply_move(rules, state, move)
        yield move
