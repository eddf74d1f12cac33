"""Kuhn poker: three cards (J Q K), two seats, an ante of 1 each, one bet of 1; a seat scores what it won or lost."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sparring.games.game import Game, Policies, Presentation, Rules
from sparring.games.view import View, seat_names
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.network import net_value
from sparring.kernel.random import below, key, shuffle, step

CARDS = 3
JACK, QUEEN, KING = range(CARDS)
PASS, BET = range(2)  # moves: pass is check or fold, bet is bet or call
OPENING, PASSED, RAISED, PASSED_RAISED = range(4)  # what has been played: nothing, pass, bet, pass and bet
NODES = 4
RANDOM, HONEST, EQUILIBRIUM, NET = range(4)  # policies, in the order of Policies.names

Tally = np.dtype([("score", np.int32, (SEATS,)), ("bets", np.int32, (SEATS,))], align=True)
State = np.dtype(
    [
        ("turn", np.int8),
        ("over", np.int8),
        ("luck", np.uint64, (SEATS,)),
        ("tally", Tally),
        ("stream", np.uint64),
        ("node", np.int8),
        ("deck", np.int8, (CARDS,)),  # deck[seat] is the card of the seat; the last is not dealt
        ("shown", np.int8),  # 1 after a showdown
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    """Deal. Cards follow from (seed, deal) alone, players' random choices from (seed, luck) and the seat."""
    s.turn, s.over, s.node, s.shown = 0, 0, OPENING, 0
    for seat in range(SEATS):
        s.luck[seat] = key(key(key(seed, 1), luck), seat)
        s.tally.score[seat] = s.tally.bets[seat] = 0
    for card in range(CARDS):
        s.deck[card] = card
    s.stream = shuffle(key(key(seed, 0), deal), s.deck, CARDS)


@kernel
def moves(s, out):
    """Pass and bet are always legal."""
    out[0], out[1] = PASS, BET
    return 2


@kernel
def apply(s, move):
    """Play a move; at the end, pay."""
    facing_bet = s.node >= RAISED
    s.tally.bets[s.turn] += move
    if s.node == OPENING or (s.node == PASSED and move == BET):
        s.node = PASSED_RAISED if s.node == PASSED else RAISED if move == BET else PASSED
        s.turn = 1 - s.turn
        return
    s.over = 1
    winner, amount = 1 - s.turn, 1  # of a fold
    if move == BET or not facing_bet:
        s.shown = 1
        winner, amount = 0 if s.deck[0] > s.deck[1] else 1, 2 if facing_bet else 1
    s.tally.score[winner], s.tally.score[1 - winner] = amount, -amount


@kernel
def choose(s, player, weights, float_scratch, int_scratch):
    """The move of the seat whose turn it is; every policy has a chance of betting, in thousandths."""
    card, chance = s.deck[s.turn], 500
    if player.policy == HONEST:  # bets and calls with the king; calls with the queen every other time
        chance = 1000 if card == KING else 500 if card == QUEEN and s.node >= RAISED else 0
    elif player.policy == EQUILIBRIUM:
        chance = 1000 if card == KING else 0
        if card == JACK and s.node < RAISED:
            chance = 333  # a bluff
        elif card == QUEEN and s.node >= RAISED:
            chance = 667 if s.node == PASSED_RAISED else 333
    elif player.policy == NET:
        int_scratch[0], float_scratch[0] = NODES * card + s.node, 1.0  # one input is 1: the card and what was played
        chance = int(1000 * net_value(player, weights, int_scratch, float_scratch, 1, float_scratch[1:]))
    s.luck[s.turn] = step(s.luck[s.turn])
    return BET if below(s.luck[s.turn], 1000) < chance else PASS


class KuhnView(View):
    """The game for people: the cards that a seat may see, and what was played."""

    def text(self, s: Any, seat: int | None = None, names: Sequence[str] = ()) -> str:
        cards = ["JQK"[s["deck"][i]] if seat in (None, i) or s["shown"] else "?" for i in range(2)]
        played = ("nothing", "pass", "bet", "pass, bet")[s["node"]]
        end = f"over: {s['tally']['score'][0]:+d} {s['tally']['score'][1]:+d}"
        return f"cards: {' '.join(cards)}; played: {played}; {end if s['over'] else 'to move: ' + seat_names(names, 2)[s['turn']]}"

    def move_text(self, s: Any, move: int) -> str:
        return (("check", "bet"), ("fold", "call"))[int(s["node"] >= RAISED)][move]


NAMES = {
    "random": "tosses a coin",
    "honest": "bets the king, never bluffs",
    "equilibrium": "plays an equilibrium: bluffs with a third of its jacks",
    "net": "bets with the chance that its network says",
}
GAME = Game(
    name="kuhn",
    summary="Kuhn poker: three cards, one bet",
    rules=Rules(State, Tally, start, moves, apply, max_moves=3, seats=(2,)),
    policies=Policies(choose, NAMES, encodings={"card-node": CARDS * NODES}, float_scratch=lambda hidden: hidden + 2),
    presentation=Presentation(KuhnView),
)
