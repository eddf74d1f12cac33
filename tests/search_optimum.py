"""Tree search in games whose best moves are known, for test_search.py, which runs this file interpreted: `search_optimum.py CHECK`.

The oracles are plain Python and enumerate everything.
"""

import sys
from dataclasses import replace
from itertools import permutations

import numpy as np

from sparring.arena.players import Chooser, find_player
from sparring.games import name_game
from sparring.games.game import Game, Policies, Rules, Search, start_game
from sparring.kernel.launch import SEATS
from sparring.kernel.random import below, key, step

# Forks: the seats move in turn, a die is rolled after each move, and a table says what the end is worth to seat 0.
WAYS, SIDES, DEPTH = 2, 2, 3
Tally = np.dtype([("score", np.int32, (SEATS,))], align=True)
HEAD = [("turn", np.int64), ("over", np.int64), ("luck", np.uint64, (SEATS,)), ("stream", np.uint64), ("tally", Tally)]
Fork = np.dtype([*HEAD, ("game", np.int64), ("place", np.int64), ("depth", np.int64), ("die", np.int64)], align=True)


def payoff(game: int, place: int) -> int:
    return below(key(key(np.uint64(77), game), place), 21) - 10


def begin(s, seed, deal, luck, seats):
    s.turn = s.over = s.place = s.depth = s.die = 0
    s.game, s.stream = deal, key(seed, deal)
    for seat in range(SEATS):
        s.luck[seat] = key(key(seed, luck), seat)


def fork_moves(s, out):
    out[:WAYS] = range(WAYS)
    return WAYS


def fork_apply(s, move):
    s.stream = step(s.stream)
    s.die = below(s.stream, SIDES)
    s.place = s.place * WAYS * SIDES + move * SIDES + s.die + 1
    s.depth += 1
    s.turn = 1 - s.turn
    if s.depth == DEPTH:
        s.over = 1
        value = payoff(s.game, s.place)
        s.tally.score[0], s.tally.score[1] = value, -value


def first_move(s, player, weights, floats, ints):
    return 0


def new_stream(s, seat, stream, ints):
    s.stream = stream


def die_seen(s, seat):
    return key(s.die, 0)


def fork_value(game: int, place: int, depth: int, move: int) -> float:
    """What a move is worth to seat 0 if both play best."""
    total = 0.0
    for die in range(SIDES):
        below_it = place * WAYS * SIDES + move * SIDES + die + 1
        if depth + 1 == DEPTH:
            total += payoff(game, below_it)
        else:
            values = [fork_value(game, below_it, depth + 1, reply) for reply in range(WAYS)]
            total += min(values) if depth % 2 == 0 else max(values)
    return total / SIDES


FORKS = Game(
    "forks",
    "",
    Rules(Fork, Tally, begin, fork_moves, fork_apply, max_moves=DEPTH, perfect_information=True, branching=WAYS),
    Policies(first_move, {"first": ""}),
    search=Search(new_stream, seen=die_seen),
)


def chosen(game: Game, name: str, state: np.ndarray) -> int:
    return Chooser(game, find_player(game, name)).choose(state.copy())


def check_forks() -> None:
    """With more playouts the best move is found in every game; flat Monte Carlo does not learn that both seats choose."""
    lost: dict[str, float] = dict.fromkeys(("flat@1000", "ismcts@30", "ismcts@3000"), 0.0)
    for deal in range(10):
        values = [fork_value(deal, 0, 0, move) for move in range(WAYS)]
        for name in lost:
            lost[name] += max(values) - values[chosen(FORKS, f"first+{name}", start_game(FORKS, 1, deal, 0, 2))]
    assert lost["ismcts@3000"] == 0 and min(lost["ismcts@30"], lost["flat@1000"]) > 1, lost


# Coins: stop, look at the coin or leave it covered; then say how it lies. The policy stops, and says heads.
STOP, LOOK, COVER, HEADS, TAILS = range(5)
SURE, RIGHT = 1, 3
Coin = np.dtype([*HEAD, ("coin", np.int64), ("phase", np.int64), ("may_look", np.int64)], align=True)


def toss(s, seed, deal, luck, seats):
    begin_luck = key(seed, luck)
    s.turn = s.over = s.phase = 0
    s.coin, s.may_look = below(key(seed, deal), 2), deal % 2
    for seat in range(SEATS):
        s.luck[seat] = key(begin_luck, seat)


def coin_moves(s, out):
    listed = (HEADS, TAILS) if s.phase else (STOP, COVER, LOOK)[: 2 + s.may_look]
    out[: len(listed)] = listed
    return len(listed)


def coin_apply(s, move):
    if s.phase or move == STOP:
        s.over = 1
        s.tally.score[0] = SURE if move == STOP else RIGHT if move - HEADS == s.coin else -RIGHT
    s.phase = move


def coin_policy(s, player, weights, floats, ints):
    return HEADS if s.phase else STOP


def toss_again(s, seat, stream, ints):
    s.coin = below(stream, 2)


def coin_seen(s, seat):
    return key(s.coin if s.phase == LOOK else 2, s.phase)


COINS = Game(
    "coins",
    "",
    Rules(Coin, Tally, toss, coin_moves, coin_apply, max_moves=2, branching=3),
    Policies(coin_policy, {"careful": ""}),
    search=Search(toss_again, seen=coin_seen),
)


def check_coins() -> None:
    """A coin that is seen can be named, one that is covered cannot, and nobody looks under the cover."""
    for deal in range(6):
        state = start_game(COINS, 1, deal, 0, 2)
        assert chosen(COINS, "careful+ismcts@1000", state) == (LOOK if deal % 2 else STOP), deal
        assert chosen(COINS, "careful+flat@400", state) == STOP


# Kuhn poker against a known policy.


def other_card(s, seat, stream, ints):
    """Give the other seat one of the two cards that the seat does not hold."""
    low, high = sorted({0, 1, 2} - {int(s.deck[seat])})
    s.deck[1 - seat], s.deck[2] = (low, high) if below(stream, 2) else (high, low)
    s.stream = stream


def kuhn_seen(s, seat):
    return key(s.deck[seat], s.node)


def kuhn_value(card: int, bets: bool) -> float:
    """What the first seat gains by its first move, if it plays best against a second seat that tosses coins."""
    total = 0.0
    others = [other for other in range(3) if other != card]
    wins = {other: 1 if card > other else -1 for other in others}
    if bets:
        return sum(0.5 * 2 * wins[other] + 0.5 for other in others) / 2
    total += sum(0.5 * wins[other] for other in others) / 2
    return total + 0.5 * max(-1.0, sum(2 * wins[other] for other in others) / 2)


def check_kuhn() -> None:
    kuhn = name_game("examples/kuhn.py")
    kuhn = replace(kuhn, search=Search(other_card, seen=kuhn_seen))
    for deck in permutations(range(3)):
        state = start_game(kuhn, 1, 0, 0, 2)
        state[0]["deck"] = deck
        best = kuhn_value(deck[0], True) > kuhn_value(deck[0], False)
        for luck in range(3):
            state[0]["luck"] = luck
            assert chosen(kuhn, "random+ismcts@300", state) == best, (deck, luck)


if __name__ == "__main__":
    {"forks": check_forks, "coins": check_coins, "kuhn": check_kuhn}[sys.argv[1]]()
