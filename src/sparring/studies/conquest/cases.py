"""The study's cases as experiments, in its author's reading or its text's, variants of them, and the budgets.

`experiments/conquest-case1.toml` etc. contain the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sparring.studies.conquest.published import CASES, DATA, RIVALS

ENCODING, DECODING = "shares", "net+author"
FRESH_RED = "red-fresh"  # case 4's red with other random numbers in every game
PUBLISHED = {
    "fitness_threshold": 100.0, "no_fitness_termination": False, "exact_size": False, "max_stagnation": 1000,
    "crossover": "ends", "games": 1, "deals": "run",
}  # fmt: skip
STUDY = RIVALS["fitness"]
CURES = ("moves-mean", "moves-lead", "outcome", "supremacy")  # may end the cooperation

# The study's text without its author's program.
TEXT_GAME = {"reading=author": "reading=text", "hard-author": "hard"}
TEXT_LEARNER = {
    "policy": "net",
    "max_stagnation": 15,
    "benchmark_pairs": 0,
}  # its parameters are the learner's defaults

CODES = (
    (ENCODING, DECODING),
    *(("shares", policy) for policy in ("net", "net+coordinates", "net+value")),
    *((encoding, "net+author") for encoding in ("own", "planes", "fronts")),
    *((encoding, "net+value") for encoding in ("planes", "summary")),
)


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    trials: int  # of each case
    part: float  # of the study's generations
    others: int  # trials of the text's reading, of other fitness functions and of cures
    deals: int  # of case 4 that its champions have not seen
    better: int  # maximum generations of our own settings
    compared: tuple[int, ...]  # cases over which encodings and decodings are compared
    compared_trials: int  # also of our own settings
    compared_generations: int
    compared_population: int
    partners: int  # maximum strangers that each of a best pair plays
    strength_deals: int

    def generations(self, case: int) -> int:
        """The generations of a case."""
        return max(2, round(self.part * (CASES[case].generations if case in CASES else RIVALS["generations"])))

    @property
    def whole(self) -> bool:
        """Whether trainings are as long as the study's."""
        return self.part >= 1


BUDGETS = {
    "quick": Budget(3, 0.06, 2, 50, 3, (2, 4), 3, 2, 20, 3, 4),
    "paper": Budget(30, 1.0, 10, 200, 1000, (2, 4), 6, 10, 30, 10, 25),
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
    others, small = min(budget.others, trials), min(budget.compared_trials, trials)
    sizes = {"generations": budget.compared_generations, "pop_size": budget.compared_population, "benchmark_pairs": 0}
    for case, figures in CASES.items():
        study = case_table(case, budget.generations(case))
        yield Variant(f"case{case}", case, "study", "", trials, study)
        yield Variant(f"text{case}", case, "text", "", others, text_table(case, study))
        yield Variant(f"better{case}", case, "better", "", min(small, others), better_table(case, budget.better))
        for name in figures.other_fitness:
            table = changed(study, fitness=name, benchmark_pairs=0, no_fitness_termination=True)
            yield Variant(f"case{case}-{name}", case, "fitness", name, others, table)
        for encoding, policy in CODES if case in budget.compared else ():
            table = changed(study, encoding=encoding, policy=policy, **sizes)
            name = f"case{case}-{encoding}-{policy.replace('+', '-')}"
            yield Variant(name, case, "codes", f"{encoding} and {policy}", small, table)


def changed(table: dict[str, Any], **learner: Any) -> dict[str, Any]:
    """An experiment with other options of the learner."""
    return table | {"learner": table["learner"] | learner}


def case_table(case: int, generations: int) -> dict[str, Any]:
    """One of the first four cases with the study's settings."""
    figures, moving = CASES[case], case == 4
    benchmark = {"benchmark": FRESH_RED if moving else figures.opponent, "benchmark_pairs": 20 if moving else 0}
    options = benchmark | figures.neat
    return experiment(figures.game, figures.opponent, figures.fitness, generations, seating="first", **options)


def text_table(case: int, table: dict[str, Any]) -> dict[str, Any]:
    """The same as the study's text alone would have it."""
    game, opponent = table["game"], "red" if case == 4 else "idle"
    for old, new in TEXT_GAME.items():
        game = game.replace(old, new)
    learner = {name: value for name, value in table["learner"].items() if name not in CASES[case].neat} | TEXT_LEARNER
    text = table | {"learner": learner | {"opponents": [opponent]}}
    return text | {"game": game, "evaluation": table["evaluation"] | {"opponents": [opponent]}}


def rivals_table(fitness: str, generations: int) -> dict[str, Any]:
    """Case 5 with the study's fitness or another; the threshold of 100 is off, and every generation's best are stored."""
    table = experiment(
        RIVALS["game"], "rivals", fitness, generations, hall=generations, benchmark_pairs=0,
        no_fitness_termination=True, **RIVALS["neat"],
    )  # fmt: skip
    return table | {"evaluation": table["evaluation"] | {"opponents": ["random"]}}


def experiment(game: str, opponent: str, fitness: str, generations: int, **options: Any) -> dict[str, Any]:
    """An experiment with the study's settings and a minimal evaluation: the study plays its own games of champions."""
    learner = {
        "name": "neat", "encoding": ENCODING, "policy": DECODING, "generations": generations, "fitness": fitness,
        "opponents": [opponent], **PUBLISHED, **options,
    }  # fmt: skip
    evaluation = {"opponents": [opponent], "pairs": 1, "selection_pairs": 1, "seating": "given", "by": fitness}
    return {"game": game, "learner": learner, "evaluation": evaluation}


def better_table(case: int, most: int) -> dict[str, Any]:
    """A case with our own settings."""
    better = DATA["better"] | CASES[case].better
    table = text_table(case, case_table(case, min(most, better["generations"]))) | {"game": CASES[case].game}
    return changed(table, **better | {"generations": table["learner"]["generations"]})
