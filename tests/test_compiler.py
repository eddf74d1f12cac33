"""How kernels are compiled and told apart."""

from typing import Any

import numpy as np

from sparring.kernel.compiler import enclosed_numbers, kernel


def made(number: int, early: bool) -> tuple[Any, Any]:
    """Two kernels that enclose numbers; the first calls the second, which is defined after it."""

    @kernel
    def first(x):
        return second(x) + 1 if early else x

    @kernel
    def second(x):
        return x * number

    return first, second


def test_a_kernel_may_call_one_that_is_defined_after_it() -> None:
    first, second = made(3, True)
    assert first(np.int64(5)) == 16 and second(np.int64(5)) == 15


def test_kernels_of_one_function_are_told_apart_by_their_numbers() -> None:
    (first, three), (other, four) = made(3, True), made(4, True)
    assert first(np.int64(5)) == 16 and other(np.int64(5)) == 21
    three, four = (getattr(each, "py_func", each) for each in (three, four))
    assert (enclosed_numbers(three), enclosed_numbers(four)) == (" 3", " 4")
