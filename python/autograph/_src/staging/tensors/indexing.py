"""Indexing staged arrays: parses ``x[i]``, ``x[a:b, ::2]``, ``x[i, rows]`` and reads the selection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph._src.own_attributes import has_own
from autograph._src.staging.tensors.index_parts import At, Cut, New, Part, Pick, Span
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import as_index, cut_off
from autograph._src.staging.tensors.python_scalars import both, compare, require
from autograph._src.staging.tensors.selecting import (
    beside_picks,
    pick_elements,
    take_slices,
    with_axes,
)
from autograph._src.staging.tensors.sizes import refusal_of_tuple, refuse_if_kept
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, emit_all, type_words, wrap
from autograph._src.staging.tensors.views import note_selected, reread
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import staging_error, type_error, value_error
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.statements import record_error_unless, record_failure_of, records
from autograph.errors import StagedIndexError, StagingError


class UnknownSizeError(StagingError):
    """A slice is shorter in some iterations; loops catch this error to peel their last iteration."""


@records(statements.get_item)
def get_item(x: Tensor, index: object) -> Tensor:
    """``x[index]`` of a staged array."""
    if x.form is Form.PYTHON:
        raise type_error(f"'{type_words(x)}' object is not subscriptable")
    parts = parse(x, index)
    is_basic = not any(isinstance(part, Pick) and part.rank for part in parts)
    value = reread(x, parts) if is_basic else None
    if value is None:
        taken = beside_picks(parts)
        value = take_slices(x.read(), x.sizes, taken)
        value = with_axes(pick_elements(value, taken), taken)
    is_scalar = not has_ellipsis(index) and not any(map(_keeps_an_axis, parts))
    result = wrap(value, None if is_scalar else Form.ARRAY)
    if not is_scalar and is_basic:
        note_selected(result, x, parts)
    return result


def _keeps_an_axis(part: Part) -> bool:
    return part.rank > 0 if isinstance(part, Pick) else not isinstance(part, At)


def has_ellipsis(index: object) -> bool:
    """Whether an index contains ``...``; the result is then an array even if its rank is 0."""
    return any(part is Ellipsis for part in (index if isinstance(index, tuple) else (index,)))


def is_mask(index: Any) -> bool:
    """Whether an index is an array of bools."""
    is_array = isinstance(index, (np.ndarray, np.generic)) or has_own(index, "dtype")
    return is_array and index.dtype.kind == "b"


def _index_error(message: str) -> StagedIndexError:
    return StagedIndexError(message, code="AG116", location=here())


_NOT_AN_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are"
    " valid indices"
)


def parse(x: Tensor, index: object) -> list[Part]:
    """One part for each axis of ``x`` and for each new axis, in order."""
    given = list(index) if isinstance(index, tuple) else [index]
    given = [index_of_list(part) if isinstance(part, list) else part for part in given]
    if any(isinstance(part, (bool, np.bool_)) for part in given):
        raise staging_error("AG115", "a plain `True` or `False` as an index is not supported")
    taken = sum(_axes_taken(part) for part in given)
    if taken > x.ndim:
        raise _index_error(
            f"too many indices for array: array is {x.ndim}-dimensional, but {taken} were indexed"
        )
    ellipses = [position for position, part in enumerate(given) if part is Ellipsis]
    if len(ellipses) > 1:
        raise _index_error("an index can only have a single ellipsis ('...')")
    where = ellipses[0] if ellipses else len(given)
    given[where : where + 1] = [slice(None)] * (x.ndim - taken)
    parts: list[Part] = []
    for part in given:
        axis = sum(not isinstance(known, New) for known in parts)
        if part is None:
            parts.append(New())
        elif isinstance(part, ListMask):
            parts += part.parts(x, axis)
        elif is_mask(part):
            parts += masked(x, part, axis)
        else:
            parts.append(_parse_part(part, axis, x.sizes[axis], x))
    if any(isinstance(part, Pick) and part.rank for part in parts):
        parts = [_as_pick(part) for part in parts]
        _check_adjacent(parts)
    return parts


@dataclass(frozen=True)
class ListMask:
    """A list of bools, of which only the run knows how many there are. One of none selects nothing."""

    bools: Tensor

    def parts(self, x: Tensor, axis: int) -> list[Part]:
        """The places of those that are true."""
        count, extent = lift(self.bools.shape[0]), lift(x.shape[axis])
        is_one, is_none = (compare("equal", count, size).read() for size in (extent, 0))
        fits = wrap(emit("binary", "bitwise_or", is_one, is_none))
        require(fits, IndexError, f"{_NO_MATCH} {axis}")
        return [Pick(places) for places in nonzero(self.bools)]


def index_of_list(values: list[Any]) -> Any:
    """A list as the index array or mask that NumPy makes of it: that of an empty list is of integers."""
    if has_own(values, "indices"):
        array = values.indices()
        return ListMask(array) if array.dtype.kind == "b" else array
    if not values or any(isinstance(one, list) for one in values):
        return values
    array = lift(values)
    return array if array.dtype.kind == "b" else values


def _axes_taken(part: Any) -> int:
    if part is None or part is Ellipsis:
        return 0
    if isinstance(part, ListMask):
        return 1
    return len(np.shape(part)) if is_mask(part) else 1


def masked(x: Tensor, mask: Any, axis: int = 0) -> list[Part]:
    """The parts for a mask over one or more axes: the index arrays of its true elements."""
    if not mask.ndim:
        raise staging_error("AG115", "a plain `True` or `False` as an index is not supported")
    sizes = mask.sizes if isinstance(mask, Tensor) else mask.shape
    for place, size in enumerate(sizes, axis):
        fits_mask(x, place, size, mask, place - axis)
    if isinstance(mask, Tensor):
        return [Pick(places) for places in nonzero(mask)]
    return [Pick(lift(places.astype(np.int64))) for places in mask.nonzero()]


def nonzero(mask: Tensor) -> list[Tensor]:
    """The indices of the true elements, one array for each axis."""
    return [wrap(places, Form.ARRAY) for places in emit_all("nonzero", mask.read())]


_NO_MATCH = "boolean index did not match indexed array along axis"


def fits_mask(x: Tensor, axis: int, size: int | None, mask: Tensor, place: int) -> None:
    """Checks, now or in the run, that an axis of a mask has the size of the array's axis."""
    words = f"{_NO_MATCH} {axis}"
    extent = x.sizes[axis]
    if extent is None or size is None:
        require(compare("equal", lift(x.shape[axis]), mask.shape[place]), IndexError, words)
    elif extent != size:
        raise _index_error(
            f"{words}; size of axis is {extent} but size of corresponding boolean axis is {size}"
        )


