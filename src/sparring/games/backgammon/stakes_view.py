"""The cube and the score of a state, for people: in words, as JSON, and in an XGID."""

from typing import Any

from sparring.games.backgammon.match_id import match_id
from sparring.games.backgammon.positions import Position, xgid
from sparring.games.backgammon.rules import BEAVERED, DOUBLED, NOBODY, NOW

OFFERS = {DOUBLED: "D", BEAVERED: "B"}  # in place of an XGID's dice


def has_stakes(s: Any) -> bool:
    """Whether there is more to a game than its board."""
    return bool(s["rules"]["doubling"] or s["rules"]["length"])


def cube_of(s: Any) -> tuple[int, int] | None:
    """The cube and its owner; None in a game without one."""
    return (int(s["cube"]), int(s["owner"])) if s["rules"]["doubling"] else None


def points_of(s: Any) -> tuple[int, int] | None:
    """The points of both seats; None outside matches."""
    return (int(s["points"][0]), int(s["points"][1])) if s["rules"]["length"] else None


def stakes_text(s: Any) -> str:
    """The cube and the score in a few words; empty where there is neither."""
    parts, cube = [], cube_of(s)
    if cube:
        held = "in the middle" if cube[1] == NOBODY else f"of seat {cube[1]}"
        parts.append(f"cube {cube[0]} {held}")
    if s["rules"]["length"]:
        crawford = ", Crawford game" if s["crawford"] == NOW else ""
        parts.append(f"{s['points'][0]} to {s['points'][1]} in a match to {s['rules']['length']}{crawford}")
    return ", ".join(parts)


def stakes_json(s: Any) -> dict[str, Any]:
    """The cube and the score."""
    owner = int(s["owner"])
    return {
        "cube": int(s["cube"]),
        "cube_owner": None if owner == NOBODY else owner,
        "points": s["points"].tolist(),
        "match": int(s["rules"]["length"]),
        "crawford": bool(s["crawford"] == NOW),
        "match_id": match_id(s),
    }


def state_xgid(s: Any, position: Position) -> str:
    """The state as an XGID, capitals for the seat to move."""
    if not has_stakes(s):
        return xgid(position)
    turn, owner, length = int(s["turn"]), int(s["owner"]), int(s["rules"]["length"])
    holder = 0 if owner == NOBODY else 1 if owner == turn else -1
    rules = int(s["crawford"] == NOW) if length else int(s["rules"]["jacoby"]) + 2 * int(s["rules"]["beavers"])
    score = f"{s['points'][turn]}:{s['points'][1 - turn]}:{rules}:{length}"
    return xgid(position, f"{int(s['cube']).bit_length() - 1}:{holder}", OFFERS.get(int(s["phase"]), ""), score)
