"""Positions as text: named starts, GNU Backgammon's Position ID, and XGID.

A Position ID is 80 bits in base64. Each side, first the one not on roll, writes its points 1 to 24 and the bar: a one for each
checker, then a zero. An XGID has the board as 26 letters, the side on roll and the dice; `cube_advice.py` reads its other fields.
"""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sparring.errors import UserError
from sparring.games import unknown
from sparring.games.backgammon.match_id import read_match_id
from sparring.games.backgammon.plays import BAR, CHECKERS, HOME, OFF, PLACES

Side = tuple[int, ...]  # 26 numbers: checkers off, on the side's own points 1 to 24, on the bar

ID_LENGTH, ID_BYTES = 14, 10
ID_PATTERN = f"[A-Za-z0-9+/]{{{ID_LENGTH}}}"
XGID_FIELDS = 10
CUBE_WORDS = {"D": "a double", "B": "a beaver", "R": "a raccoon"}


@dataclass(frozen=True)
class Position:
    """A position, each side's checkers seen from its own side."""

    mover: Side
    other: Side
    dice: tuple[int, int] | None = None  # the larger first; None before the roll


def _symmetric(points: Mapping[int, int]) -> Position:
    """Both sides alike. Nothing is off even with fewer than 15 checkers, so that a gammon can be lost."""
    side = tuple(points.get(place, 0) for place in range(PLACES))
    return Position(side, side)


STARTS: dict[str, Position] = {
    "standard": _symmetric({24: 2, 13: 5, 8: 3, 6: 5}),
    "hypergammon": _symmetric({24: 1, 23: 1, 22: 1}),
    "study-table-1": _symmetric({24: 2, 13: 5, 8: 5, 6: 3}),
    "beginner-5": _symmetric({24: 1, 13: 2, 8: 1, 6: 1}),
    "beginner-10": _symmetric({24: 2, 13: 3, 8: 2, 6: 3}),
}


def read_position(text: str) -> Position:
    """Read the name of a start, a Position ID, perhaps with a Match ID after a colon, or an XGID (with or without `XGID=`)."""
    text = text.strip()
    if text.lower() in STARTS:
        return STARTS[text.lower()]
    if re.match(f"{ID_PATTERN}:", text):
        name, _, match = text.partition(":")
        fields = read_match_id(match)
        dice = (max(fields.dice), min(fields.dice)) if min(fields.dice) else None
        return replace(read_position_id(name), dice=dice)
    if ":" in text or text.upper().startswith("XGID"):
        return read_xgid(text)
    misspelt = unknown("position", text, list(STARTS))
    if "did you mean" in str(misspelt) and not re.fullmatch(ID_PATTERN, text):
        raise misspelt
    if len(text) == ID_LENGTH:
        return read_position_id(text)
    raise UserError(
        f"position {text!r}: neither a start ({', '.join(STARTS)}), nor a Position ID ({ID_LENGTH} characters), nor an XGID"
    )


def start_name(position: Position) -> str | None:
    """The name of a start, or None."""
    return next((name for name, start in STARTS.items() if start == Position(position.mover, position.other)), None)


def position_id(position: Position) -> str:
    """GNU Backgammon's Position ID, which leaves out the dice and the checkers borne off."""
    bits = "".join("1" * count + "0" for side in (position.other, position.mover) for count in side[1:])
    number = int(bits.ljust(8 * ID_BYTES, "0")[::-1], 2)  # the first bit is the lowest
    return base64.b64encode(number.to_bytes(ID_BYTES, "little")).decode("ascii").rstrip("=")


def read_position_id(text: str) -> Position:
    """Read a Position ID of 14 characters."""
    place = f"Position ID {text!r}"
    wrong = re.search(r"[^A-Za-z0-9+/]", text)
    if wrong:
        raise UserError(f"{place}: {wrong[0]!r} is not one of the characters of a Position ID, A-Z a-z 0-9 + /")
    data = base64.b64decode(text + "==")
    if base64.b64encode(data).decode("ascii").rstrip("=") != text:
        raise UserError(f"{place}: not a position: the last character must be A, Q, g or w")
    bits = "".join(f"{byte:08b}"[::-1] for byte in data)
    counts = [len(ones) for ones in bits.split("0")]
    if len(counts) <= 2 * BAR:  # each of the 50 places ends with a zero
        raise UserError(f"{place}: more than {2 * CHECKERS} checkers")
    if any(counts[2 * BAR :]):
        raise UserError(f"{place}: not a position: bits that must be zero are set after the last point")
    return _checked(counts[BAR : 2 * BAR], counts[:BAR], None, place)


