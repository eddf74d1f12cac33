"""Whole games as text: the rules, three lines a round, and the score. Nothing else is needed to play a game again.

    hearts:rounds=1
    round 1: 6c7cTcJc2d2h4h8hAh2s5s7s8s/2c8cAc3d4d5dJd6h7h3sTsQsAs/...
    left: AhJcTc/QsAsAc/KsKdKh/KcAdJh
    1:2cAcKsKc 2:3cKh6cJc 1:Ts4s9s8s ... = 0 3 10 13
    score 0 3 10 13

A round is what is dealt to each seat; what each gives to the left, to the right or across, in the order it chose (a line that
rounds without passing do not have); and the tricks, each the seat that leads and four cards in the order of play, then what
the round adds to each seat's score.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.game import Game, game_written
from sparring.games.hearts import rules
from sparring.games.hearts.cards import card_name, hand_text, read_cards, read_deal
from sparring.games.hearts.rules import NONE, PASS, QUEEN
from sparring.games.hearts.table_svg import DIRECTIONS, NOBODY, Result, Round, Table, is_over, taken
from sparring.kernel.launch import SEATS
from sparring.kernel.records import records

DEALT = re.compile(r"round ([0-9]{1,3}): (\S+)")
PASSING = re.compile(r"(left|right|across): (\S+)")
PLAYED = re.compile(r"(.*) = (.*)")
TRICK = re.compile(r"([0-3]):(\w+)")
NUMBERS = tuple(map(str, range(SEATS)))


@dataclass(frozen=True)
class Record:
    """A game from its first deal to its end."""

    game: Game
    rounds: tuple[Round, ...]

    @property
    def told(self) -> Any:
        """The rules as kernels see them."""
        return self.game.template[0]["rules"]

    @property
    def moves(self) -> tuple[int, ...]:
        return tuple(move for played in self.rounds for move in played.moves)

    @cached_property
    def ends(self) -> list[Table]:
        """Each round's table after its last trick."""
        tables = [Table.of(played.dealt, number, self.told) for number, played in enumerate(self.rounds)]
        for played, table in zip(self.rounds, tables, strict=True):
            if played.passed:
                table.exchange(played.passed)
            for card in played.played:
                table.play(card)
        return tables


@lru_cache
def game_of(name: str) -> Game:
    """The game that a text's first line names: `hearts`, or `hearts:` and the rules that were chosen."""
    from sparring.games.hearts import GAME  # which has the view that reads records in it

    return game_written(GAME, name, "hearts:target=50")


# From a game that was played.


def record_of(game: Game, state: np.ndarray, moves: tuple[int, ...]) -> Record:
    """The game of these moves that begins with this state, which is left at the game's end."""
    s: Any = state[0]
    rounds, dealt, passed, played = list[Round](), _dealt(s), [list[int]() for _ in range(SEATS)], list[int]()
    for move in moves:
        (passed[int(s["turn"])] if s["phase"] == PASS else played).append(move)
        with np.errstate(over="ignore"):
            rules.apply(records(state)[0], move)
        if s["round"] != len(rounds):
            rounds.append(Round(dealt, tuple(map(tuple, passed)) if any(passed) else (), tuple(played)))
            dealt, passed, played = _dealt(s), [[] for _ in range(SEATS)], []
    return Record(game, tuple(rounds))


def _dealt(s: Any) -> tuple[int, ...]:
    return tuple(map(int, s["dealt"]))


# Writing.


def write_record(record: Record) -> str:
    """A game as text."""
    lines = [record.game.name]
    for number, (played, end) in enumerate(zip(record.rounds, record.ends, strict=True)):
        lines.append(f"round {number + 1}: {'/'.join(map(hand_text, played.dealt))}")
        if played.passed:
            passed = "/".join("".join(map(card_name, cards)) for cards in played.passed)
            lines.append(f"{DIRECTIONS[end.direction]}: {passed}")
        lines.append(f"{_tricks_text(played, number, record.told)} = {result_text(end.result())}")
    return "\n".join([*lines, score_text(record)])


def _tricks_text(played: Round, number: int, told: Any) -> str:
    """All tricks: `2:2cKc5cAc 1:...`."""
    table, words = Table.of(played.dealt, number, told), ""
    if played.passed:
        table.exchange(played.passed)
    for card in played.played:
        words += f" {table.turn}:" if table.turn == table.leader else ""
        words += card_name(card)
        table.play(card)
    return words.strip()


def result_text(result: Result, names: Sequence[str] = ()) -> str:
    """What a round came to: `0 13 5 8`, `2 shoots the moon: 26 26 0 26`; with names, `ann 0, bob 13, ...`."""
    moon = f"{(names or NUMBERS)[result.shooter]} shoots the moon: " if result.shooter != NOBODY else ""
    return moon + (points_text(names, result.points) if names else " ".join(map(str, result.points)))


def points_text(names: Sequence[str], points: Sequence[int]) -> str:
    """Everybody's points: `ann 0, bob 13, cat 5, dan 8`."""
    return ", ".join(f"{name} {each}" for name, each in zip(names, points, strict=True))


def score_text(record: Record) -> str:
    """The last line of a game."""
    points = [end.result().points for end in record.ends]
    return f"score {' '.join(str(sum(each)) for each in zip(*points, strict=True))}"


# Reading.


