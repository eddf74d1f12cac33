"""TD(lambda) for any game whose nets value what a seat sees after its turn: one game after another, learning as it plays.

After Sutton (1988) and Tesauro (1992). When a seat's turn has passed, the net values what that seat now sees; the weights
move by rate * (this value - the one before) * trace, where the trace is the sum of earlier gradients, each discounted by
lambda for every turn since. At the end the true outcome takes the value's place.

Values follow each other either through all seats, each seen as the first seat would see it (`shared`: for two seats who see
the same), or for each seat along its own turns (games with hidden cards, or more seats).

Changes are added to `target`: the weights themselves, so that learning is on line, or an array apart, so that many games
are played with the same weights and their changes averaged.

One net plays itself; or it learns from games with a player that does not; or two play a duel (Kotnik and Kalita 2003): each
learns from its own turns and, after some pairs of games with the seats exchanged, the winner's weights are copied to both.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS, forget
from sparring.kernel.maths import sigmoid
from sparring.kernel.random import below, key, normals, step, uniform
from sparring.kernel.vectors import add_scaled, apply_sigmoid, copy, dot, fade

# Some games to learn from, one after another: by one net, or by two players; changes are added at `target`.
TDJob = np.dtype(
    [
        ("seed", np.uint64),
        ("deal", np.int64),
        ("games", np.int64),
        ("seats", np.int64),
        ("player", np.int64, (2,)),
        ("target", np.int64, (2,)),
        (
            "sides",
            np.int64,
        ),  # 1: the first player sits everywhere; 2: both, with the seats exchanged in every other game
        ("taught", np.int64),  # how many of them learn
        ("rivals", np.int64),  # players from the second on that take turns with it, deal by deal
        ("duel", np.int64),  # pairs of games after which the winner is copied; 0 for never
        ("by_score", np.int64),  # who wins the duel: by points, else by games
        ("lower_is_better", np.int64),
        ("rate", np.float32),
        ("trace", np.float32),
        ("discount", np.float32),
        ("explore", np.float32),  # share of moves made at random
        ("noise", np.float32),  # deviation of what is added to the weights that choose
        ("head", np.int64),  # which of the game's outputs a net tells
        ("finals", np.int64),  # whether the state after the last turn is valued too
        ("perfect_information", np.int64),
        ("input_major", np.int64),
    ],
    align=True,
)


NOW = SEATS  # the slot of what is seen now; slots before it hold what each chain of values saw last

NOTHING = np.float32(1e-15)  # times a trace, which is 0 or above TINY, no smaller number than processors are quick with


@kernel
def forward(player, weights, input_major, index, value, count, hidden, outputs):
    """The net's outputs, and its hidden units' activations."""
    units, inputs, net = player.hidden, player.inputs, player.offset
    copy(hidden, 0, weights, net + inputs * units, units)
    for k in range(count):
        if input_major:
            add_scaled(hidden, 0, weights, net + index[k] * units, value[k], units)
        else:
            for h in range(units):
                hidden[h] += value[k] * weights[net + h * inputs + index[k]]
    apply_sigmoid(hidden, 0, units)
    net += (inputs + 1) * units
    for k in range(player.outputs):
        total = dot(weights, net + k * units, hidden, 0, units) + weights[net + player.outputs * units + k]
        outputs[k] = sigmoid(total)


@inline_kernel
def clear(slopes, units):
    for h in range(np.uint64(units)):
        slopes[h] = np.float32(0.0)


@inline_kernel
def add_hidden_slopes(weights, row, factor, hidden, slopes, units):
    """Add how much each hidden unit's sum moves an output whose weights begin at `row`, times `factor`."""
    first = np.uint64(row)
    for h in range(np.uint64(units)):
        slopes[h] += factor * weights[first + h] * hidden[h] * (np.float32(1.0) - hidden[h])


@kernel
def add_output_gradient(target, at, player, factor, k, hidden):
    """Add to `target`, from `at` on, the gradient of output k by its own weights and bias, times `factor`."""
    edge = (player.inputs + 1) * player.hidden
    add_scaled(target, at + edge + k * player.hidden, hidden, 0, factor, player.hidden)
    target[at + edge + player.outputs * player.hidden + k] += factor