def _parse_part(part: object, axis: int, extent: int | None, x: Tensor) -> Part:
    if has_own(part, "ag_number"):  # Of a dtype that the graph does not have.
        part = part.ag_number()
    if isinstance(part, slice):
        return _parse_slice(part, extent, lambda: lift(x.shape[axis]))
    if isinstance(part, (int, np.integer)) and extent is not None:
        return At(_in_range(int(part), axis, extent, x.ag_trace.is_handled("IndexError")))
    if isinstance(part, (int, np.integer)):
        _may_be_out_of_range(x, axis, lift(int(part)))
        return Pick(lift(int(part)))
    if isinstance(part, (list, tuple)):
        part = lift(part) if len(part) else np.zeros(0, np.int64)
    if isinstance(part, np.ndarray) and part.dtype.kind in "iu":
        if extent is not None:
            for item in part.ravel().tolist():
                _in_range(item, axis, extent)
        return Pick(lift(part.astype(np.int64)))
    if isinstance(part, Tensor) and part.dtype.kind in "iu":
        bounds = part.affine.bounds() if part.affine is not None else None
        if extent is None or bounds is None or bounds[0] < -extent or bounds[1] >= extent:
            _may_be_out_of_range(x, axis, part)
        return Pick(part)
    if has_own(part, "ag_elements"):
        raise refusal_of_tuple("an index")
    raise _index_error(_NOT_AN_INDEX)


