"""GNU Backgammon's Match ID: cube, dice and score of a state in twelve characters.

66 bits, the lowest first: the cube's power of two (4), its owner (2; 3 is nobody), who is on roll, the Crawford game, the state of
the game (3; 1 is playing), whose decision it is, whether a double is offered, a resignation (2), two dice (3 each), the length of
the match (15) and both scores (15 each).
"""

import base64
import re
from typing import Any, NamedTuple

from sparring.errors import UserError
from sparring.games.backgammon.rules import BEAVERED, DOUBLED, NOBODY, NOW, RESIGNED

WIDTHS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15)
CENTRED, UNDER_WAY, FINISHED = 3, 1, 2
BYTES, LENGTH = 9, 12


class MatchFields(NamedTuple):
    """The fields of a Match ID, in order; seats are GNU Backgammon's players."""

    cube: int  # a power of two
    owner: int
    on_roll: int
    crawford: int
    playing: int
    turn: int
    doubled: int
    resigned: int
    first_die: int
    second_die: int
    length: int
    points: int
    other_points: int

    @property
    def dice(self) -> tuple[int, int]:
        return self.first_die, self.second_die


def match_id(s: Any) -> str:
    """The Match ID of a state."""
    phase, turn, owner = int(s["phase"]), int(s["turn"]), int(s["owner"])
    doubled, resigned = int(phase in (DOUBLED, BEAVERED)), int(s["offered"]) if phase == RESIGNED else 0
    on_roll = 1 - turn if doubled or resigned else turn
    larger, smaller = s["dice"].tolist()
    mine, theirs = s["points"].tolist()
    fields = MatchFields(
        int(s["cube"]).bit_length() - 1, CENTRED if owner == NOBODY else owner, on_roll, int(s["crawford"] == NOW),
        FINISHED if s["over"] else UNDER_WAY, turn, doubled, resigned, larger, smaller, int(s["rules"]["length"]), mine, theirs,
    )  # fmt: skip
    return write_match_id(fields)


def write_match_id(fields: MatchFields) -> str:
    """The characters of these fields."""
    number, at = 0, 0
    for value, width in zip(fields, WIDTHS, strict=True):
        number |= value << at
        at += width
    return base64.b64encode(number.to_bytes(BYTES, "little")).decode()


def read_match_id(text: str) -> MatchFields:
    """Back from the characters."""
    if not re.fullmatch(f"[A-Za-z0-9+/]{{{LENGTH}}}", text):
        raise UserError(f"match ID {text[:40]!r}: {LENGTH} characters A to Z, a to z, 0 to 9, + and / are needed")
    number, values = int.from_bytes(base64.b64decode(text), "little"), []
    for width in WIDTHS:
        values.append(number & ((1 << width) - 1))
        number >>= width
    fields = MatchFields(*values)
    if max(fields.first_die, fields.second_die) > 6 or fields.owner == 2:
        raise UserError(f"match ID {text!r}: has dice above 6 or an owner of the cube who does not play")
    if fields.length and max(fields.points, fields.other_points) >= fields.length:
        score = f"{fields.points} to {fields.other_points}"
        raise UserError(f"match ID {text!r}: the score is {score} in a match to {fields.length}")
    return fields
