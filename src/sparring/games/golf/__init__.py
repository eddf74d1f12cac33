"""Golf, the card game, as "Playing a Game of Cards using Neuroevolution" (2019) plays it."""

from pathlib import Path

import numpy as np

from sparring.games.game import VALUE, Game, Learning, Policies, Presentation, Rules, Search
from sparring.games.golf import column_policies, encodings, luck, network_inputs, players, rules, view
from sparring.games.golf.check_state import check_state
from sparring.games.golf.explain import move_values
from sparring.games.golf.hidden import determinize, seen
from sparring.games.golf.observation import OBSERVATION
from sparring.games.guide import read_guide
from sparring.games.levels import read_levels

WORST = 540.0  # points: nine rounds of six cards of ten points


def measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """The measures of the study's section 5.2, per game and seat."""
    shape = tallies["score"].shape
    return {
        "matches_per_game": tallies["matches"].astype(float),
        "turns_per_round": np.broadcast_to(tallies["turns"][:, None] / rules.ROUNDS, shape),
        "rounds_ended": tallies["ended"] / rules.ROUNDS,
        "stalemates": np.broadcast_to(tallies["stalemates"][:, None] / rules.ROUNDS, shape),
    }


def profiles(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """The share of each kind of card in final hands."""
    return {"cards": tallies["cards"] / (rules.ROUNDS * rules.PLACES)}


def lower_score(tallies: np.ndarray) -> np.ndarray:
    """The study's fitness of a network that plays itself: 540, the worst score, minus the lower of the two scores."""
    lower = tallies["score"][:, :2].min(axis=1).astype(float)
    return np.broadcast_to(WORST - lower[:, None], tallies["score"].shape)


HERE = Path(__file__).parent

GAME = Game(
    name="golf",
    summary="nine rounds of six-card golf with jokers; the fewest points win",
    rules=Rules.of(
        rules,
        seats=(2, 3, 4),
        lower_is_better=True,
        measures=measures,
        shares=frozenset({"rounds_ended", "stalemates"}),
        profiles=profiles,
        labels={"cards": ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "joker")},
    ),
    policies=Policies(
        choose=players.choose,
        names=players.POLICIES,
        encodings=dict(zip(encodings.NAMES, encodings.INPUTS, strict=True)),
        float_scratch=players.float_scratch,
        int_scratch=players.INT_SCRATCH,
        subwarp=(1, 16),
        kinds=("sigmoid", "graph", "deep"),
        input_major=False,
        champions={name: HERE / f"{name}.safetensors" for name in ("champion", "pupil")},
    ),
    learning=Learning(
        observation=OBSERVATION,
        fitness={"lower-score": lower_score},
        inputs=network_inputs.inputs,
        outcome=encodings.outcome,
        check_state=check_state,
        part=encodings.part,
        heads=dict.fromkeys(encodings.HEADS, VALUE),
        luck=luck.luck,
    ),
    presentation=Presentation(
        view=view.GolfView, explain=move_values, guide=read_guide(HERE), levels=read_levels(HERE)
    ),
    search=Search(
        determinize,
        "flat",
        part=encodings.part,
        value=column_policies.expected_lead,
        valued=frozenset({"columns"}),
        seen=seen,
    ),
)
