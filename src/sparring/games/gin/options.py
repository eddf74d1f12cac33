"""The rules of gin rummy that can be chosen, and how they are written into a state."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.gin.cards import read_position
from sparring.games.gin.rules import TURN_LIMIT
from sparring.options import option

BONUS = 25
DEALT = "dealt"


@dataclass(frozen=True)
class Options:
    """Rules that can be chosen."""

    rules: str = option(
        "study", "single hands as the study plays them, or the game as people play it", choices=("study", "full")
    )
    length: str = option(
        "usual", "a match to 100, or one hand; usual is what the rules have", choices=("usual", "hand", "match")
    )
    laying_off: str = option(
        "usual", "whether the other may lay off cards on a knocker's melds", choices=("usual", "yes", "no")
    )
    gin: int = option(-1, "bonus for gin; -1 for what the rules have", -1, 1000)
    undercut: int = option(-1, "bonus for an undercut; -1 for what the rules have", -1, 1000)
    target: int = option(100, "points that win a match", 1, 10_000)
    limit: int = option(TURN_LIMIT, "turns after which a game ends as it stands", 1, TURN_LIMIT)
    start: str = option(DEALT, "every hand's beginning: dealt, or HAND/HAND/UPCARD as As2s3s.../Kh.../5d")


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the chosen rules into a state."""
    told: Any = state[0]["rules"]
    full = chosen.rules == "full"
    match = full if chosen.length == "usual" else chosen.length == "match"
    if chosen.target != 100 and not match:
        raise UserError(f"gin:target={chosen.target}: is for matches; add length=match or rules=full")
    told["offered"] = told["free"] = told["ties"] = full
    told["remade"] = not full
    told["laying_off"] = full if chosen.laying_off == "usual" else chosen.laying_off == "yes"
    told["gin"], told["undercut"] = (
        (BONUS if full else 0) if bonus < 0 else bonus for bonus in (chosen.gin, chosen.undercut)
    )
    told["target"] = chosen.target if match else 0
    told["limit"] = chosen.limit
    told["hand"], told["upcard"] = 0, -1
    if chosen.start != DEALT:
        *told["hand"], told["upcard"] = read_position(chosen.start, f"gin:start={chosen.start}")
