"""Every program of `tests/run`: its derivative, forward and reverse, against differences of plain Python.

The point is moved a little at random, away from ties. Where differences of two widths disagree the program is
not smooth, and another point is taken.
"""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.trees import flatten
from programs import Case, cases, load

ATTEMPTS = 4

_ROWS = """updated_row row_through_a_name changed_dict list_in_a_tuple product popped_rows rows_from_before
    filtered_rows rows_of_rows appended_rows same_object_twice sliced_rows from_a_generator from_a_map"""
_SHAPES = """dicts_of_the_same_keys lists_of_several_lengths list_or_none_in_a_tuple none_in_a_dict
    falls_off_after_a_list falls_off_after_dicts list_in_a_tuple_from_a_while"""

OF_OBJECTS = (
    *("extremes:of_tuples", "list_sorting:in_place", "lists:maybe", "stacks_and_visits:next_larger("),
    "numbers_of_several_types:of_numpy",
    *(f"comprehensions_of_rows:{name}(" for name in _ROWS.split()),
    *(f"returns_of_several_shapes:{name}(" for name in _SHAPES.split()),
)
"""Programs that return objects of staged blocks, lists of such or of what may be None, or arrays of two
dtypes: these have no derivative outside."""


def is_float(value: Any) -> bool:
    return type(value) is float or (isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f")


def arguments_of(module: Any, call: str) -> tuple[str, list[Any], dict[str, Any]]:
    name, _, rest = call.partition("(")
    got: list[Any] = []
    scope = {"np": np, **vars(module), "caller": lambda *args, **kwargs: got.append((list(args), kwargs))}
    eval(f"caller({rest}", scope)
    return name, *got[0]


def moved(value: Any, draws: np.random.Generator) -> Any:
    if type(value) is float:
        return value + 0.01 * float(draws.normal())
    return np.asarray(value + 0.01 * draws.normal(size=np.shape(value))).astype(np.float64)[()]


def leaves_of(tree: Any) -> list[Any]:
    leaves: list[Any] = []
    flatten(tree, leaves)
    return leaves


class Point:
    """A program at a point, as a function of its float arguments."""

    def __init__(self, function: Callable[..., Any], args: list[Any], draws: np.random.Generator) -> None:
        self.places = [place for place, arg in enumerate(args) if is_float(arg)]
        self.args = [moved(arg, draws) if is_float(arg) else copy.deepcopy(arg) for arg in args]
        self.function = function
        self.floats = tuple(self.args[place] for place in self.places)
        self.direction = tuple(moved(np.zeros_like(arg), draws) / 0.01 for arg in self.floats)

    def plain(self, distance: float) -> Any:
        """The plain program's result at a distance along the direction."""
        args = copy.deepcopy(self.args)
        for place, tangent in zip(self.places, self.direction, strict=True):
            args[place] = args[place] + distance * tangent
        with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            return self.function(*args)

    def differences(self, width: float) -> list[Any]:
        """The derivative of each leaf of the result; ``None`` for what is no float."""
        after, before = leaves_of(self.plain(width)), leaves_of(self.plain(-width))
        with np.errstate(all="ignore"):
            return self._slopes(after, before, width)

    def _slopes(self, after: list[Any], before: list[Any], width: float) -> list[Any]:
        return [
            (np.asarray(one) - np.asarray(other)) / (2 * width) if is_float(one) else None
            for one, other in zip(after, before, strict=True)
        ]

    def is_smooth(self) -> bool:
        try:
            one, other = self.differences(1e-5), self.differences(3e-6)
        except ValueError:  # The results are other trees.
            return False
        pairs = [pair for pair in zip(one, other, strict=True) if pair[0] is not None]
        return all(np.all(np.isfinite(a)) and close(a, b) for a, b in pairs)


def close(left: Any, right: Any) -> bool:
    return bool(np.allclose(left, right, atol=1e-4, rtol=1e-4))


def smooth_point(case: Case) -> Point | None:
    """A point where the program has a derivative; ``None`` if it has no floats to differentiate."""
    module = load(case.file)
    name, args, kwargs = arguments_of(module, case.call)
    if kwargs or not any(is_float(arg) for arg in args):
        return None
    if any(isinstance(arg, np.random.Generator) for arg in args):
        return None  # Draws in a graph are a stream of their own.
    draws = np.random.default_rng(1)
    for _ in range(ATTEMPTS):
        point = Point(getattr(module, name), args, draws)
        try:
            result = point.plain(0.0)
        except (ValueError, IndexError, ZeroDivisionError, TypeError):
            return None  # What it demands of its arguments does not hold nearby.
        if not any(is_float(leaf) for leaf in leaves_of(result)):
            return None
        if point.is_smooth():
            return point
    return None


SMOOTH = [case for case in cases() if case.error is None and not str(case).startswith(OF_OBJECTS)]


@pytest.mark.filterwarnings("ignore:.* is retraced for each:UserWarning")
@pytest.mark.parametrize("case", SMOOTH, ids=str)
def test_derivative(case: Case) -> None:
    point = smooth_point(case)
    if point is None:
        return
    before = copy.deepcopy(point.args)
    expected = point.differences(1e-5)

    def of_floats(floats: tuple[Any, ...], others: list[Any]) -> Any:
        given = list(others)
        for place, value in zip(point.places, floats, strict=True):
            given[place] = value
        return point.function(*given)

    others = [None if place in point.places else arg for place, arg in enumerate(point.args)]
    with contextlib.redirect_stdout(io.StringIO()):
        want = leaves_of(point.plain(0.0))
        value, tangent = staged_jvp(of_floats)(point.floats, point.direction, others)
        value_again, pulled = staged_vjp(of_floats)(point.floats, others, cotangents_of(point.plain(0.0)))
    for one in (value, value_again):
        for leaf, other in zip(leaves_of(one), want, strict=True):
            if is_float(other):
                assert np.allclose(leaf, other, atol=1e-9, rtol=1e-9, equal_nan=True)
    for found, difference in zip(leaves_of(tangent), expected, strict=True):
        if difference is not None:
            assert close(found, difference)
    products = [
        (np.asarray(cotangent), difference)
        for cotangent, difference in zip(leaves_of(cotangents_of(point.plain(0.0))), expected, strict=True)
        if difference is not None
    ]
    right = sum(float(np.sum(cotangent * difference)) for cotangent, difference in products)
    parts = [np.asarray(one) * other for one, other in zip(pulled, point.direction, strict=True)]
    left = sum(float(np.sum(part)) for part in parts)
    scale = sum(float(np.sum(np.abs(part))) for part in parts)
    assert abs(left - right) <= 1e-4 * max(1.0, abs(right), scale)
    for one, other in zip(before, point.args, strict=True):
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other)


def cotangents_of(result: Any) -> Any:
    """Random cotangents, the same for each result of one structure."""
    draws = np.random.default_rng(2)
    leaves: list[Any] = []
    _, rebuild = flatten(result, leaves)
    return rebuild(
        [
            None
            if not is_float(leaf)
            else float(draws.normal())
            if type(leaf) is float
            else np.asarray(draws.normal(size=np.shape(leaf))).astype(leaf.dtype)[()]
            for leaf in leaves
        ]
    )


def staged_jvp(function: Callable[..., Any]) -> Callable[..., Any]:
    @ag.function
    def both(floats: Any, direction: Any, others: Any) -> Any:
        return ag.jvp(lambda *xs: function(xs, others), floats, direction)

    return both


def staged_vjp(function: Callable[..., Any]) -> Callable[..., Any]:
    @ag.function
    def both(floats: Any, others: Any, cotangents: Any) -> Any:
        value, pull = ag.vjp(lambda *xs: function(xs, others), *floats)
        return value, pull(cotangents)

    return both


def test_most_programs_have_a_derivative() -> None:
    """The test above says nothing of programs without one: here is how many it is about."""
    assert sum(smooth_point(case) is not None for case in SMOOTH) >= 270
