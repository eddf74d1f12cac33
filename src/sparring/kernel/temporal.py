"""TD(lambda) for any game whose networks value what a seat sees after its turn: one game after another, learning during play.

After Sutton (1988) and Tesauro (1992). After a seat's turn the network values what that seat now sees; the weights
move by rate * (this value - the one before) * trace, where the trace is the sum of earlier gradients, each discounted by
lambda for every turn since. At the end the true outcome takes the place of the value.

Values form chains. With perfect information and two seats there is one chain through both seats, each value seen as the first
seat would see it. Otherwise each seat has a chain along its own turns.

Changes are added to `target`: the weights themselves, so that learning is on line, or a separate array, so that many games
are played with the same weights and their changes averaged.

One network plays itself; or it learns from games with a player that does not learn; or two play a duel (Kotnik and Kalita 2003):
each learns from its own turns and, after some pairs of games with the seats exchanged, the winner's weights are copied to both.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sparring.kernel import dense
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.fragments import fragment
from sparring.kernel.launch import SEATS, forget
from sparring.kernel.random import below, key, normals, step, uniform
from sparring.kernel.vectors import add_scaled, copy, fade

# Some games to learn from, one after another: by one network, or by two players. Changes are added at `target`.
TDJob = np.dtype(
    [
        ("seed", np.uint64),
        ("deal", np.int64),
        ("games", np.int64),
        ("seats", np.int64),
        ("player", np.int64, (2,)),
        ("target", np.int64, (2,)),
        ("sides", np.int64),  # 1: the first player has all seats; 2: both, seats exchanged in every other game
        ("taught", np.int64),  # how many of them learn
        ("rivals", np.int64),  # players from the second on that take turns with it, deal by deal
        ("duel", np.int64),  # pairs of games after which the winner is copied; 0 for never
        ("by_score", np.int64),  # whether points decide the duel, or games
        ("lower_is_better", np.int64),
        ("rate", np.float32),
        ("trace", np.float32),
        ("discount", np.float32),
        ("explore", np.float32),  # share of random moves
        ("noise", np.float32),  # standard deviation of the noise on the weights that choose
        ("head", np.int64),  # which of the game's heads the network predicts
        ("finals", np.int64),  # whether the state after the last turn is valued too
        ("perfect_information", np.int64),
        ("input_major", np.int64),
    ],
    align=True,
)

NOW = SEATS  # the slot of what is seen now; the slots before it hold what each chain of values saw last
NOTHING = np.float32(1e-15)  # a trace is 0 or above TINY: times this, it is still no denormal number


class Nets(NamedTuple):
    """Who plays and who learns. `acting` are the weights that choose; `flip` is the head's (see `Learning.heads`)."""

    players: np.ndarray
    weights: np.ndarray
    acting: np.ndarray
    target: np.ndarray
    flip: np.ndarray


class Memory(NamedTuple):
    """What a job remembers: for each slot the inputs, hidden units and values; for each chain the traces."""

    inputs: np.ndarray  # their numbers
    amounts: np.ndarray  # and their values
    counts: np.ndarray  # how many there are, and whether the values are flipped
    hidden: np.ndarray
    outputs: np.ndarray
    values: np.ndarray  # the outputs, flipped where the chain's first seat is another
    slopes: np.ndarray
    traces: np.ndarray
    begun: np.ndarray  # whether the chain has a value
    won: np.ndarray  # by each side of a duel


@inline_kernel
def explores(s, share):
    """Whether a seat makes a random move this time."""
    if share <= 0:
        return False
    s.luck[s.turn] = step(s.luck[s.turn])
    return uniform(s.luck[s.turn]) < share


@inline_kernel
def side_of(seat, job, turned):
    """Which of the job's players has a seat."""
    return (seat + turned) % 2 if job.sides == 2 else 0