def xgid(position: Position, cube: str = "0:0", offer: str = "", score: str = "0:0:0:0") -> str:
    """The position as an XGID: capitals for the mover; by default for money, the cube in the middle.

    `cube` is its power of two and its owner, `offer` a letter in place of the dice, `score` the scores, the rules and the length.
    """
    board = "".join(_letter(position, place) for place in range(PLACES))
    dice = offer or "{}{}".format(*position.dice or (0, 0))
    return f"XGID={board}:{cube}:1:{dice}:{score}:10"


def _letter(position: Position, place: int) -> str:
    """The letter of a place as the mover numbers it; 25 is the mover's bar, 0 the opponent's."""
    mine = position.mover[place] if place != OFF else 0
    theirs = position.other[BAR - place] if place != BAR else 0
    return chr(ord("A") + mine - 1) if mine else chr(ord("a") + theirs - 1) if theirs else "-"


def xgid_fields(text: str, place: str) -> list[str]:
    """The ten fields of an XGID: board, cube, its owner, turn, dice, two scores, Crawford or Jacoby, match length, largest cube."""
    fields = re.sub(r"^XGID\s*=\s*", "", text.strip(), flags=re.IGNORECASE).split(":")
    if len(fields) != XGID_FIELDS:
        raise UserError(f"{place}: {len(fields)} fields; {XGID_FIELDS}, separated by ':', are needed")
    for number, field in enumerate(fields[1:], 2):
        if number != 5 and not re.fullmatch(r"-?[0-9]+", field):
            raise UserError(f"{place}: field {number} is {field!r}; a whole number is needed")
    if fields[3] not in ("1", "-1"):
        raise UserError(f"{place}: the turn is {fields[3]}; must be 1 (capitals on roll) or -1 (small letters on roll)")
    return fields


def read_xgid(text: str) -> Position:
    """Read an XGID."""
    place = f"XGID {text!r}"
    board, _, _, turn, dice, *_ = xgid_fields(text, place)
    capitals, small = _xgid_sides(board, place)
    mover, other = (capitals, small) if turn == "1" else (small, capitals)
    return _checked(mover, other, _xgid_dice(dice, place), place)


def _xgid_sides(board: str, place: str) -> tuple[list[int], list[int]]:
    """Each side's checkers on its points 1 to 24 and on the bar."""
    if len(board) != PLACES:
        raise UserError(f"{place}: the board has {len(board)} places; 26 are needed: a bar, 24 points, a bar")
    wrong = re.search(r"[^-A-Za-z]", board)
    if wrong:
        raise UserError(
            f"{place}: {wrong[0]!r} on the board; '-' is an empty point, A to O and a to o are 1 to 15 checkers"
        )
    if board[0].isupper() or board[BAR].islower():
        raise UserError(f"{place}: the first place is the bar of the small letters, the last that of the capitals")
    capitals = [ord(letter) - ord("A") + 1 if letter.isupper() else 0 for letter in board]
    small = [ord(letter) - ord("a") + 1 if letter.islower() else 0 for letter in board[::-1]]
    return capitals[1:], small[1:]


def _xgid_dice(text: str, place: str) -> tuple[int, int] | None:
    if text in ("00", "0"):
        return None
    if text in CUBE_WORDS:
        raise UserError(f"{place}: {CUBE_WORDS[text]} is offered: the doubling cube is not supported")
    if not re.fullmatch("[1-6][1-6]", text):
        raise UserError(f"{place}: the dice are {text!r}; two numbers from 1 to 6 are needed, or 00 before the roll")
    return int(max(text)), int(min(text))


def _checked(mover: list[int], other: list[int], dice: tuple[int, int] | None, place: str) -> Position:
    """The position of these checkers (points 1 to 24, then the bar); an impossible or finished one is refused."""
    for side in (mover, other):
        if sum(side) > CHECKERS:
            raise UserError(f"{place}: {sum(side)} checkers of one side; a side has {CHECKERS}")
        if sum(side) == 0:
            raise UserError(f"{place}: one side has no checkers: the game is over")
    for point in range(1, BAR):
        if mover[point - 1] and other[BAR - point - 1]:
            raise UserError(f"{place}: both sides have checkers on one point, the mover's {point}")
    if all(min(side[:HOME]) > 1 and side[-1] for side in (mover, other)):
        raise UserError(f"{place}: both sides are on the bar against six made points: neither can ever move")
    return Position((CHECKERS - sum(mover), *mover), (CHECKERS - sum(other), *other), dice)
