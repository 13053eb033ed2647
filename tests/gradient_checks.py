"""What the tests of the derivatives of NumPy's functions share: points, and what is compared at them.

A function is looked at as the loss of its float results, a weighted sum of them and their squares, which has
a second derivative even where the function is linear. Each check gives ``yes``, or the code of a located
refusal; what is wrong is an `AssertionError`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import autograph as ag
import numpy as np
from autograph._src.trees import flatten

WIDTHS = (1e-5, 3e-6)
ROWS = 3

Loss = Callable[..., Any]


def is_float(value: Any) -> bool:
    """Whether it is of floats whose differences say enough: those of 32 bits are too coarse."""
    return type(value) is float or (isinstance(value, (np.ndarray, np.generic)) and value.dtype == np.float64)


def leaves_of(tree: Any) -> list[Any]:
    leaves: list[Any] = []
    flatten(tree, leaves)
    return leaves


def quietly(function: Callable[..., Any], *args: Any) -> Any:
    """A call of plain Python, with copies of the arrays."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*[np.copy(x) if isinstance(x, np.ndarray) else x for x in args])


def close(left: Any, right: Any, tolerance: float = 2e-5) -> bool:
    left, right = np.asarray(left), np.asarray(right)
    return left.shape == right.shape and bool(np.allclose(left, right, atol=tolerance, rtol=tolerance))


def assert_close(what: str, found: Any, wanted: Any, tolerance: float = 2e-5) -> None:
    assert close(found, wanted, tolerance), f"{what}: {found!r} where {wanted!r} is right"


def weights_of(shape: tuple[int, ...]) -> Any:
    count = int(np.prod(shape))
    return np.sin(np.arange(1.0, count + 1)).reshape(shape)


def loss_of(function: Callable[..., Any], places: list[int], weights: list[Any], others: list[Any]) -> Loss:
    """The loss of a function, of its float arguments alone."""

    def loss(*floats: Any) -> Any:
        given = list(others)
        for place, value in zip(places, floats, strict=True):
            given[place] = value
        leaves: list[Any] = []
        flatten(function(*given), leaves)
        total = 0.0
        for leaf, weight in zip(leaves, weights, strict=True):
            if weight is not None:
                total = total + np.sum(weight * (leaf + 0.3 * leaf * leaf))
        return total

    return loss


@dataclass
class Point:
    """A function at a point, with a direction from it."""

    function: Callable[..., Any]
    args: list[Any]
    places: list[int]
    direction: list[Any]
    weights: list[Any] = field(default_factory=list)

    @property
    def floats(self) -> list[Any]:
        return [self.args[place] for place in self.places]

    @property
    def others(self) -> list[Any]:
        return [None if place in self.places else arg for place, arg in enumerate(self.args)]

    @property
    def loss(self) -> Loss:
        return loss_of(self.function, self.places, self.weights, self.others)

    def of_floats(self, *floats: Any) -> Any:
        given = list(self.args)
        for place, value in zip(self.places, floats, strict=True):
            given[place] = value
        return self.function(*given)

    def at(self, distance: float) -> list[Any]:
        return [one + distance * step for one, step in zip(self.floats, self.direction, strict=True)]

    def slopes(self, width: float) -> list[Any] | None:
        """Differences of the float results; ``None`` where the results are other trees."""
        after = leaves_of(quietly(self.of_floats, *self.at(width)))
        before = leaves_of(quietly(self.of_floats, *self.at(-width)))
        if [np.shape(leaf) for leaf in after] != [np.shape(leaf) for leaf in before]:
            return None
        pairs = [pair for pair in zip(after, before, strict=True) if is_float(pair[0])]
        with np.errstate(all="ignore"):
            return [(np.asarray(one) - np.asarray(other)) / (2 * width) for one, other in pairs]

    def is_like(self, other: Point) -> bool:
        """Whether results have the shapes of another's, so that both may be rows of one call."""
        return [np.shape(one) for one in self.weights] == [np.shape(one) for one in other.weights]

    def is_smooth(self) -> bool:
        found = [self.slopes(width) for width in WIDTHS]
        if found[0] is None or found[1] is None:
            return False
        return all(np.all(np.isfinite(a)) and close(a, b) for a, b in zip(*found, strict=True))


