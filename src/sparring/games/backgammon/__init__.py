"""Backgammon, the game of "Co-evolutionary Backgammon Player: Learning Through Self-play" (2017) and of the debate before it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.games.backgammon import encodings, gnubg, nets, players, rules
from sparring.games.backgammon.explain import think
from sparring.games.backgammon.observation import OBSERVATION
from sparring.games.backgammon.positions import STARTS, read_position
from sparring.games.backgammon.states import check_state
from sparring.games.backgammon.view import BackgammonView
from sparring.games.game import VALUE, Game, Learning, Policies, Presentation, Rules
from sparring.options import option

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Options:
    """Rules that can be chosen."""

    start: str = option("standard", "where the checkers stand: a start's name, a Position ID or an XGID")
    first: str = option(
        "dice", "who begins: the higher of two dice, or always the first seat", choices=("dice", "fixed")
    )
    scoring: str = option("points", "gammons count 2 and backgammons 3, or every win 1", choices=("points", "single"))


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the chosen rules into a state. A position that is no start's name is on roll: its mover is the first seat."""
    told: Any = state[0]["rules"]
    position = read_position(chosen.start)
    told["board"] = (position.mover, position.other)
    named = chosen.start.lower() in STARTS
    told["first"] = rules.DICE if named and chosen.first == "dice" else rules.FIXED
    told["dice"] = position.dice or (0, 0)
    told["single"] = chosen.scoring == "single"


def measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """Per game and seat."""
    return {
        "turns_per_game": np.broadcast_to(tallies["turns"][:, None].astype(float), tallies["score"].shape),
        "gammons": tallies["gammons"].astype(float),
        "backgammons": tallies["backgammons"].astype(float),
        "checkers_left": tallies["left"].astype(float),
        "pips_left": tallies["pips"].astype(float),
    }


GAME = Game(
    name="backgammon",
    summary="all rules but the cube; a win counts 1, a gammon 2, a backgammon 3",
    rules=Rules(
        version=rules.VERSION,
        seats=(2,),
        lower_is_better=False,
        state=rules.State,
        tally=rules.Tally,
        start=rules.start,
        moves=rules.moves,
        apply=rules.apply,
        max_moves=rules.MAX_MOVES,
        measures=measures,
        shares=frozenset({"gammons", "backgammons"}),
        profiles=lambda tallies: {},
        labels={},
        perfect_information=True,
        options=Options,
        prepare=prepare,
    ),
    policies=Policies(
        choose=players.choose,
        names=players.ABOUT,
        encodings=dict(zip(encodings.NAMES, encodings.INPUTS, strict=True)),
        float_scratch=nets.float_scratch,
        int_scratch=players.INT_SCRATCH,
        subwarp=(8, 8),
        kinds=("sigmoid", "linear", "graph"),
        champions={name: HERE / f"{name}.safetensors" for name in ("champion", "champion-40")},
        external=gnubg.EXTERNAL,
    ),
    learning=Learning(
        observation=OBSERVATION,
        inputs=encodings.inputs,
        outcome=encodings.outcome,
        heads={"value": VALUE, "outcomes": ((0, 3, 4, 1, 2), (1, 0, 0, 0, 0))},
        check_state=check_state,
    ),
    presentation=Presentation(view=BackgammonView, explain=think),
)
