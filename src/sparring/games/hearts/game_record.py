"""Games of hearts in notation, which describes a game completely: see docs/hearts.md."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sparring.errors import UserError, errors_at
from sparring.games.card_table import points_text
from sparring.games.game import Game, apply_move
from sparring.games.hearts import rules
from sparring.games.hearts.cards import card_name, hand_text, read_cards, read_deal
from sparring.games.hearts.plain_rules import DIRECTIONS, NOBODY, Result, Round, Table, is_over, penalty
from sparring.games.hearts.rules import NONE, PASS, QUEEN
from sparring.games.record_view import DealsRecord, read_game
from sparring.games.view import plural
from sparring.kernel.launch import SEATS

DEALT = re.compile(r"round ([0-9]{1,3}): (\S+)")
PASSING = re.compile(r"(left|right|across): (\S+)")
PLAYED = re.compile(r"(.*) = (.*)")
TRICK = re.compile(r"([0-3]):(\w+)")
NUMBERS = tuple(map(str, range(SEATS)))


@dataclass(frozen=True)
class HeartsRecord(DealsRecord):
    """A game of hearts."""

    deals: tuple[Round, ...]

    @property
    def moves(self) -> tuple[int, ...]:
        return tuple(move for played in self.deals for move in played.moves)

    def table(self, number: int) -> Table:
        """The table of a round before the first trick."""
        table = Table.of(self.deals[number].dealt, number, self.rules)
        if self.deals[number].passed:
            table.exchange(self.deals[number].passed)
        return table

    @cached_property
    def ends(self) -> list[Table]:
        """The table of each round after its last trick."""
        tables = [self.table(number) for number in range(len(self.deals))]
        for played, table in zip(self.deals, tables, strict=True):
            for card in played.played:
                table.play(card)
        return tables

    def text(self) -> str:
        lines = [self.game.name]
        for number, (played, end) in enumerate(zip(self.deals, self.ends, strict=True)):
            lines.append(f"round {number + 1}: {'/'.join(map(hand_text, played.dealt))}")
            if played.passed:
                passed = "/".join("".join(map(card_name, cards)) for cards in played.passed)
                lines.append(f"{DIRECTIONS[end.direction]}: {passed}")
            lines.append(f"{self._tricks_text(number)} = {result_text(end.result())}")
        return "\n".join([*lines, self.score_text()])

    def _tricks_text(self, number: int) -> str:
        """All tricks of a round: `2:2cKc5cAc 1:...`."""
        table, words = self.table(number), ""
        for card in self.deals[number].played:
            words += f" {table.turn}:" if table.turn == table.leader else ""
            words += card_name(card)
            table.play(card)
        return words.strip()

    def score_text(self) -> str:
        """The last line."""
        points = [end.result().points for end in self.ends]
        return f"score {' '.join(str(sum(each)) for each in zip(*points, strict=True))}"

    def tally(self) -> np.ndarray:
        """The tally, counted from the rounds alone."""
        tally = np.zeros(1, rules.Tally)
        t: Any = tally[0]
        for end in self.ends:
            result = end.result()
            t["rounds"] += 1
            t["score"] += result.points
            t["tricks"] += end.tricks
            for seat, cards in enumerate(end.won):
                t["taken"][seat] += penalty(cards)
                t["clean"][seat] += penalty(cards) == 0
                t["queens"][seat] += cards >> QUEEN & 1
                t["moons"][seat] += seat == result.shooter
        return tally


def record_of(game: Game, state: np.ndarray, moves: tuple[int, ...]) -> HeartsRecord:
    """The record of these moves from this state, which is then the final state."""
    s: Any = state[0]
    rounds, dealt, passed, played = list[Round](), _dealt(s), [list[int]() for _ in range(SEATS)], list[int]()
    for move in moves:
        (passed[int(s["turn"])] if s["phase"] == PASS else played).append(move)
        apply_move(rules, state, move)
        if s["round"] != len(rounds):
            rounds.append(Round(dealt, tuple(map(tuple, passed)) if any(passed) else (), tuple(played)))
            dealt, passed, played = _dealt(s), [[] for _ in range(SEATS)], []
    return HeartsRecord(game, tuple(rounds))


def _dealt(s: Any) -> tuple[int, ...]:
    return tuple(map(int, s["dealt"]))


def result_text(result: Result, names: Sequence[str] = ()) -> str:
    """A result: `0 13 5 8`, `2 shoots the moon: 26 26 0 26`; with names, `ann 0, bob 13, ...`."""
    moon = f"{(names or NUMBERS)[result.shooter]} shoots the moon: " if result.shooter != NOBODY else ""
    return moon + (points_text(names, result.points) if names else " ".join(map(str, result.points)))


# Reading.


def read_record(text: str, place: str) -> HeartsRecord:
    """A game from its text, which is played through; a UserError names the place where it is wrong."""
    game, lines = read_game(text, place, "hearts", "hearts:target=50")
    reader = _Reader(lines, game.template[0]["rules"], place)
    record = HeartsRecord(game, tuple(reader.rounds()))
    reader.expect_end(record.score_text())
    return record


class _Reader:
    """Reads the lines after the first."""

    def __init__(self, lines: list[str], rules: Any, place: str) -> None:
        self.lines, self.rules, self.place = lines, rules, place

    def rounds(self) -> Iterator[Round]:
        """The rounds, which must end the game."""
        score, number = [0] * SEATS, 0
        while not is_over(number, score, self.rules):
            if not self.lines or self.lines[0].startswith("score"):
                raise UserError(f"{self.place}: the game is incomplete: its rounds do not lead to an end")
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
            raise UserError(f"{self.place}: ends with {said[:60]!r}, but must end with '{due}'")

    def _next(self, pattern: re.Pattern, due: str, at: str) -> re.Match:
        """The next line, which must match a pattern."""
        line = self.lines.pop(0) if self.lines else ""
        found = pattern.fullmatch(line)
        if found is None:
            raise UserError(f"{at}: {line[:40]!r} should be {due}" if line else f"{at}: incomplete: missing {due}")
        return found

    def _round(self, number: int, at: str) -> tuple[Round, tuple[int, ...]]:
        """A round from its lines, and its points."""
        said = self._next(DEALT, f"the deal: 'round {number + 1}: HAND/HAND/HAND/HAND'", at)
        if int(said[1]) != number + 1:
            raise UserError(f"{at}: its number is {said[1]}")
        dealt = tuple(read_deal(said[2], at))
        if self.rules["hand"][0] and dealt != tuple(self.rules["hand"]):
            raise UserError(f"{at}: the rules on line 1 say that other cards are dealt")
        table = Table.of(dealt, number, self.rules)
        passed = self._passed(table, at)
        said = self._next(PLAYED, "the tricks: '2:2cKc5cAc 1:... = POINTS'", at)
        cards = [
            card for n, word in enumerate(said[1].split(), 1) for card in _read_trick(table, word, f"{at}, trick {n}")
        ]
        if not table.over:
            raise UserError(f"{at}: incomplete: it has {table.number} of {rules.TRICKS} tricks")
        result = table.result()
        if said[2] != result_text(result):
            raise UserError(f"{at}: ends with {said[2][:60]!r}, but must end with '{result_text(result)}'")
        return Round(dealt, passed, tuple(cards)), result.points

    def _passed(self, table: Table, at: str) -> tuple[tuple[int, ...], ...]:
        """Read the cards that each seat passes, and exchange them."""
        if table.direction == NONE:
            if self.lines and PASSING.fullmatch(self.lines[0]):
                raise UserError(f"{at}: no cards are passed in this round")
            return ()
        way = DIRECTIONS[table.direction]
        said = self._next(PASSING, f"the passes: '{way}: 2c3c4c/.../.../...'", at)
        if said[1] != way:
            raise UserError(f"{at}: cards are passed {way} in this round, not {said[1]}")
        parts = said[2].split("/")
        if len(parts) != SEATS:
            raise UserError(f"{at}: {len(parts)} seats pass cards; there are {SEATS}")
        passed = tuple(tuple(read_cards(part, f"{at}, seat {seat}")) for seat, part in enumerate(parts))
        with errors_at(f"{at}: "):
            table.exchange(passed)
        return passed


def _read_trick(table: Table, word: str, place: str) -> list[int]:
    """Read the cards of a trick, and play them."""
    parts = TRICK.fullmatch(word)
    if parts is None:
        raise UserError(f"{place}: {word[:20]!r} is not a trick, such as '2:2cKc5cAc'")
    cards = read_cards(parts[2], place)
    if len(cards) != SEATS:
        raise UserError(f"{place}: {word[:20]!r} has {plural(len(cards), 'card')}; a trick has {SEATS}")
    if not table.over and int(parts[1]) != table.leader:
        raise UserError(f"{place}: seat {table.leader} leads, not seat {parts[1]}")
    with errors_at(f"{place}: "):
        for card in cards:
            table.play(card)
    return cards
