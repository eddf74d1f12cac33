"""Bits of 64-bit integers: each function is one instruction of a core and few of a GPU. Interpreted, they are plain Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.target_extension import current_target
from numba.extending import intrinsic, overload

from sparring.kernel.subwarp import numba_cuda


def lowest_bit(bits: Any) -> Any:
    """The number of the lowest bit of an integer that is not 0."""
    return np.int64((int(bits) & -int(bits)).bit_length() - 1)


def count_bits(bits: Any) -> Any:
    """How many bits are 1, in an integer that is not negative."""
    return np.int64(int(bits).bit_count())


def bit_length(bits: Any) -> Any:
    """The number of the highest bit plus 1, in an integer that is not negative; 0 for 0."""
    return np.int64(int(bits).bit_length())


def _instruction(write: Callable[[Any, Any], Any]) -> Any:
    """An instruction of a core, on an integer and with a result of 64 bits."""

    @intrinsic
    def instruction(_: Any, bits: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return write(builder, context.cast(builder, values[0], signature.args[0], types.int64))

        return types.int64(bits), code

    return instruction


_NO, _SIZE = ir.Constant(ir.IntType(1), 0), ir.Constant(ir.IntType(64), 64)  # no undefined result for 0
_trailing_zeros = _instruction(lambda builder, value: builder.cttz(value, _NO))
_ones = _instruction(lambda builder, value: builder.ctpop(value))
_length = _instruction(lambda builder, value: builder.sub(_SIZE, builder.ctlz(value, _NO)))


@overload(lowest_bit, target="generic")
def _lowest_bit(bits):
    if current_target() != "cuda":
        return lambda bits: _trailing_zeros(bits)
    cuda = numba_cuda()

    return lambda bits: types.int64(cuda.ffs(types.int64(bits))) - 1


@overload(count_bits, target="generic")
def _count_bits(bits):
    if current_target() != "cuda":
        return lambda bits: _ones(bits)
    cuda = numba_cuda()

    return lambda bits: types.int64(cuda.popc(types.int64(bits)))


@overload(bit_length, target="generic")
def _bit_length(bits):
    if current_target() != "cuda":
        return lambda bits: _length(bits)
    cuda = numba_cuda()

    return lambda bits: 64 - types.int64(cuda.clz(types.int64(bits)))
