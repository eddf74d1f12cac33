"""Hearts, the game of "Learning a Partially-Observable Card Game Hearts Using Reinforcement Learning" (2020)."""

from pathlib import Path

import numpy as np

from sparring.games.game import Game
from sparring.games.hearts import encodings, nets, players, rules
from sparring.games.hearts.options import Options, prepare
from sparring.games.hearts.rivals import RIVALS
from sparring.games.hearts.sight import SIGHT
from sparring.games.hearts.stages import LESSONS
from sparring.games.hearts.thinking import think
from sparring.games.hearts.view import VIEW
from sparring.kernel.launch import SEATS

HERE = Path(__file__).parent
PER_ROUND = {
    "points_per_round": "score",
    "taken": "taken",
    "moons": "moons",
    "moons_tried": "tried",
    "moons_made": "made",
    "defended": "defended",
    "queens": "queens",
    "clean": "clean",
    "tricks": "tricks",
}


def measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """Per game and seat; all but the length per round."""
    rounds = np.maximum(tallies["rounds"][:, None], 1)
    others = tallies["moons"].sum(axis=1, keepdims=True) - tallies["moons"]
    return {
        "rounds_per_game": np.ones_like(tallies["score"], float) * rounds,
        **{name: tallies[field] / rounds for name, field in PER_ROUND.items()},
        "moons_against": others / rounds,
    }


GAME = Game(
    name="hearts",
    summary="four players, passing, thirteen tricks a round, and the moon; to 100 points, the fewest win",
    rules=rules.VERSION,
    seats=(SEATS,),
    low_wins=True,
    state=rules.State,
    tally=rules.Tally,
    start=rules.start,
    moves=rules.moves,
    apply=rules.apply,
    choose=players.choose,
    about=players.ABOUT,
    encodings=dict(zip(encodings.NAMES, encodings.INPUTS, strict=True)),
    max_moves=rules.MAX_MOVES,
    floats=nets.floats,
    integers=players.INTEGERS,
    measures=measures,
    shares=frozenset({"moons", "moons_tried", "moons_made", "moons_against", "queens", "clean"}),
    profiles=lambda tallies: {},
    labels={},
    view=VIEW,
    sight=SIGHT,
    thinking=think,
    inputs=encodings.inputs,
    told=frozenset({"tried", "made", "defended"}),
    thoughts=frozenset({"plan", "wish"}),
    kinds=("sigmoid", "team"),
    roles=nets.ROLES,
    lessons=LESSONS,
    columns=True,
    options=Options,
    prepare=prepare,
    short="rounds=2",
    fresh="rounds=4",
    bench_rules=("rounds=1",),
    strengths=players.STRENGTHS,
    champions={"champion": HERE / "champion.safetensors"},
    benched="champion",
    rivals=RIVALS,
)
