"""A move of many games in stages, so that a large network values the positions of all games together.

Expand lists the legal moves of every game, the candidates, in one buffer. Encode writes the network's inputs after each candidate.
The network then values them in matrix products, elsewhere. Play takes the best candidate of every game and leaves a sample to learn
from: the position that the last mover had left, and what the network says of it one move later. A game that ends starts again.

The stages are made of a game's own rules, whose `apply` must reveal nothing that a value should not know. On cores the game's own
policy chooses: it values a move by what it changes, one move after the other.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.deep_gradient import ZERO, forward
from sparring.kernel.maths import sigmoid

NOBODY = -1  # the last mover of a game that has just begun
WORST = -1e9

# What all games have in common.
Terms = np.dtype(
    [
        ("seed", np.uint64),
        ("seats", np.int64),
        ("head", np.int64),
        ("encoding", np.int64),
        ("games", np.int64),
        ("explore", np.float32),  # share of random moves
        ("rivals", np.int64),  # players after the network, with which every other game is played
        ("trace", np.float32),  # lambda
        ("exact", np.int64),  # whether targets are means over all chance outcomes
    ],
    align=True,
)


class Games(NamedTuple):
    """Games in progress, a row each."""

    states: Any
    deals: Any
    movers: Any  # the seat that made the last move, or NOBODY


class Candidates(NamedTuple):
    """Legal moves. Those of one game are contiguous."""

    cursor: Any  # one number: how many there are
    first: Any  # per game: where its moves begin
    count: Any  # and how many it has
    game: Any  # per candidate: its game
    move: Any  # and its move
    over: Any  # whether the move ends the game,
    exact: Any  # and what the network should say then
    rows: Any  # the network's inputs after the move
    outputs: Any  # and its outputs


class Samples(NamedTuple):
    """What a move of each game teaches, a row per game."""

    rows: Any  # inputs for the position that the last mover left
    targets: Any
    weights: Any  # 1, or 0 for a game that has just begun


class Scratch(NamedTuple):
    """One thread's scratch arrays on cores: the policy's, those of `forward`, a network's inputs and outputs, and for targets."""

    floats: Any
    ints: Any
    units: Any
    index: Any
    value: Any
    outputs: Any
    state: Any  # one state, to try a chance outcome
    target: Any  # outputs, as the last mover sees them
    mean: Any  # and their mean over chance outcomes


class Stages(NamedTuple):
    """One game's stages."""

    begin: Any  # begin(first, last, games, terms)
    moves: Any
    after: Any  # after(c, s, candidates, terms, index, value); s is a copy of the candidate's game
    play: Any  # play(i, s, games, candidates, samples, terms, flip, index, value)
    turns: Any  # turns(first, last, games, samples, terms, players, weights, flip, scratch): all stages, for cores
    chances: int = 0  # chance outcomes that can come before a move
    chance: Any = None  # chance(s, k): see `Rules.chance`
    add_reply: Any = None  # add_reply(i, s, share, games, candidates, terms, flip, target, means)
    tracing: Any = None  # the kernels of kernel/traces.py


@inline_kernel
def write_row(row, index, value, count):
    """Sparse inputs into a row of zeros."""
    for k in range(count):
        row[index[k]] = value[k]


@inline_kernel
def write_target(values, same_seat, flip, out):
    """The target for the last mover, from what the network says for the mover."""
    for k in range(len(out)):
        if same_seat:
            out[k] = values[k]
        else:
            out[k] = values[flip[0, k]]
            if flip[1, k]:
                out[k] = np.float32(1.0) - out[k]


@inline_kernel
def rescale(targets, scale):
    """Measure targets, of which 0.5 stands for nothing, in the unit of the position that they are for."""
    for k in range(len(targets)):
        targets[k] = min(max(0.5 + (targets[k] - 0.5) * scale, 0.0), 1.0)


@inline_kernel
def one_unit(s, head):
    """For games whose values are always measured in the same unit."""
    return 1.0


def valuing(apply: Any, inputs: Any, outcome: Any, equity: Any) -> tuple[Any, Any]:
    """Kernels for candidates: the position after one, and the best of a game."""

    @kernel
    def after(c, s, candidates, terms, index, value):
        """The position after a candidate as the mover sees it; s is changed."""
        seat = s.turn
        apply(s, np.int64(candidates.move[c]))
        candidates.over[c] = s.over != 0
        if s.over != 0:
            outcome(s, seat, terms[0].head, candidates.exact[c])
        else:
            write_row(candidates.rows[c], index, value, inputs(s, seat, terms[0].encoding, index, value))

    @kernel
    def best_of(i, candidates, head):
        first = candidates.first[i]
        best, top = first, WORST
        for c in range(first, first + candidates.count[i]):
            if candidates.over[c]:
                found = equity(head, candidates.exact[c])
            else:
                found = equity(head, candidates.outputs[c])
            if found > top:
                best, top = c, found
        return best

    return after, best_of


@kernel
def no_chance(s, k):
    """For games that do not list their chance outcomes."""
    return 1.0 if k == 0 else 0.0


@inline_kernel
def add_share(means, target, share):
    """Add a target to a mean, times its share."""
    for k in range(len(target)):
        means[k] += share * target[k]


