"""Golf games in the notation of the study (its Tables 2 and 3): a line per round, nine lines per game.

A line has: number of seats, starting seat, starting hands ("A" to "v", "#" face down), "<", four characters per turn, ">",
ending seat (in a stalemate, the seat that moved last), face-down cards per seat, final hands, two-digit scores. A turn has:
"+" (from the stock) or "-" (from the discard pile), the card, its place (0 to 5, or 6 for the discard pile), the card thrown.
The study does not define +, - and 6; this is our interpretation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.golf import rules
from sparring.games.golf.rules import CARDS, PLACES, REPEATS, ROUNDS, STOCK, TURN_LIMIT
from sparring.games.view import Played
from sparring.kernel.records import records

FIRST = ord("A")
SOURCES = "+-"

Turn = tuple[int, int, int, int]  # source, drawn, place, thrown


@dataclass(frozen=True)
class Round:
    """One round. Cards that are face down at the start are -1 there."""

    seats: int
    starter: int
    start: tuple[tuple[int, ...], ...]
    turns: tuple[Turn, ...]
    ender: int
    face_down: tuple[int, ...]
    final: tuple[tuple[int, ...], ...]
    upcard: int = -1  # the first upcard is not in the notation: -1 unless the deal is known

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(int(rules.hand_score(np.array(hand, np.int8))) for hand in self.final)

    @property
    def stalemate(self) -> bool:
        """Nobody had six cards face up."""
        return 0 not in self.face_down


def decode_turn(code: int) -> Turn:
    """The parts of rules.turn_code."""
    rest, thrown = divmod(int(code), CARDS)
    rest, place = divmod(rest, PLACES + 1)
    source, drawn = divmod(rest, CARDS)
    return source, drawn, place, thrown


def rounds_of(played: Played, moves: Sequence[int]) -> list[Round]:
    """The rounds of these moves in a game dealt as `played` was."""
    state, first, last = (np.zeros(count, rules.State) for count in (1, ROUNDS, ROUNDS))
    s = records(state)[0]
    with np.errstate(over="ignore"):
        rules.start(s, np.uint64(played.seed), played.deal, played.luck, played.seats)
        rules.trace_rounds(s, np.array(moves, np.int16), records(first), records(last))
    return [_round(*pair, played.seats) for pair in zip(first, last, strict=True)]


def _round(first: Any, last: Any, seats: int) -> Round:
    """A round from its first and its last state."""
    start = np.where(first["up"], first["hand"], -1)[:seats]
    return Round(
        seats=seats,
        starter=int(first["starter"]),
        start=tuple(map(tuple, start.tolist())),
        turns=tuple(decode_turn(code) for code in last["turns"][: last["turn_count"]]),
        ender=int(last["ender"] if last["ender"] >= 0 else (last["turn"] - 1) % seats),
        face_down=tuple((PLACES - last["up"][:seats].sum(axis=1)).tolist()),
        final=tuple(map(tuple, last["hand"][:seats].tolist())),
        upcard=int(first["discard"][0]),
    )


def last_turn(s: Any) -> Turn | None:
    """The turn before this one in the same round."""
    return decode_turn(s["turns"][s["turn_count"] - 1]) if s["turn_count"] else None


def card_char(card: int) -> str:
    return "#" if card < 0 else chr(FIRST + card)


def write_round(r: Round) -> str:
    """A round as one line."""
    hands = "".join(card_char(card) for hand in r.start for card in hand)
    turns = "".join(
        f"{SOURCES[source]}{card_char(drawn)}{place}{card_char(thrown)}" for source, drawn, place, thrown in r.turns
    )
    final = "".join(card_char(card) for hand in r.final for card in hand)
    scores = "".join(f"{score:02d}" for score in r.scores)
    return f"{r.seats}{r.starter}{hands}<{turns}>{r.ender}{''.join(map(str, r.face_down))}{final}{scores}"


def read_round(line: str, place: str) -> Round:
    """A round from its line, checked against the rules."""
    head, opened, rest = line.partition("<")
    body, closed, tail = rest.partition(">")
    seats = int(head[0]) if head[:1] in ("2", "3", "4") else 0
    if not seats:
        raise UserError(f"{place}: a round begins with its number of seats, 2 to 4, not {head[:1]!r}")
    if not closed or len(tail) != 1 + seats * 9 or len(body) % 4:
        raise UserError(f"{place}: the round is cut in the middle; restore the log or delete the line")
    if not opened or len(head) != 2 + seats * PLACES:
        raise UserError(f"{place}: {seats} starting hands of {PLACES} cards are needed before '<'")
    turns = tuple(_read_turn(body[i : i + 4], f"{place}, turn {i // 4 + 1}") for i in range(0, len(body), 4))
    edge = 1 + seats
    r = Round(
        seats=seats,
        starter=_digit(head[1], seats, place),
        start=_hands(head[2:], seats, place, hidden=True),
        turns=turns,
        ender=_digit(tail[0], seats, place),
        face_down=tuple(_digit(c, PLACES + 1, place) for c in tail[1:edge]),
        final=_hands(tail[edge : edge + seats * PLACES], seats, place),
    )
    _check_play(r, place)
    scores = [tail[i : i + 2] for i in range(edge + seats * PLACES, len(tail), 2)]
    if scores != [f"{score:02d}" for score in r.scores]:
        raise UserError(f"{place}: the final hands score {list(r.scores)}, not {scores}")
    return r


def _digit(char: str, limit: int, place: str) -> int:
    if not (char.isdecimal() and int(char) < limit):
        raise UserError(f"{place}: {char!r} is not a number from 0 to {limit - 1}")
    return int(char)


def _card(char: str, place: str) -> int:
    card = ord(char) - FIRST
    if not 0 <= card < CARDS:
        raise UserError(f"{place}: impossible card {char!r}; cards are 'A' to 'v'")
    return card


def _hands(text: str, seats: int, place: str, hidden: bool = False) -> tuple[tuple[int, ...], ...]:
    cards = [-1 if hidden and char == "#" else _card(char, place) for char in text]
    return tuple(tuple(cards[seat * PLACES : (seat + 1) * PLACES]) for seat in range(seats))


def _read_turn(text: str, place: str) -> Turn:
    if text[0] not in SOURCES:
        raise UserError(f"{place}: {text[0]!r} is neither '+' (stock) nor '-' (discard pile)")
    return SOURCES.index(text[0]), _card(text[1], place), _digit(text[2], PLACES + 1, place), _card(text[3], place)


def dealt_hands(r: Round) -> list[list[int]]:
    """The hands as dealt: a hidden card is revealed when it is exchanged, or at the end."""
    hands = [list(hand) for hand in r.start]
    seat = r.starter
    for _, _, place, thrown in r.turns:
        if place < PLACES and hands[seat][place] < 0:
            hands[seat][place] = thrown
        seat = (seat + 1) % r.seats
    return [[card if card >= 0 else r.final[seat][i] for i, card in enumerate(hand)] for seat, hand in enumerate(hands)]


def _check_play(r: Round, where: str) -> None:
    """Play the round through: every card must be where its turn says it was."""
    hands = dealt_hands(r)
    up = [[card >= 0 for card in hand] for hand in r.start]
    stock = set(range(CARDS)) - {card for hand in hands for card in hand}
    left = len(stock) - 1
    if left != CARDS - r.seats * PLACES - 1:
        raise UserError(f"{where}: a card is in two hands")
    pile: list[int] = []
    seat, end = r.starter, None  # `end`: after how many turns the rules end the round, and who ends it
    for number, (source, drawn, place, thrown) in enumerate(r.turns, 1):
        at = f"{where}, turn {number}"
        if source == STOCK:
            if drawn not in stock:
                raise UserError(f"{at}: impossible card {card_char(drawn)!r}: it is not in the stock")
            left -= 1
        elif (pile and pile[-1] != drawn) or drawn not in stock | set(pile):
            raise UserError(f"{at}: impossible card {card_char(drawn)!r}: it is not on the discard pile")
        elif pile:
            pile.pop()
        stock.discard(drawn)
        expected = drawn if place == PLACES else hands[seat][place]
        if thrown != expected or (place == PLACES and source != STOCK):
            raise UserError(f"{at}: impossible card {card_char(thrown)!r}: it cannot be thrown from there")
        if place < PLACES:
            hands[seat][place], up[seat][place] = drawn, True
        pile.append(thrown)
        if left == 0:  # the first upcard is still in `stock` if nobody took it: where it lay is not recorded
            stock |= set(pile[:-1])
            left, pile = len(stock), pile[-1:]
        if end is None and all(up[seat]):
            end = number + r.seats - 1, seat
        elif end is None and (number == TURN_LIMIT or r.turns[:number].count(r.turns[number - 1]) == REPEATS):
            end = number, seat
        seat = (seat + 1) % r.seats
    _check_end(r, hands, up, end or (-1, -1), where)


def _check_end(r: Round, hands: list[list[int]], up: list[list[bool]], end: tuple[int, int], where: str) -> None:
    if tuple(map(tuple, hands)) != r.final:
        raise UserError(f"{where}: the final hands are not what the turns lead to")
    if tuple(PLACES - sum(seat) for seat in up) != r.face_down:
        raise UserError(f"{where}: the face-down cards are not what the turns lead to")
    if (len(r.turns), r.ender) != end:
        raise UserError(f"{where}: the round does not end where the rules end it")


def read_game(text: str, place: str) -> list[Round]:
    """The nine rounds of a game."""
    lines = text.split("\n")
    if len(lines) != ROUNDS:
        raise UserError(f"{place}: {len(lines)} rounds of {ROUNDS}: the game is cut in the middle")
    rounds = [read_round(line, f"{place}, round {number}") for number, line in enumerate(lines, 1)]
    if len({r.seats for r in rounds}) > 1:
        raise UserError(f"{place}: rounds of one game have different numbers of seats")
    return rounds


def moves_of(rounds: list[Round]) -> tuple[int, ...]:
    """The moves of a game: two per turn."""
    return tuple(move for r in rounds for source, _, place, _ in r.turns for move in (source, place))


def tally_of(rounds: list[Round]) -> np.ndarray:
    """The tally of a game, counted from its rounds alone."""
    state = np.zeros(1, rules.State)
    s: Any = state[0]
    for r in rounds:
        s["seats"], s["turn_count"], s["ender"] = r.seats, len(r.turns), -1 if r.stalemate else r.ender
        s["hand"][: r.seats] = r.final
        rules.score_round(records(state)[0])
    return state["tally"].copy()
