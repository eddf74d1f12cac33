"""The study's curriculum as an experiment, its comparisons as short trainings, the games that are measured, and the budgets."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sparring.studies import read_data

PUBLISHED = read_data("hearts", "published")
EVEN, GAMES, FIGURES = PUBLISHED["even"], PUBLISHED["games"], PUBLISHED["figures"]
GAME = "hearts"  # to 100 points
BARE, NO_MOON, NO_PASSING = "hearts:passing=off,moon=off", "hearts:moon=off", "hearts:passing=off"
RULE_BASED, UCT, RULED, MONTE_CARLO, PERSON = "rule-based", "uct", "monte-carlo@26", "monte-carlo@100", "daring"
ON, OFF, ALWAYS, PLAIN = "net", "net+undefended", "net+always", "net+plain"
LAST, ITSELF = "defence-play", "itself undefended"
STAGES = {
    **GAMES,
    "moon-decision-1": 50_000, "moon-play": 100_000, "moon-decision-2": 50_000, "moon-pass": 50_000,
    "moon-decision-3": 50_000, "moon-tune": 100_000, "moon-decision-4": 100_000,
    "defence-decision": 50_000, LAST: 100_000,
}  # fmt: skip
POINTS = {"play": 18, "pass": 3, "tune": 6, "moon-play": 6, "moon-pass": 6, "moon-tune": 6, LAST: 6}  # of the curves
CURVE_RULES = {"play": BARE, "pass": NO_MOON, "tune": NO_MOON, "moon-play": NO_PASSING}  # of their games; else all
LONGER = {"play": 900_000, "pass": 75_000, "tune": 300_000}  # beyond the point where the study saw no gain


class Special(NamedTuple):
    """A short training that continues the first trial's team at the end of a stage."""

    title: str
    before: str  # the stage
    stages: tuple[str, ...]
    changes: dict[str, Any]

    @property
    def recorded(self) -> bool:
        """Whether it learns from recorded games."""
        return "records" in self.changes


