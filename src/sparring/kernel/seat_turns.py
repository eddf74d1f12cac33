"""Turns of many games in which the seats see different things: each seat's values form a chain of their own. For cores.

A seat's value after its turn is the target for what it saw after its turn before. Where a game has several parts (rounds), of which
each begins anew, values are of the part: the outcome is computed from the points won in it. When a part or the game has ended, each
seat that waits for the outcome gets it, one per turn of all games, so that a turn gives at most one sample of each game.

Every other game may be played with a rival, a player that does not learn: the network has one seat, the next one in the next game.
"""

from functools import cache
from typing import Any, NamedTuple

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.deep_gradient import ZERO, forward
from sparring.kernel.launch import SEATS, forget
from sparring.kernel.maths import sigmoid
from sparring.kernel.random import below, step
from sparring.kernel.stages import Stages, write_row
from sparring.kernel.temporal import explores
from sparring.kernel.vectors import copy


class SeatGames(NamedTuple):
    """Games in progress, a row each."""

    states: Any
    deals: Any
    movers: Any  # the seats that wait for a value, as bits
    rows: Any  # per seat: the network's inputs after its last turn
    parts: Any  # the number of the present part
    points: Any  # per seat: won before this part


@kernel
def one_part(s):
    """The part of a game that has only one."""
    return 0


def valuing_turn(inputs: Any, outcome: Any) -> tuple[Any, Any]:
    """Kernels for a sample: with the network's value, and with the outcome."""

    @kernel
    def value(i, s, seat, games, samples, terms, net, weights, scratch):
        """What the network says after a seat's turn is the target for the turn before; then the chain goes on from here."""
        row, bit = games.rows[i, seat], 1 << seat
        if games.movers[i] & bit:
            copy(samples.rows[i], 0, row, 0, net.inputs)
            samples.weights[i] = 1
        row[:] = ZERO
        write_row(row, scratch.index, scratch.value, inputs(s, seat, terms[0].encoding, scratch.index, scratch.value))
        copy(scratch.units, 0, row, 0, net.inputs)
        at = forward(net, weights, scratch.units)
        for k in range(net.outputs):
            samples.targets[i, k] = sigmoid(scratch.units[at + k])
        games.movers[i] |= bit

    @kernel
    def settle(i, s, games, samples, terms):
        """The outcome of the part is the target for a seat that waits."""
        seat = 0
        while games.movers[i] >> seat & 1 == 0:
            seat += 1
        copy(samples.rows[i], 0, games.rows[i, seat], 0, len(samples.rows[i]))
        samples.weights[i] = 1
        add_points(s, games.points[i], -1)
        outcome(s, seat, terms[0].head, samples.targets[i])
        add_points(s, games.points[i], 1)
        games.movers[i] &= ~(1 << seat)

    return value, settle


@inline_kernel
def player_of(i, seat, games, terms):
    """The row of the player who has a seat: 0 for the network."""
    rivals = terms[0].rivals
    if rivals == 0 or i % 2 == 0 or games.deals[i] // terms[0].games % terms[0].seats == seat:
        return 0
    return 1 + i // 2 % rivals


@inline_kernel
def add_points(s, points, sign):
    for seat in range(SEATS):
        s.tally.score[seat] += sign * points[seat]


def beginning(start: Any, part: Any) -> tuple[Any, Any]:
    """The kernels that begin games, and a part of a game."""

    @kernel
    def note_part(i, s, games):
        """A part begins."""
        games.parts[i] = part(s)
        for seat in range(SEATS):
            games.points[i, seat] = s.tally.score[seat]

    @kernel
    def begin(first, last, games, terms):
        for i in range(first, last):
            s = games.states[i]
            start(s, terms[0].seed, games.deals[i], games.deals[i], terms[0].seats)
            note_part(i, s, games)

    return begin, note_part


@cache
def seat_stages(
    start: Any, moves: Any, choose: Any, apply: Any, inputs: Any, outcome: Any, part: Any, valued: Any
) -> Stages:
    """The stages made of a game's kernels; there are none for a GPU."""
    (value, settle), (begin, note_part) = valuing_turn(inputs, outcome), beginning(start, part)

    @kernel
    def turns(first, last, games, samples, terms, players, weights, flip, scratch):
        """A turn of each of these games, chosen by the game's own policy, or the outcome for a seat; and its sample."""
        net = players[0]
        for i in range(first, last):
            s = games.states[i]
            samples.weights[i] = 0
            if s.over == 0 and part(s) == games.parts[i]:
                seat = s.turn
                row = player_of(i, seat, games, terms)
                at_value = False
                while s.over == 0 and s.turn == seat and not at_value:
                    if row == 0 and explores(s, terms[0].explore):
                        s.luck[seat] = step(s.luck[seat])
                        apply(s, scratch.ints[below(s.luck[seat], moves(s, scratch.ints))])
                        forget(scratch.ints)
                    else:
                        apply(s, choose(s, players[row], weights, scratch.floats, scratch.ints))
                    at_value = row == 0 and valued(s, seat, net.encoding)
                if s.over != 0 or part(s) == games.parts[i]:
                    if row == 0:
                        value(i, s, seat, games, samples, terms, net, weights, scratch)
                    continue
            if games.movers[i]:
                settle(i, s, games, samples, terms)
            if games.movers[i] == 0:
                if s.over != 0:
                    games.deals[i] += terms[0].games
                    begin(i, i + 1, games, terms)
                else:
                    note_part(i, s, games)

    return Stages(begin, moves, None, None, turns)
