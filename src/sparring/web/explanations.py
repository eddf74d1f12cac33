"""What players think, as the page shows it: candidates with values, what a net saw, and its network."""

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


def thinking_told(game: Game, contestant: Contestant, state: np.ndarray) -> dict[str, Any]:
    """All that there is to say about a player's choice in a state."""
    thought = explain(game, contestant, state)
    inputs = sorted(thought.inputs, key=lambda pair: pair[1] == 0)[:MOST_INPUTS]
    return {
        "player": thought.player,
        "seat": thought.seat,
        "saw": {"encoding": thought.encoding, "inputs": [{"label": name, "value": value} for name, value in inputs]},
        "candidates": _candidates(game, state, thought),
        "network": _network(game, thought),
        "note": thought.note,
    }


def hint_told(game: Game, contestant: Contestant, state: np.ndarray) -> dict[str, Any]:
    """What a player would do, and what it makes of each legal move."""
    thought = explain(game, contestant, state)
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


def mistakes_told(game: Game, played: Played, names: Sequence[str], evaluator: Contestant) -> list[dict[str, Any]]:
    """The moves of a game that an evaluator thinks least of."""
    found = {mistake.number: mistake for mistake in mistakes(game, played, evaluator)[:MOST_MISTAKES]}
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    told = []
    for number, move in enumerate(played.moves):
        if number in found:
            said = f"{names[int(state[0]['turn'])]}: {game.view.move_text(state[0], move)}"
            best = game.view.move_text(state[0], found[number].best)
            told.append({"number": number, "said": said, "lost": found[number].lost, "best": best})
        play_move(game, state, move)
    return sorted(told, key=lambda one: -one["lost"])


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
        raise Refusal(422, f"{name!r} is not here to be asked; choose another player") from None
