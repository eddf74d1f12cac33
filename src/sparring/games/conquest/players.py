"""Conquest policies: random, greedy, the searching hunter, the study's red players, and four policy variants for networks."""

from sparring.games.conquest.greedy import greedy_move
from sparring.games.conquest.hunter import hunter_move
from sparring.games.conquest.move_nets import author_move, coordinates_move, net_move
from sparring.games.conquest.random_moves import author_red, deterministic_red, fresh_red, random_move
from sparring.games.conquest.rules import IDLE
from sparring.games.conquest.value_nets import value_move
from sparring.kernel.compiler import kernel

POLICIES = {
    "random": "chooses uniformly among legal moves other than idling",
    "greedy": "pursues the conquest that needs the fewest moves: attacks, else walks there, else produces; then fills the map",
    "red": "the study's deterministic red: attacks if it has fewer tiles, else produces if it has few troops, else moves at random",
    "red-author": "the same rules as its author's program draws: from NumPy's default_rng(2), made anew for each game",
    "red-fresh": "the same rules with new random numbers in every game",
    "idle": "the study's static red: never moves",
    "net+author": "the study's network as its author's program reads it: 35 parts, guided by tile numbers",
    "net+coordinates": "a network with six outputs: source and target by row and column",
    "net+value": "a network that evaluates the board after each move, for a few numbers of troops",
    "net": "the study's network: produce or not, source, target and troops; name a net file or a run",
    "hunter": "searches: lets greedy players play on for 80 moves (hunter@N for N) after each of its moves, takes what ends best",
}
RANDOM, GREEDY, RED, AUTHOR_RED, FRESH_RED, STATIC, AUTHOR, COORDINATES, VALUE, NET, HUNTER = range(len(POLICIES))
CHANCY = {"random", "red", "red-fresh"}  # whose moves depend on the deal or on luck
DECODINGS = {"net": 4, "net+author": 4, "net+coordinates": 6, "net+value": 1}  # outputs


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat to move."""
    policy = player.policy
    if policy == NET:
        return net_move(s, player, weights, scratch, int_scratch)
    if policy == AUTHOR:
        return author_move(s, player, weights, scratch, int_scratch)
    if policy == AUTHOR_RED:
        return author_red(s, int_scratch)
    if policy == FRESH_RED:
        return fresh_red(s, int_scratch)
    if policy == RANDOM:
        return random_move(s, int_scratch)
    if policy == HUNTER:
        return hunter_move(s, player.strength, int_scratch)
    if policy == STATIC:
        return IDLE
    if policy == COORDINATES:
        return coordinates_move(s, player, weights, scratch, int_scratch)
    if policy == VALUE:
        return value_move(s, player, weights, scratch, int_scratch)
    return deterministic_red(s, int_scratch) if policy == RED else greedy_move(s, int_scratch)
