"""Reads the cube, the score and the rules of an XGID."""

from dataclasses import replace

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon.cube import Stakes
from sparring.games.backgammon.cube_value import MATCH_EQUITIES, MOVER, OTHER
from sparring.games.backgammon.match_id import CENTRED, read_match_id
from sparring.games.backgammon.positions import XGID_FIELDS, Position, read_xgid, xgid_fields
from sparring.games.backgammon.rules import NOBODY, NOW, OVER, TO_COME
from sparring.games.backgammon.terms import Terms

LARGEST = 15  # the power of two of the largest cube that can be written


def read_cube_position(text: str, table: np.ndarray = MATCH_EQUITIES) -> tuple[Position, Stakes]:
    """The position of an XGID before the roll, and what is at stake. `D` as dice, a double that is offered, is read too."""
    place = f"XGID {text!r}"
    fields = xgid_fields(text, place)
    if fields[4] == "D":
        fields[4] = "00"
    position = read_xgid(":".join(fields))
    if position.dice:
        raise UserError(f"{place}: the dice are rolled; doubles come before the roll, so write 00 for them")
    power, owner, turn, mine, theirs, rules, length = (int(fields[n]) for n in (1, 2, 3, 5, 6, 7, 8))
    if not 0 <= power <= LARGEST:
        raise UserError(f"{place}: the cube is 2 to the power of {power}; must be from 0 to {LARGEST}")
    if owner not in (-1, 0, 1):
        raise UserError(f"{place}: the owner of the cube is {owner}; must be 1 (capitals), -1 (small letters) or 0")
    if (power == 0) != (owner == 0):
        raise UserError(
            f"{place}: a cube of {2**power} {'with an owner' if owner else 'in the middle'}; only 1 lies there"
        )
    holder = None if owner == 0 else MOVER if owner == turn else OTHER
    scores = (mine, theirs) if turn == 1 else (theirs, mine)
    if length == 0:
        if rules not in range(4):
            raise UserError(
                f"{place}: rules of money play are {rules}; must be from 0 to 3: 1 for Jacoby plus 2 for beavers"
            )
        return position, Stakes(2**power, holder, jacoby=bool(rules & 1), beavers=bool(rules & 2))
    away, crawford = _away(scores, length, 2**power, place), _crawford(rules, scores, length, place)
    return position, Stakes(2**power, holder, away, crawford, table=table)


def _away(scores: tuple[int, int], length: int, cube: int, place: str) -> tuple[int, int]:
    """The points that each side needs."""
    if length < 0:
        raise UserError(f"{place}: a match to {length}; must be positive, or 0 for money")
    if not all(0 <= score < length for score in scores):
        raise UserError(
            f"{place}: the score is {scores[0]} to {scores[1]} in a match to {length}; each must be below {length}"
        )
    if cube // 2 >= length:
        raise UserError(f"{place}: a cube of {cube} in a match to {length}: a cube of {cube // 2} already decides it")
    return length - scores[0], length - scores[1]


def _crawford(rules: int, scores: tuple[int, int], length: int, place: str) -> bool:
    """Whether this is the Crawford game."""
    if rules not in (0, 1):
        raise UserError(f"{place}: the Crawford field is {rules}; must be 0 or 1")
    if rules and sum(score == length - 1 for score in scores) != 1:
        raise UserError(f"{place}: not a Crawford game: one side, and only one, must need one point")
    return bool(rules)


def with_stakes(terms: Terms, text: str) -> Terms:
    """The terms of a game that starts from an XGID or a Match ID: its cube, and its match and score. Seat 0 is on roll."""
    found = _of_xgid(text) if text.count(":") == XGID_FIELDS - 1 else _of_match_id(text)
    if found is None:
        return terms
    if terms.length not in (0, found.length):
        raise UserError(f"start {text!r}: a match to {found.length}, but match={terms.length} is chosen")
    jacoby, beavers = terms.jacoby or found.jacoby, terms.beavers or found.beavers
    return replace(found, single=terms.single, cube=terms.cube, jacoby=jacoby, beavers=beavers, resign=terms.resign)


def _of_xgid(text: str) -> Terms:
    fields = xgid_fields(text, f"XGID {text!r}")
    _, stakes = read_cube_position(":".join([*fields[:4], "00", *fields[5:]]))
    owner = NOBODY if stakes.owner is None else stakes.owner
    length = int(fields[8]) if stakes.away else 0
    mine, theirs = stakes.away or (0, 0)
    over = stakes.away is not None and 1 in stakes.away
    crawford = NOW if stakes.crawford else OVER if over else TO_COME
    start = (length, stakes.cube, owner, (length - mine, length - theirs), crawford)
    return Terms(False, True, stakes.jacoby, stakes.beavers, False, *start)


def _of_match_id(text: str) -> Terms | None:
    if ":" not in text:
        return None
    found = read_match_id(text.partition(":")[2])
    points = (found.points, found.other_points) if found.on_roll == 0 else (found.other_points, found.points)
    owner = NOBODY if found.owner == CENTRED else int(found.owner != found.on_roll)
    over = found.length > 0 and found.length - 1 in points
    crawford = NOW if found.crawford else OVER if over else TO_COME
    return Terms(cube=True, length=found.length, value=2**found.cube, owner=owner, points=points, crawford=crawford)
