"""Explanations of moves for the page: candidates with values, what a net saw, and its network."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.explain import Explanation, mistakes, think
from sparring.arena.players import Contestant
from sparring.games import Game, Played
from sparring.games.game import play_move, start_game
from sparring.web.naming import RUNS, player_named
from sparring.web.refusals import Refusal

MOST_INPUTS = 400
MOST_MISTAKES = 20


def explain_move(game: Game, contestant: Contestant, state: np.ndarray) -> dict[str, Any]:
    """A player's choice in a state, with everything that explains it."""
    thought = think(game, contestant, state)
    inputs = sorted(thought.inputs, key=lambda pair: pair[1] == 0)[:MOST_INPUTS]
    return {
        "player": thought.player,
        "seat": thought.seat,
        "saw": {"encoding": thought.encoding, "inputs": [{"label": name, "value": value} for name, value in inputs]},
        "candidates": _candidates(game, state, thought),
        "network": _network(game, thought),
        "note": thought.note,
    }


def hint(game: Game, contestant: Contestant, state: np.ndarray) -> dict[str, Any]:
    """The move that a player would choose, and its value of each legal move."""
    thought = think(game, contestant, state)
    return {
        "player": thought.player,
        "candidates": _candidates(game, state, thought),
        "scale": list(thought.scale),
        "note": thought.note,
    }


def _candidates(game: Game, state: np.ndarray, thought: Explanation) -> list[dict[str, Any]]:
    return [
        {"move": one.move, "words": game.view.move_text(state[0], one.move), "value": one.value, "chosen": one.chosen}
        for one in thought.candidates
    ]


def _network(game: Game, thought: Explanation) -> str | None:
    if thought.net is None:
        return None
    from sparring.report.network import draw_net, net_labels

    return draw_net(thought.net, net_labels(thought.net, game), values=thought.activations or None)


def list_mistakes(game: Game, played: Played, names: Sequence[str], evaluator: Contestant) -> list[dict[str, Any]]:
    """The moves of a game that lose most by an evaluator's values."""
    found = {mistake.number: mistake for mistake in mistakes(game, played, evaluator)[:MOST_MISTAKES]}
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    listed = []
    for number, move in enumerate(played.moves):
        if number in found:
            said = f"{names[int(state[0]['turn'])]}: {game.view.move_text(state[0], move)}"
            best = game.view.move_text(state[0], found[number].best)
            listed.append({"number": number, "said": said, "lost": found[number].lost, "best": best})
        play_move(game, state, move)
    return sorted(listed, key=lambda one: -one["lost"])


def state_at(game: Game, played: Played, number: int) -> np.ndarray:
    """The state before a move of a game, by its number from 0."""
    if number >= len(played.moves):
        raise Refusal(
            422, f"number: the game has {len(played.moves)} moves; name one from 0 to {len(played.moves) - 1}"
        )
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    for move in played.moves[:number]:
        play_move(game, state, move)
    return state


def player_meant(game: Game, name: str, runs: Path) -> Contestant:
    """A player by its name, or by the name of a run as logs have it."""
    try:
        return player_named(game, name, runs)
    except Refusal:
        pass
    try:
        return player_named(game, f"{RUNS}{name}", runs)
    except Refusal:
        raise Refusal(422, f"{name!r} is not available here; choose another player") from None
