"""Functions that select elements by value: the size of their results depends on data, so on the run.

np.nonzero(x)[0]       # int64 array of shape (?,)
np.unique(x)           # sorts, then takes the first of each run of equal elements
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import overload, unsupported, unsupported_option
from autograph._src.numpy.elementwise.ufuncs import apply, to_bool
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.numpy.shapes.shapes import concatenate, ravel
from autograph._src.numpy.shapes.sorting import argsort, sort
from autograph._src.staging.lists.traced_list import StagedList, made_list
from autograph._src.staging.tensors.indexing import nonzero as places_of
from autograph._src.staging.tensors.lifting import is_python_scalar, lift
from autograph._src.staging.tensors.python_scalars import compare, require
from autograph._src.staging.tensors.sizes import at_least, differ, is_known, positions
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import value_error
from autograph._src.staging.trace.statements import record_error_unless
from autograph.errors import GraphRuntimeError


@overload(np.nonzero)
def nonzero(a: object) -> tuple[Tensor, ...]:
    """``np.nonzero``: one array of indices for each axis."""
    x = lift(a)
    if not x.ndim:
        raise value_error(
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. If"
            " the context of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`."
        )
    return tuple(places_of(to_bool(x)))


@overload(np.flatnonzero)
def flat_nonzero(a: object) -> Tensor:
    """``np.flatnonzero``."""
    return nonzero(ravel(a))[0]


@overload(np.argwhere)
def _argwhere(a: object) -> Tensor:
    x = lift(a)
    if not x.ndim:
        rows = np.reshape(np.atleast_1d(to_bool(x).astype(np.int64)), (1, 1))
        return lift(rows[flat_nonzero(rows)][:, :0])
    return np.stack(nonzero(x), axis=1)  # type: ignore[return-value]


@overload(np.compress)
def _compress(condition: ArrayLike, a: ArrayLike, axis: int | None = None, out: Any = None) -> object:
    x, place = (ravel(a), 0) if axis is None else (lift(a), normal_axis(axis, lift(a).ndim))
    if not holds_staged(condition):
        if np.ndim(condition) != 1:
            raise value_error("condition must be a 1-d array")
        return np.take(x, np.flatnonzero(condition), axis=place, out=out)
    test = lift(condition)
    if test.ndim != 1:
        raise value_error("condition must be a 1-d array")
    return np.take(x, flat_nonzero(test), axis=place, out=out)


@overload(np.extract)
def _extract(condition: ArrayLike, arr: object) -> object:
    kept = flat_nonzero(condition) if holds_staged(condition) else np.flatnonzero(condition)
    return np.take(ravel(arr), kept)


@overload(np.trim_zeros)
def _trim_zeros(filt: Any, trim: str = "fb", axis: object = None) -> object:
    if isinstance(filt, tuple):
        raise unsupported_option(np.trim_zeros, "filt")
    x = lift(filt)
    if x.ndim != 1 or not set(trim.lower()) <= set("fb"):
        raise unsupported_option(np.trim_zeros, "axis" if x.ndim != 1 else "trim")
    size = x.shape[0]
    place, counts = positions(0, 1, size), to_bool(x)
    begin = np.min(np.where(counts, place, size), initial=size)
    end = np.max(np.where(counts, place + 1, 0), initial=0)
    start = begin if "f" in trim.lower() else 0
    stop = end if "b" in trim.lower() else size
    if not isinstance(filt, (list, StagedList)):
        return x[start:stop]
    items = filt if isinstance(filt, StagedList) else made_list(list(filt))
    return items.staged_item(slice(start, stop))


# Sets


def _begins_run(ordered: Tensor, is_nan_one: bool = True) -> Tensor:
    """Whether each element of a sorted vector differs from the one before it, that is, begins a run."""
    size = ordered.shape[0]
    if isinstance(size, int) and size:
        differs = _differ(ordered[:-1], ordered[1:], is_nan_one)
        return concatenate([lift(np.ones(1, bool)), differs])
    place = positions(0, 1, size)
    before = lift(ordered[lift(np.maximum(place - 1, 0))])
    differs = _differ(before, ordered, is_nan_one)
    return lift(apply(np.bitwise_or, differs, apply(np.equal, place, 0)))


def _differ(before: Tensor, ordered: Tensor, is_nan_one: bool) -> Tensor:
    """Whether elements differ; two NaN do not, if all of them are one value."""
    differs = apply(np.not_equal, ordered, before)
    if is_nan_one and ordered.dtype.kind == "f":
        one_is_number = apply(
            np.bitwise_or, apply(np.equal, ordered, ordered), apply(np.equal, before, before)
        )
        differs = apply(np.bitwise_and, differs, one_is_number)
    return lift(differs)


@overload(np.unique)
def unique(
    ar: object,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: object = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """``np.unique`` of all elements."""
    x = lift(ar)
    if axis is not None and x.ndim != 1:
        return _unique_along(x, normal_axis(axis, x.ndim), (return_index, return_inverse, return_counts))
    flat = ravel(x)
    order = argsort(flat)
    ordered = lift(flat[order])
    begins = _begins_run(ordered, equal_nan)
    wanted = (return_index, return_inverse, return_counts)
    if not any(wanted):
        return wrap(lift(ordered[begins]).read(), Form.ARRAY)
    firsts = flat_nonzero(begins)
    values = wrap(lift(ordered[firsts]).read(), Form.ARRAY)
    results = _parts_of_unique(values, (order, begins, firsts), flat.shape[0], wanted)
    if return_inverse and axis is None:
        results[1 + return_index] = np.reshape(results[1 + return_index], x.shape)
    return tuple(results)


def _parts_of_unique(
    values: object, runs: tuple[Any, Tensor, Tensor], size: Any, wanted: tuple[bool, bool, bool]
) -> list[Any]:
    """The distinct values, and what is wanted of the places of the first ones, of all, and of the counts.

    Args:
        values: The distinct values.
        runs: The order that sorts the elements, which of them begin runs of equal ones, and where.
        size: The number of elements.
        wanted: Whether each of the others is asked for.
    """
    order, begins, firsts = runs
    results: list[Any] = [values]
    if wanted[0]:
        results.append(lift(order[firsts]))
    if wanted[1]:
        runs_before = lift(np.cumsum(begins.astype(np.int64)) - 1)
        inverse = emit("scatter", order.read(), runs_before.read(), [order.read()], 0)
        results.append(wrap(inverse, Form.ARRAY))
    if wanted[2]:
        ends = concatenate([firsts, lift(np.reshape(lift(size), (1,)))])
        results.append(lift(np.diff(ends)))
    return results


def _unique_along(x: Tensor, axis: int, wanted: tuple[bool, bool, bool]) -> Any:
    """The distinct sub-arrays along an axis, in lexicographic order; those with a NaN equal none."""
    moved: Any = np.moveaxis(x, axis, 0)  # type: ignore[type-var]
    rows: Any = np.reshape(moved, (moved.shape[0], -1))
    if not is_known(rows.shape) or not rows.size:
        raise unsupported_option(np.unique, "axis")
    order: Any = np.lexsort(tuple(rows[:, column] for column in reversed(range(rows.shape[1]))))
    ordered = rows[order]
    differs = np.any(np.not_equal(ordered[1:], ordered[:-1]), axis=1)
    begins = concatenate([lift(np.ones(1, bool)), lift(differs)])
    firsts = flat_nonzero(begins)
    values = np.moveaxis(np.take(moved, order[firsts], axis=0), 0, axis)
    made = wrap(lift(values).read(), Form.ARRAY)
    results = _parts_of_unique(made, (order, begins, firsts), x.shape[axis], wanted)
    return tuple(results) if len(results) > 1 else results[0]


@overload(np.unique_values)
def _unique_values(x: object) -> object:
    return unique(x, equal_nan=False)


def _unique_as(function: Any, *options: str) -> Any:
    """A variant of ``np.unique`` that returns its own ``NamedTuple``."""
    result = type(function(np.zeros(0)))

    def implementation(x: ArrayLike) -> object:
        return result(*unique(x, equal_nan=False, **dict.fromkeys(options, True)))

    return implementation


overload(np.unique_counts)(_unique_as(np.unique_counts, "return_counts"))
overload(np.unique_inverse)(_unique_as(np.unique_inverse, "return_inverse"))
overload(np.unique_all)(_unique_as(np.unique_all, "return_index", "return_inverse", "return_counts"))


def _unique_of_both(ar1: object, ar2: object, assume_unique: bool) -> Tensor:
    """The distinct elements of one array and the distinct elements of the other, sorted together."""
    return sort(concatenate([_as_set(ar1, assume_unique), _as_set(ar2, assume_unique)]))


def _as_set(ar: Any, assume_unique: bool) -> Tensor:
    return ravel(ar) if assume_unique else unique(ravel(ar))


@overload(np.union1d)
def _union1d(ar1: object, ar2: object) -> object:
    if any(is_python_scalar(one) for one in (ar1, ar2)):
        raise unsupported(np.union1d)  # NumPy lets it take the dtype of the other.
    return unique(concatenate([ravel(ar1), ravel(ar2)]))


@overload(np.intersect1d)
def _intersect1d(
    ar1: object, ar2: object, assume_unique: bool = False, return_indices: bool = False
) -> object:
    if return_indices:
        raise unsupported_option(np.intersect1d, "return_indices")
    both = _unique_of_both(ar1, ar2, assume_unique)
    return both[:-1][apply(np.equal, both[1:], both[:-1])]


@overload(np.setxor1d)
def _setxor1d(ar1: object, ar2: object, assume_unique: bool = False) -> object:
    both = _unique_of_both(ar1, ar2, assume_unique)
    begins = _begins_run(both, is_nan_one=False)
    end = np.reshape(np.equal(lift(0), 0), (1,))
    is_last = concatenate([begins[1:], end])[: both.shape[0]]
    return both[lift(apply(np.bitwise_and, begins, is_last))]


@overload(np.setdiff1d)
def _setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> object:
    first, second = _as_set(ar1, assume_unique), unique(ravel(ar2))
    dtype = np.result_type(first.dtype, second.dtype)
    places = lift(np.searchsorted(second.astype(dtype), first.astype(dtype)))
    padded = concatenate([second.astype(dtype), lift(np.zeros(1, dtype))])
    is_there = apply(np.bitwise_and, places < second.shape[0], apply(np.equal, padded[places], first))
    return first[lift(apply(np.logical_not, is_there))]


@overload(np.bincount)
def _bincount(x: object, /, weights: object = None, minlength: Any = 0) -> Tensor:
    values = lift(x)
    if values.sizes == (0,):
        weights = None  # NumPy ignores the weights of an empty array and returns int64 zeros.
    if values.ndim != 1:
        raise value_error("object too deep for desired array" if values.ndim else "object of too small depth")
    if values.dtype.kind not in "biu":
        raise unsupported_option(np.bincount, "x")
    numbers = values.astype(np.int64)
    is_positive = wrap(lift(apply(np.greater_equal, np.min(numbers, initial=0), 0)).read(), Form.PYTHON)
    require(is_positive, ValueError, "'list' argument must have no negative elements")
    added = lift(np.int64(1)) if weights is None else lift(weights).astype(np.float64)
    if weights is not None and (added.ndim != 1 or differ(added.sizes[0], values.sizes[0])):
        raise value_error("The weights and list don't have the same length.")
    count = values.shape[0]
    if weights is not None and not isinstance(count, int):
        without = "`np.bincount` of nothing with weights is of another dtype"
        record_error_unless(at_least(count, 1), GraphRuntimeError, without, code="AG201")
    if weights is not None and not (isinstance(count, int) and isinstance(added.sizes[0], int)):
        same = compare("equal", lift(count), added.shape[0])
        require(same, ValueError, "The weights and list don't have the same length.")
    size = lift(apply(np.maximum, np.max(numbers, initial=-1) + 1, np.int64(minlength)))
    zero = lift(np.zeros((), added.dtype))
    start = emit("broadcast", zero.read(), [wrap(size.read(), Form.PYTHON)])
    return wrap(emit("scatter_add", start, added.read(), [numbers.read()], 0), Form.ARRAY)
