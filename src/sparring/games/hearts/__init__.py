"""Hearts, as in "Learning a Partially-Observable Card Game Hearts Using Reinforcement Learning" (2020)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.games.game import Game, Learning, Policies, Presentation, Rules, Search
from sparring.games.guide import read_guide
from sparring.games.hearts import encodings, luck, nets, players, rules, stakes
from sparring.games.hearts.cards import read_deal
from sparring.games.hearts.explain import move_values
from sparring.games.hearts.hidden import determinize, round_number, seen
from sparring.games.hearts.observation import OBSERVATION
from sparring.games.hearts.stages import CURRICULUM
from sparring.games.hearts.view import HeartsView
from sparring.games.levels import read_levels
from sparring.kernel.launch import SEATS
from sparring.options import option

HERE = Path(__file__).parent
MEASURES = "points_per_round=score taken moons moons_tried=tried moons_made=made defended queens clean tricks"
PER_ROUND = {name: field or name for name, _, field in (word.partition("=") for word in MEASURES.split())}
MOONS = {"add": rules.ADD, "subtract": rules.SUBTRACT, "off": rules.OFF}
DEALT = "dealt"


@dataclass(frozen=True)
class Options:
    """Options of the rules."""

    target: int = option(100, "points that end the game, usually 100 or 50", 1, 1000)
    rounds: int = option(0, "rounds after which the game ends instead; 0: no limit", 0, rules.LONGEST)
    passing: str = option("on", "whether three cards are passed: left, right, across, then none", choices=("on", "off"))
    moon: str = option(
        "add",
        "taking all 26 points: adds 26 to the others, subtracts 26 from the shooter, or has no effect",
        choices=tuple(MOONS),
    )
    jack: str = option("off", "whether the jack of diamonds subtracts ten points", choices=("off", "on"))
    start: str = option(DEALT, "the deal of every round: dealt (at random), or HAND/HAND/HAND/HAND as 2c3c.../...")


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the options into a state."""
    setup: Any = state[0]["rules"]
    setup["target"], setup["rounds"], setup["moon"] = chosen.target, chosen.rounds, MOONS[chosen.moon]
    setup["passing"], setup["jack"] = chosen.passing == "on", chosen.jack == "on"
    setup["hand"] = 0 if chosen.start == DEALT else read_deal(chosen.start, f"hearts:start={chosen.start}")


def measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """Per game and seat; all but the number of rounds are per round."""
    rounds = np.maximum(tallies["rounds"][:, None], 1)
    others = tallies["moons"].sum(axis=1, keepdims=True) - tallies["moons"]
    return {
        "rounds_per_game": np.ones_like(tallies["score"], float) * rounds,
        **{name: tallies[field] / rounds for name, field in PER_ROUND.items()},
        "moons_against": others / rounds,
    }


GAME = Game(
    name="hearts",
    summary="four players, passing, thirteen tricks a round, and the moon; played to 100 points, the fewest points win",
    rules=Rules.of(
        rules,
        seats=(SEATS,),
        branching=rules.HAND,
        lower_is_better=True,
        measures=measures,
        shares=frozenset({"moons", "moons_tried", "moons_made", "moons_against", "queens", "clean"}),
        self_reported=frozenset({"tried", "made", "defended"}),
        options=Options,
        prepare=prepare,
    ),
    policies=Policies(
        choose=players.choose,
        names=players.POLICIES,
        encodings=dict(zip(encodings.NAMES, encodings.INPUTS, strict=True)),
        float_scratch=nets.float_scratch,
        int_scratch=players.INT_SCRATCH,
        policy_state=frozenset({"plan", "wish"}),
        kinds=("sigmoid", "team", "deep"),
        roles=nets.ROLES,
        strengths=players.STRENGTHS,
        champions={name: HERE / f"{name}.safetensors" for name in ("champion", "champion-wary")},
    ),
    learning=Learning(
        observation=OBSERVATION,
        inputs=encodings.inputs,
        luck=luck.luck,
        judges={"hands": HERE / "hands.safetensors"},
        curriculum=CURRICULUM,
    ),
    presentation=Presentation(view=HeartsView, explain=move_values, guide=read_guide(HERE), levels=read_levels(HERE)),
    search=Search(
        determinize,
        "flat",
        part=round_number,
        seen=seen,
        candidates=stakes.candidates,
        worth=stakes.worth,
        plans=stakes.PLANS,
        intend=stakes.intend,
        planned=stakes.planned,
    ),
)