TRAININGS = read_data("hearts", "trainings")
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = TRAININGS["variants"]
SPECIALS = {name: Special(*row) for name, row in TRAININGS["specials"].items()}
BASE = "base"  # of the variants
WHOLES = {
    "one": "one network for the whole game",
    "one-play": "one network, as many games as the play network of the seven",
    "seven": "seven networks, a tenth of the study's games",
}
# The study's decision answers 96% on data with one yes in eight, which is the odds of 24 * 7 on ours with as many yes as no.
RARE = (0.994, 0.999)  # thresholds of the moon decision: that, and one more
ALERT = (0.25, 0.1)  # thresholds of the decision to defend that are lower than the usual 0.5


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    trials: int  # of the whole curriculum
    games: Mapping[str, int]  # per stage
    step: int  # games per step of the training
    every: int  # games between two exams; a stage ends with one
    point: int  # games per point of the curves, an eighth of them against the slow search
    deals: int  # per reported agent, four games each
    defence_deals: int
    compared: int  # games per short training of play, and per stage of a special training
    compared_trials: int
    compared_deals: int
    special_trials: int
    whole: Mapping[str, int]  # games of each stage of seven networks that one network is compared with
    whole_trials: int = 3
    recorded: int = 500  # deals of recorded games, four games each
    swept_deals: int = 100
    exam: int = 4000  # games that test a decision, per point of the curves
    recorded_trials: int = 3  # of the special trainings from recorded games

    @property
    def complete(self) -> bool:
        """Whether stages are as long as the study's."""
        return all(self.games[stage] >= games for stage, games in GAMES.items())

    def points(self, stage: str) -> list[int]:
        """The games of a stage after which its curve has a point."""
        games, count = self.games[stage], POINTS[stage]
        return sorted({-(-games * k // count // self.step) * self.step for k in range(1, count + 1)})


def curve_opponents(stage: str) -> list[str]:
    """The opponents of a stage's curves."""
    return [ITSELF] if stage == LAST else [RULE_BASED, UCT]


def shortened(play: int, other: int) -> dict[str, int]:
    return {stage: play if stage == "play" else other for stage in STAGES}


TENTH = {stage: games // 10 for stage, games in STAGES.items()}
BUDGETS = {
    "quick": Budget(1, shortened(40_000, 10_000), 500, 10_000, 100, 25, 100, 4_000, 3, 50, 2, shortened(8_000, 2_000), 2, 50,
                    10, 1000),
    "study": Budget(1, STAGES, 1_250, 50_000, 1_000, 250, 1_000, 20_000, 3, 250, 3, TENTH),
    "paper": Budget(6, STAGES | LONGER, 1_000, 25_000, 1_000, 100, 400, 20_000, 3, 250, 3, TENTH, swept_deals=50,
                    recorded_trials=16),
    "deep": Budget(10, STAGES | LONGER, 1_000, 25_000, 4_000, 500, 2_500, 100_000, 16, 500, 10, STAGES, 10, 4_000, 250),
}  # fmt: skip


class Match(NamedTuple):
    """One player against three of another.

    A player is a built-in's name, or TEAM:POLICY, perhaps @ and the thresholds of the moon decision and the decision to defend.
    """

    game: str
    one: str
    three: str
    deals: str = "deals"  # a budget's field


# The agents that the study reports: title, rules, and the team's stage and policy.
AGENTS = {
    "play": ("play alone, passing and moon off", BARE, f"play:{ON}"),
    "pass": ("pass and play before they are tuned, moon off", NO_MOON, f"pass:{ON}"),
    "tune": ("pass and play, moon off", NO_MOON, f"{LAST}:{PLAIN}"),  # which stay as tuned
    "moon-play": ("with moon play, passing off", NO_PASSING, f"moon-play:{OFF}"),
    "moon": ("with the moon", GAME, f"{LAST}:{OFF}"),
    "whole": ("the whole agent", GAME, f"{LAST}:{ON}"),
}
SWEPT, SIMULATIONS = ("play", "whole"), (10, 30, 100)  # agents that play Monte Carlo players of these strengths
DEFENCES = {
    "on": (ON, "defence on"),
    "off": (OFF, "defence off"),
    "always": (ALWAYS, "always on until two have points"),
}
PEOPLE = {"5.1": (NO_MOON, PLAIN), "5.2": (GAME, OFF), "5.4": (GAME, ON), "text": (GAME, ALWAYS)}
BUILT_IN = {player: Match(GAME, player, RULE_BASED) for player in (UCT, RULED, MONTE_CARLO)}
MATCHES = {
    **{f"{key} {opponent}": Match(game, one, opponent) for key, (_, game, one) in AGENTS.items()
       for opponent in (RULE_BASED, UCT, RULED)},
    **{f"{key} monte-carlo@{n}": Match(*AGENTS[key][1:], f"monte-carlo@{n}", "swept_deals")
       for key in SWEPT for n in SIMULATIONS},
    **{f"short {name}": Match(BARE, f"short {name}:{OFF}", RULE_BASED, "compared_deals") for name in VARIANTS},
    **{f"defence {key}": Match(GAME, f"{LAST}:{policy}", f"{LAST}:{OFF}", "defence_deals")
       for key, (policy, _) in DEFENCES.items()},
    **{f"moon {opponent} {moon}": Match(GAME, f"{LAST}:{OFF}@{moon}", opponent) for opponent in (RULE_BASED, UCT) for moon in RARE},
    **{f"defence {key} {moon}": Match(GAME, f"{LAST}:{policy}@{moon}", f"{LAST}:{OFF}@{moon}", "defence_deals")
       for key, (policy, _) in DEFENCES.items() for moon in RARE},
    **{f"defence on 0.96 {alert}": Match(GAME, f"{LAST}:{ON}@0.96,{alert}", f"{LAST}:{OFF}", "defence_deals") for alert in ALERT},
    **{f"person 5.2 {moon}": Match(GAME, PERSON, f"{LAST}:{OFF}@{moon}", "defence_deals") for moon in RARE},
    **{f"person {key}": Match(game, PERSON, f"{LAST}:{policy}", "defence_deals") for key, (game, policy) in PEOPLE.items()},
    **{f"built-in {key}": match for key, match in BUILT_IN.items()},
    **{f"{key} moons": Match(NO_PASSING, f"{key}:{OFF}@0.5", RULE_BASED, "compared_deals")
       for key in ("moon-5", "moon-10", "moon-share")},
    **{f"{key} defence {word}": Match(GAME, f"{key}:{policy}", f"{key}:{OFF}", "defence_deals")
       for key in ("defender", "shooter") for word, (policy, _) in DEFENCES.items()},
    **{f"recorded {key}": Match(GAME, PERSON, f"{team}:{policy}", "defence_deals")
       for key, team, policy in (("off", "recorded-defence", OFF), ("on", "recorded-defence", ON), ("before", f"{LAST}/0", ON))},
    **{f"{key} attempts": Match(GAME, f"{key}:{OFF}", UCT) for key in (f"{LAST}/0", "recorded-moon")},
    "champion play": Match(BARE, "champion-wary+plain", RULE_BASED),
    "champion pass": Match(NO_MOON, "champion-wary+plain", RULE_BASED),
    **{f"champion {opponent}": Match(GAME, "champion-wary", opponent) for opponent in (RULE_BASED, UCT)},
    f"champion {MONTE_CARLO}": Match(GAME, "champion-wary", MONTE_CARLO, "swept_deals"),
    "champion on": Match(GAME, "champion-wary", "champion-wary+undefended"),
    "champion off": Match(GAME, *["champion-wary+undefended"] * 2),
    **{f"{key} {opponent}": Match(GAME, f"{key}:{ON}", opponent, "compared_deals") for key in WHOLES
       for opponent in (RULE_BASED, UCT)},
    **{f"{key} no passing": Match(NO_PASSING, f"{key}:{ON}", RULE_BASED, "compared_deals") for key in WHOLES},
}  # fmt: skip


def curriculum(stages: Mapping[str, int], step: int, **options: Any) -> dict[str, Any]:
    """An experiment with a minimal evaluation: the study plays its own games of champions."""
    learner = {"name": "curriculum", "stages": list(stages), "games": list(stages.values()), "step_games": step}
    return {
        "game": GAME, "learner": learner | {"benchmark_games": 0} | options,
        "evaluation": {"opponents": [RULE_BASED], "pairs": 1, "selection_pairs": 1},
    }  # fmt: skip


def agent_table(budget: Budget) -> dict[str, Any]:
    """The whole curriculum."""
    return curriculum(budget.games, budget.step, curve_every=budget.every // budget.step, exam_games=budget.exam)


def variant_table(name: str, budget: Budget) -> dict[str, Any]:
    """The first stage alone, short, with one change."""
    return curriculum({"play": budget.compared}, min(budget.step, 500), **VARIANTS[name][1])


def special_table(name: str, budget: Budget, before: Path, log: Path) -> dict[str, Any]:
    """A special training; each stage ends with an exam."""
    special = SPECIALS[name]
    step = min(budget.step, 500)
    changes = special.changes | ({"records": str(log)} if special.recorded else {})
    point = {"exam_games": budget.exam, "curve_every": -(-budget.compared // step), "before": str(before)}
    return curriculum(dict.fromkeys(special.stages, budget.compared), step, **point, **changes)


def whole_table(name: str, budget: Budget) -> dict[str, Any]:
    """Seven networks, or one with as many games in all or of play."""
    one = {"one": sum(budget.whole.values()), "one-play": budget.whole["play"]}
    return curriculum({"whole": one[name]} if name in one else budget.whole, min(budget.step, 500))