def in_real_parts(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose complex results are given as their two parts."""

    def parts(*args: Any) -> Any:
        leaves: list[Any] = []
        flatten(function(*args), leaves)
        return [part for leaf in leaves for part in (leaf.real, leaf.imag)]

    return parts


def is_complex(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "c"


def point_at(function: Callable[..., Any], args: tuple[Any, ...], draws: np.random.Generator) -> Point | None:
    """A function at a point; ``None`` where it has no result there, or no float among its results."""
    places = [place for place, arg in enumerate(args) if is_float(arg)]
    try:
        leaves = leaves_of(quietly(function, *args))
    except (TypeError, ValueError, IndexError, ArithmeticError, np.linalg.LinAlgError):
        return None
    if any(is_complex(leaf) for leaf in leaves):
        return point_at(in_real_parts(function), args, draws)
    if not any(is_float(leaf) and np.size(leaf) for leaf in leaves) or not places:
        return None
    direction = [np.asarray(draws.normal(size=np.shape(args[place])))[()] for place in places]
    weights = [weights_of(np.shape(leaf)) if is_float(leaf) else None for leaf in leaves]
    return Point(function, list(args), places, direction, weights)


def refusal_of(check: Callable[[], None], file: str) -> str:
    """``yes`` where a check holds, and the code where it is refused, in the file of the function."""
    try:
        check()
    except ag.AutographError as error:
        assert error.code and error.location is not None, f"a refusal without a place: {error}"
        assert error.location.file == file, f"a refusal elsewhere: {error}"
        return error.code
    return "yes"


def check_forward(point: Point) -> None:
    value, tangent = ag.jvp(point.of_floats, point.floats, point.direction)
    wanted = quietly(point.of_floats, *point.floats)
    for found, right in zip(leaves_of(value), leaves_of(wanted), strict=True):
        if is_float(right):
            assert_close("the value of jvp", found, right, 1e-9)
    tangents = [
        found for found, right in zip(leaves_of(tangent), leaves_of(wanted), strict=True) if is_float(right)
    ]
    slopes = point.slopes(WIDTHS[0])
    assert slopes is not None
    for found, right in zip(tangents, slopes, strict=True):
        assert_close("jvp", found, right)


def check_reverse(point: Point) -> None:
    _, tangent = ag.jvp(point.loss, point.floats, point.direction)
    places = tuple(range(len(point.floats)))
    value, gradient = ag.value_and_grad(point.loss, places)(*point.floats)
    assert_close("the value of grad", value, quietly(point.loss, *point.floats), 1e-9)
    along = sum(np.sum(one * other) for one, other in zip(gradient, point.direction, strict=True))
    scale = sum(np.sum(np.abs(one * other)) for one, other in zip(gradient, point.direction, strict=True))
    assert abs(along - tangent) <= 1e-9 * max(1.0, scale), f"grad: {along!r} where jvp gives {tangent!r}"


def check_second_order(point: Point) -> None:
    places = tuple(range(len(point.floats)))
    gradient = ag.grad(point.loss, places)
    _, found = ag.jvp(gradient, point.floats, point.direction)
    wide, narrow = (differences_of(gradient, point, width) for width in WIDTHS)
    scale = max(1.0, *(float(np.max(np.abs(one), initial=0.0)) for one in wide))
    for one, right, other in zip(found, wide, narrow, strict=True):
        assert_close("differences of grad", other / scale, right / scale, 1e-4)
        assert_close("jvp of grad", one / scale, right / scale, 1e-4)
    along = tuple(np.asarray(step)[()] for step in point.direction)
    second = ag.grad(lambda *xs: inner(gradient(*xs), along), places)(*point.floats)
    for one, right in zip(second, found, strict=True):
        assert_close("grad of grad", one / scale, right / scale, 1e-7)


def inner(left: Any, right: Any) -> Any:
    total = 0.0
    for one, other in zip(left, right, strict=True):
        total = total + np.sum(one * other)
    return total


def differences_of(gradient: Callable[..., Any], point: Point, width: float) -> list[Any]:
    after, before = gradient(*point.at(width)), gradient(*point.at(-width))
    return [(one - other) / (2 * width) for one, other in zip(after, before, strict=True)]


def rows_of(points: list[Point]) -> tuple[list[Any], list[Any]]:
    """The arguments of several points, stacked where they are floats, and the axes to say so."""
    first = points[0]
    given = list(first.args)
    for place in first.places:
        given[place] = np.stack([point.args[place] for point in points])
    return given, [0 if place in first.places else None for place in range(len(given))]


def check_vmap(points: list[Point]) -> None:
    """All rows at once are each row alone."""
    given, axes = rows_of(points)
    found = ag.vmap(points[0].function, tuple(axes))(*given)
    wanted = [leaves_of(quietly(point.function, *given_row(point, given))) for point in points]
    for leaf, rows in zip(leaves_of(found), zip(*wanted, strict=True), strict=True):
        if isinstance(rows[0], (np.ndarray, np.generic, float, int)):
            assert_close("vmap", leaf, np.stack(rows), 1e-9)


def given_row(point: Point, given: list[Any]) -> list[Any]:
    """A row's arguments: all rows share what is no float."""
    return [point.args[place] if place in point.places else arg for place, arg in enumerate(given)]


def check_vmap_of_grad(points: list[Point]) -> None:
    first = points[0]
    places = tuple(range(len(first.floats)))
    gradient = ag.grad(first.loss, places)
    stacked = [np.stack(parts) for parts in zip(*(point.floats for point in points), strict=True)]
    found = ag.vmap(gradient)(*stacked)
    alone = [gradient(*point.floats) for point in points]
    for one, rows in zip(found, zip(*alone, strict=True), strict=True):
        assert_close("vmap of grad", one, np.stack(rows), 1e-9)


TAKES: dict[int, Any] = {
    1: lambda f: lambda x: f(x),
    2: lambda f: lambda x, y: f(x, y),
    3: lambda f: lambda x, y, z: f(x, y, z),
}
"""Functions of so many parameters: a signature has one specification for each."""


def check_open_sizes(point: Point) -> None:
    """One graph for arrays of any size."""
    places = tuple(range(len(point.floats)))
    gradient = ag.grad(point.loss, places)
    signature = [ag.ArraySpec((None,) * np.ndim(one)) for one in point.floats]
    staged = ag.function(input_signature=signature)(TAKES[len(signature)](gradient))
    for one, right in zip(staged(*point.floats), gradient(*point.floats), strict=True):
        assert_close("grad with open sizes", one, right, 1e-9)


def check_single(point: Point) -> None:
    """The gradient by floats of 32 bits is theirs, and near that by 64 bits."""
    places = tuple(range(len(point.floats)))
    gradient = ag.grad(point.loss, places)
    floats = [np.asarray(one, np.float32)[()] for one in point.floats]
    found = gradient(*floats)
    wanted = gradient(*[np.asarray(one, np.float64)[()] for one in floats])
    scale = max(1.0, *(float(np.max(np.abs(one), initial=0.0)) for one in wanted))
    for one, right in zip(found, wanted, strict=True):
        assert one.dtype == np.float32, f"a gradient of {one.dtype}"
        assert_close("grad by float32", one / scale, right / scale, 2e-3)
