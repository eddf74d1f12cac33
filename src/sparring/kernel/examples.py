"""Learning from examples: what a net saw in a game, and what it should have said.

A game plays and writes examples (its `Lessons`); a net then learns from them, some at a time, by gradient descent on the squared
error. An example may have a hint beside its target, which pulls as a second target with a weight of its own.
"""

import math

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.maths import sigmoid
from sparring.kernel.vectors import TINY, add_scaled, apply_sigmoid, copy, dot

MOST_INPUTS = 52  # inputs of an example that are 1; all others are 0
NO_HINT = -1.0

Example = np.dtype(
    [
        ("role", np.int16),  # whose; -1 for none
        ("seat", np.int16),
        ("stage", np.int16),  # of the deal: what a game needs to fill in targets later
        ("before", np.int16),  # points that the seat had then
        (
            "group",
            np.int16,
        ),  # of alternatives: how many the first of them begins, 0 for the others; 1 for an example alone
        ("count", np.int16),
        ("index", np.int16, (MOST_INPUTS,)),
        ("target", np.float32),
        ("hint", np.float32),
    ],
    align=True,
)

ZERO, ONE = np.float32(0.0), np.float32(1.0)
SOONER, LATER, SMALL = 0.9, 0.999, np.float32(1e-8)  # Adam's usual numbers


@kernel
def fit(
    weights,
    at,
    inputs,
    units,
    examples,
    order,
    batch,
    rate,
    hint_weight,
    level,
    first_moment,
    second_moment,
    steps,
    gradient,
    hidden,
    slopes,
):
    """Learn from examples in this order, `batch` at a time, by Adam (Kingma and Ba 2015); `steps` were taken before. Returns the
    steps taken now. Of alternatives what all of them are wrong by pulls by `level` alone: it matters which of them is better."""
    out, count = at + (inputs + 1) * units, (inputs + 2) * units + 1
    taken = 0
    for begin in range(0, order.shape[0], batch):
        end = min(begin + batch, order.shape[0])
        for k in range(np.uint64(count)):
            gradient[k] = np.float32(0.0)
        pulls = 0
        for i in range(begin, end):
            first, size = order[i], max(examples[order[i]].group, 1)
            shared = ZERO
            if size > 1 and level < 1:
                for k in range(first, first + size):
                    shared += examples[k].target - told(weights, at, inputs, units, out, examples[k], hidden)
                shared *= (ONE - level) / np.float32(size)
            for k in range(first, first + size):
                add_gradient(
                    weights, at, inputs, units, out, examples[k], hint_weight, shared, gradient, hidden, slopes
                )
            pulls += size
        taken += 1
        adam(
            weights,
            at,
            count,
            gradient,
            ONE / np.float32(pulls),
            rate,
            first_moment,
            second_moment,
            steps + taken,
        )
    return taken


@inline_kernel
def told(weights, at, inputs, units, out, example, hidden):
    """What the net says of an example."""
    copy(hidden, 0, weights, at + inputs * units, units)
    for k in range(example.count):
        add_scaled(hidden, 0, weights, at + example.index[k] * units, ONE, units)
    apply_sigmoid(hidden, 0, units)
    return sigmoid(dot(weights, out, hidden, 0, units) + weights[out + units])


@inline_kernel
def add_gradient(weights, at, inputs, units, out, example, hint_weight, shared, gradient, hidden, slopes):
    """Add how an example would have the weights move, but for the error that it shares with its alternatives."""
    value = told(weights, at, inputs, units, out, example, hidden)
    pull = example.target - value - shared
    if example.hint >= 0:
        pull += hint_weight * (example.hint - value)
    pull *= value * (ONE - value)
    first = np.uint64(out)
    for h in range(np.uint64(units)):
        slopes[h] = pull * weights[first + h] * hidden[h] * (ONE - hidden[h])
    add_scaled(gradient, (inputs + 1) * units, hidden, 0, pull, units)
    gradient[(inputs + 2) * units] += pull
    add_scaled(gradient, inputs * units, slopes, 0, ONE, units)
    for k in range(example.count):
        add_scaled(gradient, example.index[k] * units, slopes, 0, ONE, units)


@inline_kernel
def adam(weights, at, count, gradient, scale, rate, first_moment, second_moment, steps):
    """One step of Adam; moments lie where the weights do."""
    fresh = np.float32(rate * math.sqrt(1.0 - LATER**steps) / (1.0 - SOONER**steps))
    a, keep, stay = np.uint64(at), np.float32(SOONER), np.float32(LATER)
    for k in range(np.uint64(count)):
        g = scale * gradient[k]
        m = keep * first_moment[a + k] + (ONE - keep) * g
        v = stay * second_moment[a + k] + (ONE - stay) * g * g
        first_moment[a + k] = m if abs(m) > TINY else np.float32(0.0)
        second_moment[a + k] = v if v > TINY else np.float32(0.0)
        weights[a + k] += fresh * m / (math.sqrt(v) + SMALL)
