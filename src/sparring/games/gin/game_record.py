"""Games of gin rummy in notation: the rules, a line per hand and, for a match, the final score. It describes a game completely.

    gin:rules=full,length=hand
    Ac5c7c4d6d9d9h6s7sQs/3c8cQcQd8hJhQhKh8sKs/Js 0: p p s9c-Qs uQs-Ks! = 1 knocks with 3 against 36: 1 wins 33

A hand has the cards of seat 0 and of seat 1, the upcard, and the seat that begins; then the turns; then the result. A turn is `s`
(from the stock) or `u` (the upcard) with the card drawn, `-` and the card thrown, and `!` for a knock; `p` leaves the first
upcard. After both have left it, the seat that began draws from the stock. A match ends with `match 110 to 26, account 285 to 51`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sparring.errors import UserError, errors_at
from sparring.games.deck import CARDS
from sparring.games.game import Game, apply_move
from sparring.games.gin import rules
from sparring.games.gin.cards import card_name, hand_text, read_card, read_position
from sparring.games.gin.diagram import last_result, result_words
from sparring.games.gin.hands import LEFT, NOBODY, Hand, Result, Turn, dealt_state, play_turn
from sparring.games.gin.rules import BOX, GAME_BONUS, KNOCK, PASS, STOCK, THROW, UPCARD
from sparring.games.record_view import DealsRecord, read_game

SEATS = 2
SOURCES = {STOCK: "s", UPCARD: "u"}
LINE = re.compile(r"(\S+) ([01]): (.*) = (.*)")
TURN = re.compile(r"([su])(\w\w)-(\w\w)(!?)")


@dataclass(frozen=True)
class GinRecord(DealsRecord):
    """A game of gin rummy."""

    deals: tuple[Hand, ...]

    @property
    def moves(self) -> tuple[int, ...]:
        return tuple(move for hand in self.deals for move in moves_of(hand, bool(self.rules["free"])))

    def begun(self, number: int) -> np.ndarray:
        """The state before the first turn of a hand."""
        earlier = [turn for hand in self.deals[:number] for turn in hand.turns if turn.source != PASS]
        return dealt_state(self.game, self.deals[number], len(earlier))

    @cached_property
    def ends(self) -> list[np.ndarray]:
        """The state after the last turn of each hand."""
        states = [self.begun(number) for number in range(len(self.deals))]
        for hand, state in zip(self.deals, states, strict=True):
            for turn in hand.turns:
                play_turn(state, turn)
        return states

    @property
    def results(self) -> list[Result]:
        return [ended(end) for end in self.ends]

    def text(self) -> str:
        lines = [self.game.name]
        for hand, result in zip(self.deals, self.results, strict=True):
            position = f"{hand_text(hand.dealt[0])}/{hand_text(hand.dealt[1])}/{card_name(hand.upcard)}"
            turns = " ".join(map(turn_text, hand.turns))
            lines.append(f"{position} {hand.starter}: {turns} = {result_text(result)}")
        if self.rules["target"]:
            lines.append(match_text(self.tally()[0]))
        return "\n".join(lines)

    def tally(self) -> np.ndarray:
        """The hands' tallies added up, and the account of a match: bonuses for every hand won and for the match."""
        tally = self.ends[-1]["tally"].copy()
        for name in set(tally.dtype.names or ()) - {"turns"}:
            tally[name] = sum(end["tally"][name] for end in self.ends)
        t, target = tally[0], int(self.rules["target"])
        for seat in range(SEATS) if target else ():
            t["account"][seat] += BOX * t["won"][seat]
            if t["score"][seat] >= target:
                t["account"][seat] += GAME_BONUS * (1 if t["score"][1 - seat] else 2)
        return tally


def moves_of(hand: Hand, free: bool) -> Iterator[int]:
    """The moves of a hand: two per turn, except for a draw that needs no move."""
    for number, turn in enumerate(hand.turns):
        if not hand.draws_itself(number):
            yield turn.source
        if turn.source != PASS:
            yield turn.thrown + (KNOCK if turn.knocks and free else 0)


def record_of(game: Game, state: np.ndarray, moves: tuple[int, ...]) -> GinRecord:
    """The record of these moves from this state, which is then the final state."""
    s: Any = state[0]
    hands, dealt, turns = list[Hand](), _dealt(s), list[Turn]()
    for move in moves:
        number, done = s["hand_number"], _turn(s, move)
        apply_move(rules, state, move)
        ended = s["hand_number"] != number
        if done:
            turns.append(done._replace(knocks=bool(ended and s["knocker"] != NOBODY)))
        if ended:
            hands.append(Hand(*dealt, tuple(turns)))
            dealt, turns = _dealt(s), []
    return GinRecord(game, tuple(hands))


