"""``check_grads``: compares derivatives with finite differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph._src.gradients.forward import jvp
from autograph._src.gradients.reverse import vjp
from autograph._src.trees import flatten


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
        AssertionError: If a derivative differs from the difference by more than the tolerance.
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
        _compare(f"jvp of {name}", found, expected, atol, rtol)
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
            raise AssertionError(f"vjp of {name}: {left} where differences give {right}")
        if order > 1:

            def backward(*point: object) -> object:
                return vjp(f, *point)[1](cotangents)

            _check(backward, args, order - 1, modes, tolerances, draws, f"vjp of {name}")


def _arrays(tree: object) -> list[Any]:
    leaves: list[Any] = []
    flatten(tree, leaves)
    return [np.asarray(leaf) for leaf in leaves if leaf is not None]


def _pairs(left: object, right: object) -> list[tuple[Any, Any]]:
    """Pairs of leaves of two trees, without those whose tangent is ``None``: they have no derivative."""
    leaves: list[Any] = []
    others: list[Any] = []
    flatten(left, leaves)
    flatten(right, others)
    arrays = [
        (np.asarray(one), np.asarray(other))
        for one, other in zip(leaves, others, strict=True)
        if one is not None and other is not None
    ]
    return [pair for pair in arrays if all(one.dtype.kind == "f" for one in pair)]


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


def _compare(name: str, found: object, expected: object, atol: float, rtol: float) -> None:
    for one, other in _pairs(found, expected):
        if not np.allclose(one, other, atol=atol, rtol=rtol):
            raise AssertionError(f"{name}: {one} where differences give {other}")
