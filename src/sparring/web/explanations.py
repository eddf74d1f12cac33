"""Explanations of players' choices for the page: candidate moves with values, a net's inputs, and its network."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.explain import Explanation, explain, mistakes
from sparring.arena.players import Contestant
from sparring.games import Game, Played
from sparring.games.game import play_move, start_game
from sparring.web.naming import RUNS, player_named
from sparring.web.refusals import Refusal

MOST_INPUTS = 400
MOST_MISTAKES = 20


def explain_move(game: Game, contestant: Contestant, state: np.ndarray) -> dict[str, Any]:
    """Everything known about a player's choice in a state."""
    explained = explain(game, contestant, state)
    inputs = sorted(explained.inputs, key=lambda pair: pair[1] == 0)[:MOST_INPUTS]
    return {
        "player": explained.player,
        "seat": explained.seat,
        "saw": {"encoding": explained.encoding, "inputs": [{"label": name, "value": value} for name, value in inputs]},
        "candidates": _candidates(game, state, explained),
        "network": _network(game, explained),
        "note": explained.note,
    }


def _candidates(game: Game, state: np.ndarray, explained: Explanation) -> list[dict[str, Any]]:
    return [
        {"move": one.move, "words": game.view.move_text(state[0], one.move), "value": one.value, "chosen": one.chosen}
        for one in explained.candidates
    ]


def _network(game: Game, explained: Explanation) -> str | None:
    if explained.net is None:
        return None
    from sparring.report.network import draw_net, net_labels

    return draw_net(explained.net, net_labels(explained.net, game), values=explained.activations or None)


def list_mistakes(game: Game, played: Played, names: Sequence[str], evaluator: Contestant) -> list[dict[str, Any]]:
    """The moves of a game that lose most according to an evaluator, the largest loss first."""
    rows = []
    for mistake in mistakes(game, played, evaluator)[:MOST_MISTAKES]:
        state = state_at(game, played, mistake.number)[0]
        said = game.view.sentence(state, played.moves[mistake.number], None, names[int(state["turn"])])
        best = game.view.move_text(state, mistake.best)
        rows.append({"number": mistake.number, "said": said, "lost": mistake.lost, "best": best})
    return rows


def state_at(game: Game, played: Played, number: int) -> np.ndarray:
    """The state before a move of a game, by its number from 0."""
    count = len(played.moves)
    if number >= count:
        raise Refusal(422, f"number: the game has {count} moves; must be from 0 to {count - 1}")
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    for move in played.moves[:number]:
        play_move(game, state, move)
    return state


def player_meant(game: Game, name: str, runs: Path) -> Contestant:
    """A player by its name, or by a run's name as logs have it."""
    for candidate in (name, f"{RUNS}{name}"):
        try:
            return player_named(game, candidate, runs)
        except Refusal:
            continue
    raise Refusal(422, f"player {name!r} is not available; choose another")
