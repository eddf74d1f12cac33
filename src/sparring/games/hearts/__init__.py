"""Hearts, as in "Learning a Partially-Observable Card Game Hearts Using Reinforcement Learning" (2020)."""

from pathlib import Path

import numpy as np

from sparring.games.game import Game, Learning, Policies, Presentation, Rules
from sparring.games.hearts import encodings, nets, players, rules
from sparring.games.hearts.explain import move_values
from sparring.games.hearts.observation import OBSERVATION
from sparring.games.hearts.options import Options, prepare
from sparring.games.hearts.stages import CURRICULUM
from sparring.games.hearts.view import HeartsView
from sparring.kernel.launch import SEATS

HERE = Path(__file__).parent
MEASURES = "points_per_round=score taken moons moons_tried=tried moons_made=made defended queens clean tricks"
PER_ROUND = {name: field or name for name, _, field in (word.partition("=") for word in MEASURES.split())}


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
    rules=Rules(
        version=rules.VERSION,
        seats=(SEATS,),
        lower_is_better=True,
        state=rules.State,
        tally=rules.Tally,
        start=rules.start,
        moves=rules.moves,
        apply=rules.apply,
        max_moves=rules.MAX_MOVES,
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
        kinds=("sigmoid", "team"),
        roles=nets.ROLES,
        strengths=players.STRENGTHS,
        champions={"champion": HERE / "champion.safetensors"},
    ),
    learning=Learning(observation=OBSERVATION, inputs=encodings.inputs, curriculum=CURRICULUM),
    presentation=Presentation(view=HeartsView, explain=move_values),
)
