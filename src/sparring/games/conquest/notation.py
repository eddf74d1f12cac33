"""Conquest moves as text: in the study's words, in short for records, and in any usual spelling when they are typed.

    Production Move (0, 1)                          0,1+
    Attack Move (2, 3) -> (3, 3) with 19 troops     2,3>3,3:19
    Transport Move (4, 5) -> (5, 4) with 7 troops   4,5>5,4:7
    Idle Move                                       idle

Typed, `p 0,1` and `2,3 3,3 19` will do; without a number of troops as many go as can. A move that the rules forbid is refused
with the reason.
"""

import re
from typing import Any, NamedTuple

from sparring.errors import UserError
from sparring.games.conquest.rules import CODES, FULL, IDLE

SIDES = ("blue", "red")
SHORT = re.compile(r"([0-9]{1,3}),([0-9]{1,3})(?:\+|>([0-9]{1,3}),([0-9]{1,3}):([0-9]{1,2}))")
WORDS = {
    "p",
    "prod",
    "produce",
    "production",
    "a",
    "attack",
    "t",
    "transport",
    "move",
    "to",
    "with",
    "all",
    "troop",
    "troops",
}
IDLING = {"idle", "i", "pass"}
PRODUCING = {"p", "prod", "produce", "production"}
EXAMPLE = "a move is written like 'p 0,1' (produce), '2,3 3,3 19' (send 19 troops), '2,3 3,3' (send all) or 'idle'"


class Sent(NamedTuple):
    """What a move does: where from, where to and how many; a production has itself as target, and one troop."""

    source: int
    target: int
    troops: int


def sent(s: Any, move: int) -> Sent | None:
    """A move taken apart; None for idling."""
    if move == IDLE:
        return None
    source, k = divmod(move, CODES)
    if k == 0:
        return Sent(source, source, 1)
    return Sent(source, int(s["rules"]["near"][source, (k - 1) // FULL]), (k - 1) % FULL + 1)


def held(s: Any, tile: int) -> int:
    """The troops on a tile, positive if they are those of the seat whose turn it is."""
    return int(s["board"][tile]) * (1 - 2 * int(s["turn"]))


# Writing.


def counted(number: int, word: str) -> str:
    """So many of something."""
    return f"{number} {word}{'s' * (number != 1)}"


def at(s: Any, tile: int) -> str:
    """A tile's coordinates, in short."""
    return f"{s['rules']['row'][tile]},{s['rules']['column'][tile]}"


def move_words(s: Any, move: int) -> str:
    """A move in the study's words, before it is made."""
    told = sent(s, move)
    if told is None:
        return "Idle Move"
    source, target = (f"({at(s, tile).replace(',', ', ')})" for tile in told[:2])
    if told.source == told.target:
        return f"Production Move {source}"
    kind = "Transport" if held(s, told.target) > 0 else "Attack"
    return f"{kind} Move {source} -> {target} with {told.troops} troops"


def move_short(s: Any, move: int) -> str:
    """A move as records write it."""
    told = sent(s, move)
    if told is None:
        return "idle"
    if told.source == told.target:
        return f"{at(s, told.source)}+"
    return f"{at(s, told.source)}>{at(s, told.target)}:{told.troops}"


def move_touches(s: Any, move: int) -> tuple[str, ...]:
    """A move by hand: the tiles touched, and what is chosen then."""
    told = sent(s, move)
    if told is None:
        return ("idle",)
    if told.source == told.target:
        return at(s, told.source), "produce"
    return at(s, told.source), at(s, told.target), counted(told.troops, "troop")


# Reading.


def read_short(s: Any, text: str) -> int:
    """The legal move that a record writes so; a UserError says why it is none."""
    if text == "idle":
        return IDLE
    told = SHORT.fullmatch(text)
    if told is None:
        raise UserError(f"{text[:30]!r} is no move, such as 0,1+ or 2,3>3,3:19 or idle")
    source = _tile(s, told[1], told[2])
    return _production(s, source) if told[5] is None else _sending(s, source, _tile(s, told[3], told[4]), int(told[5]))


def read_move(s: Any, text: str) -> int:
    """The legal move that a typed text means; a UserError says why it is none."""
    words = re.findall(r"[a-z]+", text.lower())
    numbers = re.findall(r"[0-9]+", text)
    strange = re.search(r"[^a-z0-9\s(),;:>*+/→-]", text.lower())
    unknown = strange[0] if strange else next((word for word in words if word not in WORDS | IDLING), "")
    if unknown:
        raise UserError(f"{unknown!r} is not understood: {EXAMPLE}")
    if not numbers and IDLING & set(words):
        return IDLE
    source = _tile(s, *numbers[:2]) if len(numbers) in (2, 4, 5) else -1
    if len(numbers) == 2 and (PRODUCING & set(words) or "+" in text):
        return _production(s, source)
    if len(numbers) not in (4, 5) or PRODUCING & set(words):
        raise UserError(f"{' '.join(text.split())[:40]!r} is not understood: {EXAMPLE}")
    target = _tile(s, *numbers[2:4])
    return _sending(s, source, target, int(numbers[4]) if len(numbers) == 5 else None)


def _tile(s: Any, row: str, column: str) -> int:
    rows, columns = int(s["rules"]["rows"]), int(s["rules"]["columns"])
    if len(row) > 3 or len(column) > 3 or int(row) >= rows or int(column) >= columns:
        raise UserError(
            f"there is no tile {row[:9]},{column[:9]}: rows are 0 to {rows - 1}, columns 0 to {columns - 1}"
        )
    return int(row) * columns + int(column)


def _production(s: Any, source: int) -> int:
    _check_owner(s, source)
    if held(s, source) == FULL:
        raise UserError(f"{at(s, source)} has {FULL} troops, the most a tile can hold")
    return source * CODES


def _check_owner(s: Any, source: int) -> None:
    if held(s, source) <= 0:
        owner = "nature's" if held(s, source) == 0 else f"{SIDES[1 - int(s['turn'])]}'s"
        raise UserError(f"{at(s, source)} is {owner}: a move begins on a tile of {SIDES[int(s['turn'])]}'s")


def _sending(s: Any, source: int, target: int, troops: int | None) -> int:
    _check_owner(s, source)
    near = s["rules"]["near"][source].tolist()
    if target not in near:
        beside = ", ".join(at(s, tile) for tile in near if tile >= 0)
        raise UserError(f"{at(s, target)} does not lie beside {at(s, source)}; {beside or 'nothing'} does")
    here, there = held(s, source), held(s, target)
    most = min(here, FULL - there) if there > 0 else here
    if most == 0:
        raise UserError(f"{at(s, target)} has {FULL} troops, the most a tile can hold")
    if troops is not None and not 1 <= troops <= most:
        raise UserError(f"{troops} troops cannot go from {at(s, source)} to {at(s, target)}; 1 to {most} can")
    return source * CODES + int(near.index(target)) * FULL + (troops or most)
