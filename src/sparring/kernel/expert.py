"""Games with searches to learn from: some decisions of a network are searched, and every move has the mean outcome of its playouts.

A search is flat Monte Carlo: all moves are played out in the same worlds, which are random and fit what the seat knows, or are the
game as it was dealt: over many games, what is hidden is then as likely as in play, whatever it tells. A playout ends with
the part of the game that it begins in or, after so many moves, with the network's value of what the seat sees after a turn.
A decision is kept as its state, its moves and their targets; what the network sees after each move is encoded when it learns.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.dense import first_layer
from sparring.kernel.dense import forward as dense_forward
from sparring.kernel.fragments import fragment
from sparring.kernel.launch import DEEP, SEATS, forget
from sparring.kernel.network import outputs
from sparring.kernel.random import below, key, step, uniform
from sparring.kernel.seat_turns import add_points
from sparring.kernel.stages import write_row
from sparring.kernel.temporal import explores

# What all games of a step have in common.
SearchTerms = np.dtype(
    [
        ("seed", np.uint64),
        ("deal", np.int64),  # of the first game
        ("seats", np.int64),
        ("head", np.int64),
        ("input_major", np.int64),
        ("searches", np.int64),  # of a game, at most
        ("share", np.float32),  # of decisions that are searched
        ("worlds", np.int64),  # of a search
        ("dealt", np.int64),  # whether they are the state of the game itself, or fit what the seat knows
        ("depth", np.int64),  # moves of a playout after which the network's value ends it
        ("explore", np.float32),  # share of random moves
        (
            "rivals",
            np.int64,
        ),  # players after the network, with which every other game is played; the player of playouts follows
        ("level", np.float32),  # weight of the error that the moves of a decision have in common
    ],
    align=True,
)
GAME, WORLD, LINE, STATES = range(4)  # a thread's states
WORLDS, LUCK = np.uint64(2), np.uint64(1)  # streams of a search, and of a world's players
LOSS, DECISIONS, AGREED, CHOICES, MEASURES = range(
    5
)  # sums that are measured; choices are decisions with several moves


class Decisions(NamedTuple):
    """Searched decisions."""

    states: Any
    counts: Any  # moves with a target; 0 for an empty place
    moves: Any
    targets: Any  # per move, of every output


class ExpertScratch(NamedTuple):
    """One thread's scratch arrays: states, the policies' own, and those of a network's inputs and outputs."""

    states: Any
    floats: Any
    ints: Any
    moves: Any
    index: Any
    value: Any
    units: Any  # hidden units, outputs, then what deep networks need
    outputs: Any  # per move of a decision
    points: Any  # per seat: won before this part of the game


class ExpertKernels(NamedTuple):
    """One game's kernels."""

    play: Any  # play(first, last, decisions, players, weights, terms, scratch)
    encode: Any  # encode(first, last, chosen, decisions, samples, players, weights, terms, measured, scratch)
    illegal: Any  # illegal(decisions, out): the first place with a move that is not legal, or -1


@inline_kernel
def happens(s, share):
    """Whether a seat's stream says yes this time."""
    s.luck[s.turn] = step(s.luck[s.turn])
    return uniform(s.luck[s.turn]) < share


@inline_kernel
def rival_of(i, terms):
    """The row of the player who has all seats of a game but one; 0, the network itself, in every other game."""
    return 0 if terms.rivals == 0 or i % 2 == 0 else 1 + i // 2 % terms.rivals


@kernel
def network_outputs(net, weights, input_major, count, scratch, out):
    """What a network says for the inputs listed in the scratch."""
    if net.kind == DEEP:
        first_layer(net, weights, scratch.index, 0, count, scratch.value, 0, scratch.units, 0)
        outputs(net, weights, scratch.units, 0, True)
        for k in range(net.outputs):
            out[k] = scratch.units[net.hidden + k]
    else:
        dense_forward(net, weights, input_major, scratch.index, scratch.value, count, scratch.units, out)


@kernel
def limit_moves(count, most, stream, out):
    """Draw so many of the moves at random, where there are more."""
    if count > most:
        for k in range(most):
            other = k + below(key(stream, k), count - k)
            out[k], out[other] = out[other], out[k]
    return min(count, most)