@kernel
def disturb(player, nets, job, luck, side):
    """Choose in this game by weights with noise: exploration that is consistent for a whole game (Plappert et al. 2018)."""
    first, last = player.offset, player.offset + dense.net_size(player)
    normals(key(key(key(job.seed, 3), luck), side), nets.acting[first:last])
    for k in range(first, last):
        nets.acting[k] = nets.weights[k] + job.noise * nets.acting[k]


@kernel
def count_duel(s, job, turned, won):
    """Add a game to the wins or points of each side of the duel."""
    for seat in range(2):
        ahead = s.tally.score[seat] - s.tally.score[1 - seat]
        if job.lower_is_better:
            ahead = -ahead
        if ahead > 0:
            won[side_of(seat, job, turned)] += ahead if job.by_score else 1


@kernel
def settle_duel(nets, job, won):
    """Copy the winner's weights to both; after a tie each keeps its own."""
    if won[0] != won[1]:
        better = 0 if won[0] > won[1] else 1
        count = dense.net_size(nets.players[job.player[better]])
        copy(nets.weights, job.target[1 - better], nets.weights, job.target[better], count)
    won[:] = 0


@inline_kernel
def value_slot(slot, job, player, nets, memory):
    """Value the inputs of a slot."""
    outputs, count = memory.outputs[slot], memory.counts[slot, 0]
    dense.forward(
        player,
        nets.weights,
        job.input_major,
        memory.inputs[slot],
        memory.amounts[slot],
        count,
        memory.hidden[slot],
        outputs,
    )
    for k in range(player.outputs):
        memory.values[slot, k] = outputs[k]
        if memory.counts[slot, 1]:
            other = outputs[nets.flip[0, k]]
            memory.values[slot, k] = np.float32(1.0) - other if nets.flip[1, k] else other


@inline_kernel
def add_slope(slot, k, factor, target, at, player, nets, memory):
    """Add the gradient of a slot's value k, times `factor`: by output weights to `target`, by hidden sums to the slopes."""
    own = k
    if memory.counts[slot, 1]:
        own = nets.flip[0, k]
        if nets.flip[1, k]:
            factor = -factor
    factor *= dense.slope(memory.outputs[slot, own])
    dense.add_hidden_slopes(player, nets.weights, own, factor, memory.hidden[slot], memory.slopes)
    dense.add_output_gradient(target, at, player, factor, own, memory.hidden[slot])


@inline_kernel
def add_slopes(slot, target, at, job, player, memory):
    """Add the gradient by hidden weights, given the slopes, and clear those."""
    count = memory.counts[slot, 0]
    dense.add_hidden_gradient(
        target, at, player, job.input_major, memory.inputs[slot], memory.amounts[slot], count, memory.slopes
    )
    dense.clear(memory.slopes, player.hidden)


@kernel
def correct(chain, job, discount, player, at, nets, memory):
    """Move the weights so that a chain's last value comes nearer to the value now."""
    dense.clear(memory.slopes, player.hidden)
    for k in range(player.outputs):
        change = job.rate * (discount * memory.values[NOW, k] - memory.values[chain, k])
        if job.trace <= 0:
            add_slope(chain, k, change, nets.target, at, player, nets, memory)
        elif abs(change) > NOTHING:
            add_scaled(nets.target, at, memory.traces[chain, k], 0, change, memory.traces.shape[2])
    if job.trace <= 0:
        add_slopes(chain, nets.target, at, job, player, memory)


@kernel
def update_traces(chain, job, player, nets, memory):
    """Let the traces of a chain fade, and add the gradient of its value."""
    dense.clear(memory.slopes, player.hidden)
    for k in range(player.outputs):
        trace = memory.traces[chain, k]
        fade(trace, 0, job.trace * job.discount, memory.traces.shape[2])
        add_slope(chain, k, np.float32(1.0), trace, 0, player, nets, memory)
        add_slopes(chain, trace, 0, job, player, memory)


