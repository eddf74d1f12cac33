"""A game that compiles in seconds: a card each, and two turns each to change it for another, which is seen only at the next turn.

The higher card wins. A network values what a seat sees after its turn: its card, or that it has just changed it.
"""

from dataclasses import dataclass

import numpy as np

from sparring.games import name_game
from sparring.games.game import VALUE, Game, Learning, Policies, Rules, Search
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.network import net_value
from sparring.kernel.random import below, key, step
from sparring.options import option

CARDS = 6
KEEP, CHANGE = range(2)
RANDOM, NET = range(2)
Setup = np.dtype([("cards", np.int64)], align=True)  # the rules that can be chosen
INPUTS = CARDS + 1  # of a round: each card, and one just changed
Tally = np.dtype([("score", np.int32, (SEATS,))], align=True)
State = np.dtype(
    [
        ("rules", Setup),
        ("turn", np.int64),
        ("over", np.int64),
        ("luck", np.uint64, (SEATS,)),
        ("tally", Tally),
        ("stream", np.uint64),
        ("made", np.int64),  # moves
        ("card", np.int64, (2,)),
        ("changed", np.int64, (2,)),  # in the seat's last turn
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    s.stream, s.turn, s.over, s.made = key(key(seed, 0), deal), 0, 0, 0
    for seat in range(SEATS):
        s.luck[seat], s.tally.score[seat] = key(key(key(seed, 1), luck), seat), 0
    for seat in range(2):
        s.card[seat], s.changed[seat] = draw(s), 0


@kernel
def draw(s):
    s.stream = step(s.stream)
    return below(s.stream, s.rules.cards)


@kernel
def moves(s, out):
    out[0], out[1] = KEEP, CHANGE
    return 2


@kernel
def apply(s, move):
    s.changed[s.turn] = move
    if move == CHANGE:
        s.card[s.turn] = draw(s)
    s.made += 1
    s.turn = 1 - s.turn
    if s.made == 4:
        s.over = 1
        for seat in range(2):
            s.tally.score[seat] = s.card[seat]


@kernel
def inputs(s, seat, encoding, index, value):
    index[0], value[0] = (CARDS if s.changed[seat] else s.card[seat]) + (INPUTS if s.made > 2 else 0), 1.0
    return 1


@kernel
def outcome(s, seat, head, out):
    ahead = s.tally.score[seat] - s.tally.score[1 - seat]
    out[0] = 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0


@kernel
def determinize(s, seat, stream, int_scratch):
    s.stream = key(stream, 1)
    s.card[1 - seat] = draw(s)
    if s.turn != seat and s.changed[seat]:
        s.card[seat] = draw(s)


@kernel
def choose(s, player, weights, float_scratch, int_scratch):
    if player.policy == NET:
        last = INPUTS if s.made > 1 else 0
        float_scratch[0], int_scratch[0] = 1.0, s.card[s.turn] + last
        kept = net_value(player, weights, int_scratch, float_scratch, 1, float_scratch[1:])
        int_scratch[0] = CARDS + last
        return CHANGE if net_value(player, weights, int_scratch, float_scratch, 1, float_scratch[1:]) > kept else KEEP
    s.luck[s.turn] = step(s.luck[s.turn])
    return below(s.luck[s.turn], 2)


@dataclass(frozen=True)
class Options:
    """Options of the rules."""

    cards: int = option(CARDS, "different cards", 2, CARDS)


def prepare(chosen: Options, state: np.ndarray) -> None:
    state["rules"]["cards"] = chosen.cards


def check_state(states: np.ndarray, template: np.ndarray) -> str:
    cards = (states["card"] < 0) | (states["card"] >= CARDS) | (states["changed"] >> 1 != 0)
    return "a wrong card" if cards.any() or ((states["made"] < 0) | (states["made"] > 3)).any() else ""


GAME = Game(
    name="tiny",
    summary="a card each, changed at most twice",
    rules=Rules(State, Tally, start, moves, apply, max_moves=4, branching=2, options=Options, prepare=prepare),
    policies=Policies(
        choose,
        names={"random": "tosses a coin", "net": "compares what it sees after both moves"},
        encodings={"card": 2 * INPUTS},
        float_scratch=lambda hidden: hidden + 2,
        kinds=("sigmoid", "deep"),
    ),
    learning=Learning(inputs=inputs, outcome=outcome, check_state=check_state, heads={"value": VALUE}),
    search=Search(determinize, "flat"),
)
if not __name__.startswith("sparring_game_"):  # that is this file as a game
    name_game(__file__)  # found as "tiny" from here on