def world_maker(determinize: Any) -> Any:
    """The kernel that makes a world of the game's state."""

    @kernel
    def make_world(scratch, seat, stream, dealt):
        scratch.states[WORLD] = scratch.states[GAME]
        world = scratch.states[WORLD]
        if not dealt:
            determinize(world, seat, key(stream, 0), scratch.ints)
        for other in range(SEATS):
            world.luck[other] = key(key(stream, LUCK), other)

    return make_world


def searching(choose: Any, apply: Any, inputs: Any, outcome: Any, part: Any, valued: Any, make_world: Any) -> Any:
    """The kernel that searches a decision."""

    @inline_kernel
    def is_valued(s, seat, now, encoding):
        """Whether a network values what a seat sees."""
        return s.over != 0 or (part(s) == now and (s.turn != seat or valued(s, seat, encoding)))

    @fragment
    def play_out(s, seat, now, rival, players, weights, terms, scratch, out):
        """Play a state to its end or to the network's value, and write what the network should say."""
        net, usual, made = players[0], players.size - 1, 0
        while s.over == 0 and part(s) == now:
            mover = s.turn
            player = players[rival if rival and mover != seat else usual]
            apply(s, choose(s, player, weights, scratch.floats, scratch.ints))
            made += 1
            if made >= terms.depth and mover == seat and s.over == 0 and is_valued(s, seat, now, net.encoding):
                count = inputs(s, seat, net.encoding, scratch.index, scratch.value)
                network_outputs(net, weights, terms.input_major, count, scratch, out)
                return
        add_points(s, scratch.points, -1)
        outcome(s, seat, terms.head, out)

    @kernel
    def list_valued(s, count, decisions, at, net, scratch):
        """Keep the moves after which the network values what the seat sees; returns how many."""
        kept, seat, now = 0, s.turn, part(s)
        for k in range(count):
            scratch.states[LINE] = scratch.states[GAME]
            line = scratch.states[LINE]
            apply(line, scratch.moves[k])
            if is_valued(line, seat, now, net.encoding):
                decisions.moves[at, kept] = scratch.moves[k]
                decisions.targets[at, kept, :] = 0
                kept += 1
        return kept

    @fragment
    def search(count, decisions, at, rival, players, weights, terms, scratch):
        """Play out every move of a decision in the same worlds; returns the number of moves with targets."""
        s = scratch.states[GAME]
        seat, now, stream = s.turn, part(s), key(s.luck[s.turn], WORLDS)
        count = limit_moves(count, decisions.moves.shape[1], stream, scratch.moves)
        kept = list_valued(s, count, decisions, at, players[0], scratch)
        for world in range(terms.worlds if kept else 0):
            make_world(scratch, seat, key(stream, world), terms.dealt)
            for k in range(kept):
                scratch.states[LINE] = scratch.states[WORLD]
                apply(scratch.states[LINE], np.int64(decisions.moves[at, k]))
                play_out(scratch.states[LINE], seat, now, rival, players, weights, terms, scratch, scratch.outputs[0])
                for o in range(decisions.targets.shape[2]):
                    decisions.targets[at, k, o] += scratch.outputs[0, o] / np.float32(terms.worlds)
        if kept:
            decisions.states[at] = s
            decisions.counts[at] = kept
        return kept

    return search


