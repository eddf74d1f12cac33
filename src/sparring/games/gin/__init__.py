"""Gin rummy, as in "The significance of temporal-difference learning in self-play training" (2003) and as people play it."""

from pathlib import Path

import numpy as np

from sparring.games.game import VALUE, Game, Learning, Policies, Presentation, Rules
from sparring.games.gin import encodings, nets, players, rules
from sparring.games.gin.cards import RANK_NAMES
from sparring.games.gin.explain import move_values
from sparring.games.gin.observation import OBSERVATION
from sparring.games.gin.options import Options, prepare
from sparring.games.gin.view import GinView

HERE = Path(__file__).parent


def measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """Per game and seat; in a match, per hand."""
    hands = np.maximum(tallies["hands"][:, None], 1)
    both = np.ones_like(tallies["score"], float)
    same = ("knocks", "gins", "undercuts", "laid_off", "deadwood", "sets", "runs")
    per_hand = {"points_per_hand": "score", "hands_won": "won", **{name: name for name in same}}
    return {
        "turns_per_hand": both * tallies["turns"][:, None] / hands,
        "hands_per_game": both * hands,
        "drawn_hands": both * tallies["drawn"][:, None] / hands,
        "account": tallies["account"].astype(float),
        **{name: tallies[field] / hands for name, field in per_hand.items()},
    }


def profiles(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """The shares of suits and of ranks in final hands."""
    cards = np.maximum(tallies["hands"], 1)[:, None, None] * rules.HAND
    return {"suits": tallies["suits"] / cards, "ranks": tallies["ranks"] / cards}


def lead(tallies: np.ndarray) -> np.ndarray:
    """The difference between a seat's points and its opponent's."""
    score = tallies["score"].astype(float)
    ahead: np.ndarray = score - score[:, [1, 0, 2, 3]]
    return ahead


GAME = Game(
    name="gin",
    summary="gin rummy: single hands as in a study, or matches to 100 as people play them (rules=full)",
    rules=Rules.of(
        rules,
        measures=measures,
        shares=frozenset({"drawn_hands", "hands_won", "knocks", "gins", "undercuts"}),
        profiles=profiles,
        labels={"suits": ("clubs", "diamonds", "hearts", "spades"), "ranks": tuple(RANK_NAMES)},
        options=Options,
        prepare=prepare,
    ),
    policies=Policies(
        choose=players.choose,
        names=players.POLICIES,
        encodings=dict(zip(encodings.NAMES, encodings.INPUTS, strict=True)),
        float_scratch=nets.float_scratch,
        int_scratch=players.INT_SCRATCH,
        kinds=("sigmoid", "graph"),
        strengths=players.STRENGTHS,
        champions={name: HERE / f"{name}.safetensors" for name in ("champion", "champion-26", "randumb")},
    ),
    learning=Learning(
        observation=OBSERVATION,
        inputs=encodings.inputs,
        outcome=encodings.outcome,
        heads=dict.fromkeys(encodings.OUTCOMES, VALUE),
        fitness={"lead": lead},
    ),
    presentation=Presentation(view=GinView, explain=move_values),
)
