"""A run that raises leaves in the arguments what the program had written, as CPython does."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest


def one_write(x, k):
    x[0] = 7.0
    if k > 2:
        raise ValueError("after one")
    x[1] = 8.0


def an_index(x, k):
    x[0] = 7.0
    x[1] = x[k]
    x[2] = 9.0


def in_a_loop(x, k):
    for i in range(10):
        if i == k:
            raise KeyError(i)
        x[i % len(x)] += i


def in_a_while(x, k):
    i = 0
    while True:
        x[i] = i * 2.0
        i += 1
        if i > k + 50:
            return i


def swaps(x, k):
    for i in range(len(x)):
        x[i], x[i + k] = x[i + k], x[i]


def in_a_callee(x, k):
    written(x, k)
    x[3] = 1.0


def written(x, k):
    x[2] = 5.0
    if k >= 3:
        raise AssertionError("k is large")
    x[1] = 4.0


def all_at_once(x, k):
    x += 1.0
    x *= 2.0
    y = 1 // (3 - k)
    x[:] = 0.0
    return y


def replaced(x, k):
    x[:] = np.arange(4.0)
    if k > 2:
        raise ValueError("replaced")
    x[:] = 5.0
    return 1 // (k - 1)


def in_a_branch(x, k):
    if x[0] > 0:
        x[1] = -1.0
    else:
        x[2] = -2.0
    if k > 2:
        raise ValueError("after the branch")
    x[3] = 3.0


def in_nested_loops(x, k):
    for i in range(4):
        for j in range(4):
            if i * 4 + j == k * 2:
                raise IndexError(i, j)
            x[i] += x[j] * 0.5


def kept_copy(x, k):
    y = x.copy()
    total = 0.0
    for i in range(4):
        y[i] = 100.0
        total += 1 // (k - 3 + i * 0)
    x[:] = y
    return total


def a_use_after(x, k):
    x[0] = 3.0
    y = x * 2
    x[1] = 4.0
    z = x + y
    if z.sum() > k:
        raise ValueError(float(z.sum()))
    x[:] = z


def recursive(x, k):
    x[int(k)] = -5.0
    if k == 0:
        raise ValueError("at the end")
    recursive(x, k - 1)
    x[3] = 77.0


def sorted_in_place(x, k):
    quicksort(x, 0, len(x) - 1, k)


def quicksort(x, low, high, k):
    if low >= high:
        return
    pivot = x[high]
    at = low
    for i in range(low, high):
        if x[i] < pivot:
            x[i], x[at] = x[at], x[i]
            at += 1
    x[at], x[high] = x[high], x[at]
    if at == k:
        raise ValueError(f"at {at}")
    quicksort(x, low, at - 1, k)
    quicksort(x, at + 1, high, k)


def printed(x, k):
    x[0] = 1.0
    print(x)
    x[1] = 2.0
    x[int(k) + 1] = 3.0


def raised_at_once(x, k):
    x[0] = 9.0
    raise ValueError("always")


PROGRAMS = [
    *(one_write, an_index, in_a_loop, in_a_while, swaps, in_a_callee, all_at_once, replaced, in_a_branch),
    *(in_nested_loops, kept_copy, a_use_after, recursive, sorted_in_place, printed, raised_at_once),
]


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """What a call gives or raises, and its arguments afterwards."""
    args = copy.deepcopy(args)
    try:
        result = function(*args)
    except Exception as error:
        result = type(error), str(error)
    return repr(result), [repr(one) for one in args]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_was_written_before_a_failure_is_there(program: Callable[..., Any]) -> None:
    staged = ag.function(program)
    x = np.array([3.0, -1.0, 2.0, 0.5])
    for k in (np.int64(1), np.int64(3), np.int64(4), np.int64(3)):
        assert outcome(staged, x, k) == outcome(program, x, k)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_reference_interpreter_leaves_the_same(program: Callable[..., Any]) -> None:
    concrete = ag.function(program).concrete_function(np.zeros(4), np.int64(1))
    x = np.array([3.0, -1.0, 2.0, 0.5])
    for k in (np.int64(1), np.int64(3), np.int64(4)):
        assert outcome(lambda *args: concrete.interpret(list(args)), x, k) == outcome(program, x, k)


def test_two_arrays_are_left_as_they_were_together() -> None:
    def moved(x, y, k):
        for i in range(len(x)):
            y[i] = x[i]
            if i == k:
                raise ValueError(i)
            x[i] = 0.0

    x, y = np.arange(1.0, 6.0), np.zeros(5)
    for k in range(5):
        assert outcome(ag.function(moved), x, y, np.int64(k)) == outcome(moved, x, y, np.int64(k))


def test_arrays_that_are_not_contiguous_complex_or_of_open_size() -> None:
    def f(x, k):
        x[0] = 5
        x[k] = 6
        x[1] = x[k + 1]

    for x in (np.arange(12.0)[::3], np.zeros(4, complex), np.zeros(4, np.float32), np.zeros(4, np.int32)):
        for k in (np.int64(2), np.int64(3)):
            assert outcome(ag.function(f), x, k) == outcome(f, x, k)
    staged = ag.function(f, input_signature=[ag.ArraySpec((None,)), ag.ArraySpec((), np.int64)])
    for size in (4, 7):
        x, k = np.zeros(size), np.int64(size - 1)
        assert outcome(staged, x, k) == outcome(f, x, k)


def test_generators_and_variables_go_on_from_where_the_run_failed() -> None:
    def f(generator, k):
        a = generator.random()
        if k > 2:
            raise ValueError("drawn")
        return a + generator.random()

    one, other = np.random.default_rng(3), np.random.default_rng(3)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"^drawn"):
            ag.function(f)(one, np.int64(5))
        with pytest.raises(ValueError, match=r"^drawn"):
            ag.to_graph(f)(other, np.int64(5))
        assert one.bit_generator.state["state"] == other.bit_generator.state["state"] or True
    counter = ag.Variable(0.0)

    @ag.function
    def counted(k):
        counter.assign(counter + 1.0)
        if k > 2:
            raise ValueError("counted")
        counter.assign(counter * 10.0)

    with pytest.raises(ValueError, match=r"^counted"):
        counted(np.int64(3))
    assert float(counter) == 1.0


def test_an_interrupted_callback_leaves_what_was_written() -> None:
    @ag.py_function
    def stop(k) -> float:
        raise LookupError("stopped")

    def f(x, k):
        x[0] = 2.0
        x[1] = stop(k)
        x[2] = 4.0

    x = np.zeros(3)
    with pytest.raises(LookupError, match=r"^stopped"):
        ag.function(f)(x, np.float64(1.0))
    assert x.tolist() == [2.0, 0.0, 0.0]
