"""The kernels of a game's search, made of the game's own.

Numba compiles the policies anew into each kernel that calls them, directly or not, so those are few.
"""

from typing import Any

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.search.flat import comparison, decide, list_moves
from sparring.search.memory import ALIVE, ROOT, memory
from sparring.search.playouts import (
    Mover,
    lead,
    no_balance,
    nothing_new,
    one_part,
    playouts,
    seats_of_state,
    two_seats,
    worlds,
)
from sparring.search.tree import tree

FLAT, TREE = range(2)


def make_kernels(rules: Any, policies: Any, search: Any, most_moves: int) -> tuple[Any, ...]:
    """The kernel that chooses and the integers that it needs; then those that begin a search, go on with it and end it."""
    choose, apply, used = policies.choose, rules.apply, policies.int_scratch
    moves = search.candidates or rules.moves
    parts, ints = memory(rules.state, most_moves, used)
    seats = seats_of_state if "seats" in (rules.state.names or ()) else two_seats
    begin_search, make_world = worlds(search.determinize)
    sign = -1.0 if rules.lower_is_better else 1.0
    ending = (search.part or one_part, search.balance or no_balance, search.value or no_balance)
    goes_on, play_on, reward = playouts(choose, apply, search.worth or lead(seats, sign), *ending, search.horizon)
    seen, shared = search.seen or nothing_new, rules.perfect_information
    gain = tree(moves, apply, goes_on, play_on, reward, seen, shared)
    compare = comparison(make_world, gain)

    @inline_kernel
    def prepare(s, own, player, weights, floats, int_scratch):
        """Begin a search, given the player's own move; returns how many moves it compares."""
        mind = parts(int_scratch)
        begin_search(s, Mover(player, weights, floats, int_scratch[:used]), mind)
        list_moves(mind, own, moves(mind.states[ROOT], mind.moves))
        return mind.head[ALIVE]

    @kernel
    def begin(s, player, weights, floats, int_scratch):
        own = choose(s, player, weights, floats, int_scratch[:used])
        return prepare(s, own, player, weights, floats, int_scratch)

    @kernel
    def grow(player, weights, floats, int_scratch, until):
        """Search until so many playouts are done."""
        mind = parts(int_scratch)
        mover = Mover(mind.players[0], weights, floats, int_scratch[:used])
        compare(mind, mover, until, player.playouts, player.method == TREE)

    @kernel
    def end(player, int_scratch):
        """The move that the search has found."""
        return decide(parts(int_scratch))

    @kernel
    def choose_searching(s, player, weights, floats, int_scratch):
        """The move of the seat to move."""
        own = choose(s, player, weights, floats, int_scratch[:used])
        if player.playouts == 0 or prepare(s, own, player, weights, floats, int_scratch) == 1:
            return own
        mind = parts(int_scratch)
        mover = Mover(mind.players[0], weights, floats, int_scratch[:used])
        compare(mind, mover, player.playouts, player.playouts, player.method == TREE)
        return decide(mind)

    return choose_searching, ints, begin, grow, end
