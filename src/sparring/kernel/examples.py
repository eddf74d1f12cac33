"""Learning from examples: the inputs of a network in a game, and the value that it should have predicted.

A game plays and writes examples; a network then learns from them, some at a time, by gradient descent on the squared error. An
example may have a hint beside its target: a second target with a weight of its own.
"""

from typing import NamedTuple

import numpy as np

from sparring.kernel import dense
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.maths import sigmoid
from sparring.kernel.vectors import apply_sigmoid

MOST_INPUTS = 52  # inputs of an example that are 1; all others are 0
NO_HINT = -1.0

Example = np.dtype(
    [
        ("role", np.int16),  # the role that learns from it; -1 for none
        ("seat", np.int16),
        ("episode", np.int16),  # examples of a game, seat and episode follow each other in time and share its outcome
        ("stage", np.int16),  # of the deal: the game uses it to fill in targets later
        ("before", np.int16),  # points of the seat at that time
        ("group", np.int16),  # alternatives: the first has their number, the others 0; an example alone has 1
        ("count", np.int16),
        ("index", np.int16, (MOST_INPUTS,)),
        ("target", np.float32),
        ("hint", np.float32),
    ],
    align=True,
)

ZERO, ONE = np.float32(0.0), np.float32(1.0)


class FitOptions(NamedTuple):
    """How a network learns from examples."""

    batch: int  # examples, or groups of alternatives, of a step
    rate: np.float32
    hint_weight: np.float32
    level: np.float32  # the weight of the error that the alternatives of a group share: which is better matters more


class FitScratch(NamedTuple):
    """Scratch arrays, and Adam's running means, which lie where the weights do."""

    mean: np.ndarray
    square: np.ndarray
    gradient: np.ndarray
    hidden: np.ndarray
    slopes: np.ndarray


@kernel
def fit(net, weights, examples, order, options, scratch, steps):
    """Learn from examples in this order by Adam, after `steps` earlier steps. Returns the number of steps."""
    taken = 0
    for begin in range(0, order.shape[0], options.batch):
        for k in range(np.uint64(dense.net_size(net))):
            scratch.gradient[k] = ZERO
        pulls = 0
        for i in range(begin, min(begin + options.batch, order.shape[0])):
            first, size = order[i], max(examples[order[i]].group, 1)
            shared = shared_error(net, weights, examples, first, size, options, scratch)
            for k in range(first, first + size):
                add_gradient(net, weights, examples[k], options.hint_weight, shared, scratch)
            pulls += size
        taken += 1
        step(net, weights, ONE / np.float32(pulls), options.rate, steps + taken, scratch)
    return taken


@kernel
def bootstrap(net, weights, examples, order, most, trace, discount, hidden):
    """Replace targets by discounted lambda-returns: mixtures of the network's later values and the outcome.

    `order` has the examples of each episode from last to first; a game has `most` examples.
    """
    for i in range(1, order.shape[0]):
        later, example = examples[order[i - 1]], examples[order[i]]
        same = later.seat == example.seat and later.episode == example.episode
        if same and order[i - 1] // most == order[i] // most:
            value = predict(net, weights, later, hidden)
            example.target = discount * (value + trace * (later.target - value))


@inline_kernel
def shared_error(net, weights, examples, first, size, options, scratch):
    """The part of the error that all alternatives of a group share and that is left out; 0 for an example alone."""
    shared = ZERO
    if size > 1 and options.level < 1:
        for k in range(first, first + size):
            shared += examples[k].target - predict(net, weights, examples[k], scratch.hidden)
        shared *= (ONE - options.level) / np.float32(size)
    return shared


@inline_kernel
def predict(net, weights, example, hidden):
    """The network's value of an example; its hidden units are written to `hidden`."""
    dense.first_layer_of_ones(net, weights, example.index, example.count, hidden, 0)
    apply_sigmoid(hidden, 0, net.hidden)
    return sigmoid(dense.output_sum(net, weights, 0, hidden, 0))


@inline_kernel
def add_gradient(net, weights, example, hint_weight, shared, scratch):
    """Add the gradient of an example's error, without what it shares with its alternatives."""
    value = predict(net, weights, example, scratch.hidden)
    pull = example.target - value - shared
    if example.hint >= 0:
        pull += hint_weight * (example.hint - value)
    pull *= dense.slope(value)
    dense.clear(scratch.slopes, net.hidden)
    dense.add_hidden_slopes(net, weights, 0, pull, scratch.hidden, scratch.slopes)
    dense.add_output_gradient(scratch.gradient, 0, net, pull, 0, scratch.hidden)
    dense.add_hidden_gradient_of_ones(scratch.gradient, 0, net, example.index, example.count, scratch.slopes)


@inline_kernel
def step(net, weights, scale, rate, steps, scratch):
    """One step of Adam in single precision, `scale` times the gradient."""
    corrected, first = np.float32(dense.corrected_rate_in_kernel(rate, steps)), np.uint64(net.offset)
    for k in range(np.uint64(dense.net_size(net))):
        change, place = scale * scratch.gradient[k], first + k
        weights[place] = dense.adam(
            weights[place], change, scratch.mean, scratch.square, place, corrected, dense.SINGLE
        )
