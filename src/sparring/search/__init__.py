"""Search for every game that says what a seat cannot know: flat Monte Carlo and information-set tree search.

A game is made into one whose players may search: its `choose` searches where the player has a number of playouts, and chooses as
before where it has none. Playouts are made by the player's own policy.
"""

from dataclasses import replace
from typing import Any

from sparring.errors import UserError
from sparring.games.game import MOVES, Game, Policies
from sparring.kernel.compiler import kernel
from sparring.search import flat as flat_search
from sparring.search import tree as tree_search
from sparring.search.memory import memory
from sparring.search.playouts import Mover, no_balance, one_part, playouts, seats_of_state, two_seats, worlds

FLAT, TREE = range(2)
METHODS = {"flat": FLAT, "ismcts": TREE}


def searching(game: Game) -> Game:
    """The game, whose players may search."""
    if game.search is None:
        raise UserError(f"{game.family}: has no search; it does not say what a seat cannot know")
    found = game.variants.get(f"{game.name}+search")
    if found is None:
        policies = search_policies(game)
        found = replace(game, policies=policies)
        game.variants[f"{game.name}+search"] = found
    return found


def search_policies(game: Game) -> Policies:
    """The policies of a game with search in front of them."""
    choose, ints = search_kernels(game)[:2]
    return replace(game.policies, choose=choose, int_scratch=ints, searches=True)


_KERNELS: dict[str, tuple[Any, ...]] = {}


def search_kernels(game: Game) -> tuple[Any, ...]:
    """The kernel that chooses and the integers that it needs; then those that begin a search, go on with it and end it."""
    if game.family not in _KERNELS:
        _KERNELS[game.family] = _make_kernels(game)
    return _KERNELS[game.family]


def _make_kernels(game: Game) -> tuple[Any, ...]:
    rules, policies, search = game.rules, game.policies, game.search
    assert search is not None
    choose, moves, apply, used = policies.choose, rules.moves, rules.apply, policies.int_scratch
    parts, ints = memory(rules.state, rules.branching or MOVES, used)
    seats = seats_of_state if "seats" in (rules.state.names or ()) else two_seats
    begin_search, make_world = worlds(search.determinize, choose)
    sign = -1.0 if rules.lower_is_better else 1.0
    ending = (search.part or one_part, search.balance or no_balance, search.horizon, sign)
    goes_on, play_out, reward = playouts(choose, apply, seats, *ending)
    list_moves, grow_flat = flat_search.flat(moves, apply, make_world, play_out, reward)
    plant, grow_tree = tree_search.tree(moves, choose, apply, make_world, goes_on, play_out, reward)
    decide_flat, decide_tree = flat_search.decide, tree_search.decide

    @kernel
    def begin(s, player, weights, floats, int_scratch):
        """Begin a search; returns the number of legal moves."""
        mind, mover = parts(int_scratch), Mover(player, weights, floats, int_scratch[:used])
        begin_search(s, mover, mind)
        if player.method == TREE:
            plant(mind, mind.states[0])
        else:
            list_moves(mind, mind.states[0])
        return moves(mind.states[0], mind.moves)

    @kernel
    def grow(player, weights, floats, int_scratch, until):
        """Search until so many playouts are done."""
        mind, mover = parts(int_scratch), Mover(player, weights, floats, int_scratch[:used])
        if player.method == TREE:
            grow_tree(mind, mover, until)
        else:
            grow_flat(mind, mover, until)

    @kernel
    def decide(player, int_scratch):
        """The move that the search has found."""
        mind = parts(int_scratch)
        return decide_tree(mind) if player.method == TREE else decide_flat(mind)

    @kernel
    def choose_searching(s, player, weights, floats, int_scratch):
        """The move of the seat to move."""
        if player.playouts == 0:
            return choose(s, player, weights, floats, int_scratch[:used])
        if begin(s, player, weights, floats, int_scratch) > 1:
            grow(player, weights, floats, int_scratch, player.playouts)
        return decide(player, int_scratch)

    return choose_searching, ints, begin, grow, decide
