"""What goes over elements in Python: ``x.flat``, ``np.vectorize``.

for (i, j), value in np.ndenumerate(x):     # one staged loop over the elements in a row
total += value * (i - j)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import UNDISPATCHED
from autograph._src.operators.calls import converted_call
from autograph._src.staging.control.iteration import StandIn
from autograph._src.staging.control.walking import walk
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.lists.traced_list import made_list
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import cast
from autograph._src.staging.tensors.sizes import broadcast, equal, is_empty
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import staging_error, value_error
from autograph._src.staging.trace.state import NO_VARIABLES


class StagedFlat(StandIn):
    """``x.flat``: the elements of a staged array in a row, to read, to write and to walk.

    Attributes:
        base: The array.
    """

    type_name = "flatiter"

    def __init__(self, base: Tensor) -> None:
        self.base = base

    def staged(self) -> StagedIterable:
        """The elements of the array as they are when each is reached."""
        return StagedIterable(self.base.size, lambda position: self[position], "flatiter")

    def sequence(self) -> StagedIterable:
        """As :meth:`staged`."""
        return self.staged()

    def __len__(self) -> int:
        return len(np.ravel(self.base))

    def __getitem__(self, index: Any) -> Any:
        found = lift(np.ravel(self.base))[index]
        return found if found.form is not Form.ARRAY else np.copy(found)

    def __setitem__(self, index: Any, value: Any) -> None:
        row: Any = np.copy(np.ravel(self.base))
        row[index] = value
        self.base[...] = np.reshape(row, self.base.shape)

    def __iter__(self) -> Any:
        return iter(np.ravel(self.base))

    def copy(self) -> Any:
        """The elements as a new vector."""
        return np.copy(np.ravel(self.base))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise staging_error("AG120", f"`{name}` of `flat` of a staged array", "use `np.ravel(x)`")


UNDISPATCHED.add(np.vectorize.__call__)


def call_vectorized(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``np.vectorize(f)(x, y)``: `f` of each pair of elements.

    As in NumPy, `f` is called once with the first elements to learn the dtypes of the results, unless
    ``otypes=`` says them; then with all elements as Python numbers.
    """
    if function.signature is not None:
        raise staging_error(
            "AG108",
            "`signature=` of `np.vectorize` is not supported for staged values",
            "write the loop: `np.stack([f(row) for row in x])`",
        )
    places = [place for place in range(len(args)) if place not in function.excluded]
    names = [name for name in kwargs if name not in function.excluded]
    arrays = [lift(one) for one in (*(args[place] for place in places), *(kwargs[name] for name in names))]
    if not arrays:
        raise staging_error("AG108", "`np.vectorize` of excluded arguments alone", "call the function itself")
    sizes = broadcast(*(one.shape for one in arrays))
    rows = [lift(np.ravel(np.broadcast_to(one, sizes))) for one in arrays]

    def called(values: Sequence[Any]) -> tuple[Any, ...]:
        given, options = list(args), kwargs | dict(zip(names, values[len(places) :], strict=True))
        for place, value in zip(places, values, strict=False):
            given[place] = value
        found = converted_call(function.pyfunc, *given, **options)
        return found if isinstance(found, tuple) else (found,)

    size = math.prod(sizes)
    is_tuple, dtypes = _results_of(function, called, rows, size)
    results: list[Any] = [made_list([]) for _ in dtypes]

    def add(position: Any) -> None:
        found = called([_as_python(row[position]) for row in rows])
        for result, one, dtype in zip(results, found, dtypes, strict=True):
            result.append(converted_call(dtype.type, one))

    walk(StagedIterable(size, lambda position: position), add, NO_VARIABLES)
    made = [_array_of(result, dtype, sizes) for result, dtype in zip(results, dtypes, strict=True)]
    return tuple(made) if is_tuple else made[0]


def _results_of(
    function: Any, called: Callable[[Sequence[Any]], tuple[Any, ...]], rows: Sequence[Tensor], size: Any
) -> tuple[bool, list[np.dtype[Any]]]:
    """Whether `f` returns several results, and the dtypes of the arrays of results."""
    if function.otypes is not None:
        kinds = [np.dtype(one) for one in function.otypes]
        return len(kinds) > 1, kinds
    is_empty = equal(size, 0)
    if is_empty is True:
        raise value_error("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
    if isinstance(is_empty, Tensor):
        raise staging_error(
            "AG117",
            "`np.vectorize` of an array that may be empty",
            "say the results' dtypes: `otypes=`",
        )
    first = called([row[0] for row in rows])
    return len(first) > 1, [_dtype_of(one) for one in first]


def _dtype_of(result: object) -> np.dtype[Any]:
    """The dtype of the array of a result."""
    if type(result) is not StagedUnion:
        return result.dtype if isinstance(result, Tensor) else np.asarray(result).dtype
    each = {lift(result.ag_at(position)).dtype for position in range(len(result.ag_alternatives))}
    if len(each) == 1:
        return each.pop()
    names = " or ".join(sorted(one.name for one in each))
    raise staging_error(
        "AG131",
        f"`np.vectorize` makes an array of the dtype of its first result, here {names}, depending on data",
        "say the results' dtypes: `otypes=`",
    )


def _as_python(element: Tensor) -> Any:
    """An element as NumPy's conversion to objects gives it."""
    kind = {"b": "bool", "f": "float64"}.get(element.dtype.kind, "int64")
    return cast(wrap(element.read(), Form.PYTHON), kind)


def _array_of(values: Any, dtype: np.dtype[Any], sizes: Sequence[Any]) -> Any:
    array = lift(np.zeros(0)) if is_empty(sizes) else lift(values)
    return np.reshape(array.astype(dtype), sizes)
