"""The study's five cases as experiments, in its author's reading or its text's, variants of them, and the budgets.

`experiments/conquest-case1.toml` etc. contain the same.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sparring.errors import remark
from sparring.learn.neat.config import read_config
from sparring.studies.conquest.published import CASES, GENERATIONS

GAMES = {
    1: "conquest:map=empty,rounds=5000,goal=all,reading=author",
    2: "conquest:map=easy,rounds=500,reading=author",
    3: "conquest:map=hard-author,rounds=5000,reading=author",
    4: "conquest:map=duel,rounds=500,reading=author",
    5: "conquest:map=duel,rounds=5000,reading=author",
}
FITNESS = {1: "expansion", 2: "elimination", 3: "elimination", 4: "conquest", 5: "moves-sum"}
OPPONENTS = {1: "idle", 2: "idle", 3: "idle", 4: "red-author"}
FRESH_RED = "red-fresh"  # case 4's red with other random numbers in every game
ENCODING, DECODING = "shares", "net+author"
COEFFICIENT = {1: 0.8, 2: 1.0, 3: 1.0, 4: 0.8, 5: 0.8}  # of weights, in the distance of genomes
PUBLISHED = {"fitness_threshold": 100.0, "no_fitness_termination": False, "exact_size": False}
STUDY = FITNESS[5]
CURES = ("moves-mean", "moves-lead", "outcome", "supremacy")  # may end the cooperation

# Variants: the study's text without its author's program, other fitness functions, other encodings and decodings, our own settings.
TEXT = {"reading=author": "reading=text", "hard-author": "hard"}  # of the games' names
OTHER_FITNESS = {
    1: ("conquest", "supremacy", "outcome"),
    2: ("elimination-squared", "conquest", "supremacy"),
    3: ("elimination-squared", "conquest", "supremacy"),
    4: ("expansion", "elimination", "supremacy"),
}
OTHER_CODES = (
    *(("shares", policy) for policy in ("net", "net+coordinates", "net+value")),
    *((encoding, "net+author") for encoding in ("own", "planes", "fronts")),
    *((encoding, "net+value") for encoding in ("planes", "summary")),
)
EXPERIMENTS = Path(__file__).parents[4] / "experiments"  # of the source tree


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    trials: int  # of each case
    part: float  # of the study's generations
    others: int  # trials of the text's reading, of other fitness functions, of cures and of our own settings
    deals: int  # of case 4 that its champions have not seen
    better: int  # maximum generations of our own settings
    compared: tuple[int, ...]  # cases over which encodings and decodings are compared
    compared_trials: int
    compared_generations: int
    compared_population: int
    partners: int  # maximum strangers that each of a best pair plays
    strength_deals: int

    def generations(self, case: int) -> int:
        """The generations of a case."""
        return max(2, round(self.part * (CASES[case].generations if case in CASES else GENERATIONS)))

    @property
    def whole(self) -> bool:
        """Whether trainings are as long as the study's."""
        return self.part >= 1


BUDGETS = {
    "quick": Budget(3, 0.06, 2, 50, 3, (2, 4), 3, 2, 20, 3, 4),
    "paper": Budget(30, 1.0, 10, 200, 1000, (2, 4), 8, 10, 30, 10, 25),
    "deep": Budget(60, 1.0, 30, 500, 1000, (1, 2, 3, 4), 20, 40, 50, 20, 100),
}


class Variant(NamedTuple):
    """A training of one of the first four cases."""

    name: str  # of the run
    case: int
    kind: str  # "study", "text", "fitness", "codes" or "better"
    setting: str  # what differs within the kind
    trials: int
    table: dict[str, Any]


def variants(budget: Budget, trials: int) -> Iterator[Variant]:
    """All trainings of the first four cases."""
    others = min(budget.others, trials)
    for case in CASES:
        study = case_table(case, budget.generations(case))
        yield Variant(f"case{case}", case, "study", "", trials, study)
        yield Variant(f"text{case}", case, "text", "", others, text_table(case, study))
        for name in OTHER_FITNESS[case]:
            table = changed(study, fitness=name, benchmark_pairs=0, no_fitness_termination=True)
            yield Variant(f"case{case}-{name}", case, "fitness", name, others, table)
        better = better_table(case, budget.better)
        yield Variant(f"better{case}", case, "better", "", others, better)
        for encoding, policy in ((ENCODING, DECODING), *OTHER_CODES) if case in budget.compared else ():
            table = changed(
                study, encoding=encoding, policy=policy, generations=budget.compared_generations,
                pop_size=budget.compared_population, benchmark_pairs=0,
            )  # fmt: skip
            name = f"case{case}-{encoding}-{policy.replace('+', '-')}"
            yield Variant(name, case, "codes", f"{encoding} and {policy}", min(budget.compared_trials, trials), table)


def changed(table: dict[str, Any], **learner: Any) -> dict[str, Any]:
    """An experiment with other options of the learner."""
    return table | {"learner": table["learner"] | learner}


def learner_table(case: int, generations: int, **options: Any) -> dict[str, Any]:
    """The options of NEAT in the author's configuration of a case."""
    return {
        "name": "neat", "encoding": ENCODING, "policy": DECODING, "generations": generations, "fitness": FITNESS[case],
        "games": 1, "deals": "run", "max_stagnation": 1000, "compatibility_weight_coefficient": COEFFICIENT[case],
        **PUBLISHED, **options,
    }  # fmt: skip


def case_table(case: int, generations: int) -> dict[str, Any]:
    """One of the first four cases with the study's settings."""
    met, benchmark = OPPONENTS[case], FRESH_RED if case == 4 else OPPONENTS[case]
    pairs = 20 if case == 4 else 0
    learner = learner_table(
        case, generations, opponents=[met], seating="first", benchmark=benchmark, benchmark_pairs=pairs
    )
    return {"game": GAMES[case], "learner": learner, "evaluation": evaluation(met, FITNESS[case])}


def text_table(case: int, table: dict[str, Any]) -> dict[str, Any]:
    """The same as the study's text alone would have it."""
    game = table["game"]
    for old, new in TEXT.items():
        game = game.replace(old, new)
    opponents = ["red" if case == 4 else "idle"]
    other = {"policy": "net", "opponents": opponents, "benchmark_pairs": 0}
    parameters = {"max_stagnation": 15, "compatibility_weight_coefficient": 1.0}
    return changed(table, **other, **parameters) | {"game": game, "evaluation": evaluation(*opponents, FITNESS[case])}


def rivals_table(fitness: str, generations: int) -> dict[str, Any]:
    """Case 5 with the study's fitness or another; the threshold of 100 is off, and every generation's best are stored."""
    learner = learner_table(
        5, generations, fitness=fitness, opponents=["rivals"], hall=generations, benchmark_pairs=0,
        no_fitness_termination=True,
    )  # fmt: skip
    return {"game": GAMES[5], "learner": learner, "evaluation": evaluation("random", fitness)}


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
