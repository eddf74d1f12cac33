"""What the golf study's re-run trains, read from settings.toml."""

from dataclasses import dataclass, field
from typing import Any

from sparring.learn.supervised import Supervised
from sparring.studies import read_data

SETTINGS = read_data("golf", "settings")
READINGS, FURTHER = SETTINGS["readings"], SETTINGS["further"]
RULES = ("original", "five-of-six", "symmetric")  # abandoned in section 6.1
START, WIDE_START = 0.1, 1.0  # standard deviation of the initial weights of coevolution


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    trials: int  # per input, of both algorithms
    epochs: int  # of coevolution
    generations: int  # of NEAT
    other_trials: int  # per abandoned rule, per other reading of NEAT, and per experiment of the further work
    early_epochs: int
    pairs: int  # of games after training, per champion and opponent
    match_pairs: int  # of the final's players with each other
    internal_pairs: int
    threshold_epochs: int
    supervised: Supervised = field(default_factory=Supervised)
    readings: tuple[str, ...] = tuple(READINGS)
    further: tuple[str, ...] = tuple(FURTHER)


BUDGETS = {
    name: Budget(**table | {"supervised": Supervised(**table.get("supervised", {}))})
    for name, table in SETTINGS["budgets"].items()
}


def coevolution(encoding: str, rule: str, epochs: int, **options: Any) -> dict[str, Any]:
    """The learner section of an experiment by coevolution."""
    return {"encoding": encoding, "rule": rule, "epochs": epochs} | options


def neat(encoding: str, generations: int, **options: Any) -> dict[str, Any]:
    """The learner section of an experiment by NEAT."""
    parts: dict[str, dict[str, Any]] = SETTINGS["neat"]
    given = {"name": "neat", "encoding": encoding, "generations": generations}
    return given | parts["published"] | parts["example"] | parts["open"] | options
