"""How the hearts study's claims, which are in claims.toml, are measured."""

from collections.abc import Callable
from typing import Any

from sparring.arena.statistics import Interval
from sparring.studies.hearts.measured import Measured
from sparring.studies.hearts.rates import Counts
from sparring.studies.hearts.settings import BASE, GAMES, PUBLISHED, RULE_BASED, UCT
from sparring.studies.verdicts import difference, read_claims

END = float("inf")


def over(found: Measured, match: str, other: str, top: str, bottom: str, scale: float = 1.0) -> Interval:
    """A ratio of one match minus that of another on the same deals."""
    return found.matches[match].over(found.matches[other], top, bottom, scale)


def welch(found: Measured, match: str, other: str, top: str, bottom: str) -> Interval:
    """The same of trainings that are not paired."""
    return difference(*(found.matches[name].by_trial(top, bottom) for name in (match, other)))


def after(found: Measured, stage: str) -> Interval:
    """What a stage gains after the study's games, against rule-based players."""
    games = GAMES[stage]
    return found.gained(stage, RULE_BASED, (games / 2, games), (games, END))


def first_gain(found: Measured) -> list[Interval]:
    """What play gains until its fast part ends, and how much more that is than what it gains after."""
    every, fast, end = 50_000, PUBLISHED["fast"], GAMES["play"]
    begin, middle, last = (0, every), (fast - 2 * every, fast), (end - 2 * every, end)
    return [found.gained("play", RULE_BASED, begin, middle), found.gained_more("play", RULE_BASED, begin, middle, last)]


def thirds(found: Measured, stage: str, top: str = "won", bottom: str = "games") -> Interval:
    """A stage's last third minus its first, against rule-based players."""
    third = found.budget.games[stage] / 3
    return found.gained(stage, RULE_BASED, (0, third), (2 * third, END), (top, bottom))


def prevented(found: Measured, on: str = "", off: str = "") -> Interval:
    """The share of the others' moons that defence stops."""
    return found.matches[f"defence on{on}"].less(found.matches[f"defence off{off}"], "against")


def moon_rounds(found: Measured, threshold: str = "") -> Interval:
    """The share of rounds with a moon, of four agents without defence."""
    off = found.matches[f"defence off{threshold}"].sums
    return Counts({"moons": off["moons"] + off["against"], "rounds": off["rounds"]}).share("moons", "rounds")


def best_of(found: Measured, *others: str) -> list[Interval]:
    """How many more games the study's choice wins than each alternative; they share the 5%."""
    base, *rest = (found.matches[f"short {name}"].by_trial("won", "games") for name in (BASE, *others))
    return [difference(base, each, comparisons=len(others)) for each in rest]


MEASURES: dict[str, Callable[..., Any]] = {
    "share": lambda found, match, top="won", bottom="games": found.matches[match].share(top, bottom),
    "shares": lambda found, *matches: [found.matches[match].share() for match in matches],
    "leads": lambda found, *matches: [found.matches[match].lead() for match in matches],
    "points": lambda found, *matches: [found.matches[match].mean() for match in matches],
    "over": over,
    "welch": welch,
    "after": after,
    "first gain": first_gain,
    "thirds": thirds,
    "tuned": lambda found: [over(found, f"tune {n}", f"pass {n}", "score", "rounds") for n in (RULE_BASED, UCT)],
    "right": lambda found, *which: found.right(*which),
    "moon rounds": moon_rounds,
    "prevented": prevented,
    "best of": best_of,
}


def long_enough(found: Measured) -> bool:
    """Whether stages were as long as the study's."""
    return found.budget.complete


GROUPS: dict[str, dict[str, Any]] = {  # what decides, and the number of trainings
    "": {"conclusive": long_enough},
    "built-in": {"trials": lambda found: 1},
    "short": {"conclusive": long_enough, "trials": lambda found: found.budget.compared_trials},
    "special": {"conclusive": long_enough, "trials": lambda found: found.budget.special_trials},
    "recorded": {"conclusive": long_enough, "trials": lambda found: found.budget.recorded_trials},
    "whole": {"conclusive": long_enough, "trials": lambda found: found.budget.whole_trials},
}
CLAIMS = read_claims("hearts", MEASURES, GROUPS)