def read_record(text: str, place: str) -> Record:
    """A game from its text, played through card by card; a UserError names the place that is wrong."""
    first, *lines = [line.strip() for line in text.split("\n")]
    try:
        game = game_of(first)
    except UserError as error:
        raise UserError(f"{place}, line 1: {error}") from None
    told: Any = game.template[0]["rules"]
    reader = _Reader(lines, told, place)
    record = Record(game, tuple(reader.rounds()))
    reader.expect_end(score_text(record))
    return record


class _Reader:
    """Reads the lines after the first one by one."""

    def __init__(self, lines: list[str], told: Any, place: str) -> None:
        self.lines, self.told, self.place = lines, told, place

    def rounds(self) -> Iterator[Round]:
        """The rounds, which must lead to the game's end."""
        score, number = [0] * SEATS, 0
        while not is_over(number, score, self.told):
            if not self.lines or self.lines[0].startswith("score"):
                raise UserError(f"{self.place}: the game is cut in the middle: its rounds do not lead to an end")
            played, points = self._round(number, f"{self.place}, round {number + 1}")
            yield played
            score = [a + b for a, b in zip(score, points, strict=True)]
            number += 1

    def expect_end(self, due: str) -> None:
        """The last line, and nothing after it."""
        if self.lines and self.lines[0].startswith("round"):
            raise UserError(f"{self.place}, {self.lines[0].partition(':')[0][:12]}: the game is over already")
        if self.lines != [due]:
            said = " ".join(self.lines)
            raise UserError(f"{self.place}: ends with {said[:60]!r}, but must with '{due}'")

    def _next(self, pattern: re.Pattern, due: str, at: str) -> re.Match:
        """The next line, which must be like this."""
        line = self.lines.pop(0) if self.lines else ""
        found = pattern.fullmatch(line)
        if found is None:
            raise UserError(
                f"{at}: {line[:40]!r} should be {due}" if line else f"{at}: cut in the middle: here must be {due}"
            )
        return found

    def _round(self, number: int, at: str) -> tuple[Round, tuple[int, ...]]:
        """A round from its lines, and its points."""
        said = self._next(DEALT, f"what is dealt: 'round {number + 1}: HAND/HAND/HAND/HAND'", at)
        if int(said[1]) != number + 1:
            raise UserError(f"{at}: this is called round {said[1]}")
        dealt = tuple(read_deal(said[2], at))
        if self.told["hand"][0] and dealt != tuple(self.told["hand"]):
            raise UserError(f"{at}: the rules on line 1 say that other cards are dealt")
        table = Table.of(dealt, number, self.told)
        passed = self._passed(table, at)
        said = self._next(PLAYED, "the tricks: '2:2cKc5cAc 1:... = POINTS'", at)
        cards = [
            card for n, word in enumerate(said[1].split(), 1) for card in _read_trick(table, word, f"{at}, trick {n}")
        ]
        if not table.over:
            raise UserError(f"{at}: cut in the middle: it has {table.number} tricks of {rules.TRICKS}")
        result = table.result()
        if said[2] != result_text(result):
            raise UserError(f"{at}: ends with {said[2][:60]!r}, but must with '{result_text(result)}'")
        return Round(dealt, passed, tuple(cards)), result.points

    def _passed(self, table: Table, at: str) -> tuple[tuple[int, ...], ...]:
        """What each seat passes, which is then exchanged."""
        if table.direction == NONE:
            if self.lines and PASSING.fullmatch(self.lines[0]):
                raise UserError(f"{at}: no cards are passed in this round")
            return ()
        way = DIRECTIONS[table.direction]
        said = self._next(PASSING, f"what each seat passes: '{way}: 2c3c4c/.../.../...'", at)
        if said[1] != way:
            raise UserError(f"{at}: cards are passed {way} in this round, not {said[1]}")
        parts = said[2].split("/")
        if len(parts) != SEATS:
            raise UserError(f"{at}: {len(parts)} seats pass cards; there are {SEATS}")
        passed = tuple(tuple(read_cards(part, f"{at}, seat {seat}")) for seat, part in enumerate(parts))
        try:
            table.exchange(passed)
        except UserError as error:
            raise UserError(f"{at}: {error}") from None
        return passed


def _read_trick(table: Table, word: str, place: str) -> list[int]:
    """The cards of a trick, which are then played."""
    parts = TRICK.fullmatch(word)
    if parts is None:
        raise UserError(f"{place}: {word[:20]!r} is no trick, such as '2:2cKc5cAc'")
    cards = read_cards(parts[2], place)
    if len(cards) != SEATS:
        raise UserError(f"{place}: {word[:20]!r} has {len(cards)} card{'s' * (len(cards) != 1)}; a trick has {SEATS}")
    if not table.over and int(parts[1]) != table.leader:
        raise UserError(f"{place}: seat {table.leader} leads, not seat {parts[1]}")
    try:
        for card in cards:
            table.play(card)
    except UserError as error:
        raise UserError(f"{place}: {error}") from None
    return cards


# Counting.


def tally_of(record: Record) -> np.ndarray:
    """What the rules count, from the rounds alone."""
    tally = np.zeros(1, rules.Tally)
    t: Any = tally[0]
    for end in record.ends:
        result = end.result()
        t["rounds"] += 1
        t["score"] += result.points
        t["tricks"] += end.tricks
        for seat, cards in enumerate(end.won):
            t["taken"][seat] += taken(cards)
            t["clean"][seat] += taken(cards) == 0
            t["queens"][seat] += cards >> QUEEN & 1
            t["moons"][seat] += seat == result.shooter
    return tally
