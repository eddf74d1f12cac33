"""NumPy's `default_rng(2)` inside a kernel, bit by bit: PCG64, and `integers(n)` as in `Generator.choice`.

The author of the study makes this generator anew for every game. Its state takes three places of an array: the upper and the lower
half of the 128 bits, and the half of the last 64 bits that was not used yet, with a flag above it.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel

SEEDED = np.random.PCG64(2).state["state"]
HIGH, LOW, ADD_HIGH, ADD_LOW, TIMES_HIGH, TIMES_LOW = (
    np.uint64(half)
    for number in (SEEDED["state"], SEEDED["inc"], 0x2360ED051FC65DA44385DF649FCCF645)
    for half in divmod(number, 2**64)
)
HALF, MASK, ROTATE, WORD = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(58), np.uint64(63)
EMPTY, FLAG, ONE = np.uint64(0), np.uint64(1 << 32), np.uint64(1)


@inline_kernel
def start_draws(array, at):
    array[at], array[at + 1], array[at + 2] = HIGH, LOW, EMPTY


@inline_kernel
def upper_product(a, b):
    """The upper 64 bits of a product."""
    a1, a0, b1, b0 = a >> HALF, a & MASK, b >> HALF, b & MASK
    middle = a1 * b0 + (a0 * b0 >> HALF)
    return a1 * b1 + (middle >> HALF) + ((middle & MASK) + a0 * b1 >> HALF)


@kernel
def next_half(array, at):
    """The next 32 random bits."""
    if array[at + 2] != EMPTY:
        half = array[at + 2] & MASK
        array[at + 2] = EMPTY
        return half
    high, low = array[at], array[at + 1]
    high = high * TIMES_LOW + low * TIMES_HIGH + upper_product(low, TIMES_LOW)
    low = low * TIMES_LOW + ADD_LOW
    high += ADD_HIGH + (ONE if low < ADD_LOW else EMPTY)
    array[at], array[at + 1] = high, low
    bits, turn = high ^ low, high >> ROTATE
    bits = bits >> turn | bits << (WORD + ONE - turn & WORD)
    array[at + 2] = FLAG | bits >> HALF
    return bits & MASK


@kernel
def draw(array, at, n):
    """An integer from 0 to n - 1 (Lemire's method); one choice needs no random bits."""
    if n == 1:
        return np.int64(0)
    size = np.uint64(n)
    product = next_half(array, at) * size
    if product & MASK < size:
        least = (MASK + ONE - size) % size
        while product & MASK < least:
            product = next_half(array, at) * size
    return np.int64(product >> HALF)