@kernel
def add_hidden_gradient(target, at, player, input_major, index, value, count, slopes):
    """Add the gradient by hidden weights and biases, given how much each hidden unit's sum counts."""
    units, inputs = player.hidden, player.inputs
    add_scaled(target, at + inputs * units, slopes, 0, np.float32(1.0), units)
    for j in range(count):
        if input_major:
            add_scaled(target, at + index[j] * units, slopes, 0, value[j], units)
        else:
            for h in range(units):
                target[at + h * inputs + index[j]] += value[j] * slopes[h]


@inline_kernel
def explores(s, share):
    """Whether a seat tries something at random this time."""
    if share <= 0:
        return False
    s.luck[s.turn] = step(s.luck[s.turn])
    return uniform(s.luck[s.turn]) < share


@inline_kernel
def side_of(seat, job, turned):
    """Which of the lesson's players sits in a seat."""
    return (seat + turned) % 2 if job.sides == 2 else 0


@kernel
def net_size(player):
    return (player.inputs + 1) * player.hidden + (player.hidden + 1) * player.outputs


@kernel
def disturb(player, weights, acting, job, luck, side):
    """Choose in this game by weights with noise added: exploration that is of one mind for a whole game (Plappert et al. 2018)."""
    first, last = player.offset, player.offset + net_size(player)
    normals(key(key(key(job.seed, 3), luck), side), acting[first:last])
    for k in range(first, last):
        acting[k] = weights[k] + job.noise * acting[k]


@kernel
def count_duel(s, job, turned, won):
    """Add a game to what each side has won of the duel, in games or in points."""
    for seat in range(2):
        ahead = s.tally.score[seat] - s.tally.score[1 - seat]
        if job.lower_is_better:
            ahead = -ahead
        if ahead > 0:
            won[side_of(seat, job, turned)] += ahead if job.by_score else 1


@kernel
def settle_duel(players, job, weights, won):
    """Copy the winner's weights to both; who won as much as the other keeps its own."""
    if won[0] != won[1]:
        better = 0 if won[0] > won[1] else 1
        copy(weights, job.target[1 - better], weights, job.target[better], net_size(players[job.player[better]]))
    won[:] = 0


