"""Sizes of axes that may be known only to the run.

In a type such a size is ``None``; in the shape of a staged array it is a staged int. Tracing proves nothing
about two such sizes; the run checks whether they fit.

>>> may_be_equal((2, None), (2, 3)), may_be_equal((2, None), (3, None))
(True, False)
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.own_attributes import has_own
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import larger, number, smaller, where
from autograph._src.staging.tensors.python_scalars import compare, either, require
from autograph._src.staging.tensors.staged_strings import StagedString, join_strings
from autograph._src.staging.tensors.tensor import Form, Tensor, class_text, emit, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import staging_error, type_error, type_error_of, value_error
from autograph._src.staging.trace.statements import record_error_unless, record_failure_of, records
from autograph.errors import StagingError


@records(statements.open_shape)
def open_shape(x: Tensor) -> tuple[Any, ...]:
    """The shape of a tensor, with staged ints for the sizes that only the run knows."""
    return tuple(
        wrap(emit("size", x.value_id, axis), Form.PYTHON) if size is None else size
        for axis, size in enumerate(x.sizes)
    )


def is_known(shape: Sequence[Any]) -> bool:
    """Whether all sizes are plain ints."""
    return all(isinstance(size, int) for size in shape)


def differ(one: object, other: object) -> bool:
    """Whether two sizes are known to differ."""
    return isinstance(one, int) and isinstance(other, int) and one != other


def may_be_equal(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether two shapes may be equal, as far as is known."""
    return len(left) == len(right) and not any(map(differ, left, right))


def equal(one: object, other: object) -> Any:
    """``one == other``, staged if one of them is."""
    return one == other if is_known((one, other)) else compare("equal", lift(one), lift(other))


def at_least(size: Any, least: int) -> bool | Tensor:
    """``size >= least``, staged if the size is."""
    return size >= least if isinstance(size, int) else compare("greater_equal", size, least)


def ensure(holds: object, refusal: Exception) -> None:
    """Raises unless a test of sizes holds: now if it is plain, else in the run."""
    if isinstance(holds, Tensor):
        require(holds, _plain_class(refusal), getattr(refusal, "message", str(refusal)))
    elif not holds:
        raise refusal


def _plain_class(refusal: Exception) -> type[Exception]:
    """The builtin base of an exception class of ours, which NumPy raises."""
    return next(kind for kind in type(refusal).__mro__ if kind.__module__ == "builtins")


def require_broadcast(given: Sequence[Any], wanted: Sequence[Any], message: StagedString) -> None:
    """Records that the run raises if a shape does not broadcast to another.

    Args:
        given: The shape; its known sizes fit.
        wanted: The shape to broadcast to.
        message: NumPy's message.
    """
    for one, two in zip(reversed(given), reversed(wanted), strict=False):
        if one is two or is_known((one, two)) or (isinstance(one, int) and one == 1):
            continue
        fits = equal(one, two)
        if not isinstance(one, int):
            fits = either(fits, equal(one, 1))
        record_error_unless(fits, ValueError, message)


def require_operands(one: Sequence[Any], two: Sequence[Any], out: Sequence[Any]) -> None:
    """Records that the run raises if two shapes do not broadcast together, for a ufunc with an output array.

    Args:
        one: The shape of an operand.
        two: The shape of the other operand.
        out: The shape of the output array, for the message.
    """
    if is_known((*one, *two)):
        return
    shapes = [part for shape in (one, two, out) for part in (shape_string(shape), " ")]
    message = join_strings(("operands could not be broadcast together with shapes ", *shapes))
    for fits in _broadcasts(one, two):
        record_error_unless(fits, ValueError, message)


def _broadcasts(one: Sequence[Any], two: Sequence[Any]) -> Iterator[Tensor]:
    """For each pair of sizes that only the run knows, whether they broadcast together."""
    for first, second in zip(reversed(one), reversed(two), strict=False):
        if first is second or is_known((first, second)):
            continue
        fits = equal(first, second)
        for size in (first, second):
            fits = either(fits, lift(equal(size, 1)))
        yield fits


def require_broadcast_in(function: Callable[..., Any], *shapes: Sequence[Any]) -> None:
    """Records that the run raises a function's own error if the shapes do not broadcast together."""
    for one, two in itertools.combinations(shapes, 2):
        for fits in _broadcasts(one, two):
            require_shapes(fits, function, *shapes)


def require_shapes(fits: Tensor, function: Callable[..., Any], *shapes: Sequence[Any]) -> None:
    """Records that the run raises, unless ``fits``, a NumPy function's error for these shapes."""

    def call(given: Any) -> object:
        return function(*(np.broadcast_to(0.0, shape) for shape in given))

    record_failure_of(fits, ValueError, call, tuple(map(tuple, shapes)))


