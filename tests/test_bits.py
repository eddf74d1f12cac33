"""Bits of integers: compiled and interpreted, and what Python says."""

import numpy as np

from sparring.kernel.bits import bit_length, count_bits, lowest_bit
from sparring.kernel.compiler import kernel

NUMBERS = [1, 2, 3, 1 << 51, 1 << 62, (1 << 52) - 1, *map(int, np.random.default_rng(1).integers(1, 1 << 62, 200))]


@kernel
def all_of(bits):
    return lowest_bit(bits), count_bits(bits), bit_length(bits)


def test_compiled_and_interpreted_bits_are_pythons() -> None:
    for number in NUMBERS:
        expected = (f"{number:b}"[::-1].index("1"), f"{number:b}".count("1"), len(f"{number:b}"))
        assert all_of(np.int64(number)) == expected
        assert (lowest_bit(number), count_bits(number), bit_length(number)) == expected
        assert all_of(np.uint64(number)) == expected


def test_zero_has_no_bits() -> None:
    assert all_of(np.int64(0))[1:] == (0, 0)
    assert (count_bits(0), bit_length(0)) == (0, 0)