def temporal(start: Any, moves: Any, choose: Any, apply: Any, inputs: Any, outcome: Any) -> Callable[..., None]:
    """The loop over lessons, made of one game's own kernels. `mirror` says how one seat's outputs are the other's: output
    k is the other's output mirror[0, k], and 1 less it where mirror[1, k] is not 0."""

    @kernel
    def see(s, seat, slot, job, player, weights, flip, seen):
        """Value what a seat sees, and keep it in a slot."""
        index, value, counts, hidden, raw, told = seen
        counts[slot, 0] = inputs(s, seat, player.encoding, index[slot], value[slot])
        counts[slot, 1] = job.perfect_information and seat != 0
        forward(player, weights, job.input_major, index[slot], value[slot], counts[slot, 0], hidden[slot], raw[slot])
        for k in range(player.outputs):
            told[slot, k] = raw[slot, k]
            if counts[slot, 1]:
                other = raw[slot, flip[0, k]]
                told[slot, k] = np.float32(1.0) - other if flip[1, k] else other

    @kernel
    def add_slope(slot, k, factor, target, at, player, weights, flip, seen, slopes):
        """Add the gradient of what a slot tells as output k, times `factor`: for its own weights to `target`, for the hidden
        units to `slopes`."""
        counts, hidden, raw = seen[2], seen[3], seen[4]
        own = k
        if counts[slot, 1]:
            own = flip[0, k]
            if flip[1, k]:
                factor = -factor
        factor *= raw[slot, own] * (np.float32(1.0) - raw[slot, own])
        row = player.offset + (player.inputs + 1) * player.hidden + own * player.hidden
        add_hidden_slopes(weights, row, factor, hidden[slot], slopes, player.hidden)
        add_output_gradient(target, at, player, factor, own, hidden[slot])

    @kernel
    def add_slopes(slot, target, at, job, player, seen, slopes):
        """Hand the hidden units' slopes on to their weights."""
        add_hidden_gradient(target, at, player, job.input_major, seen[0][slot], seen[1][slot], seen[2][slot, 0], slopes)
        clear(slopes, player.hidden)

    @kernel
    def correct(chain, job, discount, player, weights, target, at, flip, seen, slopes, traces):
        """Move the weights so that what a chain told last comes nearer to what is told now."""
        told = seen[5]
        clear(slopes, player.hidden)
        for k in range(player.outputs):
            change = job.rate * (discount * told[NOW, k] - told[chain, k])
            if job.trace <= 0:
                add_slope(chain, k, change, target, at, player, weights, flip, seen, slopes)
            elif abs(change) > NOTHING:
                add_scaled(target, at, traces[chain, k], 0, change, traces.shape[2])
        if job.trace <= 0:
            add_slopes(chain, target, at, job, player, seen, slopes)

    @kernel
    def follow(s, seat, chain, job, player, weights, flip, seen, slopes, traces):
        """See with the weights as they are now, and let the traces fade and grow by it."""
        see(s, seat, chain, job, player, weights, flip, seen)
        if job.trace > 0:
            clear(slopes, player.hidden)
            for k in range(player.outputs):
                trace = traces[chain, k]
                fade(trace, 0, job.trace * job.discount, traces.shape[2])
                add_slope(chain, k, np.float32(1.0), trace, 0, player, weights, flip, seen, slopes)
                add_slopes(chain, trace, 0, job, player, seen, slopes)

    @kernel
    def learn_turn(s, seat, job, player, weights, target, at, flip, seen, slopes, traces, begun):
        """A seat's turn has passed: what its chain told before moves towards what it tells now."""
        chain = 0 if job.perfect_information else seat
        if begun[chain]:
            see(s, seat, NOW, job, player, weights, flip, seen)
            correct(chain, job, job.discount, player, weights, target, at, flip, seen, slopes, traces)
        follow(s, seat, chain, job, player, weights, flip, seen, slopes, traces)
        begun[chain] = 1

    @kernel
    def finish(s, begun, job, turned, players, weights, target, flip, seen, slopes, traces):
        """The outcome takes the value's place."""
        for chain in range(1 if job.perfect_information else s.tally.score.size):
            side = side_of(chain, job, turned)
            if begun[chain]:
                outcome(s, chain, job.head, seen[5][NOW])
                correct(chain, job, np.float32(1.0), players[job.player[side]], weights, target, job.target[side],
                        flip, seen, slopes, traces)  # fmt: skip

    @kernel
    def learn_game(
        s,
        job,
        turned,
        rival,
        players,
        weights,
        acting,
        target,
        flip,
        float_scratch,
        int_scratch,
        seen,
        slopes,
        traces,
        begun,
    ):
        """One game, learned from as it is played."""
        begun[:] = 0
        forget(int_scratch)
        if job.trace > 0:
            traces[:] = 0
        while s.over == 0:
            seat = s.turn
            side = side_of(seat, job, turned)
            player = players[rival if side else job.player[0]]
            if side < job.taught and explores(s, job.explore):
                s.luck[seat] = step(s.luck[seat])
                apply(s, int_scratch[below(s.luck[seat], moves(s, int_scratch))])
            else:
                apply(s, choose(s, player, acting, float_scratch, int_scratch))
            if side < job.taught and (job.finals if s.over else s.turn != seat):
                learn_turn(s, seat, job, player, weights, target, job.target[side], flip, seen, slopes, traces, begun)
                forget(int_scratch)
        finish(s, begun, job, turned, players, weights, target, flip, seen, slopes, traces)

    @kernel
    def learn(jobs, first, last, players, weights, acting, target, flip, states, float_scratch, int_scratch, index, value, counts,
              hidden, raw, told, slopes, traces, begun, won):  # fmt: skip
        s = states[0]
        seen = (index, value, counts, hidden, raw, told)
        for i in range(first, last):
            job = jobs[i]
            won[:] = 0
            for game in range(job.games):
                deal, luck, turned, rival = job.deal + game, job.deal + game, 0, job.player[1]
                if job.sides == 2:
                    deal, luck, turned = job.deal + game // 2, 2 * job.deal + game, game % 2
                    rival = job.player[1] + deal % job.rivals
                start(s, job.seed, deal, luck, job.seats)
                if job.noise > 0:
                    for side in range(job.taught):
                        disturb(players[job.player[side]], weights, acting, job, luck, side)
                learn_game(s, job, turned, rival, players, weights, acting, target, flip, float_scratch, int_scratch, seen, slopes,
                           traces, begun)  # fmt: skip
                if job.duel:
                    count_duel(s, job, turned, won)
                    if game % (2 * job.duel) == 2 * job.duel - 1:
                        settle_duel(players, job, weights, won)

    return learn
