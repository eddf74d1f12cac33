"""Runs of single-precision numbers inside larger arrays, by where they begin: the inner loops of nets.

A slice costs more than the few sums of a small net; and a signed index is checked for being negative at every
step, which forbids SIMD. So places are unsigned here.
"""

import numpy as np

from sparring.kernel.compiler import leaf
from sparring.kernel.maths import sigmoid

TINY = np.float32(1e-20)


@leaf
def copy(target, at, source, first, n):
    a, b = np.uint64(at), np.uint64(first)
    for i in range(np.uint64(n)):
        target[a + i] = source[b + i]


@leaf
def fade(target, at, factor, n):
    """Multiply, and let what has become too small to matter be 0: numbers below 1e-38 take processors a hundred times as long."""
    a = np.uint64(at)
    for i in range(np.uint64(n)):
        x = target[a + i] * factor
        target[a + i] = x if abs(x) > TINY else np.float32(0.0)


@leaf
def add_scaled(target, at, source, first, factor, n):
    a, b = np.uint64(at), np.uint64(first)
    for i in range(np.uint64(n)):
        target[a + i] += factor * source[b + i]


@leaf
def apply_sigmoid(target, at, n):
    a = np.uint64(at)
    for i in range(np.uint64(n)):
        target[a + i] = sigmoid(target[a + i])


@leaf
def dot(x, at, y, first, n):
    a, b = np.uint64(at), np.uint64(first)
    total = np.float32(0.0)
    for i in range(np.uint64(n)):
        total += x[a + i] * y[b + i]
    return total
