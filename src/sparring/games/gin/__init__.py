"""Gin rummy, the game of "The significance of temporal-difference learning in self-play training" (2003), and as people play it."""

from pathlib import Path

import numpy as np

from sparring.games.game import VALUE, Game
from sparring.games.gin import encodings, nets, players, rules
from sparring.games.gin.cards import RANK_NAMES
from sparring.games.gin.options import Options, prepare
from sparring.games.gin.rivals import RIVALS
from sparring.games.gin.sight import SIGHT
from sparring.games.gin.thinking import think
from sparring.games.gin.view import VIEW

HERE = Path(__file__).parent


def measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """Per game and seat; of a match, per hand."""
    hands = np.maximum(tallies["hands"][:, None], 1)
    both = np.ones_like(tallies["score"], float)
    per_hand = {
        "points_per_hand": "score",
        "hands_won": "won",
        "knocks": "knocks",
        "gins": "gins",
        "undercuts": "undercuts",
        "laid_off": "laid_off",
        "deadwood": "deadwood",
        "sets": "sets",
        "runs": "runs",
    }
    return {
        "turns_per_hand": both * tallies["turns"][:, None] / hands,
        "hands_per_game": both * hands,
        "drawn_hands": both * tallies["drawn"][:, None] / hands,
        "account": tallies["account"].astype(float),
        **{name: tallies[field] / hands for name, field in per_hand.items()},
    }


def profiles(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """How often each suit and each rank is in a final hand, as a share of its cards."""
    cards = np.maximum(tallies["hands"], 1)[:, None, None] * rules.HAND
    return {"suits": tallies["suits"] / cards, "ranks": tallies["ranks"] / cards}


def lead(tallies: np.ndarray) -> np.ndarray:
    """How many points more than the other."""
    score = tallies["score"].astype(float)
    ahead: np.ndarray = score - score[:, [1, 0, 2, 3]]
    return ahead


GAME = Game(
    name="gin",
    summary="gin rummy: single hands as a study played them, or matches to 100 as people do (rules=full)",
    rules=rules.VERSION,
    seats=(2,),
    low_wins=False,
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
    shares=frozenset({"drawn_hands", "hands_won", "knocks", "gins", "undercuts"}),
    profiles=profiles,
    labels={"suits": ("clubs", "diamonds", "hearts", "spades"), "ranks": tuple(RANK_NAMES)},
    view=VIEW,
    sight=SIGHT,
    thinking=think,
    inputs=encodings.inputs,
    outcome=encodings.outcome,
    outputs=dict.fromkeys(encodings.OUTCOMES, VALUE),
    kinds=("sigmoid", "graph"),
    fitness={"lead": lead},
    columns=True,
    options=Options,
    prepare=prepare,
    short="limit=200",
    fresh="limit=200",
    benched="champion-26",
    strengths=players.STRENGTHS,
    champions={name: HERE / f"{name}.safetensors" for name in ("champion", "champion-26", "randumb")},
    rivals=RIVALS,
    bench_rules=("rules=full,length=hand",),
)
