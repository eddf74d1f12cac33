"""Counter-based random numbers, the same bits on every processor.

A stream is one uint64. `key` makes a stream from a seed and a number, `step` advances it, and `mixed` is its random number
(Steele, Lea and Flood's SplitMix64). A stream depends on its keys alone.
"""

import math
from hashlib import blake2b

import numpy as np

from sparring.kernel.compiler import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
ONE = np.uint64(1)
S27, S30, S31, S32, S40 = (np.uint64(n) for n in (27, 30, 31, 32, 40))


@kernel
def mixed(x):
    x = (x ^ (x >> S30)) * FIRST
    x = (x ^ (x >> S27)) * SECOND
    return x ^ (x >> S31)


@kernel
def key(seed, number):
    """A separate stream for each (seed, number); nest calls for more numbers."""
    return mixed(mixed(np.uint64(seed) + GOLDEN) ^ (np.uint64(number) * GOLDEN + FIRST))


@kernel
def step(stream):
    return stream + GOLDEN


@kernel
def below(stream, n):
    """An integer from 0 to n - 1. The cast avoids mixing uint64 and int64, which would give a float64."""
    return np.int64(((mixed(stream) >> S32) * np.uint64(n)) >> S32)


@kernel
def chance(s, n):
    """An integer from 0 to n - 1, of the stream of the seat to move."""
    s.luck[s.turn] = step(s.luck[s.turn])
    return below(s.luck[s.turn], n)


@kernel
def uniform(stream):
    """A number in (0, 1), never 0, of 24 bits."""
    return (np.float64(np.int64(mixed(stream) >> S40)) + 0.5) / 16777216.0


@kernel
def normals(stream, out):
    """Fill `out` with standard normal numbers (Box and Muller)."""
    for i in range(0, out.size, 2):
        out[i], other = normal_pair(stream, i)
        if i + 1 < out.size:
            out[i + 1] = other


@kernel
def normal_pair(stream, i):
    """Numbers i and i + 1 of a stream's standard normal numbers; i is even."""
    stream += np.uint64(i + 1) * GOLDEN
    radius, angle = math.sqrt(-2.0 * math.log(uniform(stream))), 2.0 * math.pi * uniform(step(stream))
    return radius * math.cos(angle), radius * math.sin(angle)


@kernel
def shuffle(stream, items, count):
    """Shuffle the first `count` items in place; returns the advanced stream."""
    i = np.uint64(count)
    while i > ONE:
        stream = step(stream)
        j = np.uint64(below(stream, i))
        i -= ONE
        items[i], items[j] = items[j], items[i]
    return stream


def derive(seed: int, *words: int | str) -> int:
    """A seed for a named purpose, so that training, choosing and reporting never share deals."""
    stream = np.uint64(seed % 2**64)
    with np.errstate(over="ignore"):
        for word in words:
            number = int.from_bytes(blake2b(word.encode(), digest_size=8).digest()) if isinstance(word, str) else word
            stream = np.uint64(key(stream, np.uint64(number % 2**64)))
    return int(stream)
