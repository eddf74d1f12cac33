"""The kernels of a game's search, made of the game's own."""

from typing import Any

from sparring.kernel.compiler import kernel
from sparring.search import flat as flat_search
from sparring.search import tree as tree_search
from sparring.search.memory import memory
from sparring.search.playouts import Mover, no_balance, one_part, playouts, seats_of_state, two_seats, worlds

FLAT, TREE = range(2)


def make_kernels(rules: Any, policies: Any, search: Any, most_moves: int) -> tuple[Any, ...]:
    """The kernel that chooses and the integers that it needs; then those that begin a search, go on with it and end it."""
    choose, moves, apply, used = policies.choose, rules.moves, rules.apply, policies.int_scratch
    parts, ints = memory(rules.state, most_moves, used)
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
        mind = parts(int_scratch)
        begin_search(s, Mover(player, weights, floats, int_scratch[:used]), mind)
        if player.method == TREE:
            plant(mind, mind.states[0])
        else:
            list_moves(mind, mind.states[0])
        return moves(mind.states[0], mind.moves)

    @kernel
    def grow(player, weights, floats, int_scratch, until):
        """Search until so many playouts are done."""
        mind = parts(int_scratch)
        mover = Mover(mind.players[0], weights, floats, int_scratch[:used])
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
