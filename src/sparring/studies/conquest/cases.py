"""The study's five cases as experiments, our own settings for them, and the budgets.

NEAT's parameters (chapter 4) are the learner's defaults. `experiments/conquest-case1.toml` etc. contain the same.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sparring.errors import remark
from sparring.learn.neat.config import read_config
from sparring.studies.conquest.published import CASES, GENERATIONS

GAMES = {
    1: "conquest:map=empty,rounds=5000,goal=all",
    2: "conquest:map=easy,rounds=500",
    3: "conquest:map=hard,rounds=5000",
    4: "conquest:map=duel,rounds=500",
    5: "conquest:map=duel,rounds=5000",
}
FITNESS = {1: "expansion", 2: "elimination", 3: "elimination", 4: "conquest", 5: "moves-sum"}
OPPONENTS = {1: "idle", 2: "idle", 3: "idle", 4: "red"}
STUDY = FITNESS[5]
CURES = ("moves-mean", "moves-lead", "outcome", "supremacy")  # may end the cooperation, if the game has them
ENCODING, DECODING = "shares", "net"  # the study's
PUBLISHED = {"fitness_threshold": 100.0, "no_fitness_termination": False, "exact_size": False}
EXPERIMENTS = Path(__file__).parents[4] / "experiments"  # of the source tree


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    trials: int  # of each case, and of our own settings
    part: float  # of the study's generations
    deals: int  # of case 4 that its champions have not seen
    better: int  # maximum generations of our own settings
    compared: tuple[int, ...]  # cases over which encodings and decodings are compared
    compared_trials: int
    compared_generations: int
    compared_population: int
    rival_generations: int
    partners: int  # maximum strangers that each of a best pair plays
    strength_deals: int

    def generations(self, case: int) -> int:
        """The generations of one of the first four cases."""
        return max(2, round(self.part * CASES[case].generations))

    @property
    def whole(self) -> bool:
        """Whether trainings of the first four cases are as long as the study's."""
        return self.part >= 1

    @property
    def rivals_whole(self) -> bool:
        """Whether trainings of case 5 are."""
        return self.rival_generations >= GENERATIONS


BUDGETS = {
    "quick": Budget(3, 0.06, 50, 3, (2, 4), 3, 2, 20, 6, 3, 4),
    "paper": Budget(20, 1.0, 200, 1000, (2, 4), 4, 8, 30, GENERATIONS, 20, 25),
    "deep": Budget(60, 1.0, 500, 1000, (1, 2, 3, 4), 20, 40, 50, GENERATIONS, 20, 100),
}


def case_table(case: int, generations: int) -> dict[str, Any]:
    """One of the first four cases with the study's settings."""
    opponent = OPPONENTS[case]
    return {
        "game": GAMES[case],
        "learner": {
            "name": "neat", "encoding": ENCODING, "policy": DECODING, "generations": generations,
            "fitness": FITNESS[case], "opponents": [opponent], "games": 1, "deals": "run", "seating": "first",
            "benchmark": opponent, "benchmark_pairs": 20 if case == 4 else 0, **PUBLISHED,
        },
        "evaluation": evaluation(opponent, FITNESS[case]),
    }  # fmt: skip


def rivals_table(fitness: str, generations: int) -> dict[str, Any]:
    """Case 5 with the study's fitness or another; the threshold of 100 is off, and every generation's best are stored."""
    return {
        "game": GAMES[5],
        "learner": {
            "name": "neat", "encoding": ENCODING, "policy": DECODING, "generations": generations, "fitness": fitness,
            "opponents": ["rivals"], "games": 1, "deals": "run", "hall": generations, "benchmark_pairs": 0,
            **PUBLISHED, "no_fitness_termination": True,
        },
        "evaluation": evaluation("random", fitness),
    }  # fmt: skip


def compared_table(case: int, encoding: str, policy: str, budget: Budget) -> dict[str, Any]:
    """A case with another encoding and decoding; all have the same number of generations."""
    table = case_table(case, budget.compared_generations)
    other = {"encoding": encoding, "policy": policy, "pop_size": budget.compared_population, "benchmark_pairs": 0}
    return table | {"learner": table["learner"] | other}


def better_table(case: int, most: int) -> dict[str, Any]:
    """A case with our own settings, read from its file; without a file, with the study's."""
    name = f"conquest-better{case}.toml"
    path = next((path for path in (Path("experiments") / name, EXPERIMENTS / name) if path.is_file()), None)
    if path is None:
        remark(f"experiments/{name}: not found; using the study's settings for case {case}")
        return case_table(case, min(most, CASES[case].generations))
    table = tomllib.loads(path.read_text())
    learner = table["learner"]
    config = learner.pop("config", "")
    options = read_config(path.parent / config).options if config else {}
    return table | {"learner": options | learner | {"generations": min(most, learner["generations"])}}


def evaluation(opponent: str, fitness: str) -> dict[str, Any]:
    """A minimal evaluation: the study plays its own games of champions."""
    return {"opponents": [opponent], "pairs": 1, "selection_pairs": 1, "seating": "given", "by": fitness}


def settings_words(learner: Mapping[str, Any]) -> str:
    """The main settings of a training."""
    games = f", {learner['games']} games each" if learner.get("games", 1) > 1 else ""
    return (
        f"{learner['encoding']}, {learner['policy']}, population {learner.get('pop_size', 100)}, "
        f"{learner['generations']} generations{games}"
    )
