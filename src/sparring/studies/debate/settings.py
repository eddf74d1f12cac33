"""The debate's games, learners and budgets, and the experiments that they make."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sparring.studies import read_data

DATA = read_data("debate", "settings")
CHOSEN = read_data("debate", "chosen").get("chosen", [])
LINEAR, HIDDEN = "linear", "hidden"
SHAPES = (LINEAR, HIDDEN)
# Networks are kept after these parts of a training, in 32nds.
MARKS = (2, 4, 8, 16, 32)
BUDGETS_SHOWN = (8, 4, 2, 1)  # parts of the whole that are compared
STEPS = 64  # of a training by TD, at least
UNSWEPT = "none yet"


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    trials: int
    games: dict[str, int]  # of one training, by game
    pairs: int  # of a network with each member of its panel, and with a network of another learner
    whole: bool  # whether claims may fail: a short training refutes nothing


BUDGETS = {
    "quick": Budget(3, {"golf": 1024, "gin": 1024, "backgammon": 1024, "conquest": 256}, 5, False),
    "paper": Budget(30, {"golf": 2048, "gin": 512, "backgammon": 3072, "conquest": 256}, 10, True),
    "deep": Budget(30, {"golf": 16_384, "gin": 32_768, "backgammon": 65_536, "conquest": 4_096}, 50, True),
}


@dataclass(frozen=True)
class GameSetting:
    """A game of the debate: its rules, input, networks and panel."""

    name: str
    rules: str
    encoding: str
    hidden: int
    panel: tuple[str, ...]
    policy: str = "net"
    turns: int = 0


@dataclass(frozen=True)
class LearnerSetting:
    """A learner of the debate; `stages` are the learners of a hybrid."""

    name: str
    title: str
    stages: tuple[str, ...] = ()
    excluded: dict[str, str] = field(default_factory=dict)  # why it does not apply, by game

    @property
    def parts(self) -> tuple[str, ...]:
        """The learners that it is made of."""
        return self.stages or (self.name,)


GAMES = {
    name: GameSetting(**table | {"name": name, "panel": tuple(table["panel"])}) for name, table in DATA["games"].items()
}
LEARNERS = {
    name: LearnerSetting(name, table["title"], tuple(table.get("stages", ())), table.get("except", {}))
    for name, table in DATA["learners"].items()
}


def learners_of(game: str) -> dict[str, LearnerSetting]:
    """The learners that apply to a game."""
    return {name: learner for name, learner in LEARNERS.items() if game not in learner.excluded}


def chosen_entry(game: str, shape: str, learner: str) -> dict[str, Any]:
    """What a sweep chose; empty if none was run."""
    same = (row for row in CHOSEN if (row["game"], row["shape"], row["learner"]) == (game, shape, learner))
    found: dict[str, Any] = next(same, {})
    return found


def learner_options(game: str, shape: str, learner: str) -> dict[str, Any]:
    """The options of a learner: of all games, of this game, and what a sweep chose."""
    own = DATA.get("own", {}).get(game, {}).get(learner, {})
    found: dict[str, Any] = DATA["options"][learner] | own
    found |= chosen_entry(game, shape, learner).get("options", {})
    return found


def form(game: GameSetting, shape: str, learner: str) -> dict[str, Any]:
    """The options that give every learner of a game the same input and the same form of network."""
    policy = {"policy": game.policy} if learner != "td-batch" else {}
    if learner == "neat":
        growth = {"node_add_prob": 0.0, "node_delete_prob": 0.0} if shape == LINEAR else {}
        return {"encoding": game.encoding, "num_hidden": 0, **policy, **growth}
    return {"encoding": game.encoding, "hidden": 1 if shape == LINEAR else game.hidden, **policy}


def length(game: GameSetting, learner: str, options: dict[str, Any], games: int) -> dict[str, Any]:
    """The options for a training of so many games in each trial."""
    if learner == "td-batch":
        turns = -(-games * game.turns // options["games"])
        return {"turns": turns, "step_turns": max(1, turns // STEPS)}
    if learner == "td":
        return {"games": games, "step_games": max(1, games // STEPS)}
    return {}  # from the number of games: see `Training.lasting`


def experiment(game: GameSetting, shape: str, learner: str, games: int) -> dict[str, Any]:
    """The tables of an experiment, without name, seed and trials."""
    options = learner_options(game.name, shape, learner)
    options = {"name": learner, **options, **form(game, shape, learner), **length(game, learner, options, games)}
    evaluation = {"opponents": [game.panel[0]], "pairs": 1, "selection_pairs": 1}
    return {"game": game.rules, "learner": options | {"benchmark_pairs": 0}, "evaluation": evaluation}


def all_fields() -> Iterator[tuple[str, str]]:
    """Every game with every form of network."""
    return ((game, shape) for game in GAMES for shape in SHAPES)
