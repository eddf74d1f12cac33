"""The smallest complete game, made to be copied: one card each, changed at most once for another; the higher card wins.

`sparring match examples/higher_card.py random random`, `sparring train examples/higher_card.py`, and
`python -m sparring.testing examples/higher_card.py`, which checks everything that a game must satisfy.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sparring.games.game import Game, Policies, Presentation, Rules
from sparring.games.view import View, seat_names
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.network import net_value
from sparring.kernel.random import below, key, step

CARDS = 13
KEEP, CHANGE = range(2)  # moves
RANDOM, NET = range(2)  # policies, in the order of Policies.names
# What is counted; arrays per seat have places for as many seats as any game has.
Tally = np.dtype([("score", np.int32, (SEATS,)), ("changes", np.int32, (SEATS,))], align=True)

# A game in progress. Every game has `turn`, `over`, `luck` and `tally`; the other fields belong to this game.
State = np.dtype(
    [
        ("turn", np.int8),
        ("over", np.int8),
        ("luck", np.uint64, (SEATS,)),
        ("tally", Tally),
        ("seats", np.int8),
        ("stream", np.uint64),
        ("card", np.int8, (SEATS,)),
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    """Deal. Cards follow from (seed, deal) alone, players' random choices from (seed, luck) and the seat."""
    s.stream = key(key(seed, 0), deal)
    s.seats, s.turn, s.over = seats, 0, 0
    for seat in range(SEATS):
        s.luck[seat] = key(key(key(seed, 1), luck), seat)
        s.tally.score[seat] = s.tally.changes[seat] = s.card[seat] = 0
    for seat in range(seats):
        s.card[seat] = draw(s)


@kernel
def draw(s):
    s.stream = step(s.stream)
    return below(s.stream, CARDS)


@kernel
def moves(s, out):
    """Write the legal moves; return how many there are."""
    out[0], out[1] = KEEP, CHANGE
    return 2


@kernel
def apply(s, move):
    """Play a legal move and everything that needs no decision."""
    if move == CHANGE:
        s.card[s.turn] = draw(s)
        s.tally.changes[s.turn] += 1
    s.tally.score[s.turn] = s.card[s.turn]
    s.turn += 1
    if s.turn == s.seats:
        s.over = 1


@kernel
def choose(s, player, weights, float_scratch, int_scratch):
    """The move of the seat whose turn it is: a network changes a card that it values above one half."""
    if player.policy == NET:
        int_scratch[0], float_scratch[0] = s.card[s.turn], 1.0  # one input is 1: the card's
        return CHANGE if net_value(player, weights, int_scratch, float_scratch, 1, float_scratch[1:]) > 0.5 else KEEP
    s.luck[s.turn] = step(s.luck[s.turn])
    return below(s.luck[s.turn], 2)


class HigherCardView(View):
    """The game for people; notation, replays, JSON and pictures are the defaults."""

    def text(self, s: Any, seat: int | None = None, names: Sequence[str] = ()) -> str:
        cards = [str(card) if seat in (None, owner) else "?" for owner, card in enumerate(s["card"][: s["seats"]])]
        return f"cards: {' '.join(cards)}; {'over' if s['over'] else 'to move: ' + seat_names(names, s['seats'])[s['turn']]}"

    def move_text(self, s: Any, move: int) -> str:
        return ("keep the card", "change the card")[move]


GAME = Game(
    name="higher_card",
    summary="one card each, changed at most once; the higher card wins",
    rules=Rules(State, Tally, start, moves, apply, max_moves=SEATS, seats=(2, 3, 4)),
    policies=Policies(
        choose,
        names={"random": "tosses a coin", "net": "changes the card if its network says so"},
        encodings={"card": CARDS},
        float_scratch=lambda hidden: hidden + 2,
    ),
    presentation=Presentation(HigherCardView),
)
