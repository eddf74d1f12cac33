"""Actions with the cube and resignations, in words."""

from typing import Any

from sparring.errors import UserError
from sparring.games.backgammon.rules import (
    ACCEPT,
    BEAVER,
    BEAVERED,
    BEFORE_ROLL,
    DOUBLE,
    DOUBLED,
    DROP,
    PLAYING,
    REFUSE,
    RESIGN,
    RESIGNED,
    ROLL,
    TAKE,
)

GAMES = {1: "a single game", 2: "a gammon", 3: "a backgammon"}
WORDS = {  # what one does, and what another is reported to do
    ROLL: ("roll", "rolls"),
    DOUBLE: ("double", "doubles"),
    TAKE: ("take", "takes"),
    DROP: ("drop", "drops"),
    BEAVER: ("beaver", "beavers"),
    ACCEPT: ("accept", "accepts"),
    REFUSE: ("refuse", "refuses"),
    **{RESIGN + points: (f"resign {name}", f"resigns {name}") for points, name in GAMES.items()},
}
SPELLINGS = {  # what else may be typed
    "pass": DROP, "redouble": DOUBLE, "reject": DROP, "decline": REFUSE, "resign": RESIGN + 1,
    **{f"resign {points}": RESIGN + points for points in GAMES}, "resign single": RESIGN + 1, "resign gammon": RESIGN + 2,
    "resign backgammon": RESIGN + 3,
}  # fmt: skip
MEANT = {
    **SPELLINGS,
    **{one: move for move, (one, _) in WORDS.items()},
    **{two: move for move, (_, two) in WORDS.items()},
}


def is_action(move: int) -> bool:
    """Whether a move is no play of the dice."""
    return move >= ROLL


def action_text(move: int) -> str:
    """An action as an order."""
    return WORDS[move][0]


def read_action(text: str, legal: list[int]) -> int:
    """The legal action that a text means."""
    move = MEANT.get(" ".join(text.lower().split()))
    if move not in legal:
        choices = ", ".join(action_text(each) for each in legal)
        raise UserError(f"{text.strip()[:40]!r}: choose one of {choices}")
    return move


def offered_cube(s: Any) -> int:
    """The value of a cube that is offered; 0 if none is."""
    return int(s["cube"]) * {DOUBLED: 2, BEAVERED: 4}.get(int(s["phase"]), 0)


def expected(s: Any) -> str:
    """What the seat to move has to decide, in a few words."""
    phase = int(s["phase"])
    if phase == PLAYING:
        return f"to play {s['dice'][0]}{s['dice'][1]}"
    if phase == BEFORE_ROLL:
        return "to roll or double" if s["rules"]["doubling"] else "to roll"
    if phase == RESIGNED:
        return f"to accept {GAMES[int(s['offered'])]}, or refuse"
    return f"to take {offered_cube(s)} or drop"
