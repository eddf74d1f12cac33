"""TD(lambda) for any game whose nets value what a seat sees after its turn: one game after another, learning as it plays.

After Sutton (1988) and Tesauro (1992). When a seat's turn has passed, the net values what that seat now sees; the weights
move by rate * (this value - the one before) * trace, where the trace is the sum of earlier gradients, each discounted by
lambda for every turn since. At the end the true outcome takes the value's place.

Values follow each other either through all seats, each seen as the first seat would see it (`shared`: for two seats who see
the same), or for each seat along its own turns (games with hidden cards, or more seats).

Changes are added to `target`: the weights themselves, so that learning is on line, or an array apart, so that many games
are played with the same weights and their changes averaged.
"""

import numpy as np

from sparring.kernel.compiler import kernel, leaf
from sparring.kernel.launch import SEATS
from sparring.kernel.maths import sigmoid
from sparring.kernel.random import below, step, uniform
from sparring.kernel.vectors import add_scaled, apply_sigmoid, copy, dot, scale

# Some games to learn from: played one after another by one net, whose changes are added at `target`.
Lesson = np.dtype(
    [
        ("seed", np.uint64),
        ("deal", np.int64),
        ("games", np.int64),
        ("seats", np.int64),
        ("player", np.int64),
        ("target", np.int64),
        ("rate", np.float32),
        ("trace", np.float32),
        ("discount", np.float32),
        ("explore", np.float32),
        ("shared", np.int64),
        ("columns", np.int64),
    ],
    align=True,
)


NOW = SEATS  # the slot of what is seen now; slots before it hold what each chain of values saw last


@kernel
def forward(player, weights, columns, index, value, count, hidden, outputs):
    """The net's outputs, and its hidden units' activations."""
    units, inputs, net = player.hidden, player.inputs, player.offset
    copy(hidden, 0, weights, net + inputs * units, units)
    for k in range(count):
        if columns:
            add_scaled(hidden, 0, weights, net + index[k] * units, value[k], units)
        else:
            for h in range(units):
                hidden[h] += value[k] * weights[net + h * inputs + index[k]]
    apply_sigmoid(hidden, 0, units)
    net += (inputs + 1) * units
    for k in range(player.outputs):
        total = dot(weights, net + k * units, hidden, 0, units) + weights[net + player.outputs * units + k]
        outputs[k] = sigmoid(total)


@leaf
def clear(slopes, units):
    for h in range(np.uint64(units)):
        slopes[h] = np.float32(0.0)


@leaf
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
def add_hidden_gradient(target, at, player, columns, index, value, count, slopes):
    """Add the gradient by hidden weights and biases, given how much each hidden unit's sum counts."""
    units, inputs = player.hidden, player.inputs
    add_scaled(target, at + inputs * units, slopes, 0, np.float32(1.0), units)
    for j in range(count):
        if columns:
            add_scaled(target, at + index[j] * units, slopes, 0, value[j], units)
        else:
            for h in range(units):
                target[at + h * inputs + index[j]] += value[j] * slopes[h]


@leaf
def explores(s, share):
    """Whether a seat tries something at random this time."""
    if share <= 0:
        return False
    s.luck[s.turn] = step(s.luck[s.turn])
    return uniform(s.luck[s.turn]) < share


