"""The inner loops of nets, over runs of single-precision numbers inside larger arrays.

A slice takes longer than the few sums of a small net, so a run is given by where it begins. A signed index is compared with 0 at
every step, which forbids SIMD, so indices are unsigned here.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel
from sparring.kernel.maths import sigmoid

TINY = np.float32(1e-20)


ONE = np.uint64(1)


@inline_kernel
def copy(target, at, source, first, n):
    a, b = np.uint64(at), np.uint64(first)
    end = a + np.uint64(n)
    while a < end:
        target[a] = source[b]
        a += ONE
        b += ONE


@inline_kernel
def fade(target, at, factor, n):
    """Multiply, and replace by 0 what is too small to matter: arithmetic on numbers below 1e-38 takes a hundred times as long."""
    a = np.uint64(at)
    end = a + np.uint64(n)
    while a < end:
        x = target[a] * factor
        target[a] = x if abs(x) > TINY else np.float32(0.0)
        a += ONE


@inline_kernel
def add_scaled(target, at, source, first, factor, n):
    a, b = np.uint64(at), np.uint64(first)
    end = a + np.uint64(n)
    while a < end:
        target[a] += factor * source[b]
        a += ONE
        b += ONE


@inline_kernel
def apply_sigmoid(target, at, n):
    a = np.uint64(at)
    end = a + np.uint64(n)
    while a < end:
        target[a] = sigmoid(target[a])
        a += ONE


@inline_kernel
def dot(x, at, y, first, n):
    a, b = np.uint64(at), np.uint64(first)
    end = a + np.uint64(n)
    total = np.float32(0.0)
    while a < end:
        total += x[a] * y[b]
        a += ONE
        b += ONE
    return total


@inline_kernel
def sigmoid_dot(x, at, y, first, n):
    """The dot product of x with the sigmoids of y; y does not change."""
    a, b = np.uint64(at), np.uint64(first)
    end = a + np.uint64(n)
    total = np.float32(0.0)
    while a < end:
        total += x[a] * sigmoid(y[b])
        a += ONE
        b += ONE
    return total
