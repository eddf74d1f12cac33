"""Learning from examples: what a net saw in a game, and what it should have said.

A game plays and writes examples (its `Lessons`); a net then learns from them one after another by gradient descent on the squared
error. An example may have a hint beside its target, which pulls as a second target with a weight of its own.
"""

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.maths import sigmoid
from sparring.kernel.vectors import add_scaled, apply_sigmoid, copy, dot

MOST_INPUTS = 52  # inputs of an example that are 1; all others are 0
NO_HINT = -1.0

Example = np.dtype(
    [
        ("role", np.int16),  # whose; -1 for none
        ("seat", np.int16),
        ("stage", np.int16),  # of the deal: what a game needs to fill in targets later
        ("count", np.int16),
        ("index", np.int16, (MOST_INPUTS,)),
        ("target", np.float32),
        ("hint", np.float32),
    ],
    align=True,
)

ONE = np.float32(1.0)


@kernel
def fit(weights, at, inputs, units, examples, order, rate, hint_rate, hidden, slopes):
    """Learn from examples in this order; returns the sum of squared errors before each was learned."""
    out = at + (inputs + 1) * units
    total = 0.0
    for i in range(order.shape[0]):
        example = examples[order[i]]
        copy(hidden, 0, weights, at + inputs * units, units)
        for k in range(example.count):
            add_scaled(hidden, 0, weights, at + example.index[k] * units, ONE, units)
        apply_sigmoid(hidden, 0, units)
        value = sigmoid(dot(weights, out, hidden, 0, units) + weights[out + units])
        error = example.target - value
        total += error * error
        pull = rate * error
        if example.hint >= 0:
            pull += hint_rate * (example.hint - value)
        pull *= value * (ONE - value)
        first = np.uint64(out)
        for h in range(np.uint64(units)):
            slopes[h] = pull * weights[first + h] * hidden[h] * (ONE - hidden[h])
        add_scaled(weights, out, hidden, 0, pull, units)
        weights[out + units] += pull
        add_scaled(weights, at + inputs * units, slopes, 0, ONE, units)
        for k in range(example.count):
            add_scaled(weights, at + example.index[k] * units, slopes, 0, ONE, units)
    return total
