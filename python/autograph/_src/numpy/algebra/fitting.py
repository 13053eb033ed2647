"""``polyfit``, ``tensorsolve``, ``piecewise``: functions composed of solvers and masks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import overload, refuse_options
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.control.branches import stage_if
from autograph._src.staging.control.effects import record_warning
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.sizes import as_number, at_least, ensure, equal
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import staging_error, type_error, value_error
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.state import NO_VARIABLES
from autograph.errors import StagedIndexError


@overload(np.polyfit)
def _polyfit(
    x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: object = False
) -> object:
    refuse_options(np.polyfit, {"full": full or None, "cov": cov or None})
    order, places, values = int(deg) + 1, lift(x) + 0.0, lift(y) + 0.0
    if deg < 0:
        raise value_error("expected deg >= 0")
    if places.ndim != 1:
        raise type_error("expected 1D vector for x")
    ensure(at_least(places.size, 1), type_error("expected non-empty vector for x"))
    if values.ndim not in (1, 2):
        raise type_error("expected 1D or 2D array for y")
    same = equal(places.shape[0], values.shape[0])
    ensure(same, type_error("expected x and y to have same length"))
    if rcond is None:
        rcond = as_number(places.size, np.dtype(np.float64)) * float(np.finfo(places.dtype).eps)
    powers: Any = np.vander(places, order)
    if w is not None:
        weights = _weights(w, values)
        powers = powers * weights[:, np.newaxis]
        values = values * (weights[:, np.newaxis] if values.ndim == 2 else weights)
    # Columns of equal norm make the problem better conditioned.
    scale = np.sqrt(np.sum(powers * powers, axis=0))
    found, _, rank, _ = np.linalg.lstsq(powers / scale, values, rcond)
    message = "Polyfit may be poorly conditioned"
    warn = record_warning
    is_poor = truth(lift(rank) != order).read()
    kind = np.exceptions.RankWarning
    stage_if(is_poor, lambda: warn(message, kind), None, NO_VARIABLES, 0)
    return np.copy(np.transpose(np.transpose(found) / scale), order="C")


def _weights(w: object, values: Tensor) -> Tensor:
    weights: Tensor = lift(w) + 0.0
    if weights.ndim != 1:
        raise type_error("expected a 1-d array for weights")
    same = equal(weights.shape[0], values.shape[0])
    ensure(same, type_error("expected w and y to have the same length"))
    return weights


@overload(np.linalg.tensorsolve)
def _tensorsolve(a: object, b: object, axes: Any = None) -> object:
    left, right = lift(a), lift(b)
    if axes is not None:
        order = list(range(left.ndim))
        for axis in axes:
            order.remove(axis)
            order.insert(left.ndim, axis)
        left = lift(np.transpose(left, order))
    shape = left.shape[-(left.ndim - right.ndim) :]
    size = int(np.prod(shape))
    if left.size != size**2:
        raise value_error(
            "Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    return np.reshape(np.linalg.solve(np.reshape(left, (size, size)), np.ravel(right)), shape)


@overload(np.piecewise)
def _piecewise(x: object, condlist: Any, funclist: Any, *args: object, **options: object) -> Tensor:
    values = lift(x)
    if not _is_array(condlist) or (not _is_array(condlist[0]) and values.ndim != 0):
        condlist = [condlist]
    tests = [lift(test).astype(bool) for test in condlist]
    if len(tests) == len(funclist) - 1:
        tests.append(lift(np.logical_not(np.any(np.stack(tests), axis=0))))
    elif len(tests) != len(funclist):
        count = len(tests)
        raise value_error(f"with {count} condition(s), either {count} or {count + 1} functions are expected")
    result: Tensor = lift(np.zeros_like(values))
    for test, value in zip(tests, funclist, strict=True):
        if isinstance(value, Callable):  # type: ignore[arg-type]
            raise staging_error(
                "AG108",
                "a function in `np.piecewise` gets the elements where its condition holds, and how many they"
                " are depends on data",
                "compute on the whole array: `np.where(condition, f(x), g(x))`, or `np.select`",
            )
        result = lift(select(_mask(test, values), lift(value).astype(values.dtype), result))
    return wrap(result.read(), Form.ARRAY)


def _mask(test: Tensor, values: Tensor) -> Tensor:
    """A condition as a mask; one with fewer dimensions selects along the first axes of the array."""
    if test.shape != values.shape[: test.ndim]:
        raise StagedIndexError(
            f"boolean index of shape {test.shape} did not match indexed array of shape {values.shape}",
            code="AG116",
            location=here(),
        )
    return lift(np.reshape(test, test.shape + (1,) * (values.ndim - test.ndim)))


def _is_array(value: object) -> bool:
    if isinstance(value, Tensor):
        return value.form is Form.ARRAY
    return isinstance(value, (list, np.ndarray))
