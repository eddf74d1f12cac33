"""Moves as text: in the study's words, and in short form for records.

    Production Move (0, 1)                          0,1+
    Attack Move (2, 3) -> (3, 3) with 19 troops     2,3>3,3:19
    Transport Move (4, 5) -> (5, 4) with 7 troops   4,5>5,4:7
    Idle Move                                       idle

Typed moves may be shorter: `p 0,1`, `2,3 3,3 19`. Without a number, as many troops go as possible. An illegal move is refused
with the reason.
"""

import re
from typing import Any, NamedTuple

from sparring.errors import UserError
from sparring.games.conquest.rules import AUTHOR, CODES, CORNERS, FULL, IDLE
from sparring.games.view import plural

SIDES = ("blue", "red")
SHORT = re.compile(r"([0-9]{1,3}),([0-9]{1,3})(?:\+|>([0-9]{1,3}),([0-9]{1,3}):([0-9]{1,2}))")
IDLING = {"idle", "i", "pass"}
PRODUCING = {"p", "prod", "produce", "production"}
WORDS = PRODUCING | IDLING | {"a", "attack", "t", "transport", "move", "to", "with", "all", "troop", "troops"}
EXAMPLE = "a move is written like 'p 0,1' (produce), '2,3 3,3 19' (send 19 troops), '2,3 3,3' (send all) or 'idle'"


class Sent(NamedTuple):
    """Source, target and troops of a move; a production has its source as target, and one troop."""

    source: int
    target: int
    troops: int


def sent(s: Any, move: int) -> Sent | None:
    """The parts of a move; None for IDLE."""
    if move == IDLE:
        return None
    if move > IDLE:
        number, troops = divmod(move - IDLE - 1, FULL)
        return Sent(number // CORNERS, int(s["rules"]["corner"][number // CORNERS, number % CORNERS]), troops + 1)
    source, k = divmod(move, CODES)
    if k == 0:
        return Sent(source, source, 1)
    return Sent(source, int(s["rules"]["near"][source, (k - 1) // FULL]), (k - 1) % FULL + 1)


def held(s: Any, tile: int) -> int:
    """The troops on a tile, positive if they belong to the seat to move."""
    return int(s["board"][tile]) * (1 - 2 * int(s["turn"]))


def at(s: Any, tile: int) -> str:
    """A tile's coordinates."""
    return f"{s['rules']['row'][tile]},{s['rules']['column'][tile]}"


def move_words(s: Any, move: int) -> str:
    """A move in the study's words, before it is made."""
    parts = sent(s, move)
    if parts is None:
        return "Idle Move"
    source, target = (f"({at(s, tile).replace(',', ', ')})" for tile in parts[:2])
    if parts.source == parts.target:
        return f"Production Move {source}"
    kind = "Transport" if held(s, parts.target) > 0 else "Attack"
    return f"{kind} Move {source} -> {target} with {parts.troops} troops"


def move_short(s: Any, move: int) -> str:
    """A move in the short form of records."""
    parts = sent(s, move)
    if parts is None:
        return "idle"
    if parts.source == parts.target:
        return f"{at(s, parts.source)}+"
    return f"{at(s, parts.source)}>{at(s, parts.target)}:{parts.troops}"


def move_clicks(s: Any, move: int) -> tuple[str, ...]:
    """The tiles and the button that make a move."""
    parts = sent(s, move)
    if parts is None:
        return ("idle",)
    if parts.source == parts.target:
        return at(s, parts.source), "produce"
    return at(s, parts.source), at(s, parts.target), plural(parts.troops, "troop")


def read_short(s: Any, text: str) -> int:
    """The legal move of a record's text; a UserError says why there is none."""
    if text == "idle":
        return IDLE
    match = SHORT.fullmatch(text)
    if match is None:
        raise UserError(f"{text[:30]!r} is not a move, such as 0,1+ or 2,3>3,3:19 or idle")
    source = _tile(s, match[1], match[2])
    if match[5] is None:
        return _production(s, source)
    return _sending(s, source, _tile(s, match[3], match[4]), int(match[5]))


def read_move(s: Any, text: str) -> int:
    """The legal move that a typed text means; a UserError says why there is none."""
    words = re.findall(r"[a-z]+", text.lower())
    numbers = re.findall(r"[0-9]+", text)
    strange = re.search(r"[^a-z0-9\s(),;:>*+/→-]", text.lower())
    unknown = strange[0] if strange else next((word for word in words if word not in WORDS), "")
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
        raise UserError(f"no tile {row[:9]},{column[:9]}: rows are 0 to {rows - 1}, columns 0 to {columns - 1}")
    return int(row) * columns + int(column)


def _production(s: Any, source: int) -> int:
    _check_owner(s, source)
    if held(s, source) == FULL:
        raise UserError(f"{at(s, source)} is full: it has {FULL} troops")
    return source * CODES


def _check_owner(s: Any, source: int) -> None:
    if held(s, source) <= 0:
        owner = "nature's" if held(s, source) == 0 else f"{SIDES[1 - int(s['turn'])]}'s"
        raise UserError(f"{at(s, source)} is {owner}: a move starts from a tile of {SIDES[int(s['turn'])]}")


def _sending(s: Any, source: int, target: int, troops: int | None) -> int:
    _check_owner(s, source)
    near, corners = (s["rules"][name][source].tolist() for name in ("near", "corner"))
    corner = s["rules"]["reading"] == AUTHOR and target in corners and held(s, target) > 0
    if target not in near and not corner:
        beside = ", ".join(at(s, tile) for tile in near if tile >= 0)
        raise UserError(f"{at(s, target)} is not a neighbour of {at(s, source)}; its neighbours: {beside or 'none'}")
    here, there = held(s, source), held(s, target)
    most = min(here, FULL - there) if there > 0 else here
    if most == 0:
        raise UserError(f"{at(s, target)} is full: it has {FULL} troops")
    if troops is not None and not 1 <= troops <= most:
        raise UserError(f"{troops} troops cannot go from {at(s, source)} to {at(s, target)}; 1 to {most} can")
    if corner:
        return IDLE + (source * CORNERS + int(corners.index(target))) * FULL + (troops or most)
    return source * CODES + int(near.index(target)) * FULL + (troops or most)