def temporal(start, moves, choose, apply, inputs, outcome):
    """The loop over lessons, made of one game's own kernels. `mirror` says how one seat's outputs are the other's: output
    k is the other's output mirror[0, k], and 1 less it where mirror[1, k] is not 0."""

    @kernel
    def see(s, seat, slot, lesson, player, weights, mirror, seen):
        """Value what a seat sees, and keep it in a slot."""
        index, value, counts, hidden, raw, told = seen
        counts[slot, 0] = inputs(s, seat, player.encoding, index[slot], value[slot])
        counts[slot, 1] = lesson.shared and seat != 0
        forward(player, weights, lesson.columns, index[slot], value[slot], counts[slot, 0], hidden[slot], raw[slot])
        for k in range(player.outputs):
            told[slot, k] = raw[slot, k]
            if counts[slot, 1]:
                other = raw[slot, mirror[0, k]]
                told[slot, k] = np.float32(1.0) - other if mirror[1, k] else other

    @kernel
    def add_slope(slot, k, factor, target, at, player, weights, mirror, seen, slopes):
        """Add the gradient of what a slot tells as output k, times `factor`: for its own weights to `target`, for the hidden
        units to `slopes`."""
        counts, hidden, raw = seen[2], seen[3], seen[4]
        own = k
        if counts[slot, 1]:
            own = mirror[0, k]
            if mirror[1, k]:
                factor = -factor
        factor *= raw[slot, own] * (np.float32(1.0) - raw[slot, own])
        row = player.offset + (player.inputs + 1) * player.hidden + own * player.hidden
        add_hidden_slopes(weights, row, factor, hidden[slot], slopes, player.hidden)
        add_output_gradient(target, at, player, factor, own, hidden[slot])

    @kernel
    def add_slopes(slot, target, at, lesson, player, seen, slopes):
        """Hand the hidden units' slopes on to their weights."""
        add_hidden_gradient(target, at, player, lesson.columns, seen[0][slot], seen[1][slot], seen[2][slot, 0], slopes)
        clear(slopes, player.hidden)

    @kernel
    def correct(chain, lesson, player, weights, target, mirror, seen, slopes, traces):
        """Move the weights so that what a chain told last comes nearer to what is told now."""
        told = seen[5]
        clear(slopes, player.hidden)
        for k in range(player.outputs):
            change = lesson.rate * (lesson.discount * told[NOW, k] - told[chain, k])
            if lesson.trace > 0:
                add_scaled(target, lesson.target, traces[chain, k], 0, change, traces.shape[2])
            else:
                add_slope(chain, k, change, target, lesson.target, player, weights, mirror, seen, slopes)
        if lesson.trace <= 0:
            add_slopes(chain, target, lesson.target, lesson, player, seen, slopes)

    @kernel
    def follow(s, seat, chain, lesson, player, weights, mirror, seen, slopes, traces):
        """See with the weights as they are now, and let the traces fade and grow by it."""
        see(s, seat, chain, lesson, player, weights, mirror, seen)
        if lesson.trace > 0:
            clear(slopes, player.hidden)
            for k in range(player.outputs):
                trace = traces[chain, k]
                scale(trace, 0, lesson.trace * lesson.discount, traces.shape[2])
                add_slope(chain, k, np.float32(1.0), trace, 0, player, weights, mirror, seen, slopes)
                add_slopes(chain, trace, 0, lesson, player, seen, slopes)

    @kernel
    def finish(s, begun, lesson, player, weights, target, mirror, seen, slopes, traces):
        """The outcome takes the value's place."""
        for chain in range(1 if lesson.shared else s.tally.score.size):
            if begun[chain]:
                outcome(s, chain, player.outputs, seen[5][NOW])
                correct(chain, lesson, player, weights, target, mirror, seen, slopes, traces)

    @kernel
    def learn(lessons, first, last, players, weights, target, mirror, states, floats, integers, index, value, counts, hidden,
              raw, told, slopes, traces, begun):  # fmt: skip
        s = states[0]
        seen = (index, value, counts, hidden, raw, told)
        for i in range(first, last):
            lesson = lessons[i]
            player = players[lesson.player]
            for game in range(lesson.games):
                start(s, lesson.seed, lesson.deal + game, lesson.deal + game, lesson.seats)
                begun[:] = 0
                if lesson.trace > 0:
                    traces[:] = 0
                while s.over == 0:
                    seat = s.turn
                    if explores(s, lesson.explore):
                        s.luck[seat] = step(s.luck[seat])
                        apply(s, integers[below(s.luck[seat], moves(s, integers))])
                    else:
                        apply(s, choose(s, player, weights, floats, integers))
                    if s.over == 0 and s.turn != seat:
                        chain = 0 if lesson.shared else seat
                        if begun[chain]:
                            see(s, seat, NOW, lesson, player, weights, mirror, seen)
                            correct(chain, lesson, player, weights, target, mirror, seen, slopes, traces)
                        follow(s, seat, chain, lesson, player, weights, mirror, seen, slopes, traces)
                        begun[chain] = 1
                finish(s, begun, lesson, player, weights, target, mirror, seen, slopes, traces)

    return learn