def encoding(apply: Any, inputs: Any) -> Any:
    """The kernel that makes a minibatch of decisions."""

    @kernel
    def share_error(at, count, decisions, samples, row, net, terms, scratch, measured):
        """Take from the targets the part of the error that all moves share, and add up what is measured."""
        best = top = 0
        for k in range(count):
            best = k if scratch.outputs[k, 0] > scratch.outputs[best, 0] else best
            top = k if decisions.targets[at, k, 0] > decisions.targets[at, top, 0] else top
        measured[AGREED] += count > 1 and best == top
        measured[CHOICES] += count > 1
        measured[DECISIONS] += 1
        for o in range(net.outputs):
            shared = np.float32(0.0)
            for k in range(count):
                error = decisions.targets[at, k, o] - scratch.outputs[k, o]
                shared += error / np.float32(count)
                measured[LOSS] += np.float64(error) * error / (count * net.outputs)
            if count > 1:
                for k in range(count):
                    samples.targets[row + k, o] -= (np.float32(1.0) - terms.level) * shared

    @kernel
    def encode(first, last, chosen, decisions, samples, players, weights, terms, measured, scratch):
        """Write the decisions from `first` to `last` - 1 of those chosen: what the seat sees after every move, and its target.

        A decision has as many rows of the samples as it can have moves; those that are not used have the weight 0.
        """
        net, most = players[0], decisions.moves.shape[1]
        for i in range(first, last):
            at, row = chosen[i], i * most
            scratch.states[GAME] = decisions.states[at]
            seat, count = scratch.states[GAME].turn, decisions.counts[at]
            for k in range(most):
                samples.weights[row + k] = k < count
            for k in range(count):
                scratch.states[LINE] = scratch.states[GAME]
                line = scratch.states[LINE]
                apply(line, np.int64(decisions.moves[at, k]))
                listed = inputs(line, seat, net.encoding, scratch.index, scratch.value)
                samples.rows[row + k, :] = 0
                write_row(samples.rows[row + k], scratch.index, scratch.value, listed)
                network_outputs(net, weights, terms[0].input_major, listed, scratch, scratch.outputs[k])
                for o in range(net.outputs):
                    samples.targets[row + k, o] = decisions.targets[at, k, o]
            share_error(at, count, decisions, samples, row, net, terms[0], scratch, measured[i])

    return encode


def playing(start: Any, moves: Any, choose: Any, apply: Any, part: Any, search: Any) -> Any:
    """The kernel that plays a game."""

    @inline_kernel
    def note_points(s, scratch):
        for seat in range(SEATS):
            scratch.points[seat] = s.tally.score[seat]

    @fragment
    def play_game(i, decisions, players, weights, terms, scratch):
        """A game of the network with itself or a rival; some of its decisions are searched before it makes its own move."""
        s, at, end = scratch.states[GAME], i * terms.searches, (i + 1) * terms.searches
        rival = rival_of(i, terms)
        start(s, terms.seed, terms.deal + i, terms.deal + i, terms.seats)
        forget(scratch.ints)
        decisions.counts[at:end] = 0
        now = part(s)
        note_points(s, scratch)
        while s.over == 0:
            if part(s) != now:
                now = part(s)
                note_points(s, scratch)
            seat = s.turn
            row = 0 if (terms.deal + i) // 2 % terms.seats == seat else rival
            if row == 0:
                count = moves(s, scratch.moves)
                if count > 1 and at < end and happens(s, terms.share):
                    at += search(count, decisions, at, rival, players, weights, terms, scratch) > 0
                if explores(s, terms.explore):
                    s.luck[seat] = step(s.luck[seat])
                    apply(s, scratch.moves[below(s.luck[seat], moves(s, scratch.moves))])
                    continue
            apply(s, choose(s, players[row], weights, scratch.floats, scratch.ints))

    return play_game


@cache
def expert(
    start: Any, moves: Any, choose: Any, apply: Any, inputs: Any, outcome: Any, part: Any, valued: Any, determinize: Any
) -> ExpertKernels:
    """The kernels made of a game's own."""
    search = searching(choose, apply, inputs, outcome, part, valued, world_maker(determinize))
    play_game = playing(start, moves, choose, apply, part, search)

    @kernel
    def play(first, last, decisions, players, weights, terms, scratch):
        for i in range(first, last):
            play_game(i, decisions, players, weights, terms[0], scratch)

    @kernel
    def illegal(decisions, out):
        for at in range(decisions.counts.size):
            count = moves(decisions.states[at], out) if decisions.counts[at] else 0
            for k in range(decisions.counts[at]):
                found = False
                for j in range(count):
                    found = found or out[j] == decisions.moves[at, k]
                if not found:
                    return at
        return -1

    return ExpertKernels(play, encoding(apply, inputs), illegal)
