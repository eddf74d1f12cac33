"""The options of hearts' rules."""

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
    """Options of the rules."""

    target: int = option(100, "points that end the game, usually 100 or 50", 1, 1000)
    rounds: int = option(0, "rounds after which the game ends instead; 0: no limit", 0, LONGEST)
    passing: str = option("on", "whether three cards are passed: left, right, across, then none", choices=("on", "off"))
    moon: str = option(
        "add", "all 26 points: 26 more for the others, 26 less for the shooter, or off", choices=tuple(MOONS)
    )
    jack: str = option("off", "whether the jack of diamonds subtracts ten points", choices=("off", "on"))
    start: str = option(DEALT, "the deal of every round: dealt (at random), or HAND/HAND/HAND/HAND as 2c3c.../...")


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the options into a state."""
    rules: Any = state[0]["rules"]
    rules["target"], rules["rounds"], rules["moon"] = chosen.target, chosen.rounds, MOONS[chosen.moon]
    rules["passing"], rules["jack"] = chosen.passing == "on", chosen.jack == "on"
    rules["hand"] = 0 if chosen.start == DEALT else read_deal(chosen.start, f"hearts:start={chosen.start}")