def _dealt(s: Any) -> tuple[int, tuple[int, int], int]:
    return int(s["starter"]), (int(s["hand"][0]), int(s["hand"][1])), int(s["upcard"])


def _turn(s: Any, move: int) -> Turn | None:
    """The turn that a move completes, if it does."""
    if s["phase"] != THROW:
        return LEFT if move == PASS else None
    return Turn(int(s["source"]), int(s["drawn"]), move % CARDS)


def turn_text(turn: Turn) -> str:
    """A turn as notation: `s7c-Ks`."""
    if turn.source == PASS:
        return "p"
    return f"{SOURCES[turn.source]}{card_name(turn.drawn)}-{card_name(turn.thrown)}{'!' * turn.knocks}"


def result_text(result: Result, names: Sequence[str] = ("0", "1")) -> str:
    """A result: `0 knocks with 6 against 33: 0 wins 27`."""
    return result_words(result, names, past=False)


def match_text(tally: Any) -> str:
    """The last line of a match."""
    return "match {} to {}, account {} to {}".format(*tally["score"][:SEATS], *tally["account"][:SEATS])


# Reading.


def read_record(text: str, place: str) -> GinRecord:
    """A game from its text, which is played through; a UserError names the place where it is wrong."""
    game, lines = read_game(text, place, "gin", "gin:rules=full")
    rules: Any = game.template[0]["rules"]
    last = lines.pop() if rules["target"] and lines and lines[-1].startswith("match") else ""
    record = GinRecord(game, tuple(_read_hands(lines, game, place)))
    if rules["target"] and last != (due := match_text(record.tally()[0])):
        raise UserError(f"{place}: the last line is {last[:60]!r}, but must be '{due}'")
    return record


def ended(state: np.ndarray) -> Result:
    """The result of a hand, from its last state."""
    result = last_result(state[0])
    assert result is not None
    return result


def _read_hands(lines: list[str], game: Game, place: str) -> Iterator[Hand]:
    """The hands, which must end the game exactly."""
    rules: Any = game.template[0]["rules"]
    score, turns, over = [0, 0], 0, False
    for number, line in enumerate(lines):
        at = f"{place}, hand {number + 1}"
        if over:
            raise UserError(f"{at}: the game is over already")
        hand, end = _read_hand(line, game, number, turns, at)
        yield hand
        result, turns = ended(end), int(end[0]["tally"]["turns"])
        score[result.winner] += result.points
        over = max(score) >= rules["target"] or turns >= rules["limit"]
    if not over:
        raise UserError(f"{place}: the game is incomplete: its hands do not lead to an end")


def _read_hand(line: str, game: Game, number: int, turns_before: int, place: str) -> tuple[Hand, np.ndarray]:
    """A hand from its line, and its last state."""
    parts, rules = LINE.fullmatch(line), game.template[0]["rules"]
    if parts is None:
        like = "HAND/HAND/UPCARD 0: s7c-Ks uKs-Qd! = RESULT"
        raise UserError(f"{place}: {line[:40]!r} is not a complete hand, such as '{like}'")
    *dealt, upcard = read_position(parts[1], place)
    if rules["upcard"] >= 0 and [*dealt, upcard] != [*rules["hand"], rules["upcard"]]:
        raise UserError(f"{place}: the rules on line 1 say that other cards are dealt")
    if int(parts[2]) != number % SEATS:
        raise UserError(f"{place}: seat {number % SEATS} begins")
    hand = Hand(number % SEATS, (dealt[0], dealt[1]), upcard, ())
    state = dealt_state(game, hand, turns_before)
    turns = [_read_turn(state, word, f"{place}, turn {n}") for n, word in enumerate(parts[3].split(), 1)]
    if not state[0]["over"]:
        raise UserError(f"{place}: the hand is incomplete: its turns do not lead to an end")
    if parts[4] != (due := result_text(ended(state))):
        raise UserError(f"{place}: ends with {parts[4][:60]!r}, but must end with '{due}'")
    return hand._replace(turns=tuple(turns)), state


def _read_turn(state: np.ndarray, word: str, place: str) -> Turn:
    """Read a turn and play it."""
    parts = TURN.fullmatch(word)
    if parts is None and word != "p":
        raise UserError(f"{place}: {word[:20]!r} is not a turn, such as 's7c-Ks', 'uKs-Qd!' or 'p'")
    turn = LEFT
    if parts:
        source = STOCK if parts[1] == SOURCES[STOCK] else UPCARD
        turn = Turn(source, read_card(parts[2], place), read_card(parts[3], place), bool(parts[4]))
    with errors_at(f"{place}: "):
        play_turn(state, turn)
    return turn