def shape_string(shape: Sequence[Any]) -> StagedString:
    """A shape as NumPy's messages show it, with the sizes that the run finds."""
    sizes = [StagedString(((size, "s", ""),)) for size in shape]
    if len(sizes) == 1:
        return join_strings(("(", sizes[0], ",)"))
    separated = [part for size in sizes for part in (size, ", ")][:-1]
    return join_strings(("(", *separated, ")"))


def is_empty(shape: Sequence[Any]) -> bool:
    """Whether a size is known to be zero."""
    return any(isinstance(size, int) and size == 0 for size in shape)


def broadcast(*shapes: Sequence[Any]) -> list[Any]:
    """The shape that these shapes broadcast to.

    Raises:
        ValueError: ``np.broadcast_shapes``'s own, if their known sizes do not fit.
    """
    if all(map(is_known, shapes)):
        return list(np.broadcast_shapes(*map(tuple, shapes)))
    rank = max(map(len, shapes))
    columns = zip(*([1] * (rank - len(shape)) + list(shape) for shape in shapes), strict=True)
    return [_together(column) for column in columns]


def _together(sizes: tuple[Any, ...]) -> object:
    known = np.broadcast_shapes(*((size,) for size in sizes if isinstance(size, int)))
    common: object = known[0] if known else 1
    if common != 1:
        return common
    for size in sizes:
        if isinstance(size, Tensor):
            common = size if isinstance(common, int) else _either(common, size)
    return common


def _either(one: Tensor, other: Tensor) -> Tensor:
    """``other if one == 1 else one``."""
    return where(compare("equal", one, 1), other, one)


def size_of(value: Any) -> Any:
    """A size that the program gives, as a plain or staged int.

    Raises:
        TypeError: If it is no integer.
    """
    if not isinstance(value, Tensor):
        is_integer = hasattr(type(value), "__index__") and not isinstance(value, bool)
        return int(value.__index__()) if is_integer else _no_size(value)
    if value.ndim or value.dtype.kind not in "iu":
        return _no_size(value)
    refuse_if_kept(value)
    return number(value)


def refuse_if_kept(value: object) -> None:
    """Refuses a staged Python int as a size, in a trace that tries whether int arguments can be inputs."""
    if isinstance(value, Tensor) and value.form is Form.PYTHON and value.ag_trace.keeps_sizes:
        raise staging_error(
            "AG117", "the size of this array depends on an argument", "name the argument in `dynamic=`"
        )


def refusal_of_tuple(use: str) -> StagingError:
    """The error where a tuple, of which only the run knows the length, says how many axes there are."""
    message = f"a tuple whose length depends on data is {use}"
    return staging_error("AG120", message, "write its parts: `(t[0], t[1])`, or a list of them: `list(t)`")


def _no_size(value: object) -> object:
    if has_own(value, "ag_elements"):
        raise refusal_of_tuple("a shape")
    raise type_error(f"'{class_text(value)}' object cannot be interpreted as an integer")


def shape_of(value: Any) -> list[Any]:
    """A shape that the program gives: one size or several; negative sizes raise NumPy's error."""
    sizes = [size_of(size) for size in (value if isinstance(value, (tuple, list)) else (value,))]
    for size in sizes:
        if isinstance(size, Tensor):
            require(compare("greater_equal", size, 0), ValueError, "negative dimensions are not allowed")
        elif size < 0:
            raise ValueError("negative dimensions are not allowed")
    return sizes


def sizes_given(shape: object) -> list[Any]:
    """:func:`shape_of` with errors of our own, which point to the user's line."""
    try:
        return shape_of(shape)
    except TypeError as error:
        raise type_error_of(error) from None
    except ValueError as error:
        raise value_error(str(error)) from None


def least(*sizes: Any) -> Tensor | int:
    """The smallest of some sizes."""
    return min(sizes) if is_known(sizes) else functools.reduce(smaller, map(lift, sizes))


def largest(*sizes: Any) -> Any:
    """The largest of some sizes."""
    return max(sizes) if is_known(sizes) else functools.reduce(larger, map(lift, sizes))


def as_number(count: object, dtype: np.dtype[Any]) -> Any:
    """A count as a scalar of a dtype, to divide by."""
    if isinstance(count, Tensor):
        return wrap(emit("cast", count.read(), dtype_name(dtype)), Form.SCALAR)
    return dtype.type(count)


def positions(start: object, step: object, count: Any) -> Tensor:
    """The int array ``start + step * np.arange(count)``."""
    is_known = isinstance(count, int)
    value = emit("iota", "int64", count) if is_known else emit("iota_to", "int64", count.read())
    steps = wrap(value, Form.ARRAY)
    scaled = steps if isinstance(step, int) and step == 1 else lift(steps * step)
    return scaled if isinstance(start, int) and start == 0 else lift(scaled + start)
