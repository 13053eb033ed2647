"""Derivatives at every point, to third order, forward and reverse: exact, or the documented convention.

The table of conventions in docs/gradients.md is that of `domains.CONVENTIONS`: `AG_BLESS=1` writes it.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import mpmath as mp
import numpy as np
import pytest
from domains import CONVENTIONS, EXACT, Convention, Exact

DOCUMENT = Path(__file__).parent.parent / "docs" / "gradients.md"
HEAD = "| function | where | its derivative |\n| --- | --- | --- |\n"

MODES = {1: ("f", "r"), 2: ("ff", "rr", "fr", "rf"), 3: ("fff", "rrr", "rrf")}
"""Which modes are nested in which, the inner one first: `f` is forward, `r` reverse."""


def forward(function: Callable[..., Any], place: int) -> Callable[..., Any]:
    """The derivatives of an element-wise function by an argument, by their tangents."""

    def derivative(*args: Any) -> Any:
        along = lambda x: function(*args[:place], x, *args[place + 1 :])  # noqa: E731
        return ag.jvp(along, (args[place],), (np.ones_like(args[place]),))[1]

    return derivative


def reverse(function: Callable[..., Any], place: int) -> Callable[..., Any]:
    """The same, by their adjoints."""
    return ag.grad(lambda *args: np.sum(function(*args)), place)


def nested(function: Callable[..., Any], modes: str, places: tuple[int, ...]) -> Callable[..., Any]:
    for mode, place in zip(modes, places, strict=True):
        function = (forward if mode == "f" else reverse)(function, place)
    return function


def exact_at(case: Exact, point: tuple[float, ...], counts: tuple[int, ...]) -> float:
    """A mixed derivative of a function in `mpmath`, each argument with steps of its own size."""
    return derivative_of(case.exact, point, counts)


@functools.cache  # By several variables, and for several dtypes, it is asked for again.
def derivative_of(exact: Callable[..., Any], point: tuple[float, ...], counts: tuple[int, ...]) -> float:
    numbers = [mp.mpf(float(x)) for x in point]
    steps = [(abs(x) or max(map(abs, numbers)) or mp.mpf(1)) * mp.mpf(10) ** -12 for x in numbers]

    def along(place: int, fixed: tuple[Any, ...]) -> Any:
        if place == len(numbers):
            return exact(*fixed)
        inner = lambda x: along(place + 1, (*fixed, x))  # noqa: E731
        count = counts[place]
        return mp.diff(inner, numbers[place], count, h=steps[place]) if count else inner(numbers[place])

    with mp.workdps(100):
        return float(along(0, ()))


def labels(cases: list[Any]) -> list[str]:
    return [f"{number}: {getattr(case, 'name', None) or case.function}" for number, case in enumerate(cases)]


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("case", EXACT, ids=labels(EXACT))
def test_derivatives_are_exact(case: Exact, dtype: Any, order: int) -> None:
    columns = case.columns(dtype)
    points = list(zip(*columns, strict=True))
    tolerance = 1e-11 if dtype == np.float64 else 2e-4
    for places in itertools.product(range(len(columns)), repeat=order):
        counts = tuple(places.count(place) for place in range(len(columns)))
        with np.errstate(over="ignore"):
            wanted = np.array([exact_at(case, point, counts) for point in points]).astype(dtype)
        for modes in MODES[order]:
            found = nested(case.function, modes, places)(*columns)
            assert found.dtype == dtype
            message = f"{case.name} by {places}, {modes}, at {points}"
            np.testing.assert_allclose(found, wanted, tolerance, tolerance / 100, err_msg=message)


@pytest.mark.parametrize("case", EXACT, ids=labels(EXACT))
def test_a_staged_function_has_the_same_derivatives(case: Exact) -> None:
    columns = case.columns(np.float64)
    gradient = nested(case.function, "rf", (0, len(columns) - 1))
    np.testing.assert_array_equal(ag.function(gradient)(*columns), gradient(*columns))
    if case.name != "unwrap":  # Its elements depend on each other.
        rows = ag.vmap(gradient)(*(column[:, np.newaxis] for column in columns))
        np.testing.assert_array_equal(rows[:, 0], gradient(*columns))


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for _ in range(3):
        size = abs(x)
        if size < 10:
            total = total + size**2
    return total


def test_squares_of_the_sizes_of_python_numbers() -> None:
    for function, second in (
        (lambda x: abs(x) ** 2, 2.0),
        (lambda x: abs(x) ** 2.0, 2.0),
        (lambda x: abs(x) * abs(x), 2.0),
        (lambda x: abs(complex(x, x)) ** 2, 4.0),
        (in_a_loop, 6.0),
    ):
        for x in (0.0, -0.0, 1.5):
            assert ag.grad(function)(x) == second * x
            assert ag.grad(ag.grad(function))(x) == pytest.approx(second)
            assert ag.jvp(ag.grad(function), (x,), (1.0,))[1] == pytest.approx(second)


def assert_convention(message: str, found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.asarray(found), wanted, 1e-12, 1e-12, err_msg=message)


@pytest.mark.parametrize("case", CONVENTIONS, ids=labels(CONVENTIONS))
def test_conventions(case: Convention) -> None:
    for function, point, orders in case.points:
        args = tuple(map(np.float64, point))
        for order, values in enumerate(orders, 1):
            for places in itertools.product(range(len(args)), repeat=order):
                wanted = values
                for place in places if len(args) > 1 else ():
                    wanted = wanted[place]
                for modes in MODES[order]:
                    with np.errstate(all="ignore"):
                        found = nested(function, modes, places)(*args)
                    assert_convention(f"{case.function} at {point} by {places}, {modes}", found, wanted)


@pytest.mark.parametrize("case", CONVENTIONS, ids=labels(CONVENTIONS))
def test_conventions_of_arrays(case: Convention) -> None:
    for function, point, wanted in case.arrays:
        for made in (ag.grad, ag.jacfwd, ag.jacrev):
            assert_convention(f"{case.function} at {point}", made(function)(point), wanted)


def test_the_table_of_conventions() -> None:
    rows = [f"| {row.function} | {row.where} | {row.derivative} |\n" for row in CONVENTIONS]
    before, _, rest = DOCUMENT.read_text().partition(HEAD)
    after = rest[rest.index("\n\n") + 1 :]
    text = before + HEAD + "".join(rows) + after
    if os.environ.get("AG_BLESS"):
        DOCUMENT.write_text(text)
    assert DOCUMENT.read_text() == text, "AG_BLESS=1 writes it anew"
