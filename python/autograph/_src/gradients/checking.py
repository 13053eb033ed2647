"""``check_grads``: compares derivatives with finite differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph._src.gradients.culprits import first_wrong
from autograph._src.gradients.forward import jvp
from autograph._src.gradients.reverse import vjp
from autograph._src.trees import flatten, leaf_paths

MOST_ELEMENTS = 500
"""Of how many elements of an argument a failure says which is worst."""


def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    order: int,
    modes: Sequence[str] = ("fwd", "rev"),
    atol: float | None = None,
    rtol: float | None = None,
    eps: float | None = None,
) -> None:
    """Compare derivatives with central differences, in random directions.

    Args:
        f: A function whose arguments and result are float arrays and scalars, or trees of them.
        args: A tuple of arguments: the point at which to compare.
        order: The highest order of derivatives to compare: 2 also compares derivatives of derivatives.
        modes: The modes to compare: ``"fwd"`` for forward mode, ``"rev"`` for reverse mode.
        atol: Absolute tolerance; by default 1e-6 for ``float64``, 2e-2 for ``float32``.
        rtol: Relative tolerance; by default the same.
        eps: Step of the central differences; by default the cube root of the dtype's resolution.

    Raises:
        AssertionError: If a derivative differs from the difference by more than the tolerance. It says where
            most, with the two values, and in which line the first op with a wrong derivative is.
        ValueError: If a mode is neither ``"fwd"`` nor ``"rev"``.
        StagingError: As for :func:`autograph.grad`.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> ag.check_grads(lambda x: np.sum(np.sin(x) * x), (np.array([0.3, 1.0]),), order=2)
    """
    args = tuple(args)
    dtypes = {leaf.dtype for leaf in _arrays(args)}
    is_double = dtypes == {np.dtype(np.float64)}
    tolerance = 1e-6 if is_double else 2e-2
    atol = tolerance if atol is None else atol
    rtol = tolerance if rtol is None else rtol
    eps = (6e-6 if is_double else 5e-3) if eps is None else eps
    for mode in modes:
        if mode not in ("fwd", "rev"):
            raise ValueError(f"modes are 'fwd' and 'rev', not {mode!r}")
    draws = np.random.default_rng(len(_arrays(args)))
    _check(f, args, order, tuple(modes), (atol, rtol, eps), draws, "f")


def _check(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    order: int,
    modes: tuple[str, ...],
    tolerances: tuple[float, float, float],
    draws: np.random.Generator,
    name: str,
) -> None:
    atol, rtol, eps = tolerances
    tangents = _direction(args, draws)
    expected = _differences(f, args, tangents, eps)
    if "fwd" in modes:
        value, found = jvp(f, args, tangents)
        place = _worst(found, expected, value, "value", atol, rtol)
        if place is not None:
            raise _failure("fwd", f"jvp of {name}", f, args, tangents, place, tolerances)
        if order > 1:

            def forward(*point: object) -> object:
                return jvp(f, point, tangents)[1]

            _check(forward, args, order - 1, modes, tolerances, draws, f"jvp of {name}")
    if "rev" in modes:
        value, pullback = vjp(f, *args)
        cotangents = _direction(value, draws)
        found = pullback(cotangents)
        left, right = _inner(found, tangents), _inner(cotangents, expected)
        scale = sum(float(np.sum(np.abs(a * b))) for a, b in _pairs(found, tangents))
        if not abs(left - right) <= atol + rtol * max(scale, abs(right)):
            place = _worst_argument(f, args, found, cotangents, tolerances)
            place = place or f"along a direction it is {left}, and differences give {right}"
            raise _failure("rev", f"vjp of {name}", f, args, tangents, place, tolerances)
        if order > 1:

            def backward(*point: object) -> object:
                return vjp(f, *point)[1](cotangents)

            _check(backward, args, order - 1, modes, tolerances, draws, f"vjp of {name}")


def _failure(
    mode: str,
    name: str,
    f: Callable[..., Any],
    args: tuple[Any, ...],
    tangents: Any,
    place: str,
    tolerances: tuple[float, float, float],
) -> AssertionError:
    """The error, with the place in the program of the op whose derivative is wrong, if it is found."""
    atol, rtol, eps = tolerances
    step = _moved(tangents, tangents, eps - 1.0)
    points = (args, _moved(args, tangents, eps), _moved(args, tangents, -eps))

    def is_close(found: object, difference: object) -> bool:
        return bool(np.allclose(np.asarray(found) / eps, np.asarray(difference) / eps, rtol=rtol, atol=atol))

    where = first_wrong(mode, f, points, step, is_close)
    at = (
        "" if where is None else f"; the first op with a wrong derivative is at {where} in `{where.function}`"
    )
    return AssertionError(f"{name}: {place}{at}")


def _worst(found: object, expected: object, like: object, path: str, atol: float, rtol: float) -> str | None:
    """The element of a tree that is furthest from differences, in words; ``None`` if all are close."""
    worst, words = 0.0, None
    for one, other, name in _named_pairs(found, expected, like, path):
        if np.shape(one) != np.shape(other):
            return f"that of `{name}` has shape {np.shape(one)}, and differences have {np.shape(other)}"
        with np.errstate(invalid="ignore"):
            excess = np.abs(one - other) / (atol + rtol * np.abs(other))
        is_same = (one == other) | (np.isnan(one) & np.isnan(other))
        excess = np.where(is_same, 0.0, np.where(np.isnan(excess), np.inf, excess))
        if excess.size and np.max(excess) > max(worst, 1.0):
            index = np.unravel_index(int(np.argmax(excess)), excess.shape)
            at = f"[{', '.join(map(str, index))}]" if index else ""
            worst = float(np.max(excess))
            words = f"at `{name}{at}` it is {one[index]}, and differences give {other[index]}"
    return words


def _worst_argument(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    found: object,
    cotangents: object,
    tolerances: tuple[float, float, float],
) -> str | None:
    """The element of an argument whose cotangent is furthest from differences, in words."""
    atol, rtol, eps = tolerances
    leaves: list[Any] = []
    _, rebuild = flatten(args, leaves)
    slopes: list[Any] = []
    for place, leaf in enumerate(leaves):
        if leaf is None or np.asarray(leaf).dtype.kind != "f":
            slopes.append(None)
            continue
        slope = np.zeros(np.shape(leaf))
        for index in list(np.ndindex(slope.shape))[:MOST_ELEMENTS]:
            direction = [_unit(one, index if number == place else None) for number, one in enumerate(leaves)]
            slope[index] = _inner(cotangents, _differences(f, args, rebuild(direction), eps))
        slopes.append(slope)
    return _worst(found, rebuild(slopes), args, "args", atol, rtol)


def _unit(leaf: object, index: tuple[int, ...] | None) -> object:
    """A direction of one element, or of none."""
    array = np.asarray(leaf)
    if leaf is None or array.dtype.kind != "f":
        return leaf
    unit = np.zeros(array.shape, array.dtype)
    if index is not None:
        unit[index] = 1.0
    return float(unit) if type(leaf) is float else unit[()]


def _arrays(tree: object) -> list[Any]:
    leaves: list[Any] = []
    flatten(tree, leaves)
    return [np.asarray(leaf) for leaf in leaves if leaf is not None]


def _pairs(left: object, right: object) -> list[tuple[Any, Any]]:
    """Pairs of leaves of two trees, without those whose tangent is ``None``: they have no derivative."""
    return [(one, other) for one, other, _ in _named_pairs(left, right, left, "")]


def _named_pairs(left: object, right: object, like: object, path: str) -> list[tuple[Any, Any, str]]:
    leaves: list[Any] = []
    others: list[Any] = []
    flatten(left, leaves)
    flatten(right, others)
    arrays = [
        (np.asarray(one), np.asarray(other), name)
        for one, other, name in zip(leaves, others, leaf_paths(like, path), strict=True)
        if one is not None and other is not None
    ]
    return [found for found in arrays if all(one.dtype.kind == "f" for one in found[:2])]


def _inner(left: object, right: object) -> float:
    return sum(float(np.sum(np.asarray(a, float) * b)) for a, b in _pairs(left, right))


def _direction(tree: object, draws: np.random.Generator) -> Any:
    """A random tree of the same structure, shapes and dtypes as another."""
    leaves: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    return rebuild([_direction_of(leaf, draws) for leaf in leaves])


def _direction_of(leaf: object, draws: np.random.Generator) -> object:
    array = np.asarray(leaf)
    if leaf is None or array.dtype.kind != "f":
        return leaf
    drawn = draws.normal(size=array.shape)
    return float(drawn) if type(leaf) is float else np.asarray(drawn).astype(array.dtype)[()]


def _moved(tree: object, direction: object, distance: float) -> Any:
    leaves: list[Any] = []
    others: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    flatten(direction, others)
    return rebuild([_moved_leaf(leaf, other, distance) for leaf, other in zip(leaves, others, strict=True)])


def _moved_leaf(leaf: Any, other: Any, distance: float) -> object:
    if leaf is None or np.asarray(leaf).dtype.kind != "f":
        return leaf
    moved = leaf + distance * other
    return float(moved) if type(leaf) is float else np.asarray(moved).astype(np.asarray(leaf).dtype)[()]


def _differences(f: Callable[..., Any], args: tuple[Any, ...], tangents: Any, eps: float) -> object:
    """``(f(x + eps * v) - f(x - eps * v)) / (2 * eps)``."""
    after, before = f(*_moved(args, tangents, eps)), f(*_moved(args, tangents, -eps))
    leaves: list[Any] = []
    others: list[Any] = []
    _, rebuild = flatten(after, leaves)
    flatten(before, others)
    return rebuild(
        [
            (np.asarray(one) - np.asarray(other)) / (2 * eps) if np.asarray(one).dtype.kind == "f" else None
            for one, other in zip(leaves, others, strict=True)
        ]
    )
