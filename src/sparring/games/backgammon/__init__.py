"""Backgammon, the game of "Co-evolutionary Backgammon Player: Learning Through Self-play" (2017) and of the debate before it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.games.backgammon import encodings, gnubg, nets, players, rules
from sparring.games.backgammon.check_state import check_state
from sparring.games.backgammon.cube_advice import advise
from sparring.games.backgammon.explain import explain
from sparring.games.backgammon.observation import OBSERVATION
from sparring.games.backgammon.positions import STARTS, read_position
from sparring.games.backgammon.view import BackgammonView
from sparring.games.game import VALUE, Cube, Game, Learning, Policies, Presentation, Rules
from sparring.options import option

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Options:
    """Rules that can be chosen."""

    start: str = option("standard", "starting position: the name of a start, a Position ID or an XGID")
    first: str = option("dice", "who begins: the higher of two dice, or always seat 0", choices=("dice", "fixed"))
    scoring: str = option("points", "gammons count 2 and backgammons 3, or every win 1", choices=("points", "single"))


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the chosen rules into a state. In a position given by an ID, seat 0 is on roll."""
    position, named = read_position(chosen.start), chosen.start.lower() in STARTS
    setup: Any = state[0]["rules"]
    setup["board"] = (position.mover, position.other)
    setup["first"] = rules.DICE if named and chosen.first == "dice" else rules.FIXED
    setup["dice"] = position.dice or (0, 0)
    setup["single"] = chosen.scoring == "single"


def measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """Numbers per game and seat."""
    return {
        "turns_per_game": np.broadcast_to(tallies["turns"][:, None].astype(float), tallies["score"].shape),
        "gammons": tallies["gammons"].astype(float),
        "backgammons": tallies["backgammons"].astype(float),
        "checkers_left": tallies["left"].astype(float),
        "pips_left": tallies["pips"].astype(float),
    }


GAME = Game(
    name="backgammon",
    summary="money play without the cube; a win counts 1, a gammon 2, a backgammon 3",
    rules=Rules.of(
        rules,
        measures=measures,
        shares=frozenset({"gammons", "backgammons"}),
        perfect_information=True,
        branching=rules.MOST_PLAYS,
        options=Options,
        prepare=prepare,
    ),
    policies=Policies(
        choose=players.choose,
        names=players.POLICIES,
        encodings=dict(zip(encodings.NAMES, encodings.INPUTS, strict=True)),
        float_scratch=nets.float_scratch,
        int_scratch=players.INT_SCRATCH,
        subwarp=(8, 8),
        kinds=("sigmoid", "linear", "graph", "deep"),
        champions={name: HERE / f"{name}.safetensors" for name in ("champion", "champion-40", "deep", "deep-single")},
        external=gnubg.EXTERNAL,
    ),
    learning=Learning(
        observation=OBSERVATION,
        inputs=encodings.inputs,
        outcome=encodings.outcome,
        equity=nets.equity,
        heads={"value": VALUE, "outcomes": ((0, 3, 4, 1, 2), (1, 0, 0, 0, 0))},
        check_state=check_state,
    ),
    presentation=Presentation(view=BackgammonView, explain=explain, cube=Cube("deep", advise)),
)