def sampling(start: Any, inputs: Any, outcome: Any) -> tuple[Any, Any, Any]:
    """Kernels for samples: before a move, the target, and after the move."""

    @kernel
    def note(i, s, games, samples, terms, index, value):
        """The inputs of game i's sample, before the move."""
        samples.weights[i] = games.movers[i] != NOBODY
        if games.movers[i] != NOBODY:
            write_row(samples.rows[i], index, value, inputs(s, games.movers[i], terms[0].encoding, index, value))

    @kernel
    def aim(s, mover, seat, values, scale, head, flip, target):
        """The target for the last mover, after a seat's move, of which the network says `values`.

        `scale` is the unit of the values in units of the position before the move.
        """
        if s.over != 0:
            outcome(s, mover, head, target)
        else:
            write_target(values, mover == seat, flip, target)
        if scale != 1.0:
            rescale(target, scale)

    @kernel
    def finish(i, s, seat, values, scale, games, samples, terms, flip):
        """The target of game i's sample, after a seat's move; and what the game does next."""
        if games.movers[i] != NOBODY:
            aim(s, games.movers[i], seat, values, scale, terms[0].head, flip, samples.targets[i])
        games.movers[i] = seat
        if s.over != 0:
            games.movers[i] = NOBODY
            games.deals[i] += terms[0].games
            start(s, terms[0].seed, games.deals[i], games.deals[i], terms[0].seats)

    return note, aim, finish


def choosing(choose: Any, apply: Any, inputs: Any, unit: Any) -> Any:
    """A kernel for cores that moves as the game's own policy."""

    @kernel
    def move_on(s, terms, net, weights, scratch):
        """Make the policy's move and write what the network says after it; returns the unit of that by the unit before."""
        seat, before = s.turn, unit(s, terms[0].head)
        apply(s, choose(s, net, weights, scratch.floats, scratch.ints))
        if s.over == 0:
            index, value = scratch.index, scratch.value
            scratch.units[: net.inputs] = ZERO
            write_row(scratch.units, index, value, inputs(s, seat, terms[0].encoding, index, value))
            at = forward(net, weights, scratch.units)
            for k in range(net.outputs):
                scratch.outputs[k] = sigmoid(scratch.units[at + k])
        return unit(s, terms[0].head) / before

    return move_on


def expecting(move_on: Any, aim: Any, chance: Any, chances: int) -> Any:
    """A kernel for cores that computes exact targets."""

    @kernel
    def expect(i, games, terms, net, weights, flip, scratch):
        """The mean over all chance outcomes before the move of game i of what the best reply is worth to the last mover."""
        scratch.mean[:] = 0.0
        for k in range(chances):
            scratch.state[0] = games.states[i]
            s = scratch.state[0]
            share = chance(s, k)
            if share > 0.0:
                seat = s.turn
                scale = move_on(s, terms, net, weights, scratch)
                aim(s, games.movers[i], seat, scratch.outputs, scale, terms[0].head, flip, scratch.target)
                add_share(scratch.mean, scratch.target, share)

    return expect


@cache
def stages(
    start: Any, moves: Any, choose: Any, apply: Any, inputs: Any, outcome: Any, equity: Any, unit: Any = one_unit,
    chance: Any = no_chance, chances: int = 0,
) -> Stages:  # fmt: skip
    """The stages made of a game's kernels."""
    after, best_of = valuing(apply, inputs, outcome, equity)
    note, aim, finish = sampling(start, inputs, outcome)
    move_on = choosing(choose, apply, inputs, unit)
    expect = expecting(move_on, aim, chance, chances)

    @kernel
    def begin(first, last, games, terms):
        for i in range(first, last):
            start(games.states[i], terms[0].seed, games.deals[i], games.deals[i], terms[0].seats)

    @kernel
    def play(i, s, games, candidates, samples, terms, flip, index, value):
        """Play the best candidate of game i, whose state is s, and write its sample."""
        seat, best = s.turn, best_of(i, candidates, terms[0].head)
        note(i, s, games, samples, terms, index, value)
        before = unit(s, terms[0].head)
        apply(s, np.int64(candidates.move[best]))
        finish(i, s, seat, candidates.outputs[best], unit(s, terms[0].head) / before, games, samples, terms, flip)

    @kernel
    def turns(first, last, games, samples, terms, players, weights, flip, scratch):
        """On cores: a move of each of these games, chosen by the game's own policy, and its sample."""
        net, index, value = players[0], scratch.index, scratch.value
        for i in range(first, last):
            s = games.states[i]
            seat, exact = s.turn, terms[0].exact != 0 and games.movers[i] != NOBODY
            if exact:
                expect(i, games, terms, net, weights, flip, scratch)
            note(i, s, games, samples, terms, index, value)
            scale = move_on(s, terms, net, weights, scratch)
            finish(i, s, seat, scratch.outputs, scale, games, samples, terms, flip)
            if exact:
                for k in range(net.outputs):
                    samples.targets[i, k] = scratch.mean[k]

    @kernel
    def add_reply(i, s, share, games, candidates, terms, flip, target, means):
        """Add what the best of the candidates in s, the state of game i after a chance outcome, is worth to the last mover."""
        seat, best, before = s.turn, best_of(i, candidates, terms[0].head), unit(s, terms[0].head)
        apply(s, np.int64(candidates.move[best]))
        scale = unit(s, terms[0].head) / before
        aim(s, games.movers[i], seat, candidates.outputs[best], scale, terms[0].head, flip, target)
        add_share(means[i], target, share)

    return Stages(begin, moves, after, play, turns, chances, chance, add_reply)
