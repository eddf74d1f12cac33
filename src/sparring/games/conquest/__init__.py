"""Conquest, the hexagon game of "Applications of NEAT algorithm for automatic gameplay of agents" (2021)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.conquest import encodings, fitness, hunter, maps, move_features, players, rules, summary, value_nets
from sparring.games.conquest.explain import explain
from sparring.games.conquest.hidden import HORIZON, balance, candidates, determinize
from sparring.games.conquest.observation import OBSERVATION
from sparring.games.conquest.view import ConquestView
from sparring.games.game import Game, Learning, Policies, Presentation, Rules, Search
from sparring.games.guide import read_guide
from sparring.games.levels import read_levels
from sparring.options import option

GOALS, READINGS = ("eliminate", "all"), ("text", "author")


@dataclass(frozen=True)
class Options:
    """Rules that can be chosen."""

    map: str = option(
        "duel",
        f"where the game begins: {', '.join(maps.NAMES)}; {maps.RANDOM}, a new map for each deal; or the path of a map file",
        reads_file=True,
    )
    rounds: int = option(500, "rounds after which the game ends", 1, rules.LONGEST)
    goal: str = option("eliminate", "blue wins when red has no tile left, or when blue holds all tiles", choices=GOALS)
    reading: str = option(
        "text",
        "rules that the study's text leaves open: as the text suggests, or as its author's program",
        choices=READINGS,
    )


def prepare(chosen: Options, state: np.ndarray) -> None:
    """Write the chosen rules into a state."""
    setup: Any = state[0]["rules"]
    start = maps.find_map(chosen.map)
    if chosen.goal == "eliminate" and not start.holds(1):
        raise UserError(f"conquest: map = {chosen.map}: red has no tile to eliminate; play it with goal=all")
    if start.holds(0) == start.tiles:
        raise UserError(f"conquest: map = {chosen.map}: blue holds every tile: the game would be over")
    if chosen.reading == "author" and start.tiles > rules.CORNER_TILES:
        raise UserError(f"conquest: map = {chosen.map}: reading=author is for at most {rules.CORNER_TILES} tiles")
    start.write(setup, READINGS.index(chosen.reading))
    setup["limit"], setup["goal"] = chosen.rounds, GOALS.index(chosen.goal)
    setup["random"] = chosen.map == maps.RANDOM


def sized(chosen: Options) -> Mapping[str, int]:
    """The number of inputs of each encoding on the chosen map."""
    tiles = maps.find_map(chosen.map).tiles
    per_tile = dict(zip(encodings.NAMES, encodings.PER_TILE, strict=True))
    return {name: count * tiles for name, count in per_tile.items()} | {
        "summary": summary.INPUTS,
        "moves": move_features.INPUTS,
    }


def measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    """Numbers per game and seat."""
    shape = tallies["score"].shape
    counts = ("tiles", "troops", "production", "attack", "transport", "idle")
    every_seat = {
        "rounds": tallies["rounds"].astype(float),
        "stale": tallies["stale"].astype(float),
        "decided": tallies["score"].max(axis=1).astype(float),
    }
    return {
        **{name: tallies[name].astype(float) for name in counts},
        "guided": tallies["guided"] / np.maximum(tallies["moves"], 1),
        **{name: np.broadcast_to(values[:, None], shape) for name, values in every_seat.items()},
    }


HERE = Path(__file__).parent

GAME = Game(
    name="conquest",
    summary="two sides conquer hexagons; the first without a tile has lost",
    rules=Rules.of(
        rules,
        measures=measures,
        shares=frozenset({"guided", "stale", "decided"}),
        self_reported=frozenset({"guided"}),
        perfect_information=True,
        options=Options,
        prepare=prepare,
        certain=lambda chosen: (chosen or Options()).map != maps.RANDOM,
    ),
    policies=Policies(
        choose=players.choose,
        names=players.POLICIES,
        encodings=sized(Options()),
        float_scratch=value_nets.float_scratch,
        int_scratch=max(value_nets.INT_SCRATCH, hunter.INT_SCRATCH),
        kinds=("graph", "sigmoid", "deep"),
        decodings=players.DECODINGS,
        certain=frozenset(players.POLICIES) - players.CHANCY,
        sized=sized,
        strengths={"hunter": hunter.STRENGTH},
        champions={"champion": HERE / "champion.safetensors"},
    ),
    learning=Learning(observation=OBSERVATION, inputs=encodings.inputs, fitness=fitness.FITNESS),
    presentation=Presentation(
        view=ConquestView, explain=explain, guide=read_guide(HERE), levels=read_levels(HERE), undo=True
    ),
    search=Search(determinize, "flat", horizon=HORIZON, balance=balance, candidates=candidates),
)
