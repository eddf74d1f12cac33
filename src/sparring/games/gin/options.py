"""The options of gin rummy's rules."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.gin.cards import read_position
from sparring.games.gin.rules import MOST_TURNS, TURN_LIMIT
from sparring.options import option

BONUS = 25
DEALT = "dealt"


@dataclass(frozen=True)
class Options:
    """Options of the rules."""

    rules: str = option(
        "study", "study: single hands, as in the study; full: the game as people play it", choices=("study", "full")
    )
    length: str = option("usual", "a match or one hand; usual: as the rules say", choices=("usual", "hand", "match"))
    laying_off: str = option(
        "usual", "whether the opponent may lay off cards on the knocker's melds", choices=("usual", "yes", "no")
    )
    gin: int = option(-1, "bonus for gin; -1: as the rules say", -1, 1000)
    undercut: int = option(-1, "bonus for an undercut; -1: as the rules say", -1, 1000)
    target: int = option(100, "points that win a match", 1, 10_000)
    limit: int = option(TURN_LIMIT, "turns after which a game ends", 1, MOST_TURNS)
    start: str = option(DEALT, "the deal of every hand: dealt (at random), or HAND/HAND/UPCARD as As2s3s.../Kh.../5d")


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the options into a state."""
    rules: Any = state[0]["rules"]
    full = chosen.rules == "full"
    match = full if chosen.length == "usual" else chosen.length == "match"
    if chosen.target != 100 and not match:
        raise UserError(f"gin:target={chosen.target}: needs a match; add length=match or rules=full")
    rules["offered"] = rules["free"] = rules["ties"] = full
    rules["remade"] = not full
    rules["laying_off"] = full if chosen.laying_off == "usual" else chosen.laying_off == "yes"
    rules["gin"], rules["undercut"] = (
        (BONUS if full else 0) if bonus < 0 else bonus for bonus in (chosen.gin, chosen.undercut)
    )
    rules["target"] = chosen.target if match else 0
    rules["limit"] = chosen.limit
    rules["hand"], rules["upcard"] = 0, -1
    if chosen.start != DEALT:
        *rules["hand"], rules["upcard"] = read_position(chosen.start, f"gin:start={chosen.start}")
