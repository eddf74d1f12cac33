"""Gin rummy, as in "The significance of temporal-difference learning in self-play training" (2003) and as people play it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.game import VALUE, Game, Learning, Policies, Presentation, Rules, Search
from sparring.games.gin import encodings, luck, nets, players, playout_value, rules
from sparring.games.gin.cards import RANK_NAMES, read_position
from sparring.games.gin.check_state import check_state
from sparring.games.gin.explain import move_values
from sparring.games.gin.hidden import HORIZON, determinize, hand_number, seen
from sparring.games.gin.match_score import match_points
from sparring.games.gin.observation import OBSERVATION
from sparring.games.gin.rules import MATCH, MOST_TURNS, TURN_LIMIT
from sparring.games.gin.view import GinView
from sparring.games.guide import read_guide
from sparring.games.levels import read_levels
from sparring.options import option

HERE = Path(__file__).parent
BONUS = 25
DEALT, NO_SCORE, RANDOM = "dealt", "0-0", "random"


@dataclass(frozen=True)
class Options:
    """Options of the rules."""

    rules: str = option(
        "study", "study: single hands, as in the study; full: the game as people play it", choices=("study", "full")
    )
    length: str = option("usual", "a match or one hand; usual: as the rules say", choices=("usual", "hand", "match"))
    laying_off: str = option(
        "usual", "whether the opponent may lay off cards on the knocker's melds", choices=("usual", "yes", "no")
    )
    gin: int = option(-1, "bonus for gin; -1: as the rules say", -1, 1000)
    undercut: int = option(-1, "bonus for an undercut; -1: as the rules say", -1, 1000)
    target: int = option(MATCH, "points that win a match", 1, 10_000)
    limit: int = option(TURN_LIMIT, "turns after which a game ends", 1, MOST_TURNS)
    score: str = option(NO_SCORE, "the score of the match before a single hand, for networks on match: A-B, or random")
    start: str = option(DEALT, "the deal of every hand: dealt (at random), or HAND/HAND/UPCARD as As2s3s.../Kh.../5d")


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the options into a state."""
    setup: Any = state[0]["rules"]
    full = chosen.rules == "full"
    match = full if chosen.length == "usual" else chosen.length == "match"
    if chosen.target != MATCH and not match:
        raise UserError(f"gin:target={chosen.target}: needs a match; add length=match or rules=full")
    setup["offered"] = setup["free"] = setup["ties"] = full
    setup["remade"] = not full
    setup["laying_off"] = full if chosen.laying_off == "usual" else chosen.laying_off == "yes"
    setup["gin"], setup["undercut"] = (
        (BONUS if full else 0) if bonus < 0 else bonus for bonus in (chosen.gin, chosen.undercut)
    )
    setup["target"] = chosen.target if match else 0
    setup["limit"] = chosen.limit
    setup["score"] = read_score(chosen.score, match)
    setup["hand"], setup["upcard"] = 0, -1
    if chosen.start != DEALT:
        *setup["hand"], setup["upcard"] = read_position(chosen.start, f"gin:start={chosen.start}")


def read_score(text: str, match: bool) -> tuple[int, int]:
    """The points of both seats before a single hand; -1 each for points at random."""
    if text != NO_SCORE and match:
        raise UserError(f"gin:score={text}: is for single hands; add length=hand")
    if text == RANDOM:
        return -1, -1
    points = text.split("-")
    if len(points) != 2 or not all(one.isascii() and one.isdigit() and int(one) < MATCH for one in points):
        raise UserError(f"gin:score={text}: must be random, or two numbers from 0 to {MATCH - 1} as 60-25")
    return int(points[0]), int(points[1])


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
    summary="gin rummy: make melds, knock, and be the first with 100 points; or single hands as in a study",
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
        choose_for=players.choose_for,
        names=players.POLICIES,
        encodings=dict(zip(encodings.NAMES, encodings.INPUTS, strict=True)),
        float_scratch=nets.float_scratch,
        int_scratch=players.INT_SCRATCH,
        subwarp=(4, 8),
        kinds=("sigmoid", "graph", "deep"),
        strengths=players.STRENGTHS,
        champions={
            name: HERE / f"{name}.safetensors"
            for name in ("champion", "champion-table", "champion-melds", "champion-26", "randumb")
        },
    ),
    learning=Learning(
        observation=OBSERVATION,
        inputs=encodings.inputs,
        outcome=encodings.outcome,
        valued=encodings.valued,
        check_state=check_state,
        heads=dict.fromkeys(encodings.OUTCOMES, VALUE),
        luck=luck.luck,
        judges={"hands": HERE / "hands.safetensors"},
        fitness={"lead": lead},
    ),
    presentation=Presentation(
        view=GinView, explain=move_values, guide=read_guide(HERE), levels=read_levels(HERE), people="rules=full"
    ),
    search=Search(
        determinize,
        "flat",
        part=hand_number,
        worth=match_points,
        horizon=HORIZON,
        value=playout_value.expected_lead,
        valued=frozenset({"melds", "table", "match"}),
        seen=seen,
    ),
)
