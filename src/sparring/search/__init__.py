"""Search for every game that says what a seat cannot know: flat Monte Carlo and information-set tree search.

A game is made into one whose players may search: its `choose` searches where the player has a number of playouts, and chooses as
before where it has none. Playouts are made by the player's own policy, or by another one.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.game import MOVES, Game
from sparring.search.kernels import FLAT, TREE, make_kernels
from sparring.search.memory import CODE, DEEPEST, FIELDS, HEAD, NODES, NUMBERS, ROOTS, SLOTS, SUM, VISITS

METHODS = {"flat": FLAT, "ismcts": TREE}
_KERNELS: dict[str, tuple[Any, ...]] = {}  # by the game's family


def searching(game: Game) -> Game:
    """The game, whose players may search."""
    name = f"{game.name}+search"
    if name not in game.variants:
        choose, ints = search_kernels(game)[:2]
        policies = replace(game.policies, choose=choose, int_scratch=ints, searches=True)
        game.variants[name] = replace(game, policies=policies)
    return game.variants[name]


def search_kernels(game: Game) -> tuple[Any, ...]:
    """The kernel that chooses and the integers that it needs; then those that begin a search, go on with it and end it."""
    if game.search is None:
        raise UserError(f"{game.family}: has no search; it does not say what a seat cannot know")
    if game.family not in _KERNELS:
        _KERNELS[game.family] = make_kernels(game.rules, game.policies, game.search, most_moves(game))
    return _KERNELS[game.family]


def most_moves(game: Game) -> int:
    """How many moves, each with a plan, a position may have."""
    return (game.rules.branching or MOVES) * (game.search.plans if game.search else 1)


def compared(game: Game, ints: np.ndarray) -> dict[int, tuple[int, float]]:
    """The moves that the last search of a player compared, each with its visits and its mean gain over the player's own move."""
    head = game.policies.int_scratch
    nodes = head + HEAD + DEEPEST + 2 * most_moves(game) + SLOTS
    count = int(ints[head + ROOTS])
    table = ints[nodes : nodes + count * FIELDS].reshape(count, FIELDS)
    floats = ints[nodes + NODES * FIELDS :][: count * NUMBERS].view(np.float64).reshape(count, NUMBERS)
    means = floats[:, SUM] / np.maximum(table[:, VISITS], 1)
    means[:1] = 0.0
    found: dict[int, tuple[int, float]] = {}
    plans = game.search.plans if game.search else 1
    for row, mean in zip(table, means, strict=True):
        move, visits = int(row[CODE]) // plans, int(row[VISITS])
        if move not in found or (visits and mean > found[move][1]):
            found[move] = visits, float(mean)
    return found
