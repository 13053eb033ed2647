"""Functions that write into an array (``put``, ``copyto``, ``place``) or choose among arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.arguments import Size
from autograph._src.numpy.calls.borrowed import STANDINS
from autograph._src.numpy.calls.metadata import plain_type
from autograph._src.numpy.calls.registry import overload, unsupported_option
from autograph._src.numpy.elementwise.ufuncs import apply, as_dtype, cast_to, lift_operand, store, to_bool
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.tensors.item_conversions import as_items
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.overlaps import refuse_shared
from autograph._src.staging.tensors.sizes import ensure, equal, is_empty, positions
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import into_plain_array, type_error, value_error
from autograph._src.staging.trace.statements import record_error_unless
from autograph.errors import GraphRuntimeError


def written(a: object, function: Callable[..., Any]) -> Tensor:
    """The array that a function writes into."""
    if not isinstance(a, Tensor):
        raise into_plain_array(a)
    if a.form is not Form.ARRAY:
        raise type_error(f"argument 1 of `np.{function.__name__}` must be an array")
    return a


@overload(np.copyto)
def _copyto(dst: object, src: ArrayLike, casting: Any = "same_kind", where: object = True) -> None:
    target, source = written(dst, np.copyto), lift(src)
    if not np.can_cast(plain_type_or_dtype(src), target.dtype, casting):
        raise type_error(
            f"Cannot cast array data from {source.dtype!r} to {target.dtype!r} according to the rule"
            f" {casting!r}"
        )
    fitted = wrap(as_dtype(lift_operand(src), target.dtype))
    if where is True:
        target[...] = fitted
        return
    mask = lift(where)
    for one in (fitted, mask):
        if np.broadcast_shapes(one.shape, target.shape) != target.shape:
            raise value_error(
                f"could not broadcast input array from shape {one.shape} into shape {target.shape}"
            )
    target.write(
        emit(
            "select",
            emit("broadcast", to_bool(mask).read(), list(target.shape)),
            fitted.read(),
            target.read(),
        )
    )


def plain_type_or_dtype(value: object) -> np.dtype[Any]:
    """The argument for `np.can_cast`: a Python number counts as the narrowest dtype of its kind."""
    kind = plain_type(value)
    if type(kind) in (bool, int, float):
        return {bool: np.dtype(bool), int: np.dtype(np.uint8), float: np.dtype(np.float16)}[type(kind)]
    return lift(value).dtype


STANDINS[np.copyto] = _copyto


@overload(np.put)
def _put(a: Any, ind: ArrayLike, v: object, mode: str = "raise") -> None:
    target = written(a, np.put)
    places: Any = lift(np.ravel(lift(ind)))
    if places.dtype.kind == "b":  # Bools are the indices 0 and 1, not a mask.
        places = lift(places.astype(np.int64))
    values = np.ravel(as_items(v, target.dtype, is_picked=True))
    if not np.can_cast(places.dtype, np.int64):
        raise type_error(
            f"Cannot cast array data from {places.dtype!r} to dtype('int64') according to the rule 'safe'"
        )
    if not values.size or not places.size:
        return
    if mode == "clip":
        places = np.clip(places, 0, target.size - 1)
    elif mode == "wrap":
        places = apply(np.remainder, places, target.size)
    else:
        _refuse_late_failure(places, target.size)
    _put_at(target, places, values)


def _refuse_late_failure(places: Tensor, size: Size) -> None:
    """Makes a run fail if a later index is out of bounds: NumPy would have written the elements before it."""
    if places.sizes[0] == 1:
        return
    is_beyond = (places < -size) | (places >= size)
    message = "an index of `np.put` is out of bounds, and NumPy has written what is before it"
    is_right = lift(np.any(is_beyond[:1]) | ~np.any(is_beyond))
    record_error_unless(is_right, GraphRuntimeError, message, code="AG202")


def _put_at(target: Tensor, places: Any, values: Any) -> None:
    """Writes values at positions of the flat array; too few values are repeated from the first on."""
    cycled = lift(values)[np.arange(places.size) % values.size]
    flat = np.copy(np.ravel(wrap(target.read(), Form.ARRAY)))
    flat[places] = cycled.astype(target.dtype)
    target.write(emit("reshape", lift(flat).read(), list(target.shape)))


@overload(np.fill_diagonal)
def _fill_diagonal(a: Any, val: object, wrap: bool = False) -> None:
    target = written(a, np.fill_diagonal)
    if target.ndim < 2:
        raise value_error("array must be at least 2-d")
    if target.ndim > 2 and len(set(target.shape)) > 1:
        raise value_error("All dimensions of input must be of equal length")
    size = target.size
    if target.ndim == 2:
        step = target.shape[1] + 1
        end = size if wrap else min(size, target.shape[1] * target.shape[1])
    else:
        step, end = 1 + int(np.cumprod(target.shape[:-1]).sum()), size
    values = np.ravel(as_items(val, target.dtype, is_picked=True))
    if values.size:
        _put_at(target, np.arange(0, end, step), values)


def _fitting(values: object, target: Tensor) -> Any:
    """Values for a masked write: an array is cast only if that is safe, other values as items are."""
    found = as_items(values, target.dtype, is_picked=True)
    is_array = not isinstance(values, (list, tuple)) and found.form is Form.ARRAY
    if is_array and not np.can_cast(found.dtype, target.dtype):
        raise type_error(
            f"Cannot cast array data from {found.dtype!r} to {target.dtype!r} according to the rule 'safe'"
        )
    return np.ravel(found)


@overload(np.putmask)
def _putmask(a: ArrayLike, mask: object, values: ArrayLike) -> None:
    target = written(a, np.putmask)
    given = _fitting(values, target)
    test = lift(mask)
    same = equal(test.size, target.size)
    ensure(same, value_error("putmask: mask and data must be the same size"))
    if not is_empty(given.shape):
        places = positions(0, 1, target.size)
        _write_where(target, test, lift(given)[places % given.size].astype(target.dtype))


@overload(np.place)
def _place(arr: ArrayLike, mask: object, vals: ArrayLike) -> None:
    target = written(arr, np.place)
    given = _fitting(vals, target)
    test = lift(mask)
    if isinstance(vals, Tensor):
        refuse_shared(target, vals)
    if test is not target:
        refuse_shared(target, test)
    same = equal(test.size, target.size)
    ensure(same, value_error("place: mask and data must be the same size"))
    if is_empty(given.shape):
        raise unsupported_option(np.place, "vals")
    order = np.cumsum(np.ravel(to_bool(test)).astype(np.int64)) - 1
    _write_where(target, test, lift(given)[apply(np.remainder, order, given.size)].astype(target.dtype))


def _write_where(target: Tensor, test: Tensor, flat: Tensor) -> None:
    sizes = list(target.shape)
    where = emit("reshape", to_bool(test).read(), sizes)
    target.write(emit("select", where, emit("reshape", flat.read(), sizes), target.read()))


@overload(np.select)
def _select(condlist: Sequence[Any], choicelist: Sequence[Any], default: ArrayLike = 0) -> Any:
    if len(condlist) != len(choicelist):
        raise value_error("list of cases must be same length as list of conditions")
    if not len(condlist):
        raise value_error("select with an empty condition list is not possible")
    tests = [lift(test) for test in condlist]
    for position, test in enumerate(tests):
        if test.dtype.kind != "b":
            raise type_error(f"invalid entry {position} in condlist: should be boolean ndarray")
    choices = [*choicelist, default]
    dtype = np.result_type(*map(plain_type, map(lift_operand, choices)))
    _require_choices(choicelist, dtype, np.broadcast_shapes(*(lift(one).shape for one in choices)))
    values = [wrap(cast_to(lift_operand(choice), dtype)) for choice in choices]
    shape = np.broadcast_shapes(*(one.shape for one in (*tests, *values)))
    result: object = values[-1]
    for test, value in zip(tests[::-1], values[-2::-1], strict=True):
        result = select(test, value, result)
    return wrap(emit("broadcast", lift(result).read(), list(shape)), Form.ARRAY)


def _require_choices(choices: Sequence[Any], dtype: np.dtype[Any], shape: tuple[Any, ...]) -> None:
    """Refuses Python numbers as choices where NumPy does: it gives them a dtype and then refuses the cast."""
    for choice in choices:
        source = lift(choice).dtype
        if not np.can_cast(source, dtype, "same_kind"):
            raise TypeError(
                f"Cannot cast {'array data' if shape else 'scalar'} from {source!r} to {dtype!r} according to"
                " the rule 'same_kind'"
            )


@overload(np.choose)
def _choose(a: ArrayLike, choices: Any, out: object = None, mode: str = "raise") -> Any:
    index = lift(a)
    if index.dtype.kind not in "iub":
        raise type_error(f"Cannot cast array data from {index.dtype!r} to dtype('int64')")
    index = index.astype(np.int64)
    given = [lift_operand(choice) for choice in choices]
    dtype = np.result_type(*map(plain_type, given))
    arrays = [wrap(cast_to(choice, dtype)) for choice in given]
    if mode == "clip":
        index = lift(np.clip(index, 0, len(arrays) - 1))
    elif mode == "wrap":
        index = lift(apply(np.remainder, index, len(arrays)))
    else:
        is_known = apply(
            np.bitwise_and, apply(np.greater_equal, index, 0), apply(np.less, index, len(arrays))
        )
        emit("check", lift(np.all(is_known)).read(), "ValueError", "invalid entry in choice array")
    result: object = arrays[0]
    for position, array in enumerate(arrays[1:], 1):
        result = select(apply(np.equal, index, position), array, result)
    shape = np.broadcast_shapes(index.shape, *(array.shape for array in arrays))
    return store(wrap(emit("broadcast", lift(result).read(), list(shape))), out)
