"""Rows of numbers, one per candidate: what a network's units add to the values of all candidates at once."""

import numpy as np

from sparring.kernel.compiler import inline_kernel
from sparring.kernel.maths import sigmoid

VALUES = 0  # where the candidates' values begin in the float scratch


@inline_kernel
def fill(scratch, at, value, n):
    a = np.uint64(at)
    for i in range(np.uint64(n)):
        scratch[a + i] = value


@inline_kernel
def add_unit(scratch, row, total, weight, n):
    """Add one unit's contribution to n values."""
    a, b = np.uint64(VALUES), np.uint64(row)
    for i in range(np.uint64(n)):
        scratch[a + i] += weight * sigmoid(total + scratch[b + i])


@inline_kernel
def add_four_units(scratch, row, length, sums, stride, weights, out, n):
    """Add four units' contributions in one loop, which takes two thirds of the time of four loops."""
    a, b, c = np.uint64(VALUES), np.uint64(row), np.uint64(row + length)
    d, e = np.uint64(row + 2 * length), np.uint64(row + 3 * length)
    t, u, v, w = scratch[sums], scratch[sums + stride], scratch[sums + 2 * stride], scratch[sums + 3 * stride]
    p, q, r, s = weights[out], weights[out + 1], weights[out + 2], weights[out + 3]
    for i in range(np.uint64(n)):
        value = scratch[a + i] + p * sigmoid(t + scratch[b + i])
        value += q * sigmoid(u + scratch[c + i])
        value += r * sigmoid(v + scratch[d + i])
        scratch[a + i] = value + s * sigmoid(w + scratch[e + i])


@inline_kernel
def add_constant(scratch, at, value, n):
    a = np.uint64(at)
    for i in range(np.uint64(n)):
        scratch[a + i] += value
