"""The rules of hearts that can be chosen, and how they are written into a state."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.games.hearts.cards import read_deal
from sparring.games.hearts.rules import ADD, LONGEST, OFF, SUBTRACT
from sparring.options import option

MOONS = {"add": ADD, "subtract": SUBTRACT, "off": OFF}
DEALT = "dealt"


@dataclass(frozen=True)
class Options:
    """Rules that can be chosen."""

    target: int = option(100, "points at which the game ends: 100 or 50, as people like", 1, 1000)
    rounds: int = option(0, "rounds after which it ends instead; 0 for none", 0, LONGEST)
    passing: str = option("on", "whether three cards are passed: left, right, across, then not", choices=("on", "off"))
    moon: str = option(
        "add", "all 26 points: add 26 to the others, subtract 26 from the shooter, or nothing", choices=tuple(MOONS)
    )
    jack: str = option("off", "whether the jack of diamonds takes ten points off", choices=("off", "on"))
    start: str = option(DEALT, "every round's hands: dealt, or HAND/HAND/HAND/HAND as 2c3c.../...")


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the chosen rules into a state."""
    told: Any = state[0]["rules"]
    told["target"], told["rounds"], told["moon"] = chosen.target, chosen.rounds, MOONS[chosen.moon]
    told["passing"], told["jack"] = chosen.passing == "on", chosen.jack == "on"
    told["hand"] = 0 if chosen.start == DEALT else read_deal(chosen.start, f"hearts:start={chosen.start}")