def turn_learner(inputs: Any, outcome: Any) -> tuple[Any, Any]:
    """What a network learns from a turn and from the end of a game."""

    @kernel
    def see(s, seat, slot, job, player, nets, memory):
        """Value what a seat sees, and keep it in a slot."""
        memory.counts[slot, 0] = inputs(s, seat, player.encoding, memory.inputs[slot], memory.amounts[slot])
        memory.counts[slot, 1] = job.perfect_information and seat != 0
        value_slot(slot, job, player, nets, memory)

    @kernel
    def learn_turn(s, seat, job, player, at, nets, memory):
        """After a seat's turn, its chain's last value moves towards its value now; then the chain goes on from here."""
        chain = 0 if job.perfect_information else seat
        if memory.begun[chain]:
            see(s, seat, NOW, job, player, nets, memory)
            correct(chain, job, job.discount, player, at, nets, memory)
        see(s, seat, chain, job, player, nets, memory)
        if job.trace > 0:
            update_traces(chain, job, player, nets, memory)
        memory.begun[chain] = 1

    @kernel
    def finish(s, job, turned, nets, memory):
        """The outcome takes the place of the value."""
        for chain in range(1 if job.perfect_information else s.tally.score.size):
            side = side_of(chain, job, turned)
            if memory.begun[chain]:
                outcome(s, chain, job.head, memory.values[NOW])
                player = nets.players[job.player[side]]
                correct(chain, job, np.float32(1.0), player, job.target[side], nets, memory)

    return learn_turn, finish


@kernel
def only_after_turns(s, seat, encoding):
    """Whether a network values what a seat sees within its turn, for games where none does."""
    return False


def game_learner(moves: Any, choose: Any, apply: Any, valued: Any, learn_turn: Any, finish: Any) -> Any:
    """One game that is learned from during play."""

    @fragment
    def learn_game(s, job, turned, rival, nets, float_scratch, int_scratch, memory):
        memory.begun[:] = 0
        forget(int_scratch)
        if job.trace > 0:
            memory.traces[:] = 0
        while s.over == 0:
            seat = s.turn
            side = side_of(seat, job, turned)
            player = nets.players[rival if side else job.player[0]]
            if side < job.taught and explores(s, job.explore):
                s.luck[seat] = step(s.luck[seat])
                apply(s, int_scratch[below(s.luck[seat], moves(s, int_scratch))])
            else:
                apply(s, choose(s, player, nets.acting, float_scratch, int_scratch))
            if side < job.taught and (job.finals if s.over else s.turn != seat or valued(s, seat, player.encoding)):
                learn_turn(s, seat, job, player, job.target[side], nets, memory)
                forget(int_scratch)
        finish(s, job, turned, nets, memory)

    return learn_game


def temporal(
    start: Any, moves: Any, choose: Any, apply: Any, inputs: Any, outcome: Any, valued: Any = only_after_turns
) -> Callable[..., None]:
    """The loop over jobs, made of one game's own kernels."""
    learn_game = game_learner(moves, choose, apply, valued, *turn_learner(inputs, outcome))

    @kernel
    def learn(jobs, first, last, nets, states, float_scratch, int_scratch, memory):
        s = states[0]
        for i in range(first, last):
            job = jobs[i]
            memory.won[:] = 0
            for game in range(job.games):
                deal, luck, turned, rival = job.deal + game, job.deal + game, 0, job.player[1]
                if job.sides == 2:
                    deal, luck, turned = job.deal + game // 2, 2 * job.deal + game, game % 2
                    rival = job.player[1] + deal % job.rivals
                start(s, job.seed, deal, luck, job.seats)
                if job.noise > 0:
                    for side in range(job.taught):
                        disturb(nets.players[job.player[side]], nets, job, luck, side)
                learn_game(s, job, turned, rival, nets, float_scratch, int_scratch, memory)
                if job.duel:
                    count_duel(s, job, turned, memory.won)
                    if game % (2 * job.duel) == 2 * job.duel - 1:
                        settle_duel(nets, job, memory.won)

    return learn
