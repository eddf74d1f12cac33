"""The study's curriculum as an experiment, its comparisons as variants of the first stage, and the budgets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.studies.hearts.published import GAMES

GAME = "hearts"  # to 100 points
BARE = "hearts:passing=off,moon=off"
NO_MOON, NO_PASSING = "hearts:moon=off", "hearts:passing=off"
RULE_BASED, MONTE_CARLO, USUAL = "rule-based", "monte-carlo", 100
HOPEFUL, FORCED = {"moon-decision": 0.5}, {"moon-decision": 0.0}  # thresholds: attempt likely moons, or always

LEARNER: dict[str, Any] = {"name": "curriculum"}  # with its defaults

# What the study compares or leaves ambiguous, in short trainings; the first of each is its choice.
BASE = "base"
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    BASE: ("as the study: terminal 10, immediate 4, Thompson sampling", {}),
    "terminal-13": ("Table 4.2: terminal reward 0 from 13 points on", {"rewards": "terminal=13"}),
    "terminal-26": ("Table 4.2: terminal reward 0 at 26 points", {"rewards": "terminal=26"}),
    "immediate-8": ("Table 4.1: immediate reward 0 from 8 points on", {"rewards": "immediate=8"}),
    "immediate-13": ("Table 4.1: immediate reward 0 from 13 points on", {"rewards": "immediate=13"}),
    "immediate-16": ("Table 4.1: immediate reward 0 at 16 points", {"rewards": "immediate=16"}),
    "immediate-0": ("no immediate reward", {"rewards": "immediate=0"}),
    "epsilon": ("epsilon-greedy", {"explore": "epsilon"}),
    "none": ("no exploration", {"explore": "none"}),
}
TERMINAL, IMMEDIATE = ("terminal-13", "terminal-26"), ("immediate-8", "immediate-13", "immediate-16")
EXPLORATIONS = ("epsilon", "none")
READINGS = {"moon-5": "equation 43 as printed: the most from 5 points on", "moon-10": "as its text: from 10 points on"}
READING_STAGES = ("play", "pass", "moon-decision-1", "moon-play")

STUDY = {
    **GAMES,
    "moon-decision-1": 50_000, "moon-play": 100_000, "moon-decision-2": 50_000, "moon-pass": 50_000,
    "moon-decision-3": 50_000, "moon-tune": 100_000, "moon-decision-4": 100_000,
    "defence-decision": 50_000, "defence-play": 100_000,
}  # fmt: skip
LONGER = {"play": 1_000_000, "pass": 100_000, "tune": 400_000}  # beyond the point where the study saw no gain


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    trials: int  # of the whole curriculum
    games: Mapping[str, int]  # per stage
    step: int  # games per step of the training
    every: int  # games between two points of the curves
    point: int  # games per point
    simulations: tuple[int, ...]  # of the Monte Carlo players that agents play
    deals: int  # per reported agent, four games each
    defence_deals: int
    compared: int  # games per short training
    compared_trials: int
    compared_deals: int
    curve: int = USUAL  # simulations of the Monte Carlo players of the curves
    exam: int = 4000  # games that test a decision, per point of the curves

    @property
    def whole(self) -> bool:
        """Whether stages are as long as the study's."""
        return all(self.games[stage] >= games for stage, games in GAMES.items())

    @property
    def beside(self) -> int:
        """Simulations of the Monte Carlo player that stands for the study's: the nearest to the usual number."""
        return min(self.simulations, key=lambda number: abs(number - USUAL))


def scaled(play: int, other: int) -> dict[str, int]:
    """Short stages."""
    return {stage: play if stage == "play" else other for stage in STUDY}


POWERS = (10, 30, 100, 300, 1000)
BUDGETS = {
    "quick": Budget(1, scaled(60_000, 10_000), 500, 5_000, 100, POWERS[:3], 50, 250, 4_000, 3, 50, curve=10, exam=1000),
    "study": Budget(1, STUDY, 1_250, 12_500, 1_000, POWERS, 250, 2_500, 25_000, 3, 250),
    "paper": Budget(5, STUDY | LONGER, 1_000, 50_000, 400, POWERS, 250, 2_500, 100_000, 8, 250),
    "deep": Budget(10, STUDY | LONGER, 1_000, 10_000, 1_000, POWERS, 1_000, 2_500, 400_000, 16, 1_000),
}


def monte_carlo(simulations: int) -> str:
    return f"{MONTE_CARLO}@{simulations}"


def opponents(budget: Budget) -> dict[str, str]:
    """The opponents of the curves, by the first word of a curve's name."""
    players = (RULE_BASED, monte_carlo(budget.curve))
    return {player.replace("@", "-"): player for player in players}


def agent_table(budget: Budget) -> dict[str, Any]:
    """The whole curriculum."""
    learner = LEARNER | {
        "stages": list(STUDY), "games": [budget.games[stage] for stage in STUDY], "step_games": budget.step,
        "benchmarks": list(opponents(budget).values()), "benchmark_games": budget.point,
        "curve_every": budget.every // budget.step, "exam_games": budget.exam,
    }  # fmt: skip
    return _experiment(learner)


def variant_table(name: str, budget: Budget) -> dict[str, Any]:
    """The first stage alone, short, with one change."""
    short = {"stages": ["play"], "games": [budget.compared]}
    return _experiment(
        LEARNER | short | {"step_games": min(budget.step, 500), "benchmark_games": 0} | VARIANTS[name][1]
    )


def reading_table(name: str, budget: Budget) -> dict[str, Any]:
    """The stages that moon play needs, short, with one of equation 43's readings."""
    short = {
        "stages": list(READING_STAGES),
        "games": [budget.compared],
        "rewards": f"moon_full={name.removeprefix('moon-')}",
    }
    return _experiment(LEARNER | short | {"step_games": min(budget.step, 500), "benchmark_games": 0})


def _experiment(learner: dict[str, Any]) -> dict[str, Any]:
    """An experiment with a minimal evaluation: the study plays its own games of champions."""
    return {
        "game": GAME, "learner": learner,
        "evaluation": {"opponents": [RULE_BASED], "pairs": 1, "selection_pairs": 1},
    }  # fmt: skip
