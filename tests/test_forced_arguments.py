"""`ag.function(static=…, dynamic=…)`."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest


def test_static_numbers_are_constants_of_the_graph() -> None:
    @ag.function(static=("rate", "sizes"))
    def f(x, rate, sizes):
        return x * rate + sum(range(sizes[0]))

    x = np.ones(2)
    for _ in range(3):
        assert f(x, 0.5, (3, 1)).tolist() == [3.5, 3.5]
        assert f(x, 2.0, (3, 1)).tolist() == [5.0, 5.0]
        assert f(x, 2.0, (4, 1)).tolist() == [8.0, 8.0]
        assert f(x, np.float64(2.0), (4, 2)).tolist() == [8.0, 8.0]
        assert f(x, -0.0, (4, 2)).tolist() == f(x, 0.0, (4, 2)).tolist() == [6.0, 6.0]
    assert f.signatures()[:3] == [
        "(x: f64[2], rate: 0.5, sizes[0]: 3, sizes[1]: 1)",
        "(x: f64[2], rate: 2.0, sizes[0]: 3, sizes[1]: 1)",
        "(x: f64[2], rate: 2.0, sizes[0]: 4, sizes[1]: 1)",
    ]


def test_a_static_float_is_told_from_others_without_python() -> None:
    f = ag.function(lambda x, rate: x * rate, static="rate")
    half, two, x = 0.5, 2.0, np.float64(3.0)
    for _ in range(3):
        assert f(x, half) == 1.5 and f(x, two) == 6.0 and f(x, float("0.5")) == 1.5
        assert np.signbit(f(x, -0.0)) and not np.signbit(f(x, 0.0))
    assert len(f.signatures()) == 4


def test_static_names_may_be_given_to_calls_by_name() -> None:
    f = ag.function(lambda x, *, rate=1.5, **more: x * rate * more.get("n", 1), static=["rate", "more"])
    assert f(np.float64(2.0)) == 3.0 and f(np.float64(2.0), rate=2.0) == 4.0
    assert f(np.float64(2.0), rate=2.0, n=3) == 12.0


def test_dynamic_numbers_are_inputs_from_the_first_call() -> None:
    @ag.function(dynamic=("n", "flag"))
    def f(x, n, flag):
        for _ in range(n):
            x = x + 1.0 if flag else x - 1.0
        return x

    x = np.float64(1.0)
    for n in (3, 0, 5):
        assert f(x, n, True) == 1.0 + n and f(x, n, False) == 1.0 - n
    assert f.signatures() == ["(x: f64, n: int, flag: bool)"]
    assert f.retraces == []


def test_a_dynamic_int_that_the_program_needs_is_refused() -> None:
    f = ag.function(lambda x, n: x.sum(axis=n), dynamic="n")
    for _ in range(2):
        with pytest.raises(ag.StagingError):
            f(np.ones((2, 2)), 1)


def message(f: Any, *args: Any) -> str:
    with pytest.raises(ag.StagingError) as caught:
        f(*args)
    return str(caught.value)


def test_an_array_that_is_static_stays_an_input_of_its_size() -> None:
    f = ag.function(lambda x, n: x * n, static=["x", "n"])
    for size in (2, 3, 4, 5, 4):
        assert f(np.full(size, float(size)), 2).tolist() == [2.0 * size] * size
    assert f(np.zeros(3), 2).tolist() == [0.0] * 3
    assert f.signatures() == [f"(x: f64[{size}], n: 2)" for size in (2, 3, 4, 5)]


def test_what_cannot_be_forced() -> None:
    def f(x, n):
        return x

    x = np.ones(2)
    inputs = "help: inputs of a graph are arrays, floats, bools and ints of 64 bits"
    dynamic = ag.function(f, dynamic="n")
    assert message(dynamic, x, "a") == (
        f"the argument `n` is of type str, which cannot be dynamic [AG105]\n{inputs}"
    )
    assert message(dynamic, x, 2**63) == (
        f"the argument `n` is an int of more than 64 bits, which cannot be dynamic [AG105]\n{inputs}"
    )
    for options, text in (
        ({"static": "m"}, "`f` has no parameter `m`, which `static` names"),
        ({"dynamic": ["n", "m"]}, "`f` has no parameter `m`, which `dynamic` names"),
        ({"static": "n", "dynamic": "n"}, "the parameter `n` of `f` cannot be both static and dynamic"),
    ):
        with pytest.raises(ValueError) as caught:
            ag.function(f, **options)
        assert str(caught.value) == text
