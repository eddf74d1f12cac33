"""Backgammon, the game of "Co-evolutionary Backgammon Player: Learning Through Self-play" (2017) and of the debate before it."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sparring.games.backgammon import encodings, gnubg, luck, nets, players, rules, search
from sparring.games.backgammon.analyst import BackgammonAnalyst
from sparring.games.backgammon.check_state import check_state
from sparring.games.backgammon.cube_advice import advise
from sparring.games.backgammon.cube_position import with_stakes
from sparring.games.backgammon.cube_value import LONGEST
from sparring.games.backgammon.explain import explain
from sparring.games.backgammon.hidden import determinize, expected_points, game_number, seen
from sparring.games.backgammon.observation import OBSERVATION
from sparring.games.backgammon.plays import MOST_PLAYS
from sparring.games.backgammon.position_set import read_set
from sparring.games.backgammon.positions import STARTS, read_position
from sparring.games.backgammon.rollout import roll_out_position
from sparring.games.backgammon.rolls import chance
from sparring.games.backgammon.search_tables import search_tables
from sparring.games.backgammon.terms import Terms
from sparring.games.backgammon.view import BackgammonView
from sparring.games.game import VALUE, Cube, Game, Learning, Policies, Presentation, Rollouts, Rules, Search
from sparring.games.guide import read_guide
from sparring.games.levels import read_levels
from sparring.options import option

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Options:
    """Rules that can be chosen."""

    start: str = option("standard", "starting position: the name of a start, a Position ID or an XGID")
    first: str = option("dice", "who begins: the higher of two dice, or always seat 0", choices=("dice", "fixed"))
    scoring: str = option("points", "gammons count 2 and backgammons 3, or every win 1", choices=("points", "single"))
    cube: str = option("off", "whether there is a doubling cube", choices=("off", "on"))
    match: int = option(0, "points that win a match, with the Crawford rule; 0 for money", 0, LONGEST)
    jacoby: str = option("off", "for money: gammons count only once the cube is turned", choices=("off", "on"))
    beavers: str = option("off", "for money: a taker may double again at once", choices=("off", "on"))
    resign: str = option("off", "whether a seat may resign before it rolls", choices=("off", "on"))


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the chosen rules into a state. In a position given by an ID, seat 0 is on roll."""
    position, named = read_position(chosen.start), chosen.start.lower() in STARTS
    setup: Any = state[0]["rules"]
    later = position if named else STARTS["standard"]
    setup["board"], setup["later"] = (position.mover, position.other), (later.mover, later.other)
    setup["first"] = (rules.DICE if chosen.first == "dice" else rules.FIXED) if named else rules.FIXED_ONCE
    setup["dice"] = position.dice or (0, 0)
    cube, jacoby, beavers, resign = (on == "on" for on in (chosen.cube, chosen.jacoby, chosen.beavers, chosen.resign))
    terms = Terms(chosen.scoring == "single", cube, jacoby, beavers, resign, chosen.match)
    if not named and (terms.cube or terms.length):
        terms = with_stakes(terms, chosen.start)
    terms.write(setup)


def measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """Numbers per game and seat."""
    return {
        "turns_per_game": np.broadcast_to(tallies["turns"][:, None].astype(float), tallies["score"].shape),
        "gammons": tallies["gammons"].astype(float),
        "backgammons": tallies["backgammons"].astype(float),
        "checkers_left": tallies["left"].astype(float),
        "pips_left": tallies["pips"].astype(float),
        **(_of_the_cube(tallies) if tallies["cube"].any() else {}),
    }


def _of_the_cube(tallies: np.ndarray) -> dict[str, np.ndarray]:
    games = np.maximum(tallies["games"], 1)[:, None]
    return {
        "cube": np.broadcast_to(tallies["cube"][:, None] / games, tallies["score"].shape),
        "doubles": tallies["doubles"] / games,
        "drops": tallies["drops"] / games,
    }


def is_staged(chosen: Options) -> bool:
    """Whether every decision is a play, which networks choose by the position after it."""
    return chosen == replace(Options(), start=chosen.start, first=chosen.first, scoring=chosen.scoring)


GAME = Game(
    name="backgammon",
    summary="race fifteen checkers home, hit and block; with the cube or in matches if you like",
    rules=Rules.of(
        rules,
        measures=measures,
        shares=frozenset({"gammons", "backgammons"}),
        perfect_information=True,
        branching=MOST_PLAYS,
        chance=chance,
        chances=search.ROLLS,
        options=Options,
        prepare=prepare,
    ),
    policies=Policies(
        choose=players.choose,
        choose_for=players.choose_for,
        names=players.POLICIES,
        encodings=dict(zip(encodings.NAMES, encodings.INPUTS, strict=True)),
        float_scratch=search.float_scratch,
        int_scratch=players.INT_SCRATCH,
        subwarp=(8, 8),
        staged=is_staged,
        kinds=("sigmoid", "linear", "graph", "deep"),
        champions={name: HERE / f"{name}.safetensors" for name in ("champion", "champion-40", "deep", "deep-single")},
        external=gnubg.EXTERNAL,
        installed=gnubg.installed,
        tables=dict.fromkeys(("net+1ply", "net+2ply", "net+3ply"), search_tables),
        searching=frozenset({"net+2ply", "net+3ply"}),
    ),
    learning=Learning(
        observation=OBSERVATION,
        inputs=encodings.inputs,
        outcome=encodings.outcome,
        equity=nets.equity,
        luck=luck.luck,
        heads={"value": VALUE, "outcomes": ((0, 3, 4, 1, 2), (1, 0, 0, 0, 0)), "cubeful": VALUE},
        unit=encodings.unit,
        check_state=check_state,
    ),
    presentation=Presentation(
        view=BackgammonView,
        explain=explain,
        guide=read_guide(HERE),
        levels=read_levels(HERE),
        cube=Cube("deep", advise),
        rollouts=Rollouts("deep", roll_out_position),
        positions=read_set,
        analyst=BackgammonAnalyst(),
    ),
    search=Search(
        determinize,
        "flat",
        part=game_number,
        value=expected_points,
        valued=frozenset(encodings.NAMES) - {encodings.NAMES[encodings.CUBE]},
        seen=seen,
    ),
)