def _may_be_out_of_range(x: Tensor, axis: int, index: Tensor) -> None:
    """Notes that the run checks an index; inside a `try` that takes the exception, the check is made before.

    try:
        y = a[i]        if -len(a) <= i < len(a):  y = a[i]
    except IndexError:  else:                      y = 0.0
        y = 0.0
    """
    trace = x.ag_trace
    if not trace.is_handled("IndexError"):
        trace.may_raise("IndexError")
        return
    if index.sizes:
        _may_hold_one_out_of_range(x, axis, index)
        return
    number, extent = wrap(emit("cast", index.read(), "int64"), Form.PYTHON), lift(x.shape[axis])
    ends = (compare("less", number, extent), compare("greater_equal", number, lift(-extent)))
    size: Any = extent if x.sizes[axis] is None else x.sizes[axis]
    text = StagedString(
        ("index ", (number, None, ""), f" is out of bounds for axis {axis} with size ", (size, None, ""))
    )
    record_error_unless(both(*ends), IndexError, text)


def _may_hold_one_out_of_range(x: Tensor, axis: int, index: Tensor) -> None:
    extent = x.sizes[axis]
    if extent is None:
        x.ag_trace.may_raise("IndexError")
        return
    low, high = (wrap(emit("binary", op, index.read(), lift(end).read())) for op, end in _ends(extent))
    fits = wrap(emit("binary", "bitwise_and", low.read(), high.read()))
    like = np.broadcast_to(np.False_, (*[1] * axis, extent))
    ok = wrap(emit("reduce", "all", fits.read(), [*range(len(index.sizes))], False), Form.PYTHON)
    record_failure_of(ok, IndexError, lambda index: like[*[slice(None)] * axis, index], index)


def _ends(extent: int) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("greater_equal", -extent), ("less", extent)


def _in_range(index: int, axis: int, extent: int, is_handled: bool = False) -> int:
    if -extent <= index < extent:
        return index % extent
    message = f"index {index} is out of bounds for axis {axis} with size {extent}"
    raise IndexError(message) if is_handled else _index_error(message)


def _parse_slice(part: slice, extent: int | None, size: Callable[[], Tensor]) -> Span | Cut:
    bounds = (part.start, part.stop, part.step)
    if not any(isinstance(bound, Tensor) for bound in bounds):
        if extent is None:
            return Span(0, None, 1) if bounds in _WHOLE else _cut(part, size())
        start, stop, step = part.indices(extent)
        count = len(range(start, stop, step))
        return Span(start if count else 0, count, step if count else 1)
    low, high = getattr(part.start, "affine", None), getattr(part.stop, "affine", None)
    if extent is None or low is None or high is None or isinstance(part.step, Tensor):
        return _cut(part, size())
    if part.step not in (None, 1) or (low.root, low.factor) != (high.root, high.factor):
        return _cut(part, size())
    if low.bounds()[0] < 0 or high.bounds()[1] > extent:
        raise UnknownSizeError(
            f"this slice is cut off at the end of the axis (size {extent}) in some iterations",
            code="AG117",
            location=here(),
            help="let the range end before the last, shorter part, and handle that part after the loop",
        )
    return Span(0, max(high.offset - low.offset, 0), 1, part.start)


def _cut(part: slice, size: Tensor) -> Cut:
    """A slice with staged bounds or of an axis of unknown size, clipped to the axis."""
    start, stop, step = (
        None if bound is None else as_index(bound, _NO_BOUND) for bound in (part.start, part.stop, part.step)
    )
    for bound in (part.start, part.stop, part.step):
        refuse_if_kept(bound)
    step = 1 if step is None else step
    if isinstance(step, Tensor):
        require(compare("not_equal", step, 0), ValueError, _STEP_OF_ZERO)
    elif step == 0:
        raise value_error(_STEP_OF_ZERO)
    return Cut(*cut_off(start, stop, step, size), step)


_WHOLE = ((None, None, None), (0, None, None), (None, None, 1), (0, None, 1))
"""Slices that take a whole axis."""

_STEP_OF_ZERO = "slice step cannot be zero"
_NO_BOUND = "slice indices must be integers or None or have an __index__ method"


def _as_pick(part: Part) -> Part:
    """A plain integer as an index array, which it is beside other index arrays."""
    return Pick(lift(np.int64(part.position))) if isinstance(part, At) else part


def _check_adjacent(parts: Sequence[Part]) -> None:
    places = [position for position, part in enumerate(parts) if isinstance(part, Pick)]
    if places != list(range(places[0], places[-1] + 1)):
        raise staging_error(
            "AG118",
            "index arrays with a slice between them are not supported",
            "move the axis of the slice to the end: `np.moveaxis(a, 1, -1)[i, j]`",
        )
