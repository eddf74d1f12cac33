"""Sets of small numbers as the bits of one whole number (int64, not negative): a loop over a set takes the highest number first."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.target_extension import current_target
from numba.extending import intrinsic, overload

from sparring.kernel.subwarp import numba_cuda


def highest(bits: int) -> int:
    """The highest number of a set that is not empty."""
    return int(bits).bit_length() - 1


def how_many(bits: int) -> int:
    """How many numbers a set has."""
    return int(bits).bit_count()


@intrinsic
def _leading_zeros(_context: Any, bits: Any) -> Any:
    def code(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@intrinsic
def _ones(_context: Any, bits: Any) -> Any:
    def code(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), code


@overload(highest, target="generic")
def _highest(bits):
    if current_target() != "cuda":
        return lambda bits: 63 - _leading_zeros(bits)
    cuda = numba_cuda()

    return lambda bits: 63 - cuda.clz(bits)


@overload(how_many, target="generic")
def _how_many(bits):
    if current_target() != "cuda":
        return lambda bits: _ones(bits)
    cuda = numba_cuda()

    return lambda bits: cuda.popc(bits)
